/* verify_plan.c - plans that launch every kernel of offline permutations, for items of each kind.
 *
 * Sizes are small, and tiles smaller than a plan would choose; launches are the same on a GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offline/plan.h"
#include "verify.h"

struct plan_case {
    const char *kernel; /* the first that it launches, without its size */
    uint32_t n;
    struct cw_plan_wish wish;
    uint64_t (*to)(uint64_t i, uint64_t n);
};

static uint64_t scattered(uint64_t i, uint64_t n)
{
    return i * 601 % n;
}

static uint64_t turned(uint64_t i, uint64_t n)
{
    return (i + 77) % n;
}

static uint64_t mixed_bits(uint64_t i, uint64_t n)
{
    return ((i << 7 | i >> 5) ^ i << 9 ^ 77) & (n - 1);
}

static const struct plan_case cases[] = {
    {"partition", 900, {1, -1, 128, 2}, scattered}, {"place", 900, {1, -1, 128, 3}, scattered},
    {"gather", 700, {1, 1, 0, 0}, scattered},       {"turn", 999, {0, 0, 0, 0}, turned},
    {"bits", 4096, {0, 0, 0, 0}, mixed_bits},
};

/* Is it left out, as another kernel is asked for? */
static int left_out(const struct verify *v, const struct plan_case *c, uint32_t bytes)
{
    const uint32_t word = cw_plan_word(bytes);
    char name[64];

    snprintf(name, sizeof name, "cw_plan_%s_%s%u", c->kernel, bytes == word ? "" : "odd_", word);
    return v->only >= 0 && v->only != verify_kernel(name);
}

enum { IN, OUT, TABLE, ROOM, ARRAYS };

static const char *check(const struct plan_case *c, uint32_t bytes, const struct verify_array *a)
{
    for (uint64_t i = 0; i < c->n; i++) {
        if (memcmp((const char *)a[OUT].host + c->to(i, c->n) * bytes,
                   (const char *)a[IN].host + i * bytes, bytes) != 0)
            return "an item is in the wrong place";
    }
    return NULL;
}

static cw_status execute(struct verify *v, const struct plan_case *c, uint32_t bytes,
                         const cw_plan *plan, struct verify_array *a)
{
    const size_t shift = v->salt++ % 2 * bytes, all = (size_t)c->n * bytes;
    uint64_t seed = v->salt;
    size_t room;
    cw_status status = cw_plan_workspace(plan, &room);

    if (!status)
        status = verify_array_make(v, &a[IN], all, shift);
    if (!status)
        status = verify_array_make(v, &a[OUT], all, shift);
    if (!status)
        status = verify_array_make(v, &a[TABLE], cw_plan_table_bytes(plan), 0);
    if (!status)
        status = verify_array_make(v, &a[ROOM], room, 0);
    if (status)
        return status;
    for (size_t k = 0; k < all; k++)
        ((unsigned char *)a[IN].host)[k] = (unsigned char)verify_random(&seed);
    status = verify_send(v, &a[IN]);
    if (!status)
        status = cw_plan_write_table(v->context, plan, a[TABLE].there);
    if (!status)
        status = cw_plan_execute(v->context, plan, a[TABLE].there, a[IN].there, a[OUT].there,
                                 a[ROOM].there, room, NULL);
    if (!status)
        status = cw_wait(v->context, NULL);
    return status ? status : verify_fetch(v, &a[OUT]);
}

static void run(struct verify *v, const struct plan_case *c, uint32_t bytes)
{
    struct verify_array a[ARRAYS];
    uint64_t *const index = (uint64_t *)calloc(c->n, sizeof *index);
    cw_plan *plan = NULL;
    cw_status status = index ? CW_OK : CW_ERR_MEMORY;

    memset(a, 0, sizeof a);
    for (uint64_t i = 0; i < c->n && index; i++)
        index[i] = c->to(i, c->n);
    if (!status)
        status = cw_plan_make(index, 8, c->n, bytes, 0, 1, &c->wish, &plan);
    verify_begin(v, "plan of %u items of %u bytes, %s", c->n, bytes, cw_plan_kind(plan));
    if (!status)
        status = execute(v, c, bytes, plan, a);
    verify_end(v, status ? cw_last_error() : check(c, bytes, a));
    for (int x = 0; x < ARRAYS; x++)
        verify_array_free(v, &a[x]);
    cw_plan_destroy(plan);
    free(index);
}

void verify_plan(struct verify *v)
{
    static const uint32_t sizes[] = {4, 8, 16, 3, 6, 12};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            if (!left_out(v, &cases[k], sizes[s]))
                run(v, &cases[k], sizes[s]);
        }
    }
}
