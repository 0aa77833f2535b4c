/* pass.h - LSD radix sort: one pass, in which every item is read once and written once.
 *
 * After Adinets and Merrill (Onesweep, 2022): a block takes the next tile from a counter, ranks it, says how many
 * items of each bucket it has, and learns from the tiles before it how many of a bucket stand before its own.  It
 * waits only for tiles whose blocks have begun, so it cannot wait for ever.
 *
 * A word of `state` is for a tile and a bucket: nothing yet (0), the tile's own count (1 above the count), or the
 * count of all tiles up to it (2).  Such a word says all that it stands for, so nothing else need be ordered.
 * Tiles of a launch are a portion of fewer than 2^29 items, so 30 bits hold a count; the portion's last tile
 * says where the next portion's items go.
 *
 * Departures: `state` is cleared by the launch before, row by row, not by a launch of its own; passes without work
 * are known beforehand (routes.h); the first pass maps keys to words and the last one maps them back, so that no pass
 * between them does; an index as payload is made in the first pass.
 */
#ifndef CW_SORT_LSD_PASS_H
#define CW_SORT_LSD_PASS_H

#include "prim/radix_tile.h"
#include "sort/lsd/job.h"

#define PASS_TICKET (TILE_SUMS + 128u)
#define STATE_OWN   (1u << 30)
#define STATE_ALL   (2u << 30)
#define STATE_COUNT (STATE_OWN - 1u)
#define LOOK_BACK   8u /* tiles that are asked for at once */

/* Items of bucket THREAD_ID in the tiles of this portion before `tile`. */
DEV uint32_t pass_look_back(const struct lsd_job *a, uint32_t tile)
{
    uint32_t before = 0;
    uint32_t done = 0;

    ROLL while (tile && !done)
    {
        const uint32_t *const row = a->state + (uint64_t)(tile - 1u) * LSD_BUCKETS + THREAD_ID;
        uint32_t x[LOOK_BACK];

        UNROLL for (uint32_t k = 0; k < LOOK_BACK; k++) x[k] =
            k < tile ? gm_ld4_relaxed(row - (uint64_t)k * LSD_BUCKETS) : STATE_ALL;
        UNROLL for (uint32_t k = 0; k < LOOK_BACK; k++)
        {
            if (!done) {
                if (!(x[k] >> 30))
                    SPIN_UNTIL((x[k] = gm_ld4_relaxed(row - (uint64_t)k * LSD_BUCKETS)) >> 30);
                before += x[k] & STATE_COUNT;
                done = x[k] >> 31;
            }
        }
        tile -= tile < LOOK_BACK ? tile : LOOK_BACK;
    }
    return before;
}

/* For thread b < 256: where bucket b goes, less where it is in the tile. */
DEV void pass_delta(const struct lsd_job *a, uint32_t tile, uint32_t own, uint32_t start)
{
    uint64_t *const base = a->base + 2u * LSD_BUCKETS * a->pass + THREAD_ID;
    const uint64_t first = gm_ld8(base + LSD_BUCKETS * (a->portion % 2u));
    const uint32_t before = pass_look_back(a, tile);

    if (tile)
        gm_st4_relaxed(a->state + (uint64_t)tile * LSD_BUCKETS + THREAD_ID,
                       STATE_ALL | (before + own));
    if (tile + 1u == a->tiles)
        gm_st8(base + LSD_BUCKETS * ((a->portion + 1u) % 2u), first + before + own);
    sh_st8(TILE_DELTA + 8u * THREAD_ID, first + before - start);
}

/* Rows of the next launch's state that this block clears. */
DEV void pass_clear(const struct lsd_job *a, uint32_t tile)
{
    if (THREAD_ID < LSD_BUCKETS) {
        ROLL for (uint32_t row = tile; row < a->next_rows; row += a->tiles)
            gm_st4(a->next + (uint64_t)row * LSD_BUCKETS + THREAD_ID, 0u);
    }
    if (tile == 0 && THREAD_ID == 0)
        gm_st4(a->next_ticket, 0u);
}

/* Write keys in order.  Digits of what this thread writes are kept for the payload, four in a word. */
DEV void pass_write_keys(const struct lsd_job *a, const struct lsd_route *r, uint32_t *digits,
                         struct radix_digit d, uint32_t count, uint32_t bytes, int full)
{
    void *const out = (void *)a->keys[gm_ld4(&r->to)];
    const uint32_t last = gm_ld4(&r->last);
    const uint32_t back = last && !a->map.plain; /* words become keys */
    const uint32_t wanted = !last || !a->drop_keys;

    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        digits[k / 4u] = k % 4u ? digits[k / 4u] : 0u;
        if (full || i < count) {
            const key x = sh_ld_key(TILE_BUFFER + KEY_BYTES * tile_swizzle(i));
            const uint32_t b = tile_digit(x, d);
            const uint64_t to = sh_ld8(TILE_DELTA + 8u * b) + i;

            if (wanted)
                tile_store_key(out, to, back ? tile_key(x, &a->map) : x, bytes);
            digits[k / 4u] |= b << 8u * (k % 4u);
        }
    }
}

