/* permute.h - out[p[i]] = in[i] for tiles, p any permutation of the tile; order by a key.
 *
 * permute.  The splits of tiles/partition.h are done by the bits of the place, from the highest
 * down to bit 5.  A split by bit b of a run of 2^(b+1) places leaves its zeros in the lower half
 * and its ones in the upper, as a permutation has as many of both.  Their order does not matter, so
 * runs are read as they stand.  After the split by bit 5 every 32 places hold the items of those 32
 * places.  A warp writes them to global memory from where they are: the lanes of one request, 128
 * bytes.
 *
 * A run longer than a part (512 places) is split by several warps.  Each counts its ones, and the
 * block adds up (prim/block_scan.h).  A warp begins where the warps before it will end: so many
 * ones below the high end, so many zeros above the low one.  There are 512 places a warp before it,
 * so both are equal modulo 32 again.
 *
 * No bank is asked twice (tiles/partition.h), whatever p is, and the number of requests does not
 * depend on p.  If p is not a permutation, places are still inside the run, and different, so no
 * harm is done: what reaches which place of the tile is not defined.  Bits of p above the tile's
 * are ignored.
 *
 * order.  Items are sorted by (key, place) as words of 8 bytes, by the network of
 * prim/block_sort.h.  With labels as keys that is a stable partition, with places as keys a
 * permutation.  All addresses, of global memory too, are the same for every input.  Keys are below
 * 2^13.
 *
 * Time for 2^log_n items.  permute writes and reads 8 bytes an item log_n - 5 times, about 16
 * instructions each; 20 wavefronts for 32 items of 1024, 33 of 8192.  order: about 52 and 92, and
 * log_n (log_n + 1) / 4 comparators an item, of 5 instructions.  Space: 8 bytes an item, order 9;
 * and 128 bytes a warp where tiles are longer than a warp's part.
 */
#ifndef CW_TILES_PERMUTE_H
#define CW_TILES_PERMUTE_H

#include "tiles/partition.h"
#include "prim/block_scan.h"
#include "prim/block_sort.h"

/* ---- permute -------------------------------------------------------------------------------- */

/* Split runs of 2^(b+1) <= 512 places inside a part. */
DEV void permute_part(uint64_t *w, int b, uint32_t base)
{
    uint32_t meet[PART_K]; /* not looked at: both halves are equally long */

    split_rounds(w, b, 2u << (b - 5), base, meet);
    UNROLL for (int r = 0; r < PART_K; r++)
    {
        w[r] = sh_ld8(base + 256u * (uint32_t)r + 8u * LANE_ID);
    }
    warp_sync(); /* before these places are written again */
}

/* Split runs of 2^(b+1) > 512 places of the block's tile, which starts at 0. */
DEV void permute_wide(uint64_t *w, int b, uint32_t counts)
{
    const uint32_t warps = 2u << (b - PART_LOG); /* of a run */
    const uint32_t first = WARP_ID & (0u - warps);
    const uint32_t part = 8u << PART_LOG; /* bytes */
    uint32_t ones[PART_K];
    uint32_t before = 0;
    struct split s;

    UNROLL for (int r = 0; r < PART_K; r++)
    {
        ones[r] = ballot(w[r] >> (32 + b) & 1u);
        before += bit_count(ones[r]);
    }
    before = block_scan_warps(before, counts);
    before = block_scan_before(before, WARP_ID) - block_scan_before(before, first);
    split_begin(&s, first * part, (first + warps) * part, (WARP_ID - first) << PART_LOG, before);
    UNROLL for (int r = 0; r < PART_K; r++)
    {
        const uint32_t at = split_byte(&s, ones[r]);

        sh_st8(at, w[r]);
    }
    block_sync();
    UNROLL for (int r = 0; r < PART_K; r++)
    {
        w[r] = sh_ld8(WARP_ID * part + 256u * (uint32_t)r + 8u * LANE_ID);
    }
    warp_sync(); /* the part is this warp's own until the next barrier */
}

/* Every 32 places have the items of these places. */
DEV void permute_store(const uint64_t *w, const struct cw_tiles_items *a, uint64_t part, int wide)
{
    const uint64_t first = part << PART_LOG >> a->log_n << a->log_n; /* of its tiles */
    uint32_t *const out = a->out + first;
    const uint32_t rounds = part_rounds(a, part, wide);

    UNROLL for (int r = 0; r < PART_K; r++)
    {
        const uint32_t tile = 32u * (uint32_t)r >> a->log_n << a->log_n;

        if ((uint32_t)r < rounds)
            GM_ANY(gm_st4(out + tile + (uint32_t)(w[r] >> 32), (uint32_t)w[r]));
    }
}

/* Permute the part of a warp, in tiles of its own or in the block's one. */
DEV void permute_items(const struct cw_tiles_items *a, uint64_t part, int wide)
{
    const uint32_t mask = (1u << a->log_n) - 1u;
    const int top = (int)a->log_n - 1;
    uint64_t w[PART_K];

    part_load(w, a, part, mask, wide);
    if (wide) {
        ROLL for (int b = top; b >= PART_LOG; b--)
            permute_wide(w, b, (BLOCK_DIM / 32u) * (8u << PART_LOG));
    }
    UNROLL for (int b = PART_LOG - 1; b >= 5; b--)
    {
        if (wide || b <= top)
            permute_part(w, b, WARP_ID * (8u << PART_LOG));
    }
    permute_store(w, a, part, wide);
}

/* ---- order ---------------------------------------------------------------------------------- */

