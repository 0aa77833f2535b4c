/* radix_write.h - the tile of prim/radix_tile.h leaves: keys, then payloads, go from the exchange
 * buffer to where their buckets go.
 *
 * A warp writes the places of the buffer that it loaded, 32 consecutive ones a round.  Where each
 * item goes is found when its key is written, and kept for the payload.  What is the same for all
 * items (bytes of a key, whether words become keys) is a constant of the loop, so that the loops
 * have no branch and the loads of many items are under way at once.
 *
 * Places have 32 bits, where there are fewer than 2^32 items; else 64 (`wide`).
 */
#ifndef CW_PRIM_RADIX_WRITE_H
#define CW_PRIM_RADIX_WRITE_H

/* Where this thread's items go.  The upper halves are for `wide`. */
struct tile_places {
    uint32_t low[TILE_ITEMS], high[TILE_ITEMS];
};

/* What becomes of the words in the buffer. */
enum { WRITE_NOTHING, WRITE_WORDS, WRITE_KEYS };

/* The places of the buffer that this thread writes.  The compiler is to forget how they are made:
 * it would keep all addresses from one loop to the next, and has no registers for them. */
struct write_lane {
    uint32_t lane, group;
};

DEV struct write_lane write_lane(uint32_t rounds)
{
    struct write_lane w = {LANE_ID, WARP_ID * rounds};

    forget(w.lane);
    forget(w.group);
    return w;
}

/* Its place k of the tile, and where that stands in the buffer: tile_swizzle of it. */
DEV uint32_t write_at(struct write_lane w, uint32_t k)
{
    return (w.group + k) * 32u + w.lane;
}

DEV uint32_t write_from(struct write_lane w, uint32_t k)
{
    return (w.group + k) * 32u + (((w.group + k) & 31u) ^ w.lane);
}

/* The bucket of the item that stands at `from` in the buffer, whose word is x. */
#if defined(TILE_MAPPED)
#define WRITE_DIGIT(from, x, d) ((void)(d), sh_ld4(TILE_DIGITS + 4u * (from)))
#else
#define WRITE_DIGIT(from, x, d) tile_digit(x, d)
#endif

/* The item at place i, of a bucket, goes to .. */
DEV void write_find(struct tile_places *to, uint32_t k, uint32_t i, uint32_t bucket, int wide)
{
    if (wide) {
        const uint64_t x = sh_ld8(TILE_DELTA + 8u * bucket) + i;

        to->low[k] = (uint32_t)x;
        to->high[k] = (uint32_t)(x >> 32);
    } else {
        to->low[k] = sh_ld4(TILE_DELTA + 8u * bucket) + i;
    }
}

DEV uint64_t write_place(const struct tile_places *to, uint32_t k, int wide)
{
    return wide ? (uint64_t)to->high[k] << 32 | to->low[k] : to->low[k];
}

/* `how`, `bytes`, `full` and `wide` are constants. */
DEV void tile_write_keys_as(void *out, struct tile_places *to, struct radix_digit d,
                            const struct cw_key_map *m, uint32_t count, uint32_t rounds,
                            uint32_t bytes, int how, int full, int wide)
{
    const struct write_lane w = write_lane(rounds);

    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = write_at(w, k), from = write_from(w, k);

        if (!full && k >= rounds)
            break;
        if (full || i < count) {
            const key x = sh_ld_key(TILE_BUFFER + KEY_BYTES * from);

            write_find(to, k, i, WRITE_DIGIT(from, x, d), wide);
            if (how != WRITE_NOTHING)
                tile_store_key(out, write_place(to, k, wide),
                               how == WRITE_KEYS ? tile_key(x, m) : x, bytes);
        }
    }
}

DEV void tile_write_keys(void *out, struct tile_places *to, struct radix_digit d,
                         const struct cw_key_map *m, uint32_t count, uint32_t rounds,
                         uint32_t bytes, int how, int full, int wide)
{
    if (how == WRITE_NOTHING)
        tile_write_keys_as(out, to, d, m, count, rounds, KEY_BYTES, WRITE_NOTHING, full, wide);
#if KEY_LOG == 2
    else if (bytes == 2u && how == WRITE_KEYS)
        tile_write_keys_as(out, to, d, m, count, rounds, 2u, WRITE_KEYS, full, wide);
    else if (bytes == 2u)
        tile_write_keys_as(out, to, d, m, count, rounds, 2u, WRITE_WORDS, full, wide);
    else if (bytes == 1u && how == WRITE_KEYS)
        tile_write_keys_as(out, to, d, m, count, rounds, 1u, WRITE_KEYS, full, wide);
    else if (bytes == 1u)
        tile_write_keys_as(out, to, d, m, count, rounds, 1u, WRITE_WORDS, full, wide);
#endif
    else if (how == WRITE_KEYS)
        tile_write_keys_as(out, to, d, m, count, rounds, KEY_BYTES, WRITE_KEYS, full, wide);
    else
        tile_write_keys_as(out, to, d, m, count, rounds, KEY_BYTES, WRITE_WORDS, full, wide);
    (void)bytes;
}

#if defined(PAYLOAD_LOG)
DEV void tile_write_payloads_as(void *out, const struct tile_places *to, uint32_t count,
                                uint32_t rounds, uint32_t bytes, int full, int wide)
{
    const struct write_lane w = write_lane(rounds);

    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t from = write_from(w, k);

        if (!full && k >= rounds)
            break;
        if (full || write_at(w, k) < count)
            payload_store(out, write_place(to, k, wide),
                          sh_ld_payload(TILE_BUFFER + PAYLOAD_BYTES * from), bytes);
    }
}

/* Payloads of `bytes` each; an index of 4 may leave as 8. */
DEV void tile_write_payloads(void *out, const struct tile_places *to, uint32_t count,
                             uint32_t rounds, uint32_t bytes, int full, int wide)
{
#if PAYLOAD_LOG == 2
    if (bytes == 8u)
        tile_write_payloads_as(out, to, count, rounds, 8u, full, wide);
    else if (bytes == 2u)
        tile_write_payloads_as(out, to, count, rounds, 2u, full, wide);
    else if (bytes == 1u)
        tile_write_payloads_as(out, to, count, rounds, 1u, full, wide);
    else
#endif
        tile_write_payloads_as(out, to, count, rounds, PAYLOAD_BYTES, full, wide);
    (void)bytes;
}
#endif

#endif
