/* rows.h - the row kernels: how each class of rows is sorted, chosen by measurement (H200).
 *
 * A word size has 2^log_k words a thread.  The classes up to log_k + 5 have a warp or less of
 * threads a row and share a kernel, of 4 warps a block; longer rows have a block and a kernel each.
 *
 *      SHORT(log_n, shuffles, mads)
 *      LONG (log_n, shuffles, mads, threads, blocks)
 *
 *      shuffles   merges done by shuffles           threads   of a block
 *      mads       comparators of 8 that use         blocks    that a multiprocessor should hold,
 *                 multiply-adds (prim/thread_sort.h)                 which bounds the registers
 *
 *      THREE(log_n, mads)                      rows of up to three quarters of 2^log_n keys:
 *      LONG (log_n, mads, threads, blocks)     of a warp or less, in the shared kernel, and longer
 *
 * LAST is the longest class that one block sorts.  Rows longer than that are sorted in parts of
 * that class, and merged (rows/parts.h).  A block needs (k + 4) words of shared memory a thread
 * (16-byte words: k + 1): 144 KB for the last classes.  Where a block has 99 KB, the last classes
 * are 14, 13 and 12, and 13 by places.
 */
#ifndef CW_TUNING_ROWS_H
#define CW_TUNING_ROWS_H

#define CW_ROWS_WARPS 4 /* of a block for short rows */

/* Bytes of shared memory that a block of `threads` exchanges words in: 2^log_k words a thread, and
 * 16 bytes. */
#define CW_ROWS_SHARED(threads, bytes, log_k) ((threads) * (((bytes) << (log_k)) + 16u))

/* The same of a warp whose lanes have `words` words of 4 bytes each at a time (rows/lanes.h). */
#define CW_ROWS_LANE_SHARED(words) ((words) > 36u ? 128u * (words) : 128u * 36u)

/* clang-format off */
/* Rows of up to 32 keys, of all words; of up to 512, of words of 8 and of 16 bytes; and three
 * quarters of these. */
#define CW_ROWS_32(SHORT)         \
    SHORT( 1, 2, 0)               \
    SHORT( 2, 2, 0)               \
    SHORT( 3, 2, 0)               \
    SHORT( 4, 2, 0)               \
    SHORT( 5, 2, 0)
#define CW_ROWS_512(SHORT)        \
    CW_ROWS_32(SHORT)             \
    SHORT( 6, 2, 0)               \
    SHORT( 7, 2, 0)               \
    SHORT( 8, 1, 0)               \
    SHORT( 9, 1, 0)
#define CW_ROWS_512_THREE(THREE)       \
    THREE( 4, 0)                       \
    THREE( 5, 0)                       \
    THREE( 6, 0)                       \
    THREE( 7, 0)                       \
    THREE( 8, 0)                       \
    THREE( 9, 0)

#define CW_ROWS_U32_LOG_K  5
#define CW_ROWS_U32_LAST   15
#define CW_ROWS_U32_BLOCKS 8
#define CW_ROWS_U32(SHORT, LONG)  \
    CW_ROWS_32(SHORT)             \
    SHORT( 6, 2, 4)               \
    SHORT( 7, 2, 6)               \
    SHORT( 8, 2, 6)               \
    SHORT( 9, 1, 4)               \
    SHORT(10, 1, 5)               \
    LONG (11, 1, 3,   64, 16)     \
    LONG (12, 1, 3,  128, 8)      \
    LONG (13, 1, 3,  256, 4)      \
    LONG (14, 1, 3,  512, 2)      \
    LONG (15, 1, 3, 1024, 1)

#define CW_ROWS_U32_THREE(THREE, LONG) \
    THREE( 5, 0)                       \
    THREE( 6, 4)                       \
    THREE( 7, 6)                       \
    THREE( 8, 6)                       \
    THREE( 9, 4)                       \
    THREE(10, 5)                       \
    LONG (11, 3,   64, 16)             \
    LONG (12, 3,  128, 8)              \
    LONG (13, 3,  256, 4)              \
    LONG (14, 3,  512, 2)              \
    LONG (15, 3, 1024, 1)

/* Rows of one length, of up to five eighths of 2^log_n keys. */
#define CW_ROWS_FIVE_FIRST 7
#define CW_ROWS_U32_FIVE(FIVE) \
    FIVE( 7, 6,  128, 9)       \
    FIVE( 8, 6,  128, 9)       \
    FIVE( 9, 4,  128, 9)       \
    FIVE(10, 5,  128, 9)       \
    FIVE(11, 3,   64, 18)      \
    FIVE(12, 3,  128, 9)       \
    FIVE(13, 3,  256, 4)       \
    FIVE(14, 3,  512, 2)       \
    FIVE(15, 3, 1024, 1)

