/* histogram.h - how many items of a piece have each digit, and where they begin.
 *
 * Every lane has counters of its own, in its own bank, which the warps of a block share.  So
 * counting costs one request of shared memory for 32 keys, whatever the keys are.  Keys are read 16
 * bytes at a time.
 *
 * Counters of lanes in banks of their own are this library's.
 */
#ifndef CW_PARTITION_HISTOGRAM_H
#define CW_PARTITION_HISTOGRAM_H

#include "dev/kernel.h"
#include "partition/rule.h"
#include "partition/count_shared.h"
#include "partition/piece.h"
#include "prim/counters.h"

struct partition_counter {
    uint32_t bad, near;
};

DEV uint32_t count_one(uint32_t x, struct digit d, uint32_t most, struct partition_counter *c)
{
    const uint32_t b = digit_of(x, d);

    c->bad += x > most;
    sh_inc4(COUNT_AT + 128u * b + 4u * LANE_ID);
    return b;
}

/* `items` keys: those before the first that starts on 16 bytes, quads, the rest. */
DEV void count_keys(const uint32_t *keys, uint32_t items, struct digit d, uint32_t most,
                    struct partition_counter *c)
{
    const uint32_t odd = (4u - (uint32_t)((uintptr_t)keys / 4u % 4u)) % 4u;
    const uint32_t head = odd < items ? odd : items;
    const uint32_t quads = (items - head) / 4u;
    const uint32_t *const body = keys + head;
    uint32_t i = THREAD_ID;

    ROLL for (; i + 3u * BLOCK_DIM < quads; i += 4u * BLOCK_DIM)
    {
        vec16 q[4];

        UNROLL for (uint32_t k = 0; k < 4u; k++) q[k] =
            gm_ld16(body + 4u * (uint64_t)(i + k * BLOCK_DIM));
        UNROLL for (uint32_t k = 0; k < 4u; k++)
        {
            const uint32_t a = count_one(q[k].x, d, most, c);
            const uint32_t b = count_one(q[k].y, d, most, c);

            (void)count_one(q[k].z, d, most, c);
            (void)count_one(q[k].w, d, most, c);
            c->near += a == b;
        }
    }
    ROLL for (; i < quads; i += BLOCK_DIM)
    {
        const vec16 q = gm_ld16(body + 4u * (uint64_t)i);
        const uint32_t a = count_one(q.x, d, most, c);
        const uint32_t b = count_one(q.y, d, most, c);

        (void)count_one(q.z, d, most, c);
        (void)count_one(q.w, d, most, c);
        c->near += a == b;
    }
    if (THREAD_ID < head)
        (void)count_one(gm_ld4(keys + THREAD_ID), d, most, c);
    if (THREAD_ID < items - head - 4u * quads)
        (void)count_one(gm_ld4(body + 4u * (uint64_t)quads + THREAD_ID), d, most, c);
}

/* Sums over lanes, to COUNT_TOTAL and to global memory; lanes begin at different banks. */
DEV void count_sums(uint64_t *out, uint32_t bins)
{
    ROLL for (uint32_t b = THREAD_ID; b < bins; b += BLOCK_DIM)
    {
        uint32_t sum = 0;

        UNROLL4 for (uint32_t k = 0; k < 32u; k++)
        {
            const uint32_t lane = (k + LANE_ID) % 32u;

            sum += sh_ld4(COUNT_AT + 128u * b + 4u * lane);
        }
        sh_st4(COUNT_TOTAL + 4u * b, sum);
        gm_st8(out + b, (uint64_t)sum);
    }
}

/* Write what was counted so far to `out`.  Two threads for each bin, of which there are at least
 * 16. */
