/* tiles.h - kernels that work on a batch of tiles: what they are told, how they are launched.
 *
 *      cw_tiles_scan_warp_K  _block_K         sums of K items a thread (warp_scan.h, block_scan.h)
 *      cw_tiles_transpose_warp_B  _block_B    words of B bytes (tiles/transpose.h)
 *      cw_tiles_partition_warp  _block        into up to 32 parts (tiles/partition.h)
 *      cw_tiles_permute_warp  _block          any permutation (tiles/permute.h)
 *      cw_tiles_order_5 .. _13                either, by a sorting network, for 2^5 .. 2^13 items
 *                                             (tiles/permute.h)
 *
 * Tiles of a batch lie one after another, and so do their results.  A kernel named warp, and
 * order_5 to order_9, has a tile or several for each warp, in blocks of up to CW_TILES_WARPS warps
 * (scan and transpose: of any number); the others have a tile for each block.  A launch has
 * cw_tiles_blocks() blocks, or fewer: blocks take turns.  Results overlap nothing else.
 *
 * No kernel has a bank conflict, on any input.
 */
#ifndef CW_TILES_TILES_H
#define CW_TILES_TILES_H

#include <stdint.h>

/* ---- arguments ------------------------------------------------------------------------------ */

struct cw_tiles_scan {
    const uint32_t *in;
    uint32_t *out;
    uint32_t *totals; /* one a tile; NULL: not wanted */
    uint64_t count;   /* tiles */
    uint32_t length;  /* items of a tile, 1 .. K times the threads that it has */
    uint32_t inclusive;
};

struct cw_tiles_transpose {
    const void *in;
    void *out;
    uint64_t count;
    uint32_t rows, columns; /* of a tile, before; 1 .. */
};

/* Tiles of 2^log_n items, log_n = 5 .. 13: to 9 in kernels named warp, from 10 in the others. */
struct cw_tiles_items {
    const uint32_t *in;
    const uint32_t *by; /* the label of each item, or its place in the tile */
    uint32_t *out;
    uint32_t *offsets; /* partition: 33 a tile, where each label begins; order: may be NULL */
    uint64_t count;
    uint32_t log_n;
    uint32_t ways; /* of `by`, the lowest bits that hold 0 .. ways - 1 count: partition 1 .. 32,
                      order 1 .. 8192, 2^log_n to permute; not used by permute */
};

/* ---- launches ------------------------------------------------------------------------------- */

#define CW_TILES_WARPS      4    /* of a block, where warps have tiles of their own */
#define CW_TILES_LOG_K      4    /* items a thread of partition, permute and order */
#define CW_TILES_SMALL      1024 /* words of a tile that a warp transposes */
#define CW_TILES_LINE       128u /* bytes: a word of every bank */
#define CW_TILES_OFFSETS    33u
#define CW_TILES_ORDER_PART 4608u /* bytes of a warp's words, padded (prim/register_layout.h) */

struct cw_tiles_shape {
    uint32_t threads; /* of a block */
    uint32_t tiles;   /* of a block at once */
    uint32_t shared;  /* bytes */
};

static inline uint64_t cw_tiles_blocks(struct cw_tiles_shape s, uint64_t count)
{
    return (count + s.tiles - 1u) / s.tiles;
}

/* `wide`: of the kernel named block. */
static inline struct cw_tiles_shape cw_tiles_scan_shape(uint32_t k, uint32_t length, int wide)
{
    const uint32_t warps = wide ? (length + 32u * k - 1u) / (32u * k) : CW_TILES_WARPS;
    const struct cw_tiles_shape s = {32u * warps, wide ? 1u : warps, wide ? CW_TILES_LINE : 0u};

    return s;
}

/* The kernel named warp is for tiles of up to CW_TILES_SMALL words.  The other takes any number of
 * warps; tiles that fill shared memory want all of them. */
static inline struct cw_tiles_shape cw_tiles_transpose_shape(uint32_t rows, uint32_t columns,
                                                             uint32_t bytes, int wide)
{
    const uint32_t lines = (rows * columns + 31u) / 32u * (bytes / 4u);
    const uint32_t warps = !wide ? CW_TILES_WARPS : lines <= 256u ? 8u : lines <= 768u ? 16u : 32u;
    const uint32_t tiles = wide ? 1u : warps;
    const struct cw_tiles_shape s = {32u * warps, tiles, tiles * lines * CW_TILES_LINE};

    return s;
}

/* Partition, permute and (`padded`) order. */
static inline struct cw_tiles_shape cw_tiles_items_shape(uint32_t log_n, int padded)
{
    const int wide = log_n > CW_TILES_LOG_K + 5;
    const uint32_t warps = wide ? 1u << (log_n - CW_TILES_LOG_K - 5) : CW_TILES_WARPS;
    const uint32_t part = padded ? CW_TILES_ORDER_PART : 8u << (CW_TILES_LOG_K + 5);
    struct cw_tiles_shape s;

    s.threads = 32u * warps;
    s.tiles = wide ? 1u : warps << (CW_TILES_LOG_K + 5) >> log_n;
    s.shared = warps * part + (wide ? warps * CW_TILES_LINE : 0u);
    return s;
}

#endif
