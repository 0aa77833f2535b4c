/* radix_tile.h - a block puts a tile of items into the order of one digit, stably.
 *
 * A digit has up to 8 bits, so there are 256 buckets.  A thread holds TILE_ITEMS keys; a warp has
 * 32 consecutive ones of the tile in every round.
 *
 *      load       keys from global memory to registers
 *      rank       lanes whose digits agree find each other by votes, one a bit; a warp's 256
 *                 counters stand in shared memory.  Costs the same for any keys.
 *      columns    thread b adds up the counters of bucket b over warps
 *      starts     .. and makes them the warps' first places in the tile
 *      exchange   keys go to their places in shared memory
 *
 * After Merrill and Grimshaw (2011), and Adinets and Merrill (Onesweep, 2022), who rank by a match
 * of lanes, too.
 *
 * Places in the exchange buffer are swizzled: place i stands at i ^ (i / 32 mod 32).  Otherwise
 * keys whose digits are a fixed number of places apart (sorted arrays) would meet in one bank.
 *
 * The includer defines KEY_LOG (2 or 3), TILE_THREADS (at least 256), TILE_ITEMS (even) and, if
 * there is a payload, PAYLOAD_LOG (2, 3 or 4); TILE_MAPPED, if digits are those of a bucket map
 * (TILE_ITEMS is then a multiple of 4).
 */
#ifndef CW_PRIM_RADIX_TILE_H
#define CW_PRIM_RADIX_TILE_H

#include "dev/kernel.h"
#include "prim/key.h"
#include "prim/key_map.h"
#include "prim/warp_scan.h"

#define TILE_WARPS (TILE_THREADS / 32u)
#define TILE_SIZE  (TILE_THREADS * TILE_ITEMS)
#ifndef TILE_BUCKETS
#define TILE_BUCKETS 256u /* a multiple of 128, and no more than there are threads */
#endif

#if defined(PAYLOAD_LOG)
#define TILE_WIDE (PAYLOAD_LOG > KEY_LOG ? 1u << PAYLOAD_LOG : 1u << KEY_LOG)
#else
#define TILE_WIDE (1u << KEY_LOG)
#endif

/* Shared memory. */
struct radix_tile_shared {
    uint32_t sums[32];            /* of each warp */
    uint32_t more[32];            /* what the includer has to tell all threads: TILE_MORE(0) .. */
    uint64_t delta[TILE_BUCKETS]; /* where a bucket's items go, less where they are in the tile */
    uint32_t counts[TILE_WARPS][TILE_BUCKETS];
#if defined(TILE_MAPPED)
    uint32_t digits[TILE_SIZE]; /* of what is in the buffer */
#endif
    uint8_t buffer[TILE_SIZE][TILE_WIDE]; /* an item a place: keys, then payloads */
};

#define TILE_SUMS    SHARED_AT(radix_tile_shared, sums)
#define TILE_MORE(i) (SHARED_AT(radix_tile_shared, more) + 4u * (i))
#define TILE_DELTA   SHARED_AT(radix_tile_shared, delta)
#define TILE_COUNTS  SHARED_AT(radix_tile_shared, counts)
#define TILE_BUFFER  SHARED_AT(radix_tile_shared, buffer)
#if defined(TILE_MAPPED)
#define TILE_DIGITS SHARED_AT(radix_tile_shared, digits)
#endif
#define TILE_SHARED ((uint32_t)sizeof(struct radix_tile_shared))

STATIC_ASSERT(TILE_SHARED == TILE_BUFFER + TILE_SIZE * TILE_WIDE, "the tile has a hole");

struct radix_tile {
    key x[TILE_ITEMS];
#if defined(TILE_PLACES_APART)
    uint32_t place[TILE_ITEMS];
#else
    uint32_t place[TILE_ITEMS / 2]; /* two in a word */
#endif
#if defined(TILE_MAPPED)
    uint32_t digit[TILE_ITEMS / 4]; /* four in a word: they cost more to find than to keep */
#endif
};

DEV uint32_t tile_swizzle(uint32_t i)
{
    return i ^ (i >> 5 & 31u);
}

#if defined(TILE_PLACES_APART)
DEV void tile_set_place(struct radix_tile *t, uint32_t i, uint32_t x)
{
    t->place[i] = x;
}

