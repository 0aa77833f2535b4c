/* gather_pieces.h - the items of a bucket, which lie in pieces, one of each tile.
 *
 * A bucket's items are numbered piece by piece.  These numbers are its slots.  A warp wants 32 k
 * slots in a row, each lane every 32nd.  It lists the pieces that have these slots in shared
 * memory.  Beside the list there are 32 bits for each row of 32 slots: a bit is set where a piece
 * begins.  A lane counts the bits up to its slot, and has the number of its piece in the list.
 *
 * No table says where pieces begin, as it would have tiles times buckets entries.  A warp finds
 * that out for a window of 32 tiles: it reads the positions of the bucket and of the next one, and
 * adds up the differences.
 *
 * No bank is asked twice:
 *
 *      adding to the list     lanes write words that follow each other
 *      setting bits           each lane that sets some has a row of its own, of 32 rows
 *      reading bits           all lanes read the word of one row
 *      reading the list       lanes read pieces that follow each other, or the same one, as no
 *                             piece of the list is empty
 *
 * Which words these are depends on the input.  That their banks differ does not.
 *
 * Space: 4 bytes for each slot of the warp (a piece may be one item), and 128.
 */
#ifndef CW_SORT_SAMPLE_SORT_GATHER_PIECES_H
#define CW_SORT_SAMPLE_SORT_GATHER_PIECES_H

#include "sort/sample_sort/find.h"
#include "sort/sample_sort/job.h"
#include "prim/warp_scan.h"

#define PIECES_BATCH  8u   /* windows that are listed at once, if they have fewer .. */
#define PIECES_SPARSE 128u /* .. slots than this */

struct pieces {
    const uint16_t *low;      /* positions of the bucket */
    const uint16_t *high;     /* and of the next one */
    const uint32_t *sum_low;  /* their sums */
    const uint32_t *sum_high; /* NULL if there is no next one; then `high` is NULL, too */
    uint32_t tiles, log_tile;
    uint32_t origin; /* the segment's first item */
    uint32_t items;  /* of the segment */
};

/* Find what must be known of bucket g. */
DEV void pieces_of(struct pieces *p, const struct sample_sort_job *a, uint32_t g)
{
    const vec16 x = gm_ld16(a->guides + (uint64_t)g * SAMPLE_GUIDE);
    const vec16 y = gm_ld16(a->guides + (uint64_t)g * SAMPLE_GUIDE + 16u);

    p->low = a->cuts + x.x;
    p->sum_low = a->sums + x.y;
    p->origin = x.z;
    p->items = x.w;
    p->tiles = y.x;
    p->log_tile = a->log_tile;
    p->high = y.y ? (const uint16_t *)0 : p->low + y.x;
    p->sum_high = y.y ? (const uint32_t *)0 : p->sum_low + (y.x + 31u) / 32u;
}

/* The first slot of window w. */
DEV uint32_t window_slot(const struct pieces *p, uint32_t w)
{
    const uint32_t all = w << (p->log_tile + 5u);

    return (p->sum_high ? gm_ld4(p->sum_high + w) : all) - gm_ld4(p->sum_low + w);
}

/* Find the window that has the slot.  *begin becomes its first slot. */
DEV uint32_t find_window(const struct pieces *p, uint32_t slot, uint32_t *begin)
{
    uint32_t low = 0;
    uint32_t high = (p->tiles + 31u) / 32u;

    *begin = 0;
    ROLL while (high - low > 1u)
    {
        const uint32_t step = (high - low + 31u) / 32u;
        const uint32_t at = low + step * LANE_ID;
        const uint32_t first = at < high ? window_slot(p, at) : 0xffffffffu;
        const uint32_t which = bit_count(ballot(first <= slot)) - 1u;

        low += step * which;
        high = high < low + step ? high : low + step;
        *begin = shfl4(first, which);
    }
    return low;
}

/* Where the next bucket begins in tile i, if there is one; if there is not, where the tile ends. */
DEV uint32_t piece_end(const struct pieces *p, uint32_t i, uint32_t next)
{
    const uint32_t rest = p->items - (i << p->log_tile);

    if (p->high)
        return next;
    return rest < 1u << p->log_tile ? rest : 1u << p->log_tile;
}

/* Gather the bits of lanes of the same row, which stand together, in the last of them.  The others
 * have 0 then. */
