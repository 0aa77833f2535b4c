/* sort_small.h - shapes of the sort in one launch: threads, items of a thread, blocks.
 *
 * On a GPU a block a multiprocessor; a slice of 32 items a thread is what registers and shared
 * memory hold.  SMALL_FEW is for slices of 8: its code is a quarter as long, and fetching code takes
 * a good part of the time of a short array.  With payloads of 8 bytes and more there are no longer
 * slices, since the LSD sort is faster then.  On the emulator shapes are small.  A source defines KEY_LOG and, with a payload, PAYLOAD_LOG, then includes this.
 */
#if SHAPES == SHAPES_LARGE
#define TILE_THREADS 512u
#if defined(SMALL_FEW)
#define TILE_ITEMS 8u
#else
#define TILE_ITEMS 32u
#endif
#define SMALL_BLOCKS 256u /* of a larger GPU, at most */
#if defined(SHAPES_EARLY)
#define SMALL_MOST 6000u
#else
#if defined(PAYLOAD_LOG) && PAYLOAD_LOG >= 3 /* from here on the LSD sort is faster */
#define SMALL_MOST (132u * TILE_THREADS * 8u)
#elif defined(PAYLOAD_LOG) && PAYLOAD_LOG == 2
#define SMALL_MOST (132u * TILE_THREADS * 12u)
#else
#define SMALL_MOST (132u * TILE_THREADS * TILE_ITEMS)
#endif
#endif
#else
#define TILE_THREADS 256u
#if defined(SMALL_FEW)
#define TILE_ITEMS 4u
#else
#define TILE_ITEMS 8u
#endif
#define SMALL_BLOCKS 3u
#define SMALL_MOST   3600u
#endif
