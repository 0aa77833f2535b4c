/* make.c - make a plan: recognise the map, or fill in tables.
 *
 * Small arrays and short runs are gathered by a table of 4 bytes an item.  Others go by tables of
 * partition passes (make_passes.c).
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "base/status.h"
#include "offline/making.h"

#define NONE         UINT32_MAX
#define SHARE        16384u              /* items that a thread takes at a time */
#define GATHER_BYTES ((uint64_t)1 << 24) /* up to these a gather from the L2 is as fast; */
#define GATHER_ITEMS ((uint64_t)1 << 22) /* .. up to twice these if they are not more items */

static uint64_t given_at(const struct cw_plan_making *m, uint64_t i)
{
    return m->given_bytes == 4 ? ((const uint32_t *)m->given)[i] : ((const uint64_t *)m->given)[i];
}

uint32_t *cw_plan_making_room(struct cw_plan_making *m)
{
    uint32_t *const p = (uint32_t *)malloc((m->plan->n + 1) * sizeof *p);

    if (p)
        m->own[m->owned++] = p;
    else
        (void)cw_fail(CW_ERR_MEMORY, "a plan of %llu items", (unsigned long long)m->plan->n);
    return p;
}

/* ---- what was given ------------------------------------------------------------------------- */

/* Name the first index that is out of range or was there before. */
cw_status cw_plan_name_offender(const struct cw_plan_making *m)
{
    const uint64_t n = m->plan->n;
    uint64_t *seen = (uint64_t *)calloc(n / 64 + 1, sizeof *seen);
    cw_status status = seen ? CW_OK : cw_fail(CW_ERR_LABEL, "not a permutation");

    for (uint64_t i = 0; i < n && !status; i++) {
        const uint64_t x = given_at(m, i);

        if (x >= n)
            status = cw_fail(CW_ERR_LABEL, "index %llu is %llu: out of range, there are %llu",
                             (unsigned long long)i, (unsigned long long)x, (unsigned long long)n);
        else if (seen[x / 64] >> x % 64 & 1u)
            status = cw_fail(CW_ERR_LABEL, "index %llu is %llu, which was there before",
                             (unsigned long long)i, (unsigned long long)x);
        else
            seen[x / 64] |= (uint64_t)1 << x % 64;
    }
    free(seen);
    return status ? status : cw_fail(CW_ERR_INTERNAL, "a permutation that is none");
}

/* Loops over all items. */
struct items {
    struct cw_plan_making *m;
    const uint32_t *index;
    uint32_t *out;
    _Atomic int bad; /* set if some item is */
};

static void run_items(struct items *items, cw_share *body)
{
    cw_team_run(items->m->team, cw_team_threads(items->m->team), (size_t)items->m->plan->n, SHARE,
                body, items);
}

static void tell_bad(struct items *items, int bad)
{
    if (bad)
        atomic_store_explicit(&items->bad, 1, memory_order_relaxed);
}

static void look_at_some(void *user, size_t i, size_t end, unsigned thread)
{
    struct items *const items = (struct items *)user;
    const uint32_t *const in = (const uint32_t *)items->m->given;
    const uint64_t n = items->m->plan->n;
    int bad = 0;

    (void)thread;
    for (; i < end; i++)
        bad |= in[i] >= n;
    tell_bad(items, bad);
}

static void narrow_some(void *user, size_t i, size_t end, unsigned thread)
{
    struct items *const items = (struct items *)user;
    const uint64_t *const in = (const uint64_t *)items->m->given;
    const uint64_t n = items->m->plan->n;
    int bad = 0;

    (void)thread;
    for (; i < end; i++) {
        bad |= in[i] >= n;
        items->out[i] = (uint32_t)in[i];
    }
    tell_bad(items, bad);
}

static void clear_some(void *user, size_t i, size_t end, unsigned thread)
{
    const struct items *const items = (const struct items *)user;

    (void)thread;
    memset(items->out + i, 0xff, (end - i) * sizeof *items->out); /* NONE */
}

/* Two threads may write one place, if the index is no permutation. */
static void invert_some(void *user, size_t i, size_t end, unsigned thread)
{
    const struct items *const items = (const struct items *)user;
    _Atomic uint32_t *const out = (_Atomic uint32_t *)items->out;

    (void)thread;
    for (; i < end; i++)
        atomic_store_explicit(&out[items->index[i]], (uint32_t)i, memory_order_relaxed);
}

static void find_none(void *user, size_t i, size_t end, unsigned thread)
{
    struct items *const items = (struct items *)user;
    int bad = 0;

    (void)thread;
    for (; i < end; i++)
        bad |= items->out[i] == NONE;
    tell_bad(items, bad);
}

