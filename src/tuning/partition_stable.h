/* partition_stable.h - shapes of the stable partition: threads, and items of a thread.
 *
 * On a GPU those of a pass are what was fastest for the LSD radix sort on an H200 (tuning/sort_lsd.h).  On the emulator
 * they are small.  A source defines KEY_LOG and, with a payload, PAYLOAD_LOG; STABLE_ONE (256 or 1024 buckets) for all
 * in one launch.
 */
#if defined(STABLE_ONE)
#define TILE_BUCKETS STABLE_ONE
#if SHAPES == SHAPES_LARGE
#if STABLE_ONE == 256u
#define TILE_THREADS 512u
#define TILE_ITEMS   16u
#else
#define TILE_THREADS 1024u
#define TILE_ITEMS   8u
#endif
#define ONE_BLOCKS 256u /* of a larger GPU, at most */
#if !defined(SHAPES_EARLY)
#define ONE_MOST (132u * TILE_THREADS * TILE_ITEMS)
#else /* for a test */
#define ONE_MOST 6000u
#endif
#define ONE_ALONE 2048u /* items of one block that has no others to wait for */
#else
#define TILE_THREADS STABLE_ONE
#define TILE_ITEMS   4u
#define ONE_BLOCKS   3u
#define ONE_MOST     (3u * TILE_THREADS * TILE_ITEMS)
#define ONE_ALONE    300u
#endif
#else
#if SHAPES == SHAPES_LARGE
#if !defined(PAYLOAD_LOG)
#define TILE_THREADS 512u
#define TILE_ITEMS   (KEY_LOG == 2 ? 20u : 16u)
#elif PAYLOAD_LOG == 4
#define TILE_THREADS 512u
#define TILE_ITEMS   8u
#elif KEY_LOG == 2 && PAYLOAD_LOG == 2
#define TILE_THREADS 512u
#define TILE_ITEMS   16u
#else
#define TILE_THREADS 384u
#define TILE_ITEMS   (KEY_LOG == 3 && PAYLOAD_LOG == 3 ? 12u : 16u)
#endif
#define STABLE_PASS_BLOCKS 2
#define STABLE_ROWS        16384u /* 16 MiB of state, twice */
#else
#define TILE_THREADS       256u
#define TILE_ITEMS         4u
#define STABLE_PASS_BLOCKS 1
#define STABLE_ROWS        2u
#endif
#endif