#if defined(PAYLOAD_LOG)
DEV void pass_write_payload(const struct lsd_job *a, const struct lsd_route *r,
                            const uint32_t *digits, uint32_t count, uint32_t bytes, int full)
{
    void *const out = (void *)a->values[gm_ld4(&r->to)];

    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        if (full || i < count) {
            const uint32_t b = digits[k / 4u] >> 8u * (k % 4u) & 255u;
            const uint64_t to = sh_ld8(TILE_DELTA + 8u * b) + i;

            payload_store(out, to, sh_ld_payload(TILE_BUFFER + PAYLOAD_BYTES * tile_swizzle(i)),
                          bytes);
        }
    }
}
#endif

DEV void pass_tile(const struct lsd_job *a, const struct lsd_route *r, uint32_t tile,
                   uint32_t count, int full)
{
    const uint64_t from = a->from + (uint64_t)tile * TILE_SIZE;
    const struct radix_digit d = {a->first_bit + 8u * a->pass, lsd_mask(a->bits, a->pass)};
    const uint32_t at = gm_ld4(&r->from);
    uint32_t digits[TILE_ITEMS / 4u];
    uint32_t own = 0, start;
    struct radix_tile t;
#if defined(PAYLOAD_LOG)
    const uint32_t bytes =
        gm_ld4(&r->last) && gm_ld4(&r->to) == LSD_OUT ? a->last_bytes : a->value_bytes;
    struct radix_payload v;
#endif

    tile_load(&t, a->keys[at], from, count, TILE_ITEMS, a->key_bytes, full);
    if (gm_ld4(&r->first) && !a->map.plain)
        tile_words(&t, &a->map, TILE_ITEMS);
    tile_rank(&t, d, count, TILE_ITEMS, full);
    block_sync();
    if (THREAD_ID < LSD_BUCKETS) {
        own = tile_column();
        if (!full && THREAD_ID == LSD_BUCKETS - 1u)
            own -= TILE_SIZE - count;
        gm_st4_relaxed(a->state + (uint64_t)tile * LSD_BUCKETS + THREAD_ID,
                       (tile ? STATE_OWN : STATE_ALL) | own);
    }
    start = tile_scan(own);
    if (THREAD_ID < LSD_BUCKETS)
        tile_starts(start);
    block_sync();
    tile_exchange(&t, d, count, TILE_ITEMS, full);
#if defined(PAYLOAD_LOG)
    tile_load_payload(&v, a->indexed && at == LSD_IN ? NULL : a->values[at], from, count,
                      TILE_ITEMS, a->value_bytes, full);
#endif
    if (THREAD_ID < LSD_BUCKETS)
        pass_delta(a, tile, own, start);
    block_sync();
#if KEY_LOG == 3
    pass_write_keys(a, r, digits, d, count, 8u, full);
#else
    if (a->key_bytes == 4u)
        pass_write_keys(a, r, digits, d, count, 4u, full);
    else if (a->key_bytes == 2u)
        pass_write_keys(a, r, digits, d, count, 2u, full);
    else
        pass_write_keys(a, r, digits, d, count, 1u, full);
#endif
#if defined(PAYLOAD_LOG)
    block_sync();
    tile_exchange_payload(&t, &v, count, TILE_ITEMS, full);
    block_sync();
    if (bytes == PAYLOAD_BYTES)
        pass_write_payload(a, r, digits, count, PAYLOAD_BYTES, full);
    else if (bytes == 8u)
        pass_write_payload(a, r, digits, count, 8u, full);
    else if (bytes == 2u)
        pass_write_payload(a, r, digits, count, 2u, full);
    else
        pass_write_payload(a, r, digits, count, 1u, full);
#endif
}

DEV void lsd_pass(const struct lsd_job *a)
{
    const struct lsd_route *const r = a->routes + a->pass;
    uint32_t tile, count;

    if (!gm_ld4(&r->run)) {
        pass_clear(a, BLOCK_ID);
        return;
    }
    if (THREAD_ID == 0)
        sh_st4(PASS_TICKET, gm_add4(a->ticket, 1u));
    block_sync();
    tile = sh_ld4(PASS_TICKET);
    count = a->items - tile * TILE_SIZE;
    pass_clear(a, tile);
    if (count >= TILE_SIZE)
        pass_tile(a, r, tile, TILE_SIZE, 1);
    else
        pass_tile(a, r, tile, count, 0);
}

#endif
