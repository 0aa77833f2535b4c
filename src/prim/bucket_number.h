/* bucket_number.h - the number that a bucket map (bucket_map.h) gives a key, for kernels of keys of
 * 8 bytes. */
#ifndef CW_PRIM_BUCKET_NUMBER_H
#define CW_PRIM_BUCKET_NUMBER_H

#include "prim/bucket_map.h"

struct radix_digit {
    const struct cw_key_map *map;
    uint64_t lo, last;
    uint32_t lead, up, shift;
};

DEV struct radix_digit bucket_digit(const struct bucket_map *b, const struct cw_key_map *map,
                                    uint32_t bits, uint32_t shift)
{
    const struct radix_digit d = {map,       gm_ld8(&b->lo), gm_ld8(&b->last), gm_ld4(&b->lead),
                                  64 - bits, shift};

    return d;
}

/* The table to shared memory, at BUCKET_CELLS; a barrier must follow. */
DEV void bucket_cells_load_to(const struct bucket_map *b, uint32_t at, uint32_t threads)
{
    ROLL for (uint32_t i = THREAD_ID; i < BUCKET_CELLS_COUNT; i += threads)
        sh_st4(at + 4u * i, gm_ld4(b->cells + i));
}
#define bucket_cells_load(b, threads) bucket_cells_load_to(b, BUCKET_CELLS, threads)

/* Where in the map's range a word is, whose highest bit is bit 63: 32 bits. */
DEV uint32_t bucket_position_of(key w, struct radix_digit d)
{
    const uint64_t above = w < d.lo ? 0u : w - d.lo;

    return (uint32_t)(((above < d.last ? above : d.last) << d.lead) >> 32);
}

/* A key's word, or rank where that is what is compared. */
DEV key bucket_word(key x, const struct cw_key_map *m)
{
    const key w = m->plain ? x : tile_word(x, m);

    return m->tied ? CW_WORD_TO_RANK(m, w) : w;
}

DEV uint32_t bucket_position(key x, struct radix_digit d)
{
    return bucket_position_of(bucket_word(x, d.map) << d.up, d);
}

DEV uint32_t bucket_of_cell(uint32_t position, uint32_t cell)
{
    return (cell & 0xffffu) + high4(position << BUCKET_CELLS_LOG, cell >> 16);
}

/* The number of a key's bucket, with the table at `cells`. */
DEV uint32_t bucket_number(key x, struct radix_digit d, uint32_t cells)
{
    const uint32_t position = bucket_position(x, d);
    const uint32_t cell = sh_ld4(cells + 4u * (position >> (32u - BUCKET_CELLS_LOG)));

    return bucket_of_cell(position, cell);
}

#if defined(TILE_MAPPED)
#define tile_digit(x, d) (bucket_number(x, d, BUCKET_CELLS) >> (d).shift & 255u)
#endif

#endif
