/* sort_lsd.h - shapes of the LSD radix sort: threads, and items of a thread.
 *
 * On a GPU they are what was fastest on an H200 (docs/sort.md).  On the emulator they are small.  A source defines
 * KEY_LOG and, with a payload, PAYLOAD_LOG, then includes this.
 */
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
#define LSD_BLOCKS 2
#define LSD_ROWS   16384u /* 16 MiB of state, twice */
#else
#define TILE_THREADS 256u
#define TILE_ITEMS   4u
#define LSD_BLOCKS   1
#define LSD_ROWS     5u
#endif
