/* grid_counts.h - blocks of a cooperative launch tell each other how many items of each bucket they
 * have.
 *
 * A block writes a row of counts, two in a word.  A count carries a bit that says that it is there,
 * so reading the rows of all blocks is a barrier, too: a word whose bits are not set is read again.
 * Rows are 0 before the launch.
 *
 * That a count is its own flag is from look-back (Merrill and Garland 2016).  Here every block
 * reads all rows, instead of those before it one after another: blocks are few, and all run at
 * once.
 *
 * The includer defines what prim/radix_tile.h wants, and
 *
 *      COUNTS_JOB             a type
 *      COUNTS_ROWS(a, pass)   the rows of a pass, one a block
 *      COUNTS_MINE(a, pass)   this block's
 *      COUNTS_ROW             words of a row: half of TILE_BUCKETS
 */
#ifndef CW_PRIM_GRID_COUNTS_H
#define CW_PRIM_GRID_COUNTS_H

#include "prim/radix_tile.h"

#define COUNTS_VALID  0x80008000u
#define COUNTS_BATCH  4u                    /* rows that a warp asks for at once */
#define COUNTS_CHUNKS (TILE_BUCKETS / 256u) /* a warp reads 256 buckets of a row */
#define COUNTS_GROUPS (TILE_WARPS / COUNTS_CHUNKS)

/* Thread b writes the count of bucket b, and its neighbour's, to the block's row. */
DEV void counts_publish(const COUNTS_JOB *a, uint32_t pass, uint32_t own)
{
    const uint32_t next = shfl4(own, (LANE_ID + 1u) % 32u);

    (void)pass;
    if (THREAD_ID % 2u == 0)
        gm_st4_relaxed(COUNTS_MINE(a, pass) + THREAD_ID / 2u, COUNTS_VALID | own | next << 16);
}

DEV int counts_valid(vec16 x)
{
    return (x.x & x.y & x.z & x.w & COUNTS_VALID) == COUNTS_VALID;
}

DEV void counts_add(uint32_t *sum, vec16 x)
{
    sum[0] += x.x & 0x7fffu;
    sum[1] += x.x >> 16 & 0x7fffu;
    sum[2] += x.y & 0x7fffu;
    sum[3] += x.y >> 16 & 0x7fffu;
    sum[4] += x.z & 0x7fffu;
    sum[5] += x.z >> 16 & 0x7fffu;
    sum[6] += x.w & 0x7fffu;
    sum[7] += x.w >> 16 & 0x7fffu;
}

/* Each lane has 8 buckets, and each warp some of the rows.  `before` gets the sums over blocks
 * before this one, `rest` those over the others. */
DEV void counts_read(const COUNTS_JOB *a, uint32_t pass, uint32_t *before, uint32_t *rest)
{
    const uint32_t *const rows =
        COUNTS_ROWS(a, pass) + 128u * (WARP_ID % COUNTS_CHUNKS) + 4u * LANE_ID;

    (void)pass;
    UNROLL for (uint32_t k = 0; k < 8u; k++) before[k] = rest[k] = 0;
    ROLL for (uint32_t r = WARP_ID / COUNTS_CHUNKS; r < GRID_DIM; r += COUNTS_BATCH * COUNTS_GROUPS)
    {
        vec16 x[COUNTS_BATCH];

        UNROLL for (uint32_t k = 0; k < COUNTS_BATCH; k++)
        {
            const uint32_t row = r + k * COUNTS_GROUPS;

            if (row < GRID_DIM)
                x[k] = gm_ld16_relaxed(rows + COUNTS_ROW * row);
        }
        UNROLL for (uint32_t k = 0; k < COUNTS_BATCH; k++)
        {
            const uint32_t row = r + k * COUNTS_GROUPS;

            if (row < GRID_DIM) {
                if (!counts_valid(x[k]))
                    SPIN_UNTIL(counts_valid(x[k] = gm_ld16_relaxed(rows + COUNTS_ROW * row)));
                if (row < BLOCK_ID)
                    counts_add(before, x[k]);
                else
                    counts_add(rest, x[k]);
            }
        }
    }
}

/* The sum over warps of what each has for bucket THREAD_ID.  The tile's counters must be free.  One
 * barrier inside; another is needed before they are written again. */
DEV uint32_t counts_sum(const uint32_t *x)
{
    const vec16 low = {x[0], x[1], x[2], x[3]}, high = {x[4], x[5], x[6], x[7]};
    const uint32_t at = TILE_COUNTS + 4u * TILE_BUCKETS * (WARP_ID / COUNTS_CHUNKS) +
                        1024u * (WARP_ID % COUNTS_CHUNKS) + 32u * LANE_ID;
    uint32_t sum = 0;

    sh_st16(at, low);
    sh_st16(at + 16u, high);
    block_sync();
    if (THREAD_ID < TILE_BUCKETS) {
        UNROLL for (uint32_t w = 0; w < COUNTS_GROUPS; w++) sum +=
            sh_ld4(TILE_COUNTS + 4u * (TILE_BUCKETS * w + THREAD_ID));
    }
    return sum;
}

#endif
