/* split_shapes.h - shapes of the partition's kernels: how many threads, items and bins.
 *
 * On a GPU they are what was fastest on an H200 (docs/partition.md).  On the emulator they are
 * small, so that small arrays have many pieces, parts and levels.  A source may define GRID_VALUES (4:
 * pairs) before.
 */
#ifndef GRID_VALUES
#define GRID_VALUES 0
#endif

#if defined(__CUDACC__) || defined(GRID_FULL_SHAPES)

#define SPLIT_WIDTH   8u /* bits of a digit, at most */
#define COUNT_THREADS 512u
#define COUNT_BLOCKS  4u
#define SPLIT_TURNS   65536u
#if defined(__CUDACC__)
#define SPLIT_WIDE_LEAST (1u << 23)
#else
#define SPLIT_WIDE_LEAST 20000u
#endif
#define SCAN_THREADS 1024u
#if GRID_VALUES
#if defined(SPLIT_WIDE_TILES)
#define SPLIT_THREADS 1024u
#define SPLIT_PER     16
#define SPLIT_BLOCKS  1
#else
#define SPLIT_THREADS 512u
#define SPLIT_PER     16
#define SPLIT_BLOCKS  2
#endif
#define GRID_THREADS 1024u
#define GRID_ITEMS   4
#define GRID_BLOCKS  1
#define GRID_RING    131072u
#else
#define SPLIT_THREADS 512u
#define SPLIT_PER     16
#define SPLIT_BLOCKS  2
#define GRID_THREADS  512u
#define GRID_ITEMS    8
#define GRID_BLOCKS   3
#define GRID_RING     65536u
#endif
#define SPLIT_PROCESSORS 132u

#else

#define SPLIT_WIDTH      6u
#define COUNT_THREADS    64u
#define COUNT_BLOCKS     1u
#define SPLIT_TURNS      64u
#define SCAN_THREADS     64u
#define SPLIT_WIDE_LEAST 4000u
#if defined(SPLIT_WIDE_TILES)
#define SPLIT_THREADS 128u
#else
#define SPLIT_THREADS 64u
#endif
#define SPLIT_PER        4
#define SPLIT_BLOCKS     2
#define GRID_THREADS     64u
#define GRID_ITEMS       4
#define GRID_BLOCKS      2
#define GRID_RING        (GRID_VALUES ? 16384u : 8192u)
#define SPLIT_PROCESSORS 2u

#endif

#define SPLIT_BINS (1u << SPLIT_WIDTH)
#define GRID_BINS  SPLIT_BINS
#define KEY_LOG    2
