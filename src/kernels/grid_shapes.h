/* grid_shapes.h - shapes of the whole-device sort's kernels: how many threads, items and bins.
 *
 * On a GPU they are what was fastest on an H200 (docs/sort.md).  On the emulator they are small.
 * A source defines GRID_TYPE, KEY_LOG and GRID_VALUES, then includes this.
 */
#if defined(__CUDACC__) || defined(GRID_FULL_SHAPES) /* the latter: to try them on the emulator */

#if GRID_VALUES
#define GRID_THREADS 1024u
#define GRID_ITEMS   4
#define GRID_BLOCKS  1
#define GRID_RING    180224u
#else
#define GRID_THREADS 512u
#define GRID_ITEMS   (KEY_LOG == 2 ? 8 : 4)
#define GRID_BLOCKS  3
#define GRID_RING    69376u /* three blocks a multiprocessor */
#endif
#define TILE_THREADS    (GRID_VALUES ? 1024u : 512u)
#define TILE_PER        16u
#define TILE_PER_MIDS   8u
#define TILE_BLOCKS     (GRID_VALUES ? 1 : 2)
#define TILE_BITS       9u
#define GRID_BINS       352u
#define GRID_SPLIT_BINS 264u
#define GRID_PART_BINS  (GRID_VALUES ? GRID_BINS : GRID_ONE_BINS)
#define GRID_ONE_BINS   271u /* so that 2^20 items are rows of less than 4096 */
#define GRID_PROCESSORS 132u
#define GRID_ALONE      8192u
#define GRID_CHUNK      8192u
#define GRID_LONG       32768u

#if defined(__CUDACC__) || defined(GRID_GPU_SIZES) /* the latter: sizes without kernels */
#define GRID_LEVELS_SET   0u
#define GRID_TREE_LEAST   (GRID_VALUES ? (1u << 16) + 1u : 1u << 15) /* 6 us of 40, of 50 */
#define GRID_APART_LEAST  ((1u << 23) + 1u)
#define GRID_NARROW_LEAST (GRID_VALUES ? 1u << 23 : (1u << 25) + 1u)
#define GRID_DRAIN_LEAST  (1u << 31)
#define GRID_SPARE        (64u << 20)
#else /* lest only millions of items have a tree, and several levels */
#define GRID_LEVELS_SET   3u
#define GRID_TREE_LEAST   50000u
#define GRID_APART_LEAST  GRID_TREE_LEAST
#define GRID_NARROW_LEAST GRID_TREE_LEAST
#define GRID_DRAIN_LEAST  50000u
#define GRID_SPARE        (64u << 10)
#endif

/* Stable sorts (grid_turns.h, split_tile.h): */
#define SPLIT_THREADS   1024u
#define SPLIT_PER       16
#define SPLIT_BLOCKS    1
#define SPLIT_WIDTH     9u
#define GRID_TURN_ITEMS (SPLIT_THREADS * SPLIT_PER)
#define GRID_TURNS_MOST 16384u

/* The tree: queues for GRID_BINS bins, and room for two blocks of 512 threads. */
#define GRID_TREE_RING   (GRID_VALUES ? 180224u : 90112u)
#define GRID_TREE_ITEMS  GRID_ITEMS
#define GRID_TREE_ROOM   3840u
#define GRID_TREE_ROOT   10u
#define GRID_TREE_STEPS  3u
#define GRID_TREE_SURE   5u  /* frequent keys that have room for nodes down to their own values */
#define GRID_TREE_EDGES  16u /* splitters that cut bins, at most */
#define GRID_QUEUE_SHARE 96u /* a bin of more than one of as many pairs: by turns, not by queues */
#define GRID_SAMPLE      8192u
#define GRID_SAMPLE_FEW  2048u

/* Keys alone that are counted by values (grid_fill.h, grid_exact.h): */
#define GRID_TALLY    16384u     /* values of a part, at most; a power of two */
#define GRID_EXACT    8192u      /* values that the first level counts, at most */
#define GRID_COUNTERS (1u << 19) /* all counters */

#else

#define GRID_THREADS     64u
#define GRID_ITEMS       8
#define GRID_BLOCKS      2
#define GRID_RING        (GRID_VALUES ? 32768u : 16384u)
#define GRID_BINS        64u
#define GRID_SPLIT_BINS  64u
#define GRID_PART_BINS   64u
#define GRID_ONE_BINS    64u
#define TILE_THREADS     64u
#define TILE_PER         4u
#define TILE_BLOCKS      2
#define TILE_BITS        7u
#define GRID_PROCESSORS  8u
#define GRID_ALONE       5000u
#define GRID_CHUNK       1024u
#define GRID_LONG        6144u
#define GRID_LEVELS_SET  3u
#define GRID_DRAIN_LEAST 20000u
#define GRID_SPARE       (32u << 10)

#define SPLIT_THREADS   64u
#define SPLIT_PER       4
#define SPLIT_BLOCKS    2
#define SPLIT_WIDTH     6u
#define GRID_TURN_ITEMS (2u * SPLIT_THREADS * SPLIT_PER)
#define GRID_TURNS_MOST 48u

#define GRID_TREE_RING    GRID_RING
#define GRID_TREE_ITEMS   (GRID_ITEMS / 2)
#define GRID_TREE_ROOM    2048u
#define GRID_TREE_ROOT    6u
#define GRID_TREE_STEPS   3u
#define GRID_TREE_SURE    3u
#define GRID_TREE_LEAST   12000u
#define GRID_APART_LEAST  16000u
#define GRID_NARROW_LEAST GRID_TREE_LEAST
#define GRID_TREE_EDGES   8u
#define GRID_QUEUE_SHARE  16u
#define GRID_SAMPLE       1024u
#define GRID_SAMPLE_FEW   512u

#define GRID_TALLY    512u
#define GRID_EXACT    256u
#define GRID_COUNTERS 2048u

#endif