DEV uint32_t row_bits(uint32_t row, uint32_t bits)
{
    const uint32_t next = shfl4(row, (LANE_ID + 1u) & 31u);

    UNROLL for (uint32_t by = 1; by < 32; by *= 2)
    {
        const uint32_t other = shfl_up4(bits, by);
        const uint32_t theirs = shfl_up4(row, by);

        bits |= LANE_ID >= by && theirs == row ? other : 0u;
    }
    return LANE_ID == 31u || next != row ? bits : 0u;
}

/* The slots that a warp lists, and how far it has come. */
struct listing {
    uint32_t from, end;
    uint32_t list, marks; /* in shared memory */
    uint32_t window;      /* the next */
    uint32_t slot;        /* its first */
    uint32_t count;       /* of pieces in the list */
};

/* List the pieces of the next `windows` windows, a constant.  What does not depend on the one
 * before is done for all of them at once. */
DEV void list_windows(const struct pieces *p, struct listing *l, const uint32_t windows)
{
    uint32_t low[PIECES_BATCH], length[PIECES_BATCH], upto[PIECES_BATCH], bits[PIECES_BATCH];

    UNROLL for (uint32_t k = 0; k < windows; k++)
    {
        const uint32_t i = 32u * (l->window + k) + LANE_ID;
        const uint32_t at = i < p->tiles ? i : p->tiles - 1u; /* no branch: loads go together */

        low[k] = gm_ld2(p->low + at);
        upto[k] = gm_ld2((p->high ? p->high : p->low) + at);
    }
    UNROLL for (uint32_t k = 0; k < windows; k++)
    {
        const uint32_t i = 32u * (l->window + k) + LANE_ID;

        length[k] = i < p->tiles ? piece_end(p, i, upto[k]) - low[k] : 0u;
    }
    UNROLL for (uint32_t k = 0; k < windows; k++) upto[k] = warp_scan(length[k]);
    UNROLL for (uint32_t k = 0; k < windows; k++)
    {
        const uint32_t all = shfl4(upto[k], 31), end = l->slot + upto[k], begin = end - length[k];
        const uint32_t first = begin < l->from ? l->from : begin < l->end ? begin : l->end - 1u;
        const int here = length[k] && end > l->from && begin < l->end;

        low[k] += p->origin + ((32u * (l->window + k) + LANE_ID) << p->log_tile) - begin;
        length[k] = (first - l->from) / 32u;
        bits[k] = here ? 1u << (first - l->from) % 32u : 0u;
        l->slot += all;
    }
    UNROLL for (uint32_t k = 0; k < windows; k++)
    {
        const uint32_t votes = ballot(bits[k] != 0u);

        upto[k] = bits[k] ? l->count + bit_count(votes & ((1u << LANE_ID) - 1u)) : 0xffffffffu;
        l->count += bit_count(votes);
        bits[k] = row_bits(length[k], bits[k]);
    }
    UNROLL for (uint32_t k = 0; k < windows; k++)
    {
        if (upto[k] != 0xffffffffu)
            sh_st4(l->list + 4u * upto[k], low[k]);
        if (bits[k]) {
            const uint32_t before = sh_ld4(l->marks + 4u * length[k]);

            sh_st4(l->marks + 4u * length[k], before | bits[k]);
        }
        warp_sync();
    }
    l->window += windows;
}

/* List the pieces that have slots `from` .. `end` - 1.  There is at least one slot.  Where windows
 * have few slots, as in a sorted array with some keys out of place, several are listed at once if
 * there are `many` (a constant): it may be hundreds until the warp has what it wants. */
DEV void list_pieces(const struct pieces *p, uint32_t from, uint32_t end, uint32_t list,
                     uint32_t marks, int many)
{
    struct listing l = {from, end, list, marks, 0u, 0u, 0u};
    int sparse = 0;

    if (p->tiles > 64u) /* or it is as soon passed by */
        l.window = find_window(p, from, &l.slot);
    sh_st4(marks + 4u * LANE_ID, 0u);
    warp_sync();
    ROLL while (l.slot < end)
    {
        const uint32_t count = l.count, slot = l.slot, windows = sparse ? PIECES_BATCH : 1u;

        if (sparse)
            list_windows(p, &l, PIECES_BATCH);
        else
            list_windows(p, &l, 1u);
        sparse = many && l.slot - slot < PIECES_SPARSE * windows;
        if (l.count == count)
            l.window = find_window(p, l.slot, &l.slot);
    }
}

#endif
