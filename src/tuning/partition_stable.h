/* partition_stable.h - shapes of the stable partition: threads, and items of a thread.
 *
 * Those of a pass are in tuning/radix_pass.h.  On the emulator they are small.  A source defines
 * KEY_LOG and, with a payload, PAYLOAD_LOG; STABLE_ONE (256 or 1024 buckets) for all in one launch;
 * STABLE_SHORT for arrays that one block holds.
 */
#if defined(STABLE_SHORT)
#if SHAPES == SHAPES_LARGE
#define TILE_THREADS 512u
#define TILE_ITEMS   8u
#define SHORT_BLOCKS 128u
#else
#define TILE_THREADS 256u
#define TILE_ITEMS   2u
#define SHORT_BLOCKS 3u
#endif
#elif defined(STABLE_ONE)
#define TILE_BUCKETS STABLE_ONE
#if SHAPES == SHAPES_LARGE
#if STABLE_ONE == 256u
#define TILE_THREADS 512u
#define TILE_ITEMS   16u
#define ONE_FEW      132u
#else
#define TILE_THREADS 1024u
#define TILE_ITEMS   8u
#define ONE_FEW      64u /* rows are long: 132 of them take each block 6 us */
#endif
#define ONE_BLOCKS 256u /* of a larger GPU, at most */
#if !defined(SHAPES_EARLY)
#define ONE_MOST  (132u * TILE_THREADS * TILE_ITEMS)
#define ONE_SELF  16384u /* items of an array of which each block counts all */
#define ONE_ALONE 2048u  /* .. of one block */
#else                    /* for a test */
#define ONE_MOST  6000u
#define ONE_SELF  5500u
#define ONE_ALONE 2048u
#endif
#else
#define TILE_THREADS STABLE_ONE
#define TILE_ITEMS   4u
#define ONE_BLOCKS   3u
#define ONE_MOST     (3u * TILE_THREADS * TILE_ITEMS)
#define ONE_FEW      2u
#define ONE_SELF     800u
#define ONE_ALONE    300u
#endif
#else
#include "tuning/radix_pass.h"
#if SHAPES != SHAPES_LARGE
#define PASS_ROWS 2u
#endif
#endif
