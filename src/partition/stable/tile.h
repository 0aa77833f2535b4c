/* tile.h - a block puts a tile of items into the order of their digits, stably.
 *
 * This is prim/radix_tile.h with two differences.  A digit comes from any rule, and is kept in
 * registers.  An item may go nowhere, wherever it stands: it is behind the array's end, or its
 * label is to be dropped.
 *
 * The includer defines what radix_tile.h wants.  `all`, a constant: every item of the tile goes
 * somewhere.
 */
#ifndef CW_PARTITION_STABLE_TILE_H
#define CW_PARTITION_STABLE_TILE_H

#include "partition/stable/rule.h"
#include "prim/radix_tile.h"

#if TILE_BUCKETS == 256u
#define DIGIT_BITS  8u
#define DIGIT_VOTES 8u
#else
#define DIGIT_BITS  16u
#define DIGIT_VOTES 10u
#endif
#define DIGIT_PACK (32u / DIGIT_BITS) /* digits in a word */

struct stable_shared {
    struct radix_tile_shared tile;
    key cuts[PARTITION_CUTS + 1u]; /* splitters */
};

#define STABLE_TICKET TILE_MORE(0)
#define STABLE_LIVE   TILE_MORE(1) /* items of the tile that go somewhere */
#define STABLE_CUTS   SHARED_AT(stable_shared, cuts)
#define STABLE_SHARED ((uint32_t)sizeof(struct stable_shared))

struct stable_tile {
    struct radix_tile t;
    uint32_t digits[TILE_ITEMS / DIGIT_PACK];
    uint32_t live; /* bit i: item i goes somewhere */
};

DEV uint32_t stable_digit(const uint32_t *digits, uint32_t i)
{
    return digits[i / DIGIT_PACK] >> DIGIT_BITS * (i % DIGIT_PACK) & (TILE_BUCKETS - 1u);
}

DEV void stable_set_digit(uint32_t *digits, uint32_t i, uint32_t b)
{
    digits[i / DIGIT_PACK] =
        (i % DIGIT_PACK ? digits[i / DIGIT_PACK] : 0u) | b << DIGIT_BITS * (i % DIGIT_PACK);
}

/* Digit of a key; plain, a constant: bits of an unsigned key. */
DEV uint32_t stable_digit_of(const struct stable_job *a, key x, int plain)
{
    if (plain)
        return (uint32_t)(x >> (a->rule.first + a->shift)) & a->mask;
    return stable_bucket(&a->rule, x, STABLE_CUTS) >> a->shift & a->mask;
}

/* Digits of the tile's keys, and which items go somewhere. */
DEV void stable_digits_of(const struct stable_job *a, struct stable_tile *s, uint32_t count,
                          uint32_t rounds, int plain, int all)
{
    s->live = 0;
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        uint32_t digit = 0;

        if (all || (i < rounds && tile_at(i, rounds) < count)) {
            digit = stable_digit_of(a, s->t.x[i], plain);
            s->live |= (s->t.x[i] <= a->rule.most ? 1u : 0u) << i;
        }
        stable_set_digit(s->digits, i, digit);
    }
}

DEV void stable_digits(const struct stable_job *a, struct stable_tile *s, uint32_t count,
                       uint32_t rounds, int all)
{
    if (a->rule.plain)
        stable_digits_of(a, s, count, rounds, 1, all);
    else
        stable_digits_of(a, s, count, rounds, 0, all);
}

DEV uint32_t stable_lives(const struct stable_tile *s, uint32_t i, int all)
{
    return all || (s->live >> i & 1u);
}

/* Ranks among the warp's items of the same digit. */
DEV void stable_rank(struct stable_tile *s, uint32_t rounds, int all)
{
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;
    const uint32_t below = (1u << LANE_ID) - 1u;

    tile_clear_counts(counts);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t word = s->digits[i / DIGIT_PACK];
        const uint32_t b = stable_digit(s->digits, i);
        uint32_t peers, rank;

        if (!all && i >= rounds)
            break;
        peers = all ? 0xffffffffu : ballot(stable_lives(s, i, 0));
        UNROLL for (uint32_t k = 0; k < DIGIT_VOTES; k++)
        {
            uint32_t one;

            peers &= same_bit(word, DIGIT_BITS * (i % DIGIT_PACK) + k, &one);
        }
        rank = sh_ld4(counts + 4u * b) + bit_count(peers & below);
        warp_sync();
        if (stable_lives(s, i, all) && !(peers & ~below & ~(below + 1u))) /* the last of them */
            sh_st4(counts + 4u * b, rank + 1u);
        warp_sync();
        tile_set_place(&s->t, i, rank);
    }
}

/* Keys to their places in the buffer; the places are kept. */
DEV void stable_exchange(struct stable_tile *s, uint32_t rounds, int all)
{
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (!all && i >= rounds)
            break;
        if (stable_lives(s, i, all)) {
            const uint32_t place =
                tile_place(&s->t, i) + sh_ld4(counts + 4u * stable_digit(s->digits, i));

            sh_st_key(TILE_BUFFER + KEY_BYTES * tile_swizzle(place), s->t.x[i]);
            tile_move_place(&s->t, i, place);
        }
    }
}

/* ---- writing: item i of the tile in order goes to delta of its digit, and i on -------------- */