DEV void tile_move_place(struct radix_tile *t, uint32_t i, uint32_t x)
{
    t->place[i] = x;
}

DEV uint32_t tile_place(const struct radix_tile *t, uint32_t i)
{
    return t->place[i];
}
#else
DEV void tile_set_place(struct radix_tile *t, uint32_t i, uint32_t x)
{
    if (i % 2u)
        t->place[i / 2u] |= x << 16;
    else
        t->place[i / 2u] = x;
}

/* .. where item i + 1 has its place already. */
DEV void tile_move_place(struct radix_tile *t, uint32_t i, uint32_t x)
{
    if (i % 2u)
        t->place[i / 2u] = (t->place[i / 2u] & 0xffffu) | x << 16;
    else
        t->place[i / 2u] = (t->place[i / 2u] & 0xffff0000u) | x;
}

DEV uint32_t tile_place(const struct radix_tile *t, uint32_t i)
{
    return i % 2u ? t->place[i / 2u] >> 16 : t->place[i / 2u] & 0xffffu;
}
#endif

DEV void tile_forget_places(struct radix_tile *t)
{
    UNROLL for (uint32_t i = 0; i < sizeof t->place / sizeof *t->place; i++) forget(t->place[i]);
}

/* Which item of the tile this thread's item i is, where a warp has `rounds` of them a lane. */
DEV uint32_t tile_at(uint32_t i, uint32_t rounds)
{
    return (WARP_ID * rounds + i) * 32u + LANE_ID;
}

/* Keys of `bytes` (1, 2, 4 or 8) as they are in memory.  `bytes` is a constant, and so is `full`:
 * the tile has as many items as it can. */
DEV void tile_load_of(struct radix_tile *t, const void *keys, uint64_t from, uint32_t count,
                      uint32_t rounds, uint32_t bytes, int full)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, rounds);

        if (!full && i >= rounds)
            break;
        if (full || at < count) {
#if KEY_LOG == 3
            t->x[i] = gm_ld8((const uint64_t *)keys + from + at);
#else
            t->x[i] = bytes == 4u ? gm_ld4((const uint32_t *)keys + from + at)
                      : bytes == 2u ? gm_ld2((const uint16_t *)keys + from + at)
                                    : gm_ld1((const uint8_t *)keys + from + at);
#endif
        } else {
            t->x[i] = 0;
        }
    }
    (void)bytes;
}

DEV void tile_load(struct radix_tile *t, const void *keys, uint64_t from, uint32_t count,
                   uint32_t rounds, uint32_t bytes, int full)
{
#if KEY_LOG == 3
    (void)bytes;
    tile_load_of(t, keys, from, count, rounds, 8u, full);
#else
    if (bytes == 4u)
        tile_load_of(t, keys, from, count, rounds, 4u, full);
    else if (bytes == 2u)
        tile_load_of(t, keys, from, count, rounds, 2u, full);
    else
        tile_load_of(t, keys, from, count, rounds, 1u, full);
#endif
}

/* A key as a word of the same order (key_map.h), and back. */
DEV key tile_word(key x, const struct cw_key_map *m)
{
    const key flip = (key)m->flip, toggle = (key)m->toggle, bias = (key)m->bias;

    return (key)(((x ^ (x >> (m->bits - 1u) & 1u ? flip : 0u) ^ toggle) - bias) & (key)m->mask);
}

/* The rank of a key: its word, if the map is not tied. */
DEV key tile_ranked(key x, const struct cw_key_map *m)
{
    const key w = tile_word(x, m);

    return m->tied ? (key)CW_WORD_TO_RANK(m, w) : w;
}

DEV key tile_key(key w, const struct cw_key_map *m)
{
    const key x = (key)((w + (key)m->bias) & (key)m->mask) ^ (key)m->toggle;

    return (key)(x ^ (x >> (m->bits - 1u) & 1u ? (key)m->flip : 0u));
}

DEV void tile_words(struct radix_tile *t, const struct cw_key_map *m, uint32_t rounds)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (i >= rounds)
            break;
        t->x[i] = tile_word(t->x[i], m);
    }
}

