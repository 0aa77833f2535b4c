/* split_lines.h - move the items of a piece to where they belong, in their order, into many bins.
 *
 * As the queues of grid_ring.h: a bin's items leave shared memory as whole lines.  But the place of
 * an item in its queue is its rank, found by votes as in split_tile.h, and not what an atomic
 * addition says.  A tile that is written as it is would leave half of its lines unfinished; with
 * 256 bins, and pairs, that cost more than all else.
 *
 *      rank      an item among its warp's of the same digit: votes, counters of the warp
 *      columns   counters become places in the queues
 *      put       items to their queues; those behind the queue's end wait for the lines to leave
 *      flush     whole lines (ring_flush)
 */
#ifndef CW_SPLIT_LINES_H
#define CW_SPLIT_LINES_H

#include "kernels/split_ring.h"
#include "kernels/split_vote.h"

#define LINES_HALF   (SPLIT_BINS / 2u)
#define LINES_COUNTS (RING_BYTES + 1024u) /* a warp and bin: 2 bytes, two bins to a word */
#define LINES_GONE   (LINES_COUNTS + GRID_THREADS / 32u * 4u * LINES_HALF) /* u32 a bin */
#define LINES_SHARED (LINES_GONE + 4u * SPLIT_BINS)
#define LINES_ROUND  (GRID_THREADS * GRID_ITEMS)
#define LINES_OVER   (SH_MISC + MISC_NEAR) /* rounds with more items for a bin than its queue holds */

struct lines {
    uint32_t x[GRID_ITEMS];
#if GRID_VALUES
    uint32_t v[GRID_ITEMS];
#endif
    uint32_t at[GRID_ITEMS]; /* rank; then slot of the queue, and where some wait << 16: places
                                from its head */
    uint32_t mask;           /* of items that are there, and not yet in a queue */
};

DEV void lines_load(struct lines *r, const uint32_t *keys, const uint32_t *values, uint64_t from,
                    uint64_t to)
{
    const uint32_t left = to - from < LINES_ROUND ? (uint32_t)(to - from) : LINES_ROUND;
    const uint32_t first = WARP_ID * 32u * GRID_ITEMS + LANE_ID;

    r->mask = 0;
    UNROLL for (uint32_t i = 0; i < GRID_ITEMS; i++)
    {
        if (left == LINES_ROUND || first + 32u * i < left) {
            r->x[i] = gm_ld4(keys + from + first + 32u * i);
#if GRID_VALUES
            r->v[i] = load_value(values, from + first + 32u * i);
#endif
            r->mask |= 1u << i;
        }
    }
    (void)values;
}

/* `full`: all of the warp's items are there, a constant.  The first lane of those that agree adds for
 * all of them. */
DEV void lines_rank(struct lines *r, struct digit d, int full)
{
    const uint32_t counts = LINES_COUNTS + 4u * LINES_HALF * WARP_ID;

    UNROLL for (uint32_t i = 0; i < GRID_ITEMS; i++)
    {
        const int in = full || r->mask >> i & 1u;
        const uint32_t b = in ? digit_of(r->x[i], d) : 0u;
        const uint32_t side = b % 2u * 16u;
        struct votes v;
        uint32_t below;
        uint32_t old = 0;

        vote(&v, b, full ? 0xffffffffu : ballot(in), SPLIT_WIDTH, 0);
        below = bit_count(v.peers & ((1u << LANE_ID) - 1u));
        if (in && below == 0)
            old = sh_add4(counts + 4u * (b / 2u), bit_count(v.peers) << side);
        old = shfl4(old, v.peers ? low_bit(v.peers) : 0u);
        r->at[i] = (old >> side & 0xffffu) + below;
    }
}

