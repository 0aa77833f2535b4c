/* sort_sample.h - shapes of the comparison sort's kernels.
 *
 *      SAMPLE_LOG_A      items of a tile, and of the longest bucket, as a power of two
 *      SAMPLE_LOG_B      items of a bucket that is as long as expected, of the last pass
 *      SAMPLE_TARGET     what buckets of the last pass are made for
 *      SAMPLE_FAN        buckets of arrays that are cut once
 *      SAMPLE_COARSE     .. of the pass before it
 *      SAMPLE_WIDE       .. of the pass before that one, for very long arrays
 *      SAMPLE_EVERY      items that have one sample, in the last pass
 *      SAMPLE_ROW        samples of a bucket that are sorted together, and those beyond it apart
 *      SAMPLE_TILES      of 2^SAMPLE_LOG_B items each: arrays that have no more are short
 *      SAMPLE_PARTS      .. and are merged, not cut; up to 8
 *      SAMPLE_CELLS      positions that there may be
 *      SAMPLE_MOST       items of an array: up to there the bounds on segments hold whatever the
 *                         keys are (sample_sort/passes.h); longer ones are refused
 *
 * Large ones are what was fastest on an H200 (docs/comparison.md).  Tiny ones give small arrays
 * many tiles, buckets and passes.  A source defines SHAPES, KEY_LOG and SAMPLE_REST, includes
 * dev/shapes.h, then this.
 */
#define SAMPLE_LOG_K (KEY_LOG == 2 ? 5 : 4)
#define PART_LOG     (KEY_LOG - SAMPLE_REST)

#if SHAPES != SHAPES_SMALL
#define SAMPLE_EVERY 32u
#endif

#if SHAPES == SHAPES_LARGE

#if KEY_LOG == 2
#define SAMPLE_LOG_A    14
#define SAMPLE_BLOCKS_A 2
#define SAMPLE_BLOCKS_B 8
#define SAMPLE_MADS     3
#elif KEY_LOG == 3
#define SAMPLE_LOG_A    13
#define SAMPLE_BLOCKS_A 2
#define SAMPLE_BLOCKS_B 4
#define SAMPLE_MADS     0
#else
#define SAMPLE_LOG_A    13
#define SAMPLE_BLOCKS_A 1
#define SAMPLE_BLOCKS_B 2
#define SAMPLE_MADS     0
#endif
#define SAMPLE_LOG_B  12
#define SAMPLE_TARGET 3744u
#if !defined(SHAPES_EARLY)
#define SAMPLE_COARSE 516096u
#define SAMPLE_FAN    2300u
#define SAMPLE_WIDE   (1u << 23)
#define SAMPLE_TILES  128u
#define SAMPLE_PARTS  8u
#define SAMPLE_ROW    16383u /* not a power of two, lest full rows have a launch of their own */
#define SAMPLE_CELLS  17200000u
#define SAMPLE_MOST   (1u << 31)
#else /* for a test: lest only millions of items be cut twice */
#define SAMPLE_COARSE 18720u
#define SAMPLE_FAN    10u
#define SAMPLE_WIDE   (1u << 16)
#define SAMPLE_TILES  9u
#define SAMPLE_PARTS  5u
#define SAMPLE_ROW    600u
#define SAMPLE_CELLS  60u
#define SAMPLE_MOST   (1u << 25)
#endif

#elif SHAPES == \
    SHAPES_SMALL /* items of 16 bytes: half of all lengths, so that all ratios are the same */

#define SAMPLE_LOG_A    12
#define SAMPLE_LOG_B    11
#define SAMPLE_BLOCKS_A 1
#define SAMPLE_BLOCKS_B 2
#define SAMPLE_MADS     0
#define SAMPLE_TARGET   1872u
#define SAMPLE_COARSE   258048u
#define SAMPLE_EVERY    16u
#define SAMPLE_FAN      2300u
#define SAMPLE_WIDE     (1u << 22)
#define SAMPLE_TILES    8u
#define SAMPLE_PARTS    8u
#define SAMPLE_ROW      16383u
#define SAMPLE_CELLS    17200000u
#define SAMPLE_MOST     (1u << 30)

#else

#define SAMPLE_LOG_A    (SAMPLE_LOG_K + 6)
#define SAMPLE_LOG_B    (SAMPLE_LOG_K + 5)
#define SAMPLE_BLOCKS_A 1
#define SAMPLE_BLOCKS_B 1
#define SAMPLE_MADS     3
#define SAMPLE_TARGET   (1u << SAMPLE_LOG_B)
#define SAMPLE_COARSE   (5u << SAMPLE_LOG_B)
#define SAMPLE_FAN      10u
#define SAMPLE_WIDE     (16u << SAMPLE_LOG_B)
#define SAMPLE_TILES    9u
#define SAMPLE_PARTS    5u
#define SAMPLE_ROW      48u
#define SAMPLE_CELLS    400u
#define SAMPLE_MOST     (KEY_LOG == 2 ? 1u << 21 : 1u << 19)

#endif