/* The digit is (word >> shift) & mask.  If the map is tied, it is that of the word's rank
 * (prim/key_map.h), and words still are what moves.  `tied` is a constant where it can be.  With
 * TILE_MAPPED the digit is that of the number that a bucket map gives a key. */
#if defined(TILE_MAPPED)
#include "prim/bucket_number.h"

DEV void tile_keep_digit(struct radix_tile *t, uint32_t i, uint32_t b)
{
    t->digit[i / 4u] = i % 4u ? t->digit[i / 4u] | b << 8u * (i % 4u) : b;
}

DEV uint32_t tile_kept_digit(const struct radix_tile *t, uint32_t i, struct radix_digit d)
{
    (void)d;
    return t->digit[i / 4u] >> 8u * (i % 4u) & 255u;
}
#else
struct radix_digit {
    uint32_t shift, mask;
    int tied;
    key minus, plus, low, high;
};

DEV key tile_rank_of(key x, struct radix_digit d)
{
    const key y = x < d.low ? d.low : x;

    return x == d.minus ? d.plus : y > d.high ? d.high : y;
}

DEV uint32_t tile_digit(key x, struct radix_digit d)
{
    return (uint32_t)((d.tied ? tile_rank_of(x, d) : x) >> d.shift) & d.mask;
}

DEV struct radix_digit tile_digit_by(const struct cw_key_map *m, uint32_t shift, uint32_t mask,
                                     int tied)
{
    struct radix_digit d;

    d.shift = shift;
    d.mask = mask;
    d.tied = tied;
    d.minus = (key)m->minus;
    d.plus = (key)m->plus;
    d.low = (key)m->low;
    d.high = (key)m->high;
    return d;
}

DEV void tile_keep_digit(struct radix_tile *t, uint32_t i, uint32_t b)
{
    (void)t;
    (void)i;
    (void)b;
}

DEV uint32_t tile_kept_digit(const struct radix_tile *t, uint32_t i, struct radix_digit d)
{
    return tile_digit(t->x[i], d);
}
#endif

/* Set this warp's counters, from `counts` on, to 0. */
DEV void tile_clear_counts(uint32_t counts)
{
    const vec16 none = {0, 0, 0, 0};

    UNROLL for (uint32_t b = 0; b < TILE_BUCKETS / 128u; b++)
        sh_st16(counts + 16u * (32u * b + LANE_ID), none);
    warp_sync();
}

/* `full` may be 0, or one of these: the tile has as many items as it can, or as many as `rounds`
 * rounds have. */
#define TILE_FULL         1
#define TILE_WHOLE_ROUNDS 2
#ifndef TILE_STEP
#define TILE_STEP 1u /* what divides `rounds` */
#endif

/* Rank the warp's items among those of the same digit.  Items that are not there have bucket 255,
 * behind all that are. */
DEV void tile_rank(struct radix_tile *t, struct radix_digit d, uint32_t count, uint32_t rounds,
                   int full)
{
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;
    const uint32_t below = (1u << LANE_ID) - 1u;

    tile_clear_counts(counts);
#if defined(TILE_MAPPED)
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS / 4u; i++) t->digit[i] = 0;
#endif
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        uint32_t peers = 0xffffffffu;
        uint32_t b, rank;

        if (full != TILE_FULL && i % TILE_STEP == 0u && i >= rounds)
            break;
        b = full || tile_at(i, rounds) < count ? tile_digit(t->x[i], d) : TILE_BUCKETS - 1u;
        tile_keep_digit(t, i, b);
        UNROLL for (uint32_t k = 0; k < 8u; k += 2u)
        {
            uint32_t one;
            const uint32_t low = same_bit(b, k, &one);

            peers = and3(peers, low, same_bit(b, k + 1u, &one));
        }
        rank = sh_ld4(counts + 4u * b) + bit_count(peers & below);
        warp_sync();
        if (!(peers & ~below & ~(below + 1u))) /* the last of them */
            sh_st4(counts + 4u * b, rank + 1u);
        warp_sync();
        tile_set_place(t, i, rank);
    }
}

