/* sort_radix.h - shapes of the whole-device sort's kernels: how many threads, items and bins.
 *
 * Large ones are what was fastest on an H200 (docs/sort.md).  There are no small ones: GPUs that
 * want those sort by least significant digits (sort/lsd).  A source defines SHAPES, RADIX_TYPE,
 * KEY_LOG and PAYLOAD_BYTES, includes dev/shapes.h, then this.
 */
#if SHAPES == SHAPES_LARGE

#if PAYLOAD_BYTES
#define RADIX_THREADS 1024u
#define RADIX_ITEMS   4
#define RADIX_BLOCKS  1
#define RADIX_QUEUES  180224u
#else
#define RADIX_THREADS 512u
#define RADIX_ITEMS   (KEY_LOG == 2 ? 8 : 4)
#define RADIX_BLOCKS  3
#define RADIX_QUEUES  69376u /* three blocks a multiprocessor */
#endif
#define TILE_THREADS     (PAYLOAD_BYTES ? 1024u : 512u) /* of the kernel that has tiles alone; */
#define TILE_PER         16u                            /* items of a thread there, */
#define TILE_PER_MEDIUM  8u                             /* and of RADIX_THREADS in other kernels */
#define TILE_BLOCKS      (PAYLOAD_BYTES ? 1 : 2)
#define TILE_BITS        9u   /* bins are fewer than 2^TILE_BITS */
#define RADIX_BINS       352u /* of a bucket, at most: 32 a warp, a multiple of 4 */
#define RADIX_SPLIT_BINS 264u /* the same, but for the first pass by a tree */
#define RADIX_FEW_BINS   (PAYLOAD_BYTES ? RADIX_BINS : RADIX_ONE_BINS) /* of few values */
#define RADIX_ONE_BINS   271u /* of later passes, or of the only one: 2^20 items, rows below 4096 */
#define RADIX_PROCESSORS 132u
#define RADIX_ALONE      8192u
#define RADIX_CHUNK      8192u
#define RADIX_LONG       32768u
#define RADIX_COUNT_SIZE 72u  /* items of a chunk for each bin; of even keys there are 73 */
#define RADIX_FEW_SIZE   512u /* items for each bin of a bucket of few values */

/* Which arrays are sorted so (sort.c):
 *
 *      RADIX_ALONE_MOST    keys, at most: one block sorts them
 *      RADIX_LEAST         items, from here on
 *      RADIX_GATED         from here on arrays that linear digits do not suit are left to the LSD
 *                          sort
 *      RADIX_TREES         keys, from here on: skewed arrays are not left, as splitters win
 *      RADIX_RUNS          keys, up to here: arrays of runs are left, too
 *      RADIX_OPEN          keys, from here on: none is left, as launches that find nothing to do
 *                          take 3 to 4 % of the time
 *
 * Pairs have no splitters, and no block sorts them alone. */
#if !defined(SHAPES_EARLY)
#define RADIX_ALONE_MOST (PAYLOAD_BYTES ? 0u : 8192u)
#define RADIX_LEAST      ((KEY_LOG == 3 ? 1u << 22 : PAYLOAD_BYTES ? 1u << 24 : 1u << 25) + 1u)
#define RADIX_GATED      RADIX_LEAST
#define RADIX_TREES      (PAYLOAD_BYTES ? UINT64_MAX : KEY_LOG == 3 ? 1u << 26 : 1u << 25)
#define RADIX_RUNS       (1u << 26)
#define RADIX_OPEN       (PAYLOAD_BYTES ? UINT64_MAX : 1u << 28)
#else
#define RADIX_ALONE_MOST (PAYLOAD_BYTES ? 0u : 4096u)
#define RADIX_LEAST      (PAYLOAD_BYTES ? RADIX_ALONE + 1u : 4097u)
#define RADIX_GATED      (PAYLOAD_BYTES ? 0u : UINT64_MAX)
#define RADIX_TREES      UINT64_MAX
#define RADIX_RUNS       UINT64_MAX
#define RADIX_OPEN       UINT64_MAX
#endif

#if !defined(SHAPES_EARLY)
#define RADIX_PASSES_SET   0u
#define RADIX_SAMPLE_LEAST (1u << 15) /* 6 us of 40 */
#define RADIX_APART_LEAST  ((1u << 23) + 1u)
#define RADIX_NARROW_LEAST (PAYLOAD_BYTES ? 0u : (1u << 25) + 1u)
#define RADIX_DRAIN_LEAST  (1u << 31)
#define RADIX_WIDE_EVERY   0u
#define RADIX_SPARE        (64u << 20)
#else /* for a test: lest only millions of items have a tree, and several passes */
#define RADIX_PASSES_SET   3u
#define RADIX_SAMPLE_LEAST 50000u
#define RADIX_APART_LEAST  RADIX_SAMPLE_LEAST
#define RADIX_NARROW_LEAST (PAYLOAD_BYTES ? 0u : RADIX_SAMPLE_LEAST)
#define RADIX_DRAIN_LEAST  50000u
#define RADIX_WIDE_EVERY   4u /* a fourth of all lengths: counts of 8 bytes */
#define RADIX_SPARE        (64u << 10)
#endif

