/* sort_lsd.h - shapes of the LSD radix sort: threads, and items of a thread.
 *
 * On a GPU they are what was fastest on an H200 (docs/sort.md).  On the emulator they are small.  A source defines
 * KEY_LOG and, with a payload, PAYLOAD_LOG, then includes this.
 */
#include "dev/shapes.h"

#if defined(PAYLOAD_LOG)
#define LSD_BYTES ((1u << KEY_LOG) + (1u << PAYLOAD_LOG))
#else
#define LSD_BYTES (1u << KEY_LOG)
#endif

#if SHAPES == SHAPES_LARGE
#define TILE_THREADS 512u
#define TILE_ITEMS   (LSD_BYTES <= 8u ? 16u : LSD_BYTES <= 12u ? 12u : 8u)
#define LSD_BLOCKS   2
#define LSD_ROWS     16384u /* 16 MiB of state, twice */
#else
#define TILE_THREADS 256u
#define TILE_ITEMS   4u
#define LSD_BLOCKS   1
#define LSD_ROWS     5u
#endif
