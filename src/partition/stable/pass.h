/* pass.h - one pass of the stable partition: every item is read once and written once.
 *
 * After Adinets and Merrill (Onesweep, 2022), as src/sort/lsd has it: a block takes the next tile
 * from a counter, ranks it, says how many items of each digit it has, and learns from the tiles
 * before it where its own go (prim/look_back.h).  It departs in that the number of items may be
 * known on the device only, and in that labels may be dropped: tiles then have fewer items than
 * places.
 */
#ifndef CW_PARTITION_STABLE_PASS_H
#define CW_PARTITION_STABLE_PASS_H

#include "partition/stable/tile.h"

#define LOOK_JOB      struct stable_job
#define LOOK_STATE(a) (a)->state_rows
#define LOOK_BUCKETS  STABLE_BUCKETS
#include "prim/look_pass.h"

/* Rows of the next launch's state that this block clears, so that no launch does nothing else. */
DEV void stable_clear(const struct stable_job *a, uint32_t tile)
{
    if (THREAD_ID < STABLE_BUCKETS) {
        ROLL for (uint32_t row = tile; row < a->next_rows; row += a->tiles)
            gm_st4(a->next + (uint64_t)row * STABLE_BUCKETS + THREAD_ID, 0u);
    }
    if (tile == 0 && THREAD_ID == 0)
        gm_st4(a->next_ticket, 0u);
}

/* The tile's items, ranked and counted.  Returns the count of digit THREAD_ID, and where it starts
 * in the tile. */
DEV uint32_t stable_order(const struct stable_job *a, struct stable_tile *s, uint32_t tile,
                          uint32_t *start, int all)
{
    uint32_t own = 0;

    stable_rank(s, TILE_ITEMS, all);
    block_sync();
    if (THREAD_ID < STABLE_BUCKETS) {
        own = tile_column();
        gm_st4_relaxed(a->state_rows + (uint64_t)tile * STABLE_BUCKETS + THREAD_ID,
                       (tile ? LOOK_OWN : LOOK_ALL) | own);
    }
    *start = tile_scan(own);
    if (THREAD_ID < STABLE_BUCKETS)
        tile_starts(*start);
    if (!all && THREAD_ID == STABLE_BUCKETS - 1u)
        sh_st4(STABLE_LIVE, *start + own);
    block_sync();
    return own;
}

DEV void stable_move(const struct stable_job *a, uint64_t from, uint32_t tile, uint32_t last,
                     uint32_t count, int all)
{
    uint32_t digits[TILE_ITEMS / DIGIT_PACK];
    uint32_t own, start, live;
    struct stable_tile s;
#if defined(PAYLOAD_LOG)
    struct radix_payload v;
#endif

    tile_load(&s.t, a->keys, from, count, TILE_ITEMS, a->key_bytes, all);
    stable_digits(a, &s, count, TILE_ITEMS, all);
    own = stable_order(a, &s, tile, &start, all);
    live = all ? TILE_SIZE : sh_ld4(STABLE_LIVE);
    stable_exchange(&s, TILE_ITEMS, all);
#if defined(PAYLOAD_LOG)
    tile_load_payload(&v, a->values, from, count, TILE_ITEMS, a->value_bytes, all);
#endif
    if (THREAD_ID < STABLE_BUCKETS)
        look_delta(a, tile, (int)last, own, start, LOOK_ALL);
    block_sync();
    stable_keys(a, digits, live, TILE_ITEMS, all);
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
    stable_index(a, &s, digits, from, count, live, TILE_ITEMS, all);
}

DEV void stable_pass(const struct stable_job *a)
{
    const uint64_t n = gm_ld8(a->total + (a->pass ? 1u : 0u));
    const uint64_t left = n > a->from ? n - a->from : 0u;
    const uint32_t items = (uint32_t)(left < a->most ? left : a->most);
    uint32_t tile, count;

    if (gm_ld4(&a->state->bad))
        return;
    if (THREAD_ID == 0)
        sh_st4(STABLE_TICKET, gm_add4(a->ticket, 1u));
    block_sync();
    tile = sh_ld4(STABLE_TICKET);
    stable_clear(a, tile);
    if ((uint64_t)tile * TILE_SIZE >= items)
        return;
    count = items - tile * TILE_SIZE;
    stable_load_cuts(&a->rule, STABLE_CUTS);
    if (count >= TILE_SIZE && !(a->drop && a->pass == 0u))
        stable_move(a, a->from + (uint64_t)tile * TILE_SIZE, tile, count == TILE_SIZE, TILE_SIZE,
                    1);
    else
        stable_move(a, a->from + (uint64_t)tile * TILE_SIZE, tile, count <= TILE_SIZE,
                    count < TILE_SIZE ? count : TILE_SIZE, 0);
}

#endif
