/* lay.c - tiles and partition passes of a plan, and where the runs of a pass go.
 *
 * A pass takes the items of a group of tiles to buckets of `fan` tiles each, which lie where the
 * group does, one after another.  In a bucket come first the items of the group's first tile, then
 * those of the second.  So how many items each tile has for each bucket says where all runs go.
 *
 * A permutation has exactly as many items for a bucket as it has places: if all counts agree, all
 * runs together fill the group once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "offline/plan.h"

/* What was fastest on an H200, by bytes of tiles: one that leaves room for no other, if there are
 * 2.5 for each multiprocessor; else two to a multiprocessor, or halves of that, with 4 for each. */
#define LARGE_TILES 330u
#define SMALL_TILE  114688u
#define SMALL_TILES 500u
#define LEAST_TILE  14336u
#define LEAST_RUN   48u /* bytes of a run on average, for one partition pass to do */

void cw_plan_destroy(cw_plan *plan)
{
    if (!plan)
        return;
    for (uint32_t k = 0; k < CW_PLAN_PARTITIONS; k++) {
        free(plan->partition[k].counts);
        free(plan->partition[k].lines);
        free(plan->partition[k].bases);
        free(plan->partition[k].first);
    }
    for (uint32_t k = 0; k <= CW_PLAN_PARTITIONS; k++)
        free(plan->places[k]);
    free(plan->index);
    free(plan);
}

static void *room(size_t count, size_t bytes)
{
    return calloc(count ? count : 1, bytes);
}

/* ---- shape ---------------------------------------------------------------------------------- */

/* Of the mean run that a tile of so many items has for a bucket of one tile. */
static uint64_t run_bytes(const cw_plan *plan, uint32_t tile)
{
    return (uint64_t)tile * tile * cw_plan_word(plan->bytes) / (plan->n ? plan->n : 1);
}

uint32_t cw_plan_best_tile(const cw_plan *plan, uint32_t most)
{
    const uint32_t word = cw_plan_word(plan->bytes);
    const uint64_t bytes = plan->n * word;
    uint32_t tile = SMALL_TILE < most ? SMALL_TILE : most;

    if (most > SMALL_TILE && bytes / most >= LARGE_TILES)
        return most / word;
    while (tile > LEAST_TILE && bytes / tile < SMALL_TILES &&
           run_bytes(plan, tile / 2 / word) >= LEAST_RUN)
        tile /= 2;
    return tile / word / CW_PLAN_LINE * CW_PLAN_LINE;
}

static uint32_t root(uint32_t x)
{
    uint32_t r = 1;

    while (r * r < x)
        r++;
    return r;
}

static void shape_passes(cw_plan *plan, uint32_t fan)
{
    const uint32_t tiles = plan->tiles;

    for (uint32_t k = 0; k < plan->partitions; k++) {
        struct cw_plan_partition *l = &plan->partition[k];

        l->group = k ? fan : tiles;
        l->fan = k + 1 < plan->partitions ? fan : 1;
        l->buckets = (l->group + l->fan - 1) / l->fan;
    }
}

cw_status cw_plan_shape(cw_plan *plan, uint32_t tile, uint32_t partitions, uint32_t fan)
{
    const uint32_t word = cw_plan_word(plan->bytes);

    plan->tile = tile;
    if (tile % CW_PLAN_LINE || tile < CW_PLAN_LINE || tile > CW_PLAN_SHARED / word)
        return cw_fail(CW_ERR_FORMAT, "tiles of %u items of %u bytes", tile, plan->bytes);
    plan->tiles = (uint32_t)((plan->n + tile - 1) / tile);
    if (!fan) {
        const int one = run_bytes(plan, tile) >= LEAST_RUN;

        plan->partitions = partitions ? partitions - 1 : plan->tiles < 2 ? 0 : one ? 1 : 2;
        fan = plan->partitions == 2 ? root(plan->tiles) : 1;
    } else {
        plan->partitions = partitions;
    }
    if (plan->partitions > CW_PLAN_PARTITIONS || (!plan->partitions && plan->tiles > 1) ||
        (plan->partitions == 2 ? fan < 2 || fan >= plan->tiles : fan != 1))
        return cw_fail(CW_ERR_FORMAT, "%u passes, buckets of %u tiles of %u", plan->partitions + 1,
                       fan, plan->tiles);
    shape_passes(plan, fan);
    for (uint32_t k = 0; k < plan->partitions; k++) {
        plan->partition[k].counts =
            (uint16_t *)room((size_t)plan->tiles * plan->partition[k].buckets, sizeof(uint16_t));
        if (!plan->partition[k].counts)
            return cw_fail(CW_ERR_MEMORY, "counts of a plan of %llu items",
                           (unsigned long long)plan->n);
    }
    for (uint32_t k = 0; k <= plan->partitions; k++) {
        plan->places[k] = (uint16_t *)malloc((plan->n + 1) * sizeof(uint16_t));
        if (!plan->places[k])
            return cw_fail(CW_ERR_MEMORY, "a plan of %llu items", (unsigned long long)plan->n);
    }
    return CW_OK;
}

/* ---- runs ----------------------------------------------------------------------------------- */

