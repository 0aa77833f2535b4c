#include "claims.h"

#include <string.h>

static void holds(struct cw_look *k, int yes, const char *claim)
{
    if (!yes && !k->wrong)
        k->wrong = claim;
}

static void at_most(struct cw_look *k, uint32_t value, uint32_t bound, const char *claim)
{
    k->value = value;
    k->bound = bound;
    holds(k, value <= bound, claim);
}

static uint32_t half_of(uint32_t x)
{
    return (x + 1) / 2;
}

/* Marks change once at most, up or down, in the whole rectangle: it is sorted. */
static void sorted(struct cw_look *k)
{
    at_most(k, cw_mark_changes(k->marks, k->threshold, 0), 1, "sorted");
}

/* Columns sorted one way: row by row, zeros only become fewer, or only more, in each. */
static void columns_are_sorted(struct cw_look *k)
{
    const uint32_t m = k->m;
    uint32_t up = 0, down = 0;

    for (uint32_t x = m; x < k->h * m; x++) {
        const int above = k->marks->x[x - m] < k->threshold, here = k->marks->x[x] < k->threshold;

        up += here > above;
        down += here < above;
    }
    holds(k, !up || !down, "columns sorted");
}

/* Each of g groups of rows has one dirty row at most. */
static void one_dirty_row_a_group(struct cw_look *k, uint32_t g)
{
    for (uint32_t i = 0; i < g; i++) {
        uint32_t dirty = 0;

        for (uint32_t r = k->h * i / g; r < k->h * (i + 1) / g; r++)
            dirty += k->marks->row_min[r] < k->threshold && k->marks->row_max[r] >= k->threshold;
        holds(k, dirty <= 1, "one dirty row a group at most");
    }
}

/* The dirty row has its zeros together, or its ones, if its ends are joined. */
static void one_row_cyclically_bitonic(struct cw_look *k)
{
    at_most(k, k->rows.count, 1, "one dirty row at most");
    if (k->rows.count == 1)
        holds(k, cw_row_changes(k->marks, k->threshold, k->rows.first) == 2, "it is bitonic");
}

/* ---- lemma 1 --------------------------------------------------------------- */

static void lemma1_dealt(struct cw_look *k)
{
    at_most(k, k->columns.count, k->round ? 2 : k->h, "w dirty columns, then two");
}

static void lemma1_back(struct cw_look *k)
{
    at_most(k, k->rows.count, k->round ? 1 : 2, "two dirty rows, then one");
    holds(k, cw_dirt_adjacent(k->rows), "adjacent");
}

static void short_alternate(struct cw_look *k)
{
    at_most(k, cw_mark_changes(k->marks, k->threshold, 0), k->h, "at most h changes of marks");
}

static void short_dealt(struct cw_look *k)
{
    at_most(k, cw_zero_spread(k->marks, k->threshold), half_of(k->h), "zero counts of rows");
    holds(k, k->columns.count <= half_of(k->h), "dirty columns");
}

static void short_two(struct cw_look *k)
{
    at_most(k, k->rows.count, 2, "two dirty rows at most");
    holds(k, cw_dirt_adjacent(k->rows), "adjacent");
}

/* ---- theorem 1 ------------------------------------------------------------- */

static void wide_groups(struct cw_look *k)
{
    one_dirty_row_a_group(k, (uint32_t)k->plan.g);
    at_most(k, k->rows.count, (uint32_t)k->plan.g, "one dirty row a super-row");
}

