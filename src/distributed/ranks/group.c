/* group.c - the group's functions, counted, and their errors as a status. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* clock_gettime */
#endif

#include "distributed/ranks/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/status.h"

cw_status cw_peers_begin(struct cw_peers *p, const cw_group *group, cw_group_report *report)
{
    if (!group)
        return cw_fail(CW_ERR_ARGUMENT, "group is NULL");
    if (!group->ranks || group->rank >= group->ranks || !group->allgather || !group->allreduce ||
        !group->alltoallv || !group->barrier)
        return cw_fail(CW_ERR_ARGUMENT, "group: rank %u of %u, or a function is missing",
                       group->rank, group->ranks);
    p->group = group;
    p->rank = group->rank;
    p->ranks = group->ranks;
    p->report = report ? report : &p->unread;
    p->held = 0;
    cw_peers_lend(p, NULL, 0);
    memset(p->report, 0, sizeof *p->report);
    return CW_OK;
}

static cw_status failed(const struct cw_peers *p, const char *what, int code)
{
    if (!code)
        return CW_OK;
    return cw_fail(CW_ERR_IO, "%s of rank %u of %u: %s (code %d)", what, p->rank, p->ranks,
                   p->group->text ? p->group->text(p->group->self, code) : "failed", code);
}

static void count(struct cw_peers *p, uint64_t messages, uint64_t bytes)
{
    p->report->messages += messages;
    p->report->control_bytes += bytes * messages;
}

/* By doubling: in step k with the rank whose number differs in bit k. */
static void count_reduction(struct cw_peers *p, size_t values)
{
    uint64_t steps = 0;

    while (p->ranks > (uint64_t)1 << steps)
        steps++;
    count(p, steps, values * sizeof(uint64_t));
}

cw_status cw_peers_allgather(struct cw_peers *p, const void *mine, void *all, size_t bytes)
{
    count(p, p->ranks - 1, bytes);
    return failed(p, "allgather", p->group->allgather(p->group->self, mine, all, bytes));
}

cw_status cw_peers_max(struct cw_peers *p, uint64_t *values, size_t n)
{
    count_reduction(p, n);
    return failed(p, "allreduce", p->group->allreduce(p->group->self, values, n, CW_MAX));
}

cw_status cw_peers_alltoallv(struct cw_peers *p, const cw_exchange *x, int control)
{
    uint64_t bytes = 0;

    for (uint32_t r = 0; r < p->ranks; r++) {
        if (r != p->rank && x->send_bytes[r]) {
            p->report->messages++;
            bytes += x->send_bytes[r];
        }
    }
    if (control)
        p->report->control_bytes += bytes;
    else
        p->report->exchange_bytes += bytes;
    return failed(p, "alltoallv", p->group->alltoallv(p->group->self, x));
}

cw_status cw_peers_alltoall(struct cw_peers *p, const void *send, void *recv, size_t bytes,
                            uint64_t *room)
{
    uint64_t *const sizes = room, *const at = room + p->ranks;
    const cw_exchange x = {send, recv, sizes, at, sizes, at, 0, 1, NULL};

    for (uint32_t r = 0; r < p->ranks; r++) {
        sizes[r] = bytes;
        at[r] = r * (uint64_t)bytes;
    }
    return cw_peers_alltoallv(p, &x, 1);
}

cw_status cw_peers_agree_on(struct cw_peers *p, cw_status mine, uint64_t *values, size_t n)
{
    uint64_t all[1 + CW_AGREE];
    cw_status status;

    all[0] = (uint64_t)mine << 32 | p->rank;
    for (size_t x = 0; x < n; x++)
        all[1 + x] = values[x];
    count_reduction(p, 1 + n);
    status = failed(p, "allreduce", p->group->allreduce(p->group->self, all, 1 + n, CW_MAX));
    if (status)
        return status;
    for (size_t x = 0; x < n; x++)
        values[x] = all[1 + x];
    status = (cw_status)(all[0] >> 32);
    if (!status || (status == mine && (uint32_t)all[0] == p->rank))
        return status; /* the detail is this rank's own */
    return cw_fail(status, "rank %u of %u: %s", (unsigned)(uint32_t)all[0], p->ranks,
                   cw_status_text(status));
}

cw_status cw_peers_agree(struct cw_peers *p, cw_status mine)
{
    return cw_peers_agree_on(p, mine, NULL, 0);
}

_Thread_local uint64_t cw_peers_fail_in;

void cw_peers_hold(struct cw_peers *p, size_t bytes)
{
    p->held += bytes;
    if (p->held > p->report->host_bytes)
        p->report->host_bytes = p->held;
}

static int fails(void)
{
    return cw_peers_fail_in && !--cw_peers_fail_in;
}

static void *counted(struct cw_peers *p, void *memory, size_t bytes)
{
    if (memory)
        cw_peers_hold(p, bytes);
    else
        cw_fail(CW_ERR_MEMORY, "%zu bytes for rank %u", bytes, p->rank);
    return memory;
}

void *cw_peers_alloc(struct cw_peers *p, size_t bytes)
{
    return counted(p, fails() ? NULL : malloc(bytes ? bytes : 1), bytes);
}

void cw_peers_free(struct cw_peers *p, void *memory, size_t bytes)
{
    if (memory)
        p->held -= bytes;
    free(memory);
}

void cw_peers_lend(struct cw_peers *p, void *room, size_t bytes)
{
    p->lent = (char *)room;
    p->lent_bytes = bytes;
    p->lent_used = 0;
}

static size_t in_lent(size_t bytes)
{
    return (bytes + 16u) / 16u * 16u; /* no two at one place */
}

void *cw_peers_scratch(struct cw_peers *p, size_t bytes)
{
    char *const here = p->lent ? p->lent + p->lent_used : NULL;

    if (!here || p->lent_bytes - p->lent_used < in_lent(bytes))
        return cw_peers_alloc(p, bytes);
    if (fails())
        return counted(p, NULL, bytes);
    p->lent_used += in_lent(bytes);
    return here;
}

void cw_peers_scratch_free(struct cw_peers *p, void *memory, size_t bytes)
{
    const char *const at = (const char *)memory;

    if (!p->lent || at < p->lent || at >= p->lent + p->lent_bytes) {
        cw_peers_free(p, memory, bytes);
        return;
    }
    p->lent_used -= in_lent(bytes);
    assert(at == p->lent + p->lent_used);
}

cw_status cw_group_error(cw_status status, const char *text)
{
    return cw_fail(status, "%s", text);
}

double cw_peers_clock(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