/* Stable sorts (radix/scatter_stable.h, prim/tile_scatter.h): */
#define SCATTER_THREADS    1024u
#define SCATTER_PER        16
#define SCATTER_BLOCKS     1
#define SCATTER_WIDTH      9u
#define RADIX_TICKET_ITEMS (SCATTER_THREADS * SCATTER_PER)
#define RADIX_TICKETS_MOST 16384u

/* Keys alone have a tree: queues for RADIX_BINS bins, and room for two blocks of 512 threads. */
#define RADIX_TREE_QUEUES 90112u
#define RADIX_TREE_ITEMS  RADIX_ITEMS
#define RADIX_TREE_ROOM   3840u
#define RADIX_TREE_ROOT   10u
#define RADIX_TREE_STEPS  3u
#define RADIX_TREE_SURE   5u  /* frequent keys that have room for nodes down to their own values */
#define RADIX_TREE_EDGES  16u /* splitters that cut bins, at most */
#define RADIX_SAMPLE_FEW  2048u
#define RADIX_SAMPLE      (PAYLOAD_BYTES ? RADIX_SAMPLE_FEW : 8192u)

/* Keys alone that are counted by values (counting/narrow_buckets.h, counting/counted_buckets.h): */
#define RADIX_NARROW_VALUES 16384u     /* values of a bucket, at most; a power of two */
#define RADIX_COUNTED_MOST  8192u      /* values that the first pass counts, at most */
#define RADIX_COUNTERS      (1u << 19) /* all counters */

#else

#define RADIX_ALONE_MOST (PAYLOAD_BYTES ? 0u : 300u)
#define RADIX_LEAST      (PAYLOAD_BYTES ? RADIX_ALONE + 1u : 1601u)
#define RADIX_GATED      (PAYLOAD_BYTES ? 0u : 19000u)
#define RADIX_TREES      (PAYLOAD_BYTES ? UINT64_MAX : 0u)
#define RADIX_RUNS       UINT64_MAX
#define RADIX_OPEN       (PAYLOAD_BYTES ? UINT64_MAX : RADIX_DRAIN_LEAST + 1u)

#define RADIX_THREADS     64u
#define RADIX_ITEMS       8
#define RADIX_BLOCKS      2
#define RADIX_QUEUES      (PAYLOAD_BYTES ? 32768u : 16384u)
#define RADIX_BINS        64u
#define RADIX_SPLIT_BINS  64u
#define RADIX_FEW_BINS    64u
#define RADIX_ONE_BINS    64u
#define TILE_THREADS      64u
#define TILE_PER          4u
#define TILE_PER_MEDIUM   TILE_PER
#define TILE_BLOCKS       2
#define TILE_BITS         7u
#define RADIX_PROCESSORS  8u
#define RADIX_ALONE       5000u
#define RADIX_CHUNK       1024u
#define RADIX_LONG        6144u
#define RADIX_COUNT_SIZE  8u
#define RADIX_FEW_SIZE    512u
#define RADIX_WIDE_EVERY  4u
#define RADIX_PASSES_SET  3u
#define RADIX_DRAIN_LEAST 20000u
#define RADIX_SPARE       (32u << 10)

#define SCATTER_THREADS    64u
#define SCATTER_PER        4
#define SCATTER_BLOCKS     2
#define SCATTER_WIDTH      6u
#define RADIX_TICKET_ITEMS (2u * SCATTER_THREADS * SCATTER_PER)
#define RADIX_TICKETS_MOST 48u

#define RADIX_TREE_QUEUES  RADIX_QUEUES
#define RADIX_TREE_ITEMS   (RADIX_ITEMS / 2)
#define RADIX_TREE_ROOM    2048u
#define RADIX_TREE_ROOT    6u
#define RADIX_TREE_STEPS   3u
#define RADIX_TREE_SURE    3u
#define RADIX_SAMPLE_LEAST 12000u
#define RADIX_APART_LEAST  16000u
#define RADIX_NARROW_LEAST (PAYLOAD_BYTES ? 0u : RADIX_SAMPLE_LEAST)
#define RADIX_TREE_EDGES   8u
#define RADIX_SAMPLE_FEW   512u
#define RADIX_SAMPLE       (PAYLOAD_BYTES ? RADIX_SAMPLE_FEW : 1024u)

#define RADIX_NARROW_VALUES 512u
#define RADIX_COUNTED_MOST  256u
#define RADIX_COUNTERS      2048u

#endif