#define ORDER_SHIFT 45 /* whether there is no item, key, then place: 13 bits, then item: 32 */

DEV void order_offsets(const uint64_t *w, const struct cw_tiles_items *a, uint64_t part, int log_n)
{
    const uint32_t counts = (BLOCK_DIM / 32u) * CW_TILES_ORDER_PART;
    struct label_counts c = {0, 0, 0};

    if (log_n <= PART_LOG) {
        part_offsets(w, a, part, 1u << (log_n - 5), ORDER_SHIFT);
        return;
    }
    UNROLL for (int r = 0; r < PART_K; r++) c.own += label_count((uint32_t)(w[r] >> ORDER_SHIFT));
    block_counts_put(c.own, counts);
    block_sync();
    if (WARP_ID == 0) {
        block_counts_get(&c, counts);
        offsets_store(a->offsets, part >> (log_n - PART_LOG), c.all);
    }
}

/* Words say themselves whether they are items.  So all of a word is used, and a compiler cannot
 * read halves only: these are 8 bytes apart, and would share banks. */
DEV void order_store(const uint64_t *w, const struct cw_tiles_items *a, uint64_t part)
{
    uint32_t *const out = a->out + part_item(part);

    UNROLL for (int r = 0; r < PART_K; r++)
    {
        if (!(w[r] >> 63))
            gm_st4(out + 32 * r, (uint32_t)w[r]);
    }
}

DEV void order_items(const struct cw_tiles_items *a, uint64_t part, int log_n)
{
    const struct layout low = layout_of(CW_TILES_LOG_K, CW_TILES_LOG_K, 0);
    const uint32_t mine = WARP_ID * CW_TILES_ORDER_PART;
    const uint32_t start = (uint32_t)part_item(part);
    const uint32_t rounds = part_rounds(a, part, log_n > PART_LOG);
    struct row_unit u;
    uint64_t w[PART_K];

    u.log_k = CW_TILES_LOG_K; /* made by another function, it would keep words out of registers */
    u.log_n = log_n;
    u.shuffles = log_n < 8 ? 2 : 1;
    u.how.mads = 0;
    u.how.one = 1;
    u.how.halves = 0;
    u.t = log_n > PART_LOG ? THREAD_ID : LANE_ID;
    u.base = log_n > PART_LOG ? 0u : mine;
    part_load(w, a, part, label_mask(a->ways, 8191), log_n > PART_LOG);
    UNROLL for (int r = 0; r < PART_K; r++)
    {
        const uint32_t place = (start + 32u * (uint32_t)r) & ((1u << log_n) - 1u);
        const uint32_t label = (uint32_t)(w[r] >> 32) << (ORDER_SHIFT - 32);
        const uint32_t none = (uint32_t)r < rounds ? 0u : 0x80000000u;

        w[r] = (uint64_t)(none | label | place) << 32 | (uint32_t)w[r];
    }
    if (a->offsets)
        order_offsets(w, a, part, log_n);
    if (log_n < PART_LOG) { /* a thread must have items of one tile */
        UNROLL for (int r = 0; r < PART_K; r++)
        {
            sh_st8(mine + byte_of(32u * (uint32_t)r + LANE_ID, CW_TILES_LOG_K), w[r]);
        }
        warp_sync();
        layout_read(w, u.base, u.t, low, 0);
    }
    row_sort(w, u);
    layout_write(w, u.base, u.t, low);
    warp_sync();
    UNROLL for (int r = 0; r < PART_K; r++)
    {
        w[r] = sh_ld8(mine + byte_of(32u * (uint32_t)r + LANE_ID, CW_TILES_LOG_K));
    }
    order_store(w, a, part);
    warp_sync(); /* before these places are written again */
}

/* Order the tiles of a block.  Their parts come one after another, whether a tile is the block's
 * own or shared. */
DEV void order_tiles(const struct cw_tiles_items *a, int log_n)
{
    const uint64_t warps = BLOCK_DIM / 32u;

    ROLL for (uint64_t part = BLOCK_ID * warps + WARP_ID; part < part_count(a);
              part += GRID_DIM * warps) order_items(a, part, log_n);
}

#ifdef TILES_PERMUTE

KERNEL(cw_tiles_permute_warp, struct cw_tiles_items, 128, 7)
{
    const uint64_t warps = BLOCK_DIM / 32u;

    ROLL for (uint64_t part = BLOCK_ID * warps + WARP_ID; part < part_count(arg);
              part += GRID_DIM * warps) permute_items(arg, part, 0);
}

KERNEL(cw_tiles_permute_block, struct cw_tiles_items, 512, 2)
{
    const uint64_t warps = BLOCK_DIM / 32u;

    ROLL for (uint64_t tile = BLOCK_ID; tile < arg->count; tile += GRID_DIM)
        permute_items(arg, tile * warps + WARP_ID, 1);
}

#define ORDER_KERNEL(log_n, threads, blocks)                               \
    KERNEL(cw_tiles_order_##log_n, struct cw_tiles_items, threads, blocks) \
    {                                                                      \
        order_tiles(arg, log_n);                                           \
    }
ORDER_KERNEL(5, 128, 5)
ORDER_KERNEL(6, 128, 5)
ORDER_KERNEL(7, 128, 5)
ORDER_KERNEL(8, 128, 5)
ORDER_KERNEL(9, 128, 6)
ORDER_KERNEL(10, 64, 14)
ORDER_KERNEL(11, 128, 7)
ORDER_KERNEL(12, 256, 4)
ORDER_KERNEL(13, 512, 1)

#endif

#endif
