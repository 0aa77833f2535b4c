#include "sort/sample_sort/passes.h"

#define MANY_TILES 128u
#define ROW_MOST   32768 /* samples of a segment */

static uint64_t over(uint64_t a, uint64_t b)
{
    return (a + b - 1u) / b;
}

static uint64_t most_tiles(const struct sample_sort_table *t, uint64_t longest)
{
    return over(longest, (uint64_t)1 << t->log_a);
}

/* The longest bucket of such a segment. */
static uint64_t longest_of(const struct sample_sort_table *t, uint64_t longest, uint64_t target,
                           uint64_t every)
{
    return target + (most_tiles(t, longest) - 1u) * (every - 1u) + 2u * every;
}

/* Pass l cuts segments into buckets of `target`.  The number of samples grows until the bound on
 * buckets holds, if it can. */
static int set_pass(const struct sample_sort_table *t, struct sample_sort_cuts *c, int l,
                    uint64_t n, uint64_t target, uint32_t every, uint64_t bound)
{
    struct sample_sort_bounds *const b = &c->pass[l];

    while (every > 1u && longest_of(t, b->longest, target, every) > bound)
        every /= 2u;
    b->target = (uint32_t)target;
    b->every = every;
    b[1].longest = longest_of(t, b->longest, target, every);
    b[1].room = (uint32_t)(n / target + b->room);
    c->count = l + 1;
    return b[1].longest <= bound && (!l || b->longest / every <= ROW_MOST);
}

/* The last pass.  If there are many tiles, more samples are taken and buckets are made shorter, as
 * the lengths of buckets vary more then. */
static int set_last(const struct sample_sort_table *t, struct sample_sort_cuts *c, int l,
                    uint64_t n)
{
    const uint64_t tiles = most_tiles(t, c->pass[l].longest);
    const uint32_t every = !l && tiles > MANY_TILES ? t->every / 2u : t->every;
    const uint64_t target = !l && tiles > MANY_TILES ? t->target / 8u * 7u : t->target;

    return set_pass(t, c, l, n, target, every, (uint64_t)1 << t->log_a) &&
           c->pass[l].every >= t->every / 2u;
}

void cw_sample_sort_cuts(const struct sample_sort_table *t, uint64_t n, struct sample_sort_cuts *c)
{
    const uint32_t mid = 16u * t->every; /* of three passes, in the one before the last */
    const uint64_t rows = (uint64_t)ROW_MOST * t->every;

    c->count = 0;
    c->pass[0].longest = n;
    c->pass[0].room = 1;
    if (n <= (uint64_t)1 << t->log_a)
        return;
    if (n / t->target <= t->fan && set_last(t, c, 0, n))
        return;
    if (over(n, t->coarse) * most_tiles(t, n) <= t->cells &&
        set_pass(t, c, 0, n, t->coarse, t->every, rows) && set_last(t, c, 1, n))
        return;
    (void)set_pass(t, c, 0, n, over(n, t->wide), t->every, (uint64_t)ROW_MOST * mid);
    (void)set_pass(t, c, 1, n, t->coarse / 2u, mid, rows);
    (void)set_last(t, c, 2, n);
}

/* ---- bounds --------------------------------------------------------------------------------- */

uint64_t cw_sample_sort_tiles(const struct sample_sort_table *t, const struct sample_sort_cuts *c,
                              int l, uint64_t n)
{
    return (n >> t->log_a) + c->pass[l].room;
}

static uint64_t buckets_each(const struct sample_sort_cuts *c, int l)
{
    return over(c->pass[l].longest, c->pass[l].target);
}

uint64_t cw_sample_sort_cells(const struct sample_sort_table *t, const struct sample_sort_cuts *c,
                              int l, uint64_t n)
{
    return cw_sample_sort_tiles(t, c, l, n) * buckets_each(c, l);
}

uint64_t cw_sample_sort_windows(const struct sample_sort_table *t, const struct sample_sort_cuts *c,
                                int l)
{
    return c->pass[l + 1].room * over(most_tiles(t, c->pass[l].longest), 32u);
}

uint64_t cw_sample_sort_units(const struct sample_sort_table *t, const struct sample_sort_cuts *c,
                              int l)
{
    return c->pass[l].room * over(most_tiles(t, c->pass[l].longest), 32u) *
           over(buckets_each(c, l), 32u);
}

uint64_t cw_sample_sort_samples(const struct sample_sort_table *t, const struct sample_sort_cuts *c,
                                int l, uint64_t n)
{
    const uint32_t every = c->pass[l].every, tile = 1u << t->log_a;

    return l ? n / every : (n >> t->log_a) * (tile / every) + n % tile / every;
}