/* Digits of what this thread writes are kept, for what else there is. */
DEV void stable_write_keys(const struct stable_job *a, uint32_t *digits, uint32_t live,
                           uint32_t rounds, uint32_t bytes, int plain, int all)
{
    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;
        uint32_t b = 0;

        if (!all && k >= rounds)
            break;
        if (all || i < live) {
            const key x = sh_ld_key(TILE_BUFFER + KEY_BYTES * tile_swizzle(i));

            b = stable_digit_of(a, x, plain);
            if (a->keys_to)
                tile_store_key(a->keys_to, sh_ld8(TILE_DELTA + 8u * b) + i, x, bytes);
        }
        stable_set_digit(digits, k, b);
    }
}

DEV void stable_keys(const struct stable_job *a, uint32_t *digits, uint32_t live, uint32_t rounds,
                     int all)
{
    if (!a->rule.plain)
        stable_write_keys(a, digits, live, rounds, a->key_bytes, 0, all);
#if KEY_LOG == 3
    else
        stable_write_keys(a, digits, live, rounds, 8u, 1, all);
#else
    else if (a->key_bytes == 4u)
        stable_write_keys(a, digits, live, rounds, 4u, 1, all);
    else if (a->key_bytes == 2u)
        stable_write_keys(a, digits, live, rounds, 2u, 1, all);
    else
        stable_write_keys(a, digits, live, rounds, 1u, 1, all);
#endif
}

#if defined(PAYLOAD_LOG)
DEV void stable_exchange_payload(const struct stable_tile *s, const struct radix_payload *v,
                                 int all)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (stable_lives(s, i, all))
            sh_st_payload(TILE_BUFFER + PAYLOAD_BYTES * tile_swizzle(tile_place(&s->t, i)),
                          v->v[i]);
    }
}

DEV void stable_write_payload(const struct stable_job *a, const uint32_t *digits, uint32_t live,
                              uint32_t bytes, int all)
{
    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        if (all || i < live) {
            const uint64_t to = sh_ld8(TILE_DELTA + 8u * stable_digit(digits, k)) + i;

            payload_store(a->values_to, to,
                          sh_ld_payload(TILE_BUFFER + PAYLOAD_BYTES * tile_swizzle(i)), bytes);
        }
    }
}
#endif

/* ---- the index ------------------------------------------------------------------------------ */

DEV void stable_store_index(void *to, uint64_t at, uint64_t x, uint32_t bytes)
{
    if (bytes == 4u)
        gm_st4((uint32_t *)to + at, (uint32_t)x);
    else
        gm_st8((uint64_t *)to + at, x);
}

/* Number of item i, as it stood at first. */
DEV uint64_t stable_number(const struct stable_job *a, uint64_t from, uint32_t at)
{
    return a->index ? gm_ld4(a->index + from + at) : from + at;
}

/* Where each item goes, from where it stands. */
DEV void stable_inverse(const struct stable_job *a, const struct stable_tile *s, uint64_t from,
                        uint32_t count, uint32_t rounds, int all)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, rounds);

        if (!all && i >= rounds)
            break;
        if (stable_lives(s, i, all)) {
            const uint64_t delta = sh_ld8(TILE_DELTA + 8u * stable_digit(s->digits, i));

            if (a->inverse)
                stable_store_index(a->inverse, stable_number(a, from, at),
                                   delta + tile_place(&s->t, i), a->index_bytes);
        } else if (a->dropped && at < count) {
            stable_store_index(a->dropped, from + at, ~(uint64_t)0, a->index_bytes);
        }
    }
}

/* Numbers of items go to their places in the buffer.  They have 4 bytes.  If they are not read,
 * they count from the tile's first item. */
DEV void stable_exchange_index(const struct stable_job *a, const struct stable_tile *s,
                               uint64_t from, uint32_t rounds, int all)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, rounds);

        if (!all && i >= rounds)
            break;
        if (stable_lives(s, i, all))
            sh_st4(TILE_BUFFER + 4u * tile_swizzle(tile_place(&s->t, i)),
                   a->index ? gm_ld4(a->index + from + at) : at);
    }
}

DEV void stable_write_index(const struct stable_job *a, const uint32_t *digits, uint64_t from,
                            uint32_t live, uint32_t rounds, int all)
{
    const uint64_t first = a->index ? 0u : from;

    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        if (!all && k >= rounds)
            break;
        if (all || i < live) {
            const uint64_t to = sh_ld8(TILE_DELTA + 8u * stable_digit(digits, k)) + i;
            const uint64_t x = first + sh_ld4(TILE_BUFFER + 4u * tile_swizzle(i));

            if (a->places)
                gm_st4(a->places + to, (uint32_t)x);
            if (a->index_to)
                stable_store_index(a->index_to, to, a->choices > 1u ? x / a->choices : x,
                                   a->index_bytes);
        }
    }
}

/* All that is wanted besides keys and a payload.  After a barrier. */
DEV void stable_index(const struct stable_job *a, const struct stable_tile *s,
                      const uint32_t *digits, uint64_t from, uint32_t count, uint32_t live,
                      uint32_t rounds, int all)
{
    if (a->inverse || a->dropped)
        stable_inverse(a, s, from, count, rounds, all);
    if (a->index_to || a->places) {
        block_sync();
        stable_exchange_index(a, s, from, rounds, all);
        block_sync();
        stable_write_index(a, digits, from, live, rounds, all);
    }
}

#endif