static void wide_columns(struct cw_look *k)
{
    const uint32_t g = (uint32_t)k->plan.g;

    columns_are_sorted(k);
    at_most(k, k->rows.count, k->plan.alt ? half_of(g) : g, "g dirty rows, alternating half");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void wide_alternate(struct cw_look *k)
{
    one_dirty_row_a_group(k, (uint32_t)k->plan.g);
    at_most(k, k->rows.count, 2, "two dirty rows at most");
}

static void wide_one(struct cw_look *k)
{
    columns_are_sorted(k);
    one_row_cyclically_bitonic(k);
}

static uint32_t square_groups(const struct cw_look *k)
{
    const struct cw_options *opt = &k->job->opt;

    return k->m / (opt->group ? opt->group : (uint32_t)square_group((int)k->m));
}

static void theorem1_groups(struct cw_look *k)
{
    one_dirty_row_a_group(k, square_groups(k));
    at_most(k, k->rows.count, square_groups(k), "one dirty row a super-row");
}

static void theorem1_columns(struct cw_look *k)
{
    columns_are_sorted(k);
    at_most(k, k->rows.count, square_groups(k), "m/s dirty rows at most");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void theorem1_alternate(struct cw_look *k)
{
    one_dirty_row_a_group(k, square_groups(k));
    at_most(k, k->rows.count, 2, "two dirty rows at most");
}

/* ---- theorem 2 ------------------------------------------------------------- */

static int three_times(const struct cw_look *k)
{
    return strstr(k->job->algorithm->name, "cole") ||
           tall_variant((int)k->h, (int)k->m, sorter_merge((int)k->job->opt.ways)) == TALL_THREE;
}

static void theorem2_columns(struct cw_look *k)
{
    columns_are_sorted(k);
    for (uint32_t x = 0; x < k->h * k->m; x++)
        holds(k, x % k->m == 0 || k->marks->x[x - 1] <= k->marks->x[x], "rows stay sorted");
}

static void theorem2_laid(struct cw_look *k)
{
    at_most(k, k->rows.count, k->m, "m dirty rows at most");
}

static void theorem2_contiguous(struct cw_look *k)
{
    columns_are_sorted(k);
    at_most(k, k->rows.count, k->m, "m dirty rows at most");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void theorem2_squares(struct cw_look *k)
{
    one_dirty_row_a_group(k, k->h / k->m);
    at_most(k, k->rows.count, 2, "two dirty rows at most");
}

/* Read column by column there are m sorted runs, every other one turned round. */
static void tall_alternate(struct cw_look *k)
{
    at_most(k, cw_mark_changes(k->marks, k->threshold, 1), k->m, "at most m changes of marks");
}

static void tall_laid(struct cw_look *k)
{
    at_most(k, k->rows.count, k->m, "m dirty rows at most, whether or not m divides w");
}

/* Three column sorts: m columns have made the rows dirty.  One: a row of every block. */
static void tall_contiguous(struct cw_look *k)
{
    const uint32_t blocks = (k->h + k->m - 1) / k->m;

    columns_are_sorted(k);
    at_most(k, k->rows.count, half_of(three_times(k) ? k->m : blocks), "half as many dirty rows");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void tall_blocks_alternate(struct cw_look *k)
{
    const uint32_t blocks = (k->h + k->m - 1) / k->m;

    one_dirty_row_a_group(k, blocks);
    at_most(k, k->rows.count, three_times(k) ? 2 : blocks, "one a block; two after column sorts");
}

/* What is out of order lies between the middles of two blocks that follow each other. */
static void tall_blocks_sorted(struct cw_look *k)
{
    const uint32_t h = k->h, q = (h + k->m - 1) / k->m;
    uint32_t first = h, last = 0; /* the first row with a one, the last with a zero */

    for (uint32_t r = 0; r < h; r++) {
        if (k->marks->row_max[r] >= k->threshold && first == h)
            first = r;
        if (k->marks->row_min[r] < k->threshold)
            last = r;
    }
    one_dirty_row_a_group(k, q);
    for (uint32_t i = 0; i < q && first < last; i++) {
        const uint32_t from = h * i / q, to = h * (i + 1) / q;
        const uint32_t middle = from + (to - from) / 2;

        holds(k, !(first < middle && middle <= last), "between two middles");
    }
}

static void recursive_alternate(struct cw_look *k)
{
    one_dirty_row_a_group(k, k->m);
    at_most(k, k->rows.count, k->m, "one dirty row a block");
}

static void recursive_contiguous(struct cw_look *k)
{
    columns_are_sorted(k);
    at_most(k, k->rows.count, half_of(k->m), "half of m dirty rows");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

/* ---- the claims, by phase -------------------------------------------------- */

struct cw_claim cw_claims[] = {
    {"lemma 1: steps 1 and 2", lemma1_dealt, 0, 0, 0},
    {"lemma 1: steps 3 and 4", lemma1_back, 0, 0, 0},
    {"lemma 1: sorted", sorted, 0, 0, 0},
    {"short: rows alternate", short_alternate, 0, 0, 0},
    {"short: rows dealt and sorted", short_dealt, 0, 0, 0},
    {"short: two dirty rows", short_two, 0, 0, 0},
    {"short: sorted", sorted, 0, 0, 0},
    {"wide: super-rows sorted", wide_groups, 0, 0, 0},
    {"wide: columns sorted", wide_columns, 0, 0, 0},
    {"wide: super-rows alternate", wide_alternate, 0, 0, 0},
    {"wide: one dirty row", wide_one, 0, 0, 0},
    {"wide: sorted", sorted, 0, 0, 0},
    {"theorem 1: super-rows sorted", theorem1_groups, 0, 0, 0},
    {"theorem 1: columns sorted", theorem1_columns, 0, 0, 0},
    {"theorem 1: super-rows alternate", theorem1_alternate, 0, 0, 0},
    {"theorem 1: one dirty row", one_row_cyclically_bitonic, 0, 0, 0},
    {"theorem 1: sorted", sorted, 0, 0, 0},
    {"theorem 2: columns sorted", theorem2_columns, 0, 0, 0},
    {"theorem 2: columns laid into rows", theorem2_laid, 0, 0, 0},
    {"theorem 2: dirty rows contiguous", theorem2_contiguous, 0, 0, 0},
    {"theorem 2: squares alternate", theorem2_squares, 0, 0, 0},
    {"theorem 2: one dirty row", one_row_cyclically_bitonic, 0, 0, 0},
    {"theorem 2: sorted", sorted, 0, 0, 0},
    {"tall: columns alternate", tall_alternate, 0, 0, 0},
    {"tall: columns laid into rows", tall_laid, 0, 0, 0},
    {"tall: dirty rows contiguous", tall_contiguous, 0, 0, 0},
    {"tall: blocks alternate", tall_blocks_alternate, 0, 0, 0},
    {"tall: blocks sorted", tall_blocks_sorted, 0, 0, 0},
    {"tall: one dirty row", one_row_cyclically_bitonic, 0, 0, 0},
    {"tall: sorted", sorted, 0, 0, 0},
    {"recursive: blocks alternate", recursive_alternate, 0, 0, 0},
    {"recursive: dirty rows contiguous", recursive_contiguous, 0, 0, 0},
    {"recursive: sorted", sorted, 0, 0, 0},
};

const uint32_t cw_claim_count = sizeof cw_claims / sizeof *cw_claims;

struct cw_claim *cw_claim_of(const char *phase)
{
    for (uint32_t x = 0; x < cw_claim_count; x++)
        if (!strcmp(cw_claims[x].phase, phase))
            return &cw_claims[x];
    return NULL;
}

void cw_claim_look(struct cw_claim *claim, struct cw_look *k, cw_word thresholds)
{
    for (k->threshold = 1; k->threshold <= thresholds; k->threshold++) {
        k->rows = cw_dirty_rows(k->marks, k->threshold);
        k->columns = cw_dirty_columns(k->marks, k->threshold);
        k->value = k->bound = 0;
        claim->look(k);
        claim->looks++;
        claim->bounded += k->bound > 0;
        claim->reached += k->bound && k->value == k->bound;
        if (k->wrong)
            return;
    }
}