/* Thread b < 256 adds up the items of bucket b, those that are not there too.  After a barrier. */
DEV uint32_t tile_column(void)
{
    uint32_t sum = 0;

    UNROLL for (uint32_t w = 0; w < TILE_WARPS; w++) sum +=
        sh_ld4(TILE_COUNTS + 4u * (TILE_BUCKETS * w + THREAD_ID));
    return sum;
}

/* The sum of x over the threads b < 256 before this one.  All threads come here.  One barrier
 * inside; the sums may be written again after another. */
DEV uint32_t tile_scan(uint32_t x)
{
    const uint32_t sum = warp_scan(x);
    uint32_t before = 0;

    if (LANE_ID == 31u && WARP_ID < TILE_BUCKETS / 32u)
        sh_st4(TILE_SUMS + 4u * WARP_ID, sum);
    block_sync();
    UNROLL for (uint32_t w = 0; w < TILE_BUCKETS / 32u; w++)
    {
        const uint32_t y = sh_ld4(TILE_SUMS + 4u * w);

        before += w < WARP_ID ? y : 0u;
    }
    return before + sum - x;
}

/* Thread b turns the counters of bucket b into first places of warps, from `start` on. */
DEV void tile_starts(uint32_t start)
{
    UNROLL for (uint32_t w = 0; w < TILE_WARPS; w++)
    {
        const uint32_t at = TILE_COUNTS + 4u * (TILE_BUCKETS * w + THREAD_ID);
        const uint32_t x = sh_ld4(at);

        sh_st4(at, start);
        start += x;
    }
}

/* All of it, where items that go nowhere are in no counter: columns, scan and starts.  The word at
 * `live` becomes the number of items.  *own becomes how many there are of bucket THREAD_ID; returns
 * where they start.  Begins and ends with a barrier. */
DEV uint32_t tile_count(uint32_t live, uint32_t *own)
{
    uint32_t start;

    *own = 0;
    block_sync();
    if (THREAD_ID < TILE_BUCKETS)
        *own = tile_column();
    start = tile_scan(*own);
    if (THREAD_ID < TILE_BUCKETS)
        tile_starts(start);
    if (THREAD_ID == TILE_BUCKETS - 1u)
        sh_st4(live, start + *own);
    block_sync();
    return start;
}

/* Write keys to their places in the buffer.  The places are kept. */
DEV void tile_exchange(struct radix_tile *t, struct radix_digit d, uint32_t count, uint32_t rounds,
                       int full)
{
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (!full && i >= rounds)
            break;
        if (full || tile_at(i, rounds) < count) {
            const uint32_t place =
                tile_place(t, i) + sh_ld4(counts + 4u * tile_kept_digit(t, i, d));

            sh_st_key(TILE_BUFFER + KEY_BYTES * tile_swizzle(place), t->x[i]);
#if defined(TILE_MAPPED)
            sh_st4(TILE_DIGITS + 4u * tile_swizzle(place), tile_kept_digit(t, i, d));
#endif
            tile_move_place(t, i, place);
        }
    }
}

DEV void tile_store_key(void *keys, uint64_t at, key x, uint32_t bytes)
{
#if KEY_LOG == 3
    (void)bytes;
    gm_st8((uint64_t *)keys + at, x);
#else
    if (bytes == 4u)
        gm_st4((uint32_t *)keys + at, x);
    else if (bytes == 2u)
        gm_st2((uint16_t *)keys + at, x);
    else
        gm_st1((uint8_t *)keys + at, x);
#endif
}

/* Write the key at place i of the buffer to where its bucket goes.  `back`: the word becomes a key.
 * Its digit is kept for the payload, as number k of this thread's, four in a word. */
DEV void tile_write_key(void *out, uint32_t i, uint32_t k, uint32_t *digits, struct radix_digit d,
                        const struct cw_key_map *map, int back, int wanted, uint32_t bytes)
{
    const key x = sh_ld_key(TILE_BUFFER + KEY_BYTES * tile_swizzle(i));
    const uint32_t b = tile_digit(x, d);
    const uint64_t to = sh_ld8(TILE_DELTA + 8u * b) + i;

    if (wanted)
        tile_store_key(out, to, back ? tile_key(x, map) : x, bytes);
    digits[k / 4u] |= b << 8u * (k % 4u);
}

#if defined(PAYLOAD_LOG)
#include "prim/radix_payload.h"
#endif

#endif
