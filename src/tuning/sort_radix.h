/* sort_radix.h - shapes of the whole-device sort's kernels: how many threads, items and bins.
 *
 * Large ones are what was fastest on an H200 (docs/sort.md).  There are no small ones: GPUs that want
 * those sort by least significant digits (sort/lsd).
 * A source defines SHAPES, RADIX_TYPE, KEY_LOG and PAYLOAD_BYTES, includes dev/shapes.h, then this.
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
#define TILE_THREADS     (PAYLOAD_BYTES ? 1024u : 512u)
#define TILE_PER         16u
#define TILE_PER_MEDIUM  8u
#define TILE_BLOCKS      (PAYLOAD_BYTES ? 1 : 2)
#define TILE_BITS        9u
#define RADIX_BINS       352u
#define RADIX_SPLIT_BINS 264u
#define RADIX_FEW_BINS   (PAYLOAD_BYTES ? RADIX_BINS : RADIX_ONE_BINS)
#define RADIX_ONE_BINS   271u /* so that 2^20 items are rows of less than 4096 */
#define RADIX_PROCESSORS 132u
#define RADIX_ALONE      8192u
#define RADIX_CHUNK      8192u
#define RADIX_LONG       32768u

/* Which arrays are sorted so (sort.c): up to RADIX_ALONE_MOST items by one block, and from RADIX_LEAST items on.
 * From RADIX_GATED items on those that linear digits do not suit are left to the LSD sort; from RADIX_TREES on
 * splitters win where keys are skewed; from RADIX_OPEN on nothing is left, as launches that find nothing to do would
 * cost more than they save. */
#if !defined(SHAPES_EARLY)
#define RADIX_ALONE_MOST (PAYLOAD_BYTES ? 4096u : 8192u)
#define RADIX_LEAST      ((KEY_LOG == 3 ? 1u << 22 : PAYLOAD_BYTES ? 1u << 24 : 1u << 25) + 1u)
#define RADIX_GATED      RADIX_LEAST
#define RADIX_TREES      (PAYLOAD_BYTES ? UINT64_MAX : KEY_LOG == 3 ? 1u << 26 : 1u << 25)
#define RADIX_OPEN       (PAYLOAD_BYTES ? UINT64_MAX : (1u << 26) + 1u)
#else
#define RADIX_ALONE_MOST 4096u
#define RADIX_LEAST      4097u
#define RADIX_GATED      UINT64_MAX
#define RADIX_TREES      UINT64_MAX
#define RADIX_OPEN       UINT64_MAX
#endif

#if !defined(SHAPES_EARLY)
#define RADIX_PASSES_SET   0u
#define RADIX_TREE_LEAST   (PAYLOAD_BYTES ? (1u << 16) + 1u : 1u << 15) /* 6 us of 40, of 50 */
#define RADIX_APART_LEAST  ((1u << 23) + 1u)
#define RADIX_NARROW_LEAST (PAYLOAD_BYTES ? 1u << 23 : (1u << 25) + 1u)
#define RADIX_DRAIN_LEAST  (1u << 31)
#define RADIX_SPARE        (64u << 20)
#else /* for a test: lest only millions of items have a tree, and several passes */
#define RADIX_PASSES_SET   3u
#define RADIX_TREE_LEAST   50000u
#define RADIX_APART_LEAST  RADIX_TREE_LEAST
#define RADIX_NARROW_LEAST RADIX_TREE_LEAST
#define RADIX_DRAIN_LEAST  50000u
#define RADIX_SPARE        (64u << 10)
#endif

/* Stable sorts (radix/scatter_stable.h, prim/tile_scatter.h): */
#define SCATTER_THREADS    1024u
#define SCATTER_PER        16
#define SCATTER_BLOCKS     1
#define SCATTER_WIDTH      9u
#define RADIX_TICKET_ITEMS (SCATTER_THREADS * SCATTER_PER)
#define RADIX_TICKETS_MOST 16384u

/* The tree: queues for RADIX_BINS bins, and room for two blocks of 512 threads. */
#define RADIX_TREE_QUEUES (PAYLOAD_BYTES ? 180224u : 90112u)
#define RADIX_TREE_ITEMS  RADIX_ITEMS
#define RADIX_TREE_ROOM   3840u
#define RADIX_TREE_ROOT   10u
#define RADIX_TREE_STEPS  3u
#define RADIX_TREE_SURE   5u  /* frequent keys that have room for nodes down to their own values */
#define RADIX_TREE_EDGES  16u /* splitters that cut bins, at most */
#define RADIX_QUEUE_SHARE \
    96u /* a bin of more than one of as many pairs: by tickets, not by queues */
#define RADIX_SAMPLE     8192u
#define RADIX_SAMPLE_FEW 2048u

/* Keys alone that are counted by values (counting/narrow_buckets.h, counting/counted_buckets.h): */
#define RADIX_NARROW_VALUES 16384u     /* values of a bucket, at most; a power of two */
#define RADIX_COUNTED_MOST  8192u      /* values that the first pass counts, at most */
#define RADIX_COUNTERS      (1u << 19) /* all counters */

#else

#define RADIX_ALONE_MOST 300u
#define RADIX_LEAST      1601u
#define RADIX_GATED      (PAYLOAD_BYTES ? 60000u : UINT64_MAX)
#define RADIX_TREES      UINT64_MAX
#define RADIX_OPEN       UINT64_MAX

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
#define TILE_BLOCKS       2
#define TILE_BITS         7u
#define RADIX_PROCESSORS  8u
#define RADIX_ALONE       5000u
#define RADIX_CHUNK       1024u
#define RADIX_LONG        6144u
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
#define RADIX_TREE_LEAST   12000u
#define RADIX_APART_LEAST  16000u
#define RADIX_NARROW_LEAST RADIX_TREE_LEAST
#define RADIX_TREE_EDGES   8u
#define RADIX_QUEUE_SHARE  16u
#define RADIX_SAMPLE       1024u
#define RADIX_SAMPLE_FEW   512u

#define RADIX_NARROW_VALUES 512u
#define RADIX_COUNTED_MOST  256u
#define RADIX_COUNTERS      2048u

#endif
