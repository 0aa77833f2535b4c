/* radix_payload.h - payloads of the items of prim/radix_tile.h, of 4, 8 or 16 bytes in registers.
 *
 * They take the way of their keys: loaded when these are ranked, written to the same places of the
 * exchange buffer, and from there to where the bucket goes.  The digits are those that were kept
 * when keys were written.  PAYLOAD_LOG is the includer's.
 */
#ifndef CW_PRIM_RADIX_PAYLOAD_H
#define CW_PRIM_RADIX_PAYLOAD_H

#if PAYLOAD_LOG == 4
typedef vec16 payload;
#define sh_ld_payload(at)    sh_ld16(at)
#define sh_st_payload(at, x) sh_st16(at, x)
#elif PAYLOAD_LOG == 3
typedef uint64_t payload;
#define sh_ld_payload(at)    sh_ld8(at)
#define sh_st_payload(at, x) sh_st8(at, x)
#else
typedef uint32_t payload;
#define sh_ld_payload(at)    sh_ld4(at)
#define sh_st_payload(at, x) sh_st4(at, x)
#endif

#define PAYLOAD_BYTES (1u << PAYLOAD_LOG)

struct radix_payload {
    payload v[TILE_ITEMS];
};

DEV payload payload_load(const void *values, uint64_t at, uint32_t bytes)
{
#if PAYLOAD_LOG == 4
    (void)bytes;
    return gm_ld16((const vec16 *)values + at);
#elif PAYLOAD_LOG == 3
    (void)bytes;
    return gm_ld8((const uint64_t *)values + at);
#else
    return bytes == 4u   ? gm_ld4((const uint32_t *)values + at)
           : bytes == 2u ? gm_ld2((const uint16_t *)values + at)
                         : gm_ld1((const uint8_t *)values + at);
#endif
}

DEV void payload_store(void *values, uint64_t at, payload x, uint32_t bytes)
{
#if PAYLOAD_LOG == 4
    (void)bytes;
    gm_st16((vec16 *)values + at, x);
#elif PAYLOAD_LOG == 3
    (void)bytes;
    gm_st8((uint64_t *)values + at, x);
#else
    if (bytes == 4u)
        gm_st4((uint32_t *)values + at, x);
    else if (bytes == 8u) /* an index, at last */
        gm_st8((uint64_t *)values + at, (uint64_t)x);
    else if (bytes == 2u)
        gm_st2((uint16_t *)values + at, x);
    else
        gm_st1((uint8_t *)values + at, x);
#endif
}

/* The index of an item, as a payload. */
DEV payload payload_index(uint64_t i)
{
#if PAYLOAD_LOG == 4
    const payload x = {(uint32_t)i, (uint32_t)(i >> 32), 0, 0};

    return x;
#else
    return (payload)i;
#endif
}

DEV void tile_load_payload_of(struct radix_payload *p, const void *values, uint64_t from,
                              uint32_t count, uint32_t rounds, uint32_t bytes, int full)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, rounds);

        if (!full && i >= rounds)
            break;
        if (full || at < count)
            p->v[i] = payload_load(values, from + at, bytes);
    }
}

/* Load the payloads of the tile's items. */
DEV void tile_load_payload(struct radix_payload *p, const void *values, uint64_t from,
                           uint32_t count, uint32_t rounds, uint32_t bytes, int full)
{
#if PAYLOAD_LOG == 2
    if (bytes == 2u)
        tile_load_payload_of(p, values, from, count, rounds, 2u, full);
    else if (bytes == 1u)
        tile_load_payload_of(p, values, from, count, rounds, 1u, full);
    else
#endif
        tile_load_payload_of(p, values, from, count, rounds, PAYLOAD_BYTES, full);
    (void)bytes;
}

/* The index of each item is its payload. */
DEV void tile_index_payload(struct radix_payload *p, uint64_t from, uint32_t rounds)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (i >= rounds)
            break;
        p->v[i] = payload_index(from + tile_at(i, rounds));
    }
}

/* Write payloads to where their keys were in the buffer.  The compiler is to forget the addresses
 * of keys, which it would keep in as many registers. */
DEV void tile_exchange_payload(struct radix_tile *t, const struct radix_payload *p, uint32_t count,
                               uint32_t rounds, int full)
{
    tile_forget_places(t);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (!full && i >= rounds)
            break;
        if (full || tile_at(i, rounds) < count)
            sh_st_payload(TILE_BUFFER + PAYLOAD_BYTES * tile_swizzle(tile_place(t, i)), p->v[i]);
    }
}

/* The same for indices, which nobody has loaded. */
DEV void tile_exchange_index(struct radix_tile *t, uint64_t from, uint32_t count, uint32_t rounds,
                             int full)
{
    tile_forget_places(t);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, rounds);

        if (!full && i >= rounds)
            break;
        if (full || at < count)
            sh_st_payload(TILE_BUFFER + PAYLOAD_BYTES * tile_swizzle(tile_place(t, i)),
                          payload_index(from + at));
    }
}

/* Write the payload at place i of the buffer, whose key was number k of tile_write_key. */
DEV void tile_write_payload(void *out, uint32_t i, uint32_t k, const uint32_t *digits,
                            uint32_t bytes)
{
    const uint32_t b = digits[k / 4u] >> 8u * (k % 4u) & 255u;
    const uint64_t to = sh_ld8(TILE_DELTA + 8u * b) + i;

    payload_store(out, to, sh_ld_payload(TILE_BUFFER + PAYLOAD_BYTES * tile_swizzle(i)), bytes);
}

#endif
