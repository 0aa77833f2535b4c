/* scatter_stable.h - move the pairs of a level in order, tile by tile, by whichever block is free.
 *
 * The pass of stable sorts.  A chunk is cut into turns of some tiles, for each of which counting wrote
 * down how many items of each bin stand before it in its chunk (radix/histogram.h); so any block can move
 * it.  Blocks take turns in the order in which they were counted, about that of the array: what
 * neighbours write to a bin is then written at about the same time, and the pieces of a line that
 * they share meet in the cache (prim/tile_ticket.h says more).  The tile itself is put into order as
 * partitions do it (prim/tile_scatter.h).
 */
#ifndef CW_SORT_RADIX_SCATTER_STABLE_H
#define CW_SORT_RADIX_SCATTER_STABLE_H

#include "sort/splitters/tree_walk.h"
#include "prim/tile_scatter.h"

#define TURN_JOB struct radix_job

/* What holds for all tiles of a turn, beside its number, chunk and part. */
struct turn_digit {
    uint32_t buffer; /* where the part stands */
    uint32_t lo, lead, mult, bins;
};

enum { TURN_TICKET, TURN_CHUNK, TURN_PART }; /* its three numbers */

#define TURN_MORE(field) (SHARED_AT(tile_shared, turn.more) + SHARED_AT(turn_digit, field))

STATIC_ASSERT(sizeof(struct turn_digit) <= sizeof((struct tile_turn *)0)->more,
              "a turn has too few words");

/* Shared memory of the kernel that has a tree's table, too. */
struct turn_tree_shared {
    struct tile_many tile;
    uint32_t tree[RADIX_TREE_ROOM];
};

#define TURN_TREE SHARED_AT(turn_tree_shared, tree)

/* By thread 0: find a turn, of those from `ticket` on, and write it down; 0 items if there is none.
 * Parts that stay or are copied, and chunks of equal keys, are not for turns. */
DEV void turn_find(const struct radix_job *j, uint32_t ticket)
{
    struct radix_level *const lv = &j->state->level[j->level];
    const uint32_t side = j->level & 1u;
    uint32_t items = 0;

    ROLL for (; items == 0 && ticket < gm_ld4(&lv->turns); ticket = gm_add4(&lv->turned, 1u))
    {
        const struct radix_turn *const t = j->turn_list + ticket;
        const uint32_t chunk = gm_ld4(&t->chunk);
        const uint32_t part = gm_ld4(&j->chunk_part[side][chunk]);
        const struct radix_part *const p = &j->parts[side][part];

        if (gm_ld4(&p->action) != PART_SPLIT || gm_ld4(&j->chunk_way[chunk]) != WAY_TURNS)
            continue;
        items = gm_ld4(&t->items);
        sh_st8(TURN_FROM, gm_ld8(&t->from));
        sh_st4(TURN_ID(TURN_TICKET), ticket);
        sh_st4(TURN_ID(TURN_CHUNK), chunk);
        sh_st4(TURN_ID(TURN_PART), part);
        sh_st4(TURN_MORE(buffer), gm_ld4(&p->at));
        sh_st4(TURN_MORE(lo), (uint32_t)gm_ld8(&p->lo));
        sh_st4(TURN_MORE(lead), gm_ld4(&p->lead));
        sh_st4(TURN_MORE(mult), gm_ld4(&p->mult));
        sh_st4(TURN_MORE(bins), gm_ld4(&p->bins));
        break;
    }
    sh_st4(TURN_LEFT, items);
    sh_st4(TURN_BEGINS, 1u);
}

/* Where the next item of bin THREAD_ID goes, in the turn that is written down. */
DEV void turn_base(const struct radix_job *j, struct base *b)
{
    const uint64_t ticket = sh_ld4(TURN_ID(TURN_TICKET));
    const uint64_t chunk = sh_ld4(TURN_ID(TURN_CHUNK));
    const uint64_t part = sh_ld4(TURN_ID(TURN_PART));

    b->start = gm_ld8(part_starts(j, (uint32_t)part) + THREAD_ID);
    b->chunk = gm_ld8(j->counts + chunk * RADIX_BINS + THREAD_ID);
    b->turn = gm_ld4(j->before + ticket * RADIX_BINS + THREAD_ID);
}

DEV uint32_t turn_bins(const struct radix_job *j)
{
    (void)j;
    return sh_ld4(TURN_MORE(bins));
}

