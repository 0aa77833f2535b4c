/* radix_pass.h - shapes of a pass of prim/radix_tile.h with look-back: threads, and items of a
 * thread.
 *
 * For the LSD radix sort and for the stable partition.  On a GPU they are what was fastest for the
 * sort on an H200 (docs/sort.md).  On the emulator they are small.  A source defines KEY_LOG and,
 * with a payload, PAYLOAD_LOG.
 */
#if KEY_LOG != 2 && KEY_LOG != 3
#error "prim/radix_tile.h loads and stores keys of up to 4 bytes, and of 8"
#endif
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
#define PASS_BLOCKS 2      /* that a multiprocessor should hold */
#define PASS_ROWS   16384u /* tiles of a launch: 16 MiB of state, twice */
#else
#define TILE_THREADS 256u
#define TILE_ITEMS   4u
#define PASS_BLOCKS  1
#endif