/* Counters of bins 2 THREAD_ID and the next become slots of queues, which may be past the end. */
DEV void lines_columns(uint32_t cap)
{
    const uint32_t low = sh_ld4(SH_BINS + 8u * THREAD_ID);
    const uint32_t high = sh_ld4(SH_BINS + 8u * THREAD_ID + 4u);
    const uint32_t column = LINES_COUNTS + 4u * THREAD_ID;
    const uint32_t first =
        (low >> 16) + (low & 0xffffu) + (((high >> 16) + (high & 0xffffu)) << 16);
    uint32_t at = first;
    uint32_t more;

    UNROLL4 for (uint32_t w = 0; w < GRID_THREADS / 32u; w++)
    {
        const uint32_t x = sh_ld4(column + 4u * LINES_HALF * w);

        sh_st4(column + 4u * LINES_HALF * w, at);
        at += x;
    }
    more = at - first; /* no carry: fewer than 2^15 for a bin */
    sh_st4(SH_BINS + 8u * THREAD_ID, low + (more & 0xffffu));
    sh_st4(SH_BINS + 8u * THREAD_ID + 4u, high + (more >> 16));
    if ((low & 0xffffu) + (more & 0xffffu) > cap || (high & 0xffffu) + (more >> 16) > cap)
        sh_add4(LINES_OVER, 1u);
}

/* Slots; if some queue will be too short, places from heads too. */
DEV void lines_places(struct lines *r, struct digit d, uint32_t cap, int over)
{
    const uint32_t counts = LINES_COUNTS + 4u * LINES_HALF * WARP_ID;

    UNROLL for (uint32_t i = 0; i < GRID_ITEMS; i++)
    {
        if (r->mask >> i & 1u) {
            const uint32_t b = digit_of(r->x[i], d);
            const uint32_t word = sh_ld4(counts + 4u * (b / 2u));
            const uint32_t slot = (word >> b % 2u * 16u & 0xffffu) + r->at[i];

            r->at[i] = slot >= cap ? slot - cap : slot;
            if (over) {
                const uint32_t head = sh_ld4(SH_BINS + 4u * b) >> 16;

                r->at[i] = slot % cap | (slot - head) << 16;
            }
        }
    }
}

/* Items that their queues have room for. */
DEV void lines_put(struct lines *r, struct digit d, uint32_t cap)
{
    uint32_t left = 0;

    UNROLL for (uint32_t i = 0; i < GRID_ITEMS; i++)
    {
        const int in = r->mask >> i & 1u;
        const int room = r->at[i] >> 16 < cap;

        if (in && room) {
            const uint32_t slot = digit_of(r->x[i], d) * cap + (r->at[i] & 0xffffu);

            sh_st4(RING_AT + 4u * slot, r->x[i]);
#if GRID_VALUES
            sh_st4(RING_VALUES(GRID_RING) + 4u * slot, r->v[i]);
#endif
        }
        left |= in && !room ? 1u << i : 0u;
    }
    r->mask = left;
    if (left)
        sh_add4(SH_MISC + MISC_FLAG, 1u);
}

/* ring_flush, for queues that more wait for than fit in; says how many left each. */
DEV void lines_flush(struct ring *r, int again, int all, uint32_t *keys, uint32_t *values)
{
    const uint32_t full = r->mine < r->bins ? sh_ld4(SH_BINS + 4u * r->mine) & 0xffffu : 0u;

    ring_flush(r, all, keys, values, GRID_RING);
    if (again && r->mine < r->bins) {
        const uint32_t word = sh_ld4(SH_BINS + 4u * r->mine);
        const uint32_t gone = least4(full, r->cap) - (word & 0xffffu);

        sh_st4(LINES_GONE + 4u * r->mine, gone);
        sh_st4(SH_BINS + 4u * r->mine, (word & 0xffff0000u) | (full - gone));
    }
}

DEV void lines_wait(struct lines *r, struct digit d)
{
    UNROLL for (uint32_t i = 0; i < GRID_ITEMS; i++)
    {
        if (r->mask >> i & 1u)
            r->at[i] -= sh_ld4(LINES_GONE + 4u * digit_of(r->x[i], d)) << 16;
    }
}

