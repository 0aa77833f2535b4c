#include "sort/sample_sort/passes.h"

#define MANY_TILES 128u
#define ROW_MOST   32768 /* samples of a segment */

static uint64_t over(uint64_t a, uint64_t b)
{
    return (a + b - 1u) / b;
}

static uint64_t most_tiles(const struct sample_sort_cuts *c, uint64_t longest)
{
    return over(longest, (uint64_t)1 << c->log_tile);
}

/* How much longer than its target a bucket of such a segment may be. */
static uint64_t longer_by(const struct sample_sort_cuts *c, uint64_t longest, uint64_t every)
{
    return (most_tiles(c, longest) - 1u) * (every - 1u) + 2u * every;
}

/* Pass l cuts segments into buckets of `target`.  The number of samples grows until the bound on
 * buckets holds, if it can. */
static int set_pass(struct sample_sort_cuts *c, int l, uint64_t n, uint64_t target, uint32_t every,
                    uint64_t bound)
{
    struct sample_sort_bounds *const b = &c->pass[l];

    while (every > 1u && target + longer_by(c, b->longest, every) > bound)
        every /= 2u;
    b->target = (uint32_t)target;
    b->every = every;
    b[1].longest = target + longer_by(c, b->longest, every);
    b[1].room = (uint32_t)(n / target + b->room);
    c->count = l + 1;
    return b[1].longest <= bound && (!l || b->longest / every <= ROW_MOST);
}

/* The last pass.  If there are many tiles, more samples are taken and buckets are made shorter, as
 * the lengths of buckets vary more then.  The array's own may be one of 8 items: that is faster
 * than a second cut. */
static int set_last(const struct sample_sort_table *t, struct sample_sort_cuts *c, int l,
                    uint64_t n)
{
    const uint64_t tiles = most_tiles(c, c->pass[l].longest);
    const uint32_t every = !l && tiles > MANY_TILES ? t->every / 2u : t->every;
    const uint64_t target = !l && tiles > MANY_TILES ? t->target / 8u * 7u : t->target;

    return set_pass(c, l, n, target, every, (uint64_t)1 << t->log_a) &&
           c->pass[l].every >= (l ? t->every / 2u : t->every / 4u);
}

/* A short array: tiles and buckets of 2^log_b items.  The fewest samples for which buckets are made
 * for half of that, nearly. */
static void set_short(const struct sample_sort_table *t, struct sample_sort_cuts *c, uint64_t n)
{
    const uint64_t tile = (uint64_t)1 << t->log_b;
    uint32_t every = 1u << (t->log_b - 4u);

    c->brief = 1;
    c->log_tile = t->log_b;
    if (n <= (uint64_t)t->parts << t->log_b) {
        while (n > tile << c->merges)
            c->merges++;
        return;
    }
    while (every > 1u && longer_by(c, n, every) > tile / 16u * 9u)
        every /= 2u;
    (void)set_pass(c, 0, n, tile - longer_by(c, n, every), every, tile);
}

void cw_sample_sort_cuts(const struct sample_sort_table *t, uint64_t n, struct sample_sort_cuts *c)
{
    const uint32_t mid = 16u * t->every; /* of three passes, in the one before the last */
    const uint64_t rows = (uint64_t)ROW_MOST * t->every;

    c->count = c->brief = c->merges = 0;
    c->log_tile = t->log_a;
    c->pass[0].longest = n;
    c->pass[0].room = 1;
    if (n <= (uint64_t)t->tiles << t->log_b) {
        set_short(t, c, n);
        return;
    }
    if (n / t->target <= t->fan && set_last(t, c, 0, n))
        return;
    if (over(n, t->coarse) * most_tiles(c, n) <= t->cells &&
        set_pass(c, 0, n, t->coarse, t->every, rows) && set_last(t, c, 1, n))
        return;
    (void)set_pass(c, 0, n, t->wide, t->every, (uint64_t)ROW_MOST * mid);
    (void)set_pass(c, 1, n, t->coarse / 2u, mid, rows);
    (void)set_last(t, c, 2, n);
}

/* ---- bounds --------------------------------------------------------------------------------- */

uint64_t cw_sample_sort_tiles(const struct sample_sort_cuts *c, int l, uint64_t n)
{
    return (n >> c->log_tile) + c->pass[l].room;
}

static uint64_t buckets_each(const struct sample_sort_cuts *c, int l)
{
    return over(c->pass[l].longest, c->pass[l].target);
}

uint64_t cw_sample_sort_cells(const struct sample_sort_cuts *c, int l, uint64_t n)
{
    return cw_sample_sort_tiles(c, l, n) * buckets_each(c, l);
}

uint64_t cw_sample_sort_windows(const struct sample_sort_cuts *c, int l)
{
    return c->pass[l + 1].room * over(most_tiles(c, c->pass[l].longest), 32u);
}

/* The array's own are smaller if it has few tiles: then more blocks have some. */
uint32_t cw_sample_sort_span(const struct sample_sort_cuts *c, int l)
{
    return !l && most_tiles(c, c->pass[l].longest) <= 2u * MANY_TILES ? 8u : 32u;
}

uint64_t cw_sample_sort_units(const struct sample_sort_cuts *c, int l)
{
    const uint64_t tiles = most_tiles(c, c->pass[l].longest);

    return c->pass[l].room * over(tiles, cw_sample_sort_span(c, l)) * over(buckets_each(c, l), 32u);
}

uint64_t cw_sample_sort_samples(const struct sample_sort_cuts *c, int l, uint64_t n)
{
    const uint32_t every = c->pass[l].every, tile = 1u << c->log_tile;

    return l ? n / every : (n >> c->log_tile) * (tile / every) + n % tile / every;
}