/* How many runs there are, tile by tile. */
static cw_status count_runs(const cw_plan *plan, struct cw_plan_partition *l)
{
    uint32_t runs = 0;

    l->first = (uint32_t *)room(plan->tiles + 1u, sizeof *l->first);
    if (!l->first)
        return cw_fail(CW_ERR_MEMORY, "%u tiles", plan->tiles);
    for (uint32_t t = 0; t < plan->tiles; t++) {
        const uint16_t *const count = l->counts + (size_t)t * l->buckets;

        l->first[t] = runs;
        for (uint32_t b = 0; b < l->buckets; b++)
            runs += count[b] != 0;
    }
    l->first[plan->tiles] = runs;
    l->bases = (uint32_t *)room(runs, sizeof *l->bases);
    l->lines =
        (uint64_t *)room((size_t)plan->tiles * (plan->tile / CW_PLAN_LINE), sizeof *l->lines);
    if (!l->bases || !l->lines)
        return cw_fail(CW_ERR_MEMORY, "%u runs", runs);
    return CW_OK;
}

/* Run r is places begin .. end - 1 of a tile. */
static void mark_run(uint64_t *lines, uint32_t r, uint32_t begin, uint32_t end)
{
    if (begin % CW_PLAN_LINE)
        lines[begin / CW_PLAN_LINE] |= (uint64_t)1 << (32u + begin % CW_PLAN_LINE);
    for (uint32_t k = (begin + CW_PLAN_LINE - 1) / CW_PLAN_LINE; k * CW_PLAN_LINE < end; k++)
        lines[k] = r;
}

/* The runs of tile t; filled[b]: what its bucket has from tiles before.  Returns its items. */
static uint64_t lay_tile(const cw_plan *plan, struct cw_plan_partition *l, uint32_t t,
                         uint32_t *filled)
{
    const uint16_t *const count = l->counts + (size_t)t * l->buckets;
    uint64_t *const lines = l->lines + (size_t)t * (plan->tile / CW_PLAN_LINE);
    const uint32_t begin = t / l->group * l->group;
    uint32_t r = l->first[t];
    uint64_t at = 0;

    for (uint32_t b = 0; b < l->buckets; b++) {
        if (!count[b])
            continue;
        if (at + count[b] > plan->tile)
            return UINT64_MAX;
        mark_run(lines, r, (uint32_t)at, (uint32_t)at + count[b]);
        l->bases[r++] = (begin + b * l->fan) * plan->tile + filled[b] - (uint32_t)at;
        filled[b] += count[b];
        at += count[b];
    }
    return at;
}

/* Are the buckets of the group that begins with this tile as full as they must be? */
static int group_full(const cw_plan *plan, const struct cw_plan_partition *l, uint32_t begin,
                      const uint32_t *filled)
{
    const uint64_t group_end = ((uint64_t)begin + l->group) * plan->tile;
    const uint64_t end = group_end < plan->n ? group_end : plan->n;

    for (uint32_t b = 0; b < l->buckets; b++) {
        const uint64_t from = ((uint64_t)begin + (uint64_t)b * l->fan) * plan->tile;
        const uint64_t to = from + (uint64_t)l->fan * plan->tile;
        const uint64_t size = from >= end ? 0 : (to < end ? to : end) - from;

        if (filled[b] != size)
            return 0;
    }
    return 1;
}

cw_status cw_plan_lay(cw_plan *plan, uint32_t k)
{
    struct cw_plan_partition *const l = &plan->partition[k];
    cw_status status = count_runs(plan, l);
    uint32_t *filled = (uint32_t *)room(l->buckets, sizeof *filled);

    if (!status && !filled)
        status = cw_fail(CW_ERR_MEMORY, "%u buckets", l->buckets);
    for (uint32_t t = 0; t < plan->tiles && !status; t++) {
        const int last = (t + 1) % l->group == 0 || t + 1 == plan->tiles;

        if (lay_tile(plan, l, t, filled) != cw_plan_count(plan, t))
            status = cw_fail(CW_ERR_LABEL, "tile %u has other counts than items", t);
        else if (last && !group_full(plan, l, t / l->group * l->group, filled))
            status = cw_fail(CW_ERR_LABEL, "not a permutation: a bucket before tile %u", t + 1);
        if (last)
            memset(filled, 0, l->buckets * sizeof *filled);
    }
    free(filled);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void piece(struct cw_plan_table *t, int which, const void *data, size_t bytes)
{
    t->data[which] = data;
    t->bytes[which] = bytes;
    t->at[which] = t->all;
    t->all += (bytes + 255u) / 256u * 256u;
}

void cw_plan_pieces(const cw_plan *plan, struct cw_plan_table *out)
{
    memset(out, 0, sizeof *out);
    if (plan->way == CW_PLAN_GATHER)
        piece(out, CW_PIECE_INDEX, plan->index, cw_plan_blocks(plan) * sizeof *plan->index);
    if (plan->way != CW_PLAN_PASSES)
        return;
    for (uint32_t k = 0; k <= plan->partitions; k++)
        piece(out, CW_PIECE_PLACES + (int)k, plan->places[k], plan->n * sizeof(uint16_t));
    for (uint32_t k = 0; k < plan->partitions; k++) {
        const struct cw_plan_partition *l = &plan->partition[k];

        piece(out, CW_PIECE_LINES + (int)k, l->lines,
              (size_t)plan->tiles * (plan->tile / CW_PLAN_LINE) * sizeof *l->lines);
        piece(out, CW_PIECE_BASES + (int)k, l->bases, l->first[plan->tiles] * sizeof *l->bases);
    }
}

size_t cw_plan_table_bytes(const cw_plan *plan)
{
    struct cw_plan_table t = {.all = 0};

    if (plan)
        cw_plan_pieces(plan, &t);
    return t.all;
}

size_t cw_plan_items(const cw_plan *plan)
{
    return plan ? plan->n : 0;
}

size_t cw_plan_item_bytes(const cw_plan *plan)
{
    return plan ? plan->bytes : 0;
}