DEV void lines_begin(struct ring *r, uint32_t bins)
{
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t per = (bins + warps - 1u) / warps;

    r->bins = bins;
    r->cap = ring_cap(bins, GRID_RING);
    r->mine = LANE_ID < per ? WARP_ID * per + LANE_ID : bins;
    r->head = 0;
    r->to = 0;
    if (r->mine < bins) {
        r->to = sh_ld8(SH_BASE + 8u * r->mine);
        r->head = (uint32_t)r->to & (GRID_LINE - 1u);
        sh_st4(SH_BINS + 4u * r->mine, r->head << 16);
    }
    if (THREAD_ID == 0) {
        sh_st4(SH_MISC + MISC_FLAG, 0u);
        sh_st4(LINES_OVER, 0u);
    }
    block_sync();
}

/* Rank a round, and find its places in the queues. */
DEV void lines_order(struct lines *r, struct digit d, uint32_t bins, uint32_t cap, uint32_t *over)
{
    const uint32_t counts = LINES_COUNTS + 4u * LINES_HALF * WARP_ID;
    const uint32_t before = *over;

    ROLL for (uint32_t b = LANE_ID; b < LINES_HALF; b += 32u) sh_st4(counts + 4u * b, 0u);
    warp_sync();
    if (all_of(r->mask == (1u << GRID_ITEMS) - 1u))
        lines_rank(r, d, 1);
    else
        lines_rank(r, d, 0);
    block_sync();
    if (2u * THREAD_ID < bins)
        lines_columns(cap);
    block_sync();
    *over = sh_ld4(LINES_OVER);
    if (rarely(*over != before))
        lines_places(r, d, cap, 1);
    else
        lines_places(r, d, cap, 0);
}

DEV void lines_range(const struct split_job *a, uint64_t from, uint64_t to, struct digit d,
                     uint32_t bins)
{
    const uint32_t *const keys = (const uint32_t *)a->j.in;
    const uint32_t *const values = (const uint32_t *)a->j.in_values;
    uint32_t seen = 0;
    uint32_t over = 0;
    struct lines now;
    struct ring r;

    lines_begin(&r, bins);
    lines_load(&now, keys, values, from, to);
    ROLL for (; from < to; from += LINES_ROUND)
    {
        const int end = to - from <= LINES_ROUND;
        int again;

        lines_order(&now, d, bins, r.cap, &over);
        do {
            const uint32_t before = seen;

            lines_put(&now, d, r.cap);
            block_sync();
            seen = sh_ld4(SH_MISC + MISC_FLAG);
            again = seen != before;
            if (!again && !end)
                lines_load(&now, keys, values, from + LINES_ROUND, to);
            lines_flush(&r, again, end && !again, (uint32_t *)a->j.tmp,
                        (uint32_t *)a->j.tmp_values);
            block_sync();
            if (again)
                lines_wait(&now, d);
        } while (again);
    }
}

DEV void lines_pieces(const struct split_job *a, int plain)
{
    const uint32_t bins = 1u << a->width;
    struct digit d;

    if (gm_ld4(&a->state->bad))
        return;
    digit_begin(&d, a, plain, SPLIT_RING_CUTS);
    ROLL for (;;)
    {
        const uint32_t i = take_number(&a->state->taken[a->level][0]);
        struct split_piece p;

        if (i >= a->pieces)
            return;
        if (gm_ld4(a->way + i))
            continue;
        piece_bases(&p, a, i);
        lines_range(a, p.from, p.to, d, bins);
        block_sync();
    }
}

KERNEL(SPLIT_NAME(lines), struct split_job, GRID_THREADS, GRID_BLOCKS)
{
    lines_pieces(arg, 1);
}

KERNEL(SPLIT_NAME(lines_any), struct split_job, GRID_THREADS, GRID_BLOCKS)
{
    lines_pieces(arg, 0);
}

#endif