DEV void count_so_far(uint32_t *out, uint32_t bins)
{
    const uint32_t half = THREAD_ID % 2u;

    ROLL for (uint32_t b = THREAD_ID / 2u; b < bins; b += BLOCK_DIM / 2u)
    {
        uint32_t sum = 0;

        UNROLL4 for (uint32_t k = 0; k < 16u; k++)
        {
            const uint32_t lane = 16u * half + (k + LANE_ID / 2u) % 16u;

            sum += sh_ld4(COUNT_AT + 128u * b + 4u * lane);
        }
        sum += shfl_xor4(sum, 1);
        if (half == 0)
            gm_st4(out + b, sum);
    }
}

/* Does a piece go in tiles?  It does if a bin would crowd its queue, or if neighbours go to one bin
 * more often than chance says. */
DEV uint32_t in_tiles(const struct partition_job *a, uint64_t items, uint32_t bins)
{
    const float p = 1.0f / (float)(items + 1u);
    uint32_t most = 0;

    ROLL for (uint32_t b = LANE_ID; b < bins; b += 32u)
    {
        const uint32_t x = sh_ld4(COUNT_TOTAL + 4u * b);

        most = x > most ? x : most;
    }
    UNROLL for (uint32_t k = 16; k; k /= 2)
    {
        const uint32_t x = shfl_xor4(most, k);

        most = x > most ? x : most;
    }
    return (float)most * p * (float)a->round > 2.0f * (float)a->cap ||
           4.0f * (float)sh_ld4(COUNT_MISC) * p >
               0.125f + 1.25f * ((float)most * p) * ((float)most * p);
}

/* Count piece p, number i, ticket by ticket.  Before each ticket, write where its items stand among
 * the piece's. */
DEV void count_turns(const struct partition_job *a, const struct partition_piece *p, uint32_t i,
                     struct digit d, struct partition_counter *c)
{
    const uint32_t most = a->pass ? 0xffffffffu : (uint32_t)a->rule.most;
    uint64_t row = (uint64_t)i * a->tickets;

    ROLL for (uint64_t from = p->from; from < p->to; from += a->ticket_items, row++)
    {
        const uint64_t to = p->to - from < a->ticket_items ? p->to : from + a->ticket_items;

        if (a->before) {
            block_sync();
            count_so_far(a->before + (row << a->width), 1u << a->width);
            block_sync();
        }
        count_keys((const uint32_t *)a->move.in + from, (uint32_t)(to - from), d, most, c);
    }
}

DEV void count_piece(const struct partition_job *a, uint32_t i, struct digit d)
{
    const uint32_t bins = 1u << a->width;
    const vec16 none = {0, 0, 0, 0};
    struct partition_counter c;
    struct partition_piece p;

    piece_of(&p, a, i);
    c.bad = 0;
    c.near = 0;
    ROLL for (uint32_t k = THREAD_ID; k < 8u * bins; k += BLOCK_DIM)
        sh_st16(COUNT_AT + 16u * k, none);
    if (THREAD_ID == 0)
        sh_st4(COUNT_MISC, 0u);
    block_sync();
    count_turns(a, &p, i, d, &c);
    if (c.bad)
        counter_add_most(&a->state->bad, c.bad);
    sh_add4(COUNT_MISC, c.near);
    block_sync();
    count_sums(a->counts + ((uint64_t)i << a->width), bins);
    block_sync();
    if (WARP_ID == 0) {
        const uint32_t way = a->tiled ? 1u : in_tiles(a, p.to - p.from, bins);

        if (LANE_ID == 0)
            gm_st4(a->way + i, way);
    }
    block_sync();
}

DEV void count_pieces(const struct partition_job *a, int plain)
{
    struct digit d;

    if (partition_stopped(a))
        return;
    digit_begin(&d, a, plain, COUNT_CUTS);
    ROLL for (uint32_t i = BLOCK_ID; i < a->pieces; i += GRID_DIM) count_piece(a, i, d);
}

KERNEL(cw_partition_histogram_plain, struct partition_job, COUNT_THREADS, COUNT_BLOCKS)
{
    count_pieces(arg, 1);
}

KERNEL(cw_partition_histogram, struct partition_job, COUNT_THREADS, COUNT_BLOCKS)
{
    count_pieces(arg, 0);
}

#endif