/* Rows of up to `places` keys that lie together (rows/lanes.h), `rows` a lane; log_n and three are the
 * shape of rows that do not.
 *
 *      LANE(places, rows, blocks, log_n, three) */
#define CW_ROWS_U32_LANE(LANE) \
    LANE( 8, 4, 8, 3, 0)       \
    LANE(12, 2, 8, 4, 0)       \
    LANE(16, 2, 8, 4, 0)       \
    LANE(24, 1, 8, 5, 3)       \
    LANE(32, 1, 8, 5, 0)       \
    LANE(40, 1, 6, 6, 3)
#define CW_ROWS_U64_LANE(LANE) \
    LANE( 8, 2, 8, 3, 0)       \
    LANE(12, 1, 8, 4, 3)       \
    LANE(16, 1, 8, 4, 0)       \
    LANE(24, 1, 5, 5, 3)

#define CW_ROWS_U64_LOG_K  4
#define CW_ROWS_U64_LAST   14
#define CW_ROWS_U64_BLOCKS 8
#define CW_ROWS_U64(SHORT, LONG)  \
    CW_ROWS_512(SHORT)            \
    LONG (10, 1, 0,   64, 14)     \
    LONG (11, 1, 0,  128, 7)      \
    LONG (12, 1, 0,  256, 4)      \
    LONG (13, 1, 0,  512, 2)      \
    LONG (14, 1, 0, 1024, 1)

#define CW_ROWS_U64_THREE(THREE, LONG) \
    CW_ROWS_512_THREE(THREE)           \
    LONG (10, 0,   64, 14)             \
    LONG (11, 0,  128, 7)              \
    LONG (12, 0,  256, 4)              \
    LONG (13, 0,  512, 2)              \
    LONG (14, 0, 1024, 1)

#define CW_ROWS_U128_LOG_K  4
#define CW_ROWS_U128_LAST   13
#define CW_ROWS_U128_BLOCKS 4
#define CW_ROWS_U128(SHORT, LONG) \
    CW_ROWS_512(SHORT)            \
    LONG (10, 1, 0,   64, 8)      \
    LONG (11, 1, 0,  128, 4)      \
    LONG (12, 1, 0,  256, 2)      \
    LONG (13, 1, 0,  512, 1)

#define CW_ROWS_U128_THREE(THREE, LONG) \
    CW_ROWS_512_THREE(THREE)           \
    LONG (10, 0,   64, 8)              \
    LONG (11, 0,  128, 4)              \
    LONG (12, 0,  256, 2)              \
    LONG (13, 0,  512, 1)

/* Rows by places (rows/index_payload.h): 32 words a thread. */
#define CW_ROWS_INDEXED(X)         \
    X(10, 1, 5, 24)               \
    X(11, 1, 3, 12)               \
    X(12, 1, 3, 6)                \
    X(13, 1, 3, 3)                \
    X(14, 1, 3, 2)                \
    X(15, 1, 3, 1)

/* Runs of rows in parts are joined in tiles of 2^log_n words (rows/join.h).
 *
 *      log_n, mads, blocks */
#define CW_ROWS_U32_JOIN         13
#define CW_ROWS_U32_JOIN_MADS    3
#define CW_ROWS_U32_JOIN_BLOCKS  4
#define CW_ROWS_U64_JOIN         12
#define CW_ROWS_U64_JOIN_MADS    0
#define CW_ROWS_U64_JOIN_BLOCKS  4
#define CW_ROWS_U128_JOIN        11
#define CW_ROWS_U128_JOIN_MADS   0
#define CW_ROWS_U128_JOIN_BLOCKS 4

/* Shared memory of a row of 2^log_n keys by places: words that the network exchanges, two lower
 * halves in a word, a mask a thread, early values. */
#define CW_ROWS_INDEXED_LOWS(log_n)   ((4u << (log_n)) + (16u << ((log_n)-5)))
#define CW_ROWS_INDEXED_MASKS(log_n)  (CW_ROWS_INDEXED_LOWS(log_n) + (2u << (log_n)))
#define CW_ROWS_INDEXED_VALUES(log_n) (CW_ROWS_INDEXED_MASKS(log_n) + (4u << ((log_n)-5)))
#define CW_ROWS_INDEXED_SHARED(log_n, early) \
    (CW_ROWS_INDEXED_VALUES(log_n) + ((early) ? 4u << (log_n) : 0u))

#define CW_ROWS_INDEXED_FIRST 10
#define CW_ROWS_INDEXED_LAST  15
#define CW_ROWS_INDEXED_SMALL 13 /* the last class where a block has 99 KB of shared memory */
#define CW_ROWS_INDEXED_EARLY 13 /* up to this class there is room for values beside the words */
/* clang-format on */

#endif
