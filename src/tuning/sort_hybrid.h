/* sort_hybrid.h - shapes of the hybrid sort: its sample, and the local sort's threads and items of
 * a thread.
 *
 * A source that has the local sort defines HYBRID_TYPE and, with a payload, PAYLOAD_LOG.  14 items
 * a thread are what two blocks of a multiprocessor of an H200 have shared memory for.  BLOCK_ALONE
 * is for short arrays and groups: its code is short, and fetching code takes a good part of their
 * time.  On the emulator shapes are small.
 */
#if SHAPES == SHAPES_LARGE
#define SAMPLE_THREADS 1024u
#define SAMPLE_ITEMS   16u
#define SAMPLE_GATHER  128u
#define HYBRID_TILES   128u /* about a multiprocessor each */
#if defined(SHAPES_EARLY)
#define HYBRID_LEAST    20000u
#define HYBRID_LEAST_V4 20000u
#define HYBRID_SHORT    30000u
#define HYBRID_ONE_MOST 40000u
#else
#define HYBRID_LEAST    (1u << 19) /* before, the sort in one launch is faster, or as fast */
#define HYBRID_LEAST_V4 (1u << 22) /* with payloads of up to 4 bytes */
#define HYBRID_SHORT    600000u    /* up to here groups are short */
#define HYBRID_ONE_MOST 1000000u   /* 256 buckets, and four fifths as much again for chance */
#endif
#if defined(BLOCK_ALONE)
#define TILE_THREADS 1024u
#if LOCAL_KEY_LOG == 3 && !(defined(PAYLOAD_LOG) && PAYLOAD_LOG == 4)
#define TILE_ITEMS 8u /* the sort in one launch would take eight passes */
#else
#define TILE_ITEMS 4u
#endif
#define LOCAL_STEP   1u
#define LOCAL_BLOCKS 1
#elif defined(HYBRID_TYPE)
#define TILE_THREADS 512u
#define TILE_ITEMS   14u
#define LOCAL_STEP   2u /* what divides the number of a thread's items */
#if defined(PAYLOAD_LOG) && PAYLOAD_LOG == 4
#define LOCAL_BLOCKS 1
#else
#define LOCAL_BLOCKS 2
#endif
#endif
#else
#define SAMPLE_THREADS  256u
#define SAMPLE_ITEMS    2u
#define SAMPLE_GATHER   64u
#define HYBRID_TILES    5u
#define HYBRID_LEAST    2000u
#define HYBRID_LEAST_V4 2000u
#define HYBRID_SHORT    4000u
#define HYBRID_ONE_MOST 6000u
#if defined(HYBRID_TYPE)
#define TILE_THREADS 256u
#define TILE_ITEMS   4u
#define LOCAL_STEP   2u
#define LOCAL_BLOCKS 1
#endif
#endif
