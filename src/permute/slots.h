/* slots.h - a tile of requests in shared memory, ordered by window, in slots of 32 places.
 *
 * A bin's requests begin on a multiple of 32 places, so the 32 places of a slot belong to one bin.
 * A slot's word says which (upper half) and the rank of its first request there.  So a warp that
 * takes a slot reads or writes one run of global memory, however requests are spread.
 */
#ifndef CW_PERMUTE_SLOTS_H
#define CW_PERMUTE_SLOTS_H

#include "permute/index_tile.h"

#define ROUTE_ITEMS PERMUTE_ITEMS(TILE_CUDA, 2)
#define ROUTE_TILE  (ROUTE_ITEMS * TILE_THREADS)
#define ROUTE_BINS  PERMUTE_ROUTE_BINS(TILE_CUDA)

struct slots_shared {
    struct index_tile_shared tile;
    uint32_t slots[PERMUTE_SLOTS(TILE_CUDA)];
};

#define ROUTE_SLOTS  SHARED_AT(slots_shared, slots)
#define ROUTE_PLACES PERMUTE_SLOTS_BYTES(TILE_CUDA)

STATIC_ASSERT(ROUTE_PLACES == sizeof(struct slots_shared), "the host counts other bytes");

/* This thread's bin has so many requests, which begin at `base` of the bin.  Returns how many slots
 * there are.  Begins and ends with a barrier. */
DEV uint32_t slots_make(uint32_t count, uint32_t base, uint32_t bins)
{
    const uint32_t slots = (count + 31u) / 32u;
    const uint32_t start = tile_sums(slots);

    if (THREAD_ID < bins) {
        sh_st4(TILE_COUNT + 4u * THREAD_ID, count);
        sh_st4(TILE_START + 4u * THREAD_ID, 32u * start);
        sh_st4(TILE_BASE + 4u * THREAD_ID, base);
        ROLL for (uint32_t s = 0; s < slots; s++)
        {
            sh_st4(ROUTE_SLOTS + 4u * (start + s), THREAD_ID << 16 | 32u * s);
        }
    }
    block_sync();
    return sh_ld4(TILE_ALL);
}

/* Where this lane's request of slot s lies among all, in global memory; UINT64_MAX: nowhere. */
DEV uint64_t slot_item(uint32_t s, uint32_t shift)
{
    const uint32_t slot = sh_ld4(ROUTE_SLOTS + 4u * s);
    const uint32_t bin = slot >> 16;
    const uint32_t rank = (slot & 0xffffu) + LANE_ID;
    const uint32_t count = sh_ld4(TILE_COUNT + 4u * bin);
    const uint32_t at = sh_ld4(TILE_BASE + 4u * bin) + rank;

    return rank < count && at >> shift == 0 ? ((uint64_t)bin << shift) + at : UINT64_MAX;
}

#endif
