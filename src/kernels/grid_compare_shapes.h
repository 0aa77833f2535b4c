/* grid_compare_shapes.h - shapes of the comparison sort's kernels.
 *
 *      COMPARE_LOG_A      items of a tile, and of the longest bucket, as a power of two
 *      COMPARE_LOG_B      items of a bucket that is as long as expected, of the last level
 *      COMPARE_TARGET     what buckets of the last level are made for
 *      COMPARE_FAN        buckets of arrays that are cut once
 *      COMPARE_COARSE     .. of the level before it
 *      COMPARE_WIDE       buckets of the level before that one, for very long arrays
 *      COMPARE_ROW        samples of a bucket that are sorted together, and those beyond it apart
 *      COMPARE_CELLS      positions that there may be
 *      COMPARE_MOST       items of an array: up to there the bounds on segments hold whatever the
 *                         keys are (grid_compare_levels.h); longer ones are refused
 *
 * On a GPU they are what was fastest on an H200 (docs/comparison.md), on the emulator small, so
 * that small arrays have many tiles, buckets and levels.  A source defines KEY_LOG and COMPARE_REST,
 * then includes this.
 */
#define COMPARE_LOG_K (KEY_LOG == 2 ? 5 : 4)
#define PART_LOG      (KEY_LOG - COMPARE_REST)

#if defined(__CUDACC__) || defined(GRID_FULL_SHAPES) /* the latter: to try them on the emulator */

#if KEY_LOG == 2
#define COMPARE_LOG_A    14
#define COMPARE_BLOCKS_A 2
#define COMPARE_BLOCKS_B 8
#define COMPARE_MADS     3
#elif KEY_LOG == 3
#define COMPARE_LOG_A    13
#define COMPARE_BLOCKS_A 2
#define COMPARE_BLOCKS_B 4
#define COMPARE_MADS     0
#else
#define COMPARE_LOG_A    13
#define COMPARE_BLOCKS_A 1
#define COMPARE_BLOCKS_B 2
#define COMPARE_MADS     0
#endif
#define COMPARE_LOG_B  12
#define COMPARE_TARGET 3744u
#if defined(__CUDACC__) || defined(GRID_GPU_SIZES)
#define COMPARE_COARSE 516096u
#define COMPARE_FAN    2300u
#define COMPARE_WIDE   128u
#define COMPARE_ROW    16383u /* not a power of two, lest full rows have a launch of their own */
#define COMPARE_CELLS  17200000u
#define COMPARE_MOST   (1u << 30)
#else /* lest only millions of items be cut twice */
#define COMPARE_COARSE 18720u
#define COMPARE_FAN    10u
#define COMPARE_WIDE   3u
#define COMPARE_ROW    600u
#define COMPARE_CELLS  60u
#define COMPARE_MOST   (1u << 25)
#endif

#else

#define COMPARE_LOG_A    (COMPARE_LOG_K + 6)
#define COMPARE_LOG_B    (COMPARE_LOG_K + 5)
#define COMPARE_BLOCKS_A 1
#define COMPARE_BLOCKS_B 1
#define COMPARE_MADS     3
#define COMPARE_TARGET   (1u << COMPARE_LOG_B)
#define COMPARE_COARSE   (5u << COMPARE_LOG_B)
#define COMPARE_FAN      10u
#define COMPARE_WIDE     3u
#define COMPARE_ROW      48u
#define COMPARE_CELLS    400u
#define COMPARE_MOST     (KEY_LOG == 2 ? 1u << 21 : 1u << 19)

#endif
