/* seats.c - the four functions of a group whose ranks share memory. */
#include "distributed/ranks/seats.h"

#include <string.h>

#include "backend/backend.h"

enum { OTHER_SIZE = -1, NO_GPU = -2 };

static int allgather(void *self, const void *mine, void *all, size_t bytes)
{
    struct cw_seat *const s = (struct cw_seat *)self;
    int code;

    s->data = mine;
    code = s->meet(s);
    for (uint32_t r = 0; r < s->ranks && !code; r++)
        memcpy((char *)all + r * bytes, s->all[r].data, bytes);
    return code ? code : s->meet(s);
}

static void reduce(struct cw_seat *s, uint64_t *values, size_t count, cw_reduction reduction)
{
    for (uint32_t r = 0; r < s->ranks; r++) {
        const uint64_t *const theirs = (const uint64_t *)s->all[r].data;

        for (size_t i = 0; i < count && r != s->rank; i++) {
            if (reduction == CW_SUM)
                values[i] += theirs[i];
            else if (theirs[i] > values[i])
                values[i] = theirs[i];
        }
    }
}

static int allreduce(void *self, uint64_t *values, size_t count, cw_reduction reduction)
{
    struct cw_seat *const s = (struct cw_seat *)self;
    uint64_t mine[64];
    int code = 0;

    for (size_t i = 0; i < count && !code; i += 64) {
        const size_t now = count - i < 64 ? count - i : 64;

        memcpy(mine, values + i, now * sizeof *mine);
        s->data = mine;
        code = s->meet(s);
        if (!code)
            reduce(s, values + i, now, reduction);
        code = code ? code : s->meet(s);
    }
    return code;
}

/* To here from another rank: of this GPU's memory by the context's stream, of the host's at
 * once. */
static int copy(const cw_exchange *x, void *to, const void *from, size_t bytes)
{
    const struct cw_backend_table *on;
    const struct cw_gpu none = {.processors = 0};
    union cw_any_queue q;

    if (!x->device) {
        memcpy(to, from, bytes);
        return 0;
    }
    if (cw_backend_find(CW_CUDA, &on))
        return NO_GPU;
    on->queue(&none, x->stream, &q);
    return q.queue.copy(&q.queue, to, from, bytes) ? NO_GPU : 0;
}

static int finish(const cw_exchange *x)
{
    const struct cw_backend_table *on;

    if (!x->device)
        return 0;
    return cw_backend_find(CW_CUDA, &on) || on->wait(x->stream) ? NO_GPU : 0;
}

static int alltoallv(void *self, const cw_exchange *x)
{
    struct cw_seat *const s = (struct cw_seat *)self;
    int code, ended;

    s->exchange = x;
    code = s->meet(s);
    for (uint32_t i = 0; i < s->ranks && !code; i++) {
        const uint32_t r = (s->rank + i) % s->ranks; /* not all from one at once */
        const cw_exchange *const from = s->all[r].exchange;

        if (from->send_bytes[s->rank] != x->recv_bytes[r])
            code = OTHER_SIZE;
        else if (x->recv_bytes[r])
            code = copy(x, (char *)x->recv + x->recv_at[r],
                        (const char *)from->send + from->send_at[s->rank], x->recv_bytes[r]);
    }
    code = code ? code : finish(x);
    ended = s->meet(s);
    return code ? code : ended;
}

static const char *text(void *self, int code)
{
    (void)self;
    if (code == NO_GPU)
        return cw_last_error();
    return code == OTHER_SIZE ? "a rank sends another number of bytes than is expected"
                              : strerror(code);
}

void cw_seats_group(struct cw_seat *seat, cw_group *out)
{
    memset(out, 0, sizeof *out);
    out->self = seat;
    out->rank = seat->rank;
    out->ranks = seat->ranks;
    out->device = 1; /* ranks see each other's memory, that of GPUs too */
    out->allgather = allgather;
    out->allreduce = allreduce;
    out->alltoallv = alltoallv;
    out->barrier = seat->meet;
    out->text = text;
}
