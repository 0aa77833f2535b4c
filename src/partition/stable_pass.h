/* stable_pass.h - one pass of the stable partition: every item is read once and written once.
 *
 * After Adinets and Merrill (Onesweep, 2022), as src/sort/lsd has it: a block takes the next tile
 * from a counter, ranks it, says how many items of each digit it has, and learns from the tiles
 * before it where its own go (prim/look_back.h).  It departs in that the number of items may be
 * known on the device only, and in that labels may be dropped: tiles then have fewer items than
 * places.
 *
 * A full tile whose items all have one digit (sorted arrays, heavy buckets) is in order as it
 * stands.  It is written from registers, without the exchange.
 */
#ifndef CW_PARTITION_STABLE_PASS_H
#define CW_PARTITION_STABLE_PASS_H

#include "partition/stable_tile.h"

#define LOOK_JOB      struct stable_job
#define LOOK_STATE(a) (a)->state_rows
#define LOOK_BUCKETS  STABLE_BUCKETS
#include "prim/look_pass.h"

/* The tile's items, ranked and counted.  Returns the count of digit THREAD_ID, and where it starts
 * in the tile. */
DEV uint32_t stable_order(const struct stable_job *a, struct stable_tile *s, uint32_t tile,
                          uint32_t rounds, uint32_t *start, int all)
{
    uint32_t own = 0;

    stable_rank(s, rounds, all);
    block_sync();
    if (THREAD_ID < STABLE_BUCKETS) {
        own = tile_column();
        gm_st4_relaxed(a->state_rows + (uint64_t)tile * STABLE_BUCKETS + THREAD_ID,
                       (tile ? LOOK_OWN : LOOK_ALL) | own);
        if (all && own == TILE_SIZE)
            sh_st4(STABLE_ONLY, THREAD_ID + 1u);
    }
    *start = tile_scan(own);
    if (THREAD_ID < STABLE_BUCKETS)
        tile_starts(*start);
    if (!all && THREAD_ID == STABLE_BUCKETS - 1u)
        sh_st4(STABLE_LIVE, *start + own);
    block_sync();
    return own;
}

/* ---- a tile of one digit --------------------------------------------------------------------- */

/* `bytes` is a constant. */
DEV void stable_straight_keys_of(const struct stable_job *a, const struct stable_tile *s,
                                 uint64_t to, uint32_t bytes)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
        tile_store_key(a->keys_to, to + tile_at(i, TILE_ITEMS), s->t.x[i], bytes);
}

DEV void stable_straight_keys(const struct stable_job *a, const struct stable_tile *s, uint64_t to)
{
#if KEY_LOG == 3
    stable_straight_keys_of(a, s, to, 8u);
#else
    if (a->key_bytes == 4u)
        stable_straight_keys_of(a, s, to, 4u);
    else if (a->key_bytes == 2u)
        stable_straight_keys_of(a, s, to, 2u);
    else
        stable_straight_keys_of(a, s, to, 1u);
#endif
}

/* Numbers of items, and where they go. */
DEV void stable_straight_index(const struct stable_job *a, uint64_t from, uint64_t to)
{
    ROLL for (uint32_t i = THREAD_ID; i < TILE_SIZE; i += TILE_THREADS)
    {
        const uint64_t x = stable_number(a, from, i);

        if (a->places)
            gm_st4(a->places + to + i, (uint32_t)x);
        if (a->index_to)
            stable_store_index(a->index_to, to + i, a->choices > 1u ? x / a->choices : x,
                               a->index_bytes);
        if (a->inverse)
            stable_store_index(a->inverse, x, to + i, a->index_bytes);
    }
}

#if defined(PAYLOAD_LOG)
DEV void stable_straight_payload(const struct stable_job *a, const struct radix_payload *v,
                                 uint64_t to)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
        payload_store(a->values_to, to + tile_at(i, TILE_ITEMS), v->v[i], a->value_bytes);
}
#endif

/* ---- a tile ---------------------------------------------------------------------------------- */

DEV void stable_move(const struct stable_job *a, uint64_t from, uint32_t tile, uint32_t last,
                     uint32_t count, uint32_t rounds, int all)
{
    uint32_t digits[TILE_ITEMS / DIGIT_PACK];
    uint32_t own, start, live, only;
    struct stable_tile s;
#if defined(PAYLOAD_LOG)
    struct radix_payload v;
#endif

    tile_load(&s.t, a->keys, from, count, rounds, a->key_bytes, all);
    stable_digits(a, &s, count, rounds, all);
    own = stable_order(a, &s, tile, rounds, &start, all);
    live = all ? TILE_SIZE : sh_ld4(STABLE_LIVE);
    only = all ? sh_ld4(STABLE_ONLY) : 0u;
    if (!only)
        stable_exchange(&s, rounds, all);
#if defined(PAYLOAD_LOG)
    tile_load_payload(&v, a->values, from, count, rounds, a->value_bytes, all);
#endif
    if (THREAD_ID < STABLE_BUCKETS)
        look_delta(a, tile, (int)last, own, start);
    block_sync();
    if (only) {
        const uint64_t to = sh_ld8(TILE_DELTA + 8u * (only - 1u));

        if (a->keys_to)
            stable_straight_keys(a, &s, to);
        if (a->places || a->index_to || a->inverse)
            stable_straight_index(a, from, to);
#if defined(PAYLOAD_LOG)
        stable_straight_payload(a, &v, to);
#endif
        return;
    }
    stable_keys(a, digits, live, rounds, all);
#if defined(PAYLOAD_LOG)
    block_sync();
    stable_exchange_payload(&s, &v, all);
    block_sync();
    if (a->value_bytes == PAYLOAD_BYTES)
        stable_write_payload(a, digits, live, PAYLOAD_BYTES, all);
    else if (a->value_bytes == 2u)
        stable_write_payload(a, digits, live, 2u, all);
    else
        stable_write_payload(a, digits, live, 1u, all);
#endif
    stable_index(a, &s, digits, from, count, live, rounds, all);
}

DEV void stable_pass(const struct stable_job *a)
{
    const uint64_t n = gm_ld8(a->total + (a->pass ? 1u : 0u));
    const uint64_t left = n > a->from ? n - a->from : 0u;
    const uint32_t items = (uint32_t)(left < a->most ? left : a->most);
    const uint32_t size = a->rounds * TILE_THREADS;
    uint32_t tile, count;
    uint64_t from;

    if (gm_ld4(&a->state->bad))
        return;
    if (THREAD_ID == 0) {
        sh_st4(STABLE_TICKET, gm_add4(a->ticket, 1u));
        sh_st4(STABLE_ONLY, 0u);
    }
    block_sync();
    tile = sh_ld4(STABLE_TICKET);
    look_clear(a, tile);
    if ((uint64_t)tile * size >= items)
        return;
    from = a->from + (uint64_t)tile * size;
    count = items - tile * size;
    stable_load_cuts(&a->rule, STABLE_CUTS);
    if (count >= TILE_SIZE && size == TILE_SIZE && !(a->drop && a->pass == 0u))
        stable_move(a, from, tile, count == TILE_SIZE, TILE_SIZE, TILE_ITEMS, 1);
    else
        stable_move(a, from, tile, count <= size, count < size ? count : size, a->rounds, 0);
}

#endif