/* As 32-bit numbers, all of them in range; NULL with a status. */
static const uint32_t *narrow(struct cw_plan_making *m, cw_status *status)
{
    uint32_t *const copy = m->given_bytes == 8 ? cw_plan_making_room(m) : NULL;
    struct items items = {m, NULL, copy, 0};

    if (m->given_bytes == 8 && !copy) {
        *status = CW_ERR_MEMORY;
        return NULL;
    }
    run_items(&items, copy ? narrow_some : look_at_some);
    *status = items.bad ? cw_plan_name_offender(m) : CW_OK;
    return items.bad ? NULL : copy ? copy : (const uint32_t *)m->given;
}

/* The inverse; if a value is there twice, another is not, and its place stays NONE. */
static const uint32_t *inverse(struct cw_plan_making *m, const uint32_t *index, cw_status *status)
{
    uint32_t *const out = cw_plan_making_room(m);
    struct items items = {m, index, out, 0};

    if (!out) {
        *status = CW_ERR_MEMORY;
        return NULL;
    }
    run_items(&items, clear_some);
    run_items(&items, invert_some);
    run_items(&items, find_none);
    *status = items.bad ? cw_plan_name_offender(m) : CW_OK;
    return items.bad ? NULL : out;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static cw_status make_gather(struct cw_plan_making *m, const uint32_t *index, int gather)
{
    cw_plan *const plan = m->plan;
    const uint64_t block = cw_plan_block(plan);
    cw_status status;
    const uint32_t *from = inverse(m, index, &status); /* finds what is there twice, too */

    if (status)
        return status;
    if (!gather)
        index = from;
    plan->index = (uint32_t *)malloc((cw_plan_blocks(plan) + 1) * sizeof *plan->index);
    if (!plan->index)
        return cw_fail(CW_ERR_MEMORY, "an index of %llu", (unsigned long long)cw_plan_blocks(plan));
    for (uint64_t k = 0; k < cw_plan_blocks(plan); k++)
        plan->index[k] = (uint32_t)(index[k * block] / block);
    return CW_OK;
}

/* Is a gather as fast as passes?  As measured on an H200: while items stay in the L2, and of odd
 * sizes of more than 8 bytes, which passes move in parts. */
static int gather_wins(const cw_plan *plan)
{
    const uint64_t bytes = plan->n * plan->bytes;

    return plan->bytes > CW_PLAN_SMALL || bytes <= GATHER_BYTES ||
           (bytes <= 2 * GATHER_BYTES && plan->n <= GATHER_ITEMS) ||
           (plan->bytes > 8 && plan->bytes < 16);
}

static cw_status fill(struct cw_plan_making *m, unsigned flags, const struct cw_plan_wish *wish)
{
    cw_plan *const plan = m->plan;
    const int gather = (flags & CW_GATHER) != 0;
    uint32_t tile = wish->tile;
    uint64_t block;
    cw_status status;
    const uint32_t *index = narrow(m, &status);

    if (status)
        return status;
    if (!wish->table && !plan->n) /* of no items: a turn, whatever they are */
        return CW_OK;
    if (!wish->table && plan->bytes <= CW_PLAN_SMALL && cw_plan_recognise(index, gather, plan))
        return CW_OK;
    block = wish->table ? 1 : cw_plan_find_block(index, plan->n, plan->bytes);
    if (block > 1) {
        plan->way = CW_PLAN_GATHER;
        plan->columns = block;
        return make_gather(m, index, gather);
    }
    if (wish->gather ? wish->gather > 0 : gather_wins(plan)) {
        plan->way = CW_PLAN_GATHER;
        return make_gather(m, index, gather);
    }
    plan->way = CW_PLAN_PASSES;
    if (!tile)
        tile = cw_plan_best_tile(plan, flags & CW_ANY_GPU ? CW_PLAN_ANY_GPU : CW_PLAN_SHARED);
    status = cw_plan_shape(plan, tile, wish->partitions, 0);
    if (!status && gather)
        index = inverse(m, index, &status);
    return status ? status : cw_plan_make_passes(m, index);
}

cw_status cw_plan_make(const void *index, size_t index_bytes, size_t n, size_t bytes,
                       unsigned flags, unsigned threads, const struct cw_plan_wish *wish,
                       cw_plan **out)
{
    static const struct cw_plan_wish none = {0, 0, 0, 0};
    struct cw_team team = {.wanted = threads};
    struct cw_plan_making m = {.given = index, .given_bytes = index_bytes, .team = &team};
    cw_status status;

    *out = NULL;
    m.plan = (cw_plan *)calloc(1, sizeof *m.plan);
    if (!m.plan)
        return cw_fail(CW_ERR_MEMORY, "a plan");
    m.plan->n = n;
    m.plan->bytes = (uint32_t)bytes;
    status = fill(&m, flags, wish ? wish : &none);
    cw_team_end(&team);
    for (uint32_t k = 0; k < m.owned; k++)
        free(m.own[k]);
    if (status)
        cw_plan_destroy(m.plan);
    else
        *out = m.plan;
    return status;
}