DEV uint32_t *turn_taken(const struct radix_job *j)
{
    return &j->state->level[j->level].turned;
}

#include "prim/tile_ticket.h"

/* The digit of the turn, unless the level has one. */
DEV void turn_digit_of(struct digit *d)
{
    if (d->tree)
        return;
    d->lo = sh_ld4(TURN_MORE(lo));
    d->lead = sh_ld4(TURN_MORE(lead));
    d->mult = sh_ld4(TURN_MORE(mult));
}

/* Digits that were written down when the tile, whose items begin at `from`, was counted. */
DEV void turn_digits(struct tile *t, const uint16_t *digits, uint64_t from, uint32_t count,
                     int full)
{
    const uint32_t first = WARP_ID * 32u * SCATTER_PER + LANE_ID;

    UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++) t->rank[i] =
        full || first + 32u * i < count ? gm_ld2(digits + from + first + 32u * i) : 0u;
}

/* The tile into order; `full`, a constant: its `count` items fill it. */
DEV void turn_order(const struct radix_job *j, uint32_t count, struct digit d, int full)
{
    const uint32_t buffer = sh_ld4(TURN_MORE(buffer));
    struct base base;
    struct tile t;

    turn_where(j, &base);
    tile_keys(&t, keys_at(j, buffer) + sh_ld8(TURN_FROM), count, full);
    if (d.noted)
        turn_digits(&t, j->digits, sh_ld8(TURN_FROM), count, full);
    turn_bases(&base);
    if (!d.noted)
        tile_digits(&t, d, full);
    rank_many(&t, count, d, full);
    tile_forget(&t);
    columns_many(address_of(keys_at(j, moved_to(buffer))), digits_kept(d, full));
    tile_values(&t, values_at(j, buffer), sh_ld8(TURN_FROM), count, full);
    place_many(&t, count, d, full);
}

DEV uint64_t turn_apart(const struct radix_job *j, uint32_t buffer)
{
    return tile_apart(keys_at(j, moved_to(buffer)), values_at(j, moved_to(buffer)));
}

/* A tile that is not full: the last of a chunk. */
DEV_APART void turn_rest(const struct radix_job *j, struct digit d)
{
    const uint32_t count = sh_ld4(TURN_LEFT);
    const uint32_t buffer = sh_ld4(TURN_MORE(buffer));

    turn_order(j, count, d, 0);
    tile_write(turn_apart(j, buffer), count, d, MANY_ITEMS, 1, 0);
}

/* Take turns until there are none; d has all but what turn_digit_of says. */
DEV void take_turns(const struct radix_job *j, struct digit d)
{
    ROLL for (int first = 1; turn_begin(j, first); first = 0)
    {
        const uint32_t buffer = sh_ld4(TURN_MORE(buffer));

        turn_digit_of(&d);
        if (sh_ld4(TURN_LEFT) >= SCATTER_TILE) {
            turn_order(j, SCATTER_TILE, d, 1);
            tile_write(turn_apart(j, buffer), SCATTER_TILE, d, MANY_ITEMS, digits_kept(d, 1), 1);
        } else {
            turn_rest(j, d);
        }
    }
}

KERNEL(RADIX_NAME(stable), struct radix_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    struct digit d;

    if (tree_used(arg) || level_open(arg))
        return;
    digit_map(&d, arg);
    take_turns(arg, d);
}

KERNEL(RADIX_NAME(stable_plain), struct radix_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    struct digit d;

    if (tree_used(arg) || level_open(arg))
        return;
    digit_map(&d, arg);
    d.mapped = 0;
    take_turns(arg, d);
}

KERNEL(RADIX_NAME(stable_tree), struct radix_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    struct digit d;

    if (!tree_used(arg) &&
        (!level_open(arg) || !arg->digits)) /* open, no digits: no turns, no tree */
        return;
    if (arg->digits) { /* constants in each */
        digit_map(&d, arg);
        d.mapped = 0;
        d.tree = TURN_TREE;
        d.noted = 1;
        take_turns(arg, d);
        return;
    }
    d = tree_digit(arg, TURN_TREE);
    d.mapped = 0;
    if (arg->map.plain) {
        take_turns(arg, d);
    } else {
        d.mapped = 1;
        take_turns(arg, d);
    }
}

#endif
