/* kernels.h - all row kernels of one word size.  A source defines KEY_LOG, ROWS_LOG_K, ROWS_WORD
 * (u32), ROWS_SHAPES, ROWS_THREES, ROWS_FIVES and ROWS_LANES (if there are), ROWS_BLOCKS, ROWS_NEVER_FULL (if
 * words are no keys of their own) and includes this once. */
#include "dev/kernel.h"

#define ROWS_K (1 << ROWS_LOG_K)
#include "tuning/rows.h"
#include "rows/sort.h"

#define ROWS_NO_SHORT(log_n, shuffles, mads)
#define ROWS_NO_LONG(log_n, shuffles, mads, threads, blocks)
#define ROWS_NO_THREE(log_n, mads)
#define ROWS_NO_THREE_LONG(log_n, mads, threads, blocks)

/* ---- any rows: blocks take turns, class by class -------------------------------------------- */

KERNEL(ROWS_NAME(any), struct cw_rows_arg, 32 * CW_ROWS_WARPS, ROWS_BLOCKS)
{
    uint32_t turn = BLOCK_ID;

#define ROWS_ANY(log_n, shuffles, mads)                                    \
    if (!arg->only || arg->only == log_n) {                                \
        const struct row_shape s = {ROWS_LOG_K, log_n, shuffles, mads, 0}; \
                                                                           \
        if (log_n < ROWS_LOG_K + 5)                                        \
            turn = short_tiles(arg, s, turn);                              \
        else                                                               \
            turn = rows_tiles(arg, s, turn);                               \
    }
#define ROWS_ANY_THREE(log_n, mads)                                 \
    if (!arg->only || arg->only == CW_ROWS_THREE + log_n) {         \
        const struct row_shape s = {ROWS_LOG_K, log_n, 2, mads, 3}; \
                                                                    \
        turn = short_tiles(arg, s, turn);                           \
    }
    ROWS_SHAPES(ROWS_ANY, ROWS_NO_LONG)
    ROWS_THREES(ROWS_ANY_THREE, ROWS_NO_THREE_LONG)
}

#define ROWS_ANY_LONG(log_n, shuffles, mads, threads, blocks)              \
    KERNEL(ROWS_NAME(any_##log_n), struct cw_rows_arg, threads, blocks)    \
    {                                                                      \
        const struct row_shape s = {ROWS_LOG_K, log_n, shuffles, mads, 0}; \
                                                                           \
        (void)rows_tiles(arg, s, BLOCK_ID);                                \
    }
ROWS_SHAPES(ROWS_NO_SHORT, ROWS_ANY_LONG)

#define ROWS_THREE_LONG(log_n, mads, threads, blocks)                     \
    KERNEL(ROWS_NAME(three_##log_n), struct cw_rows_arg, threads, blocks) \
    {                                                                     \
        const struct row_shape s = {ROWS_LOG_K, log_n, 2, mads, 3};       \
                                                                          \
        (void)short_tiles(arg, s, BLOCK_ID);                              \
    }
ROWS_THREES(ROWS_NO_THREE, ROWS_THREE_LONG)

#ifdef ROWS_FIVES
#define ROWS_FIVE(log_n, mads, threads, blocks)                          \
    KERNEL(ROWS_NAME(five_##log_n), struct cw_rows_arg, threads, blocks) \
    {                                                                    \
        const struct row_shape s = {ROWS_LOG_K, log_n, 2, mads, 5};      \
                                                                         \
        (void)short_tiles(arg, s, BLOCK_ID);                             \
    }
ROWS_FIVES(ROWS_FIVE)
#endif

/* ---- short rows of one length that lie together ---------------------------------------------- */

#ifdef ROWS_LANES
#include "rows/lanes.h"

#define ROWS_LANE(places, rows, blocks, log_n, three)                                \
    KERNEL(ROWS_NAME(lane_##places), struct cw_rows_arg, 32 * CW_ROWS_WARPS, blocks) \
    {                                                                                \
        const struct lane_shape s = {places, rows};                                  \
        const struct row_shape other = {ROWS_LOG_K, log_n, 2, 0, three};             \
                                                                                     \
        lane_tiles(arg, s, other);                                                   \
    }
ROWS_LANES(ROWS_LANE)
#endif

/* ---- full rows: a tile a block -------------------------------------------------------------- */

#ifndef ROWS_NEVER_FULL
/* Of one class, or the lists of all classes that have lists, the longest first. */
KERNEL(ROWS_NAME(full), struct cw_rows_arg, 32 * CW_ROWS_WARPS, ROWS_BLOCKS)
{
    uint32_t tile = BLOCK_ID;

#define ROWS_FULL(log_n, shuffles, mads)                                                     \
    if (arg->only == log_n || (!arg->only && log_n >= ROWS_LOG_K + 5)) {                     \
        const struct row_shape s = {ROWS_LOG_K, log_n, shuffles, mads, 0};                   \
        const uint32_t tiles =                                                               \
            arg->only ? GRID_DIM : tiles_of(s, log_n, row_count(arg, CW_ROWS_FULL + log_n)); \
                                                                                             \
        if (tile < tiles) {                                                                  \
            rows_full(arg, s, tile);                                                         \
            return;                                                                          \
        }                                                                                    \
        tile -= tiles;                                                                       \
    }
    ROWS_SHAPES(ROWS_FULL, ROWS_NO_LONG)
}

#define ROWS_FULL_LONG(log_n, shuffles, mads, threads, blocks)                \
    KERNEL(ROWS_NAME(full_##log_n), struct cw_rows_arg, threads, blocks)      \
    {                                                                         \
        const struct row_shape s = {ROWS_LOG_K, log_n, shuffles, mads, 0};    \
                                                                              \
        if (!arg->offsets || BLOCK_ID < row_count(arg, CW_ROWS_FULL + log_n)) \
            rows_full(arg, s, BLOCK_ID);                                      \
    }
ROWS_SHAPES(ROWS_NO_SHORT, ROWS_FULL_LONG)
#endif
