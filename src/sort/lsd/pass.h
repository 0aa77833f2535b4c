/* pass.h - LSD radix sort: one pass, in which every item is read once and written once.
 *
 * After Adinets and Merrill (Onesweep, 2022): a block takes the next tile from a counter, ranks it,
 * says how many items of each bucket it has, and learns from the tiles before it how many of a
 * bucket stand before its own.  It waits only for tiles whose blocks have begun, so it cannot wait
 * for ever.
 *
 * What `state` says is in prim/look_back.h.  Tiles of a launch are a portion of fewer than 2^29
 * items, so 30 bits hold a count; the portion's last tile says where the next portion's items go.
 *
 * One `state` serves all launches, and none clears it for the next.  Launches that move something say
 * LOOK_ALL and LOOK_ALL_TOO in turn (look_all).  When such a launch begins, no word says what it says
 * itself: rows of tiles have the other flag from the launch before, and each launch clears the rows
 * that it has no tile for.  These stand behind those of its tiles, so no block looks at them.
 *
 * Departures: no launch clears `state`; passes without work are known beforehand (routes.h); the
 * first pass maps keys to words and the last one maps them back, so that no pass between them does;
 * an index as payload is made in the first pass.
 */
#ifndef CW_SORT_LSD_PASS_H
#define CW_SORT_LSD_PASS_H

#define BUCKET_CELLS TILE_SHARED /* with TILE_MAPPED: where a bucket map's table is */
#include "prim/count.h"
#include "prim/radix_tile.h"
#include "prim/radix_write.h"
#include "sort/lsd/job.h"

#define LOOK_JOB      struct lsd_job
#define LOOK_STATE(a) (a)->state
#define LOOK_BUCKETS  LSD_BUCKETS
#include "prim/look_pass.h"

#if defined(TILE_MAPPED)
#define PASS_SHARED    (TILE_SHARED + BUCKET_CELLS_BYTES)
#define PASS_ROUNDS(a) ((a)->rounds)
#define PASS_TIED(a)   0 /* a bucket map looks at ranks anyway */
#else
#define PASS_SHARED    TILE_SHARED
#define PASS_ROUNDS(a) TILE_ITEMS
#define PASS_TIED(a)   ((a)->map.tied)
#endif
#define PASS_TICKET TILE_MORE(0)
#define PASS_ALL    TILE_MORE(1) /* look_all */

/* Do places need 64 bits?  In tiny shapes a fourth of all lengths says so, for tests to meet it. */
#if SHAPES == SHAPES_TINY
#define PASS_WIDE(a) ((a)->n >> 32 || (a)->n % 4u == 3u)
#else
#define PASS_WIDE(a) ((a)->n >> 32)
#endif

/* Payloads of 4 bytes are loaded before the block waits for others; wider ones when keys have left,
 * as there are no registers for both. */
#if defined(PAYLOAD_LOG)
#define PASS_EARLY (PAYLOAD_LOG == 2)
#endif

/* What a tile of this launch adds to the count of all tiles up to it. */
DEV uint32_t look_all(const struct lsd_job *a, const struct lsd_route *r)
{
    const uint32_t launches = gm_ld4(&r->before) * a->portions + a->portion; /* before this one */

    return launches % 2u ? LOOK_ALL_TOO : LOOK_ALL;
}

/* How many items of a portion of `items` there are, from item `from` of the array on. */
DEV uint32_t pass_items(const struct lsd_job *a, uint64_t from, uint32_t items)
{
    uint64_t n;

    if (!a->count)
        return items;
    n = items_counted(a->n, a->count, a->count_bytes);
    n = n > from ? n - from : 0u;
    return n < items ? (uint32_t)n : items;
}

DEV struct radix_digit pass_digit(const struct lsd_job *a, int tied)
{
#if defined(TILE_MAPPED)
    (void)tied;
    return bucket_digit(a->buckets, &a->map, a->bits, 8u * a->pass);
#else
    return tile_digit_by(&a->map, a->first_bit + 8u * a->pass, lsd_mask(a->bits, a->pass), tied);
#endif
}

/* What the pass makes of the words that it writes. */
DEV int pass_how(const struct lsd_job *a, uint32_t last)
{
    if (last && a->drop_keys)
        return WRITE_NOTHING;
    return last && !a->map.plain ? WRITE_KEYS : WRITE_WORDS;
}

/* `full` and `tied` are constants.  With a branch for each item the last tile took some 10 us
 * longer (H200, bench_grid of 18 November 2026), and where tiles are few the whole pass waits for
 * it. */
DEV void pass_tile(const struct lsd_job *a, const struct lsd_route *r, uint32_t tile,
                   uint32_t count, int last, int full, int tied, int wide)
{
    const uint32_t rounds = full ? TILE_ITEMS : PASS_ROUNDS(a);
    const uint64_t from = a->from + (uint64_t)tile * TILE_THREADS * rounds;
    struct radix_digit d = pass_digit(a, tied);
    const uint32_t at = gm_ld4(&r->from);
    const uint32_t to = gm_ld4(&r->to), ends = gm_ld4(&r->last);
    uint32_t own = 0, start;
    struct tile_places places;
    struct radix_tile t;
#if defined(PAYLOAD_LOG)
    const int made = a->indexed && at == SORT_IN; /* the index, which is not read */
    struct radix_payload v;
#endif

    tile_load(&t, a->keys[at], from, count, rounds, a->key_bytes, full);
    if (gm_ld4(&r->first) && !a->map.plain)
        tile_words(&t, &a->map, rounds);
    tile_rank(&t, d, count, rounds, full);
    block_sync();
    if (THREAD_ID < LSD_BUCKETS) {
        own = tile_column();
        if (!full && THREAD_ID == LSD_BUCKETS - 1u)
            own -= TILE_THREADS * rounds - count;
        gm_st4_relaxed(a->state + (uint64_t)tile * LSD_BUCKETS + THREAD_ID,
                       (tile ? LOOK_OWN : sh_ld4(PASS_ALL)) | own);
    }
    start = tile_scan(own);
    if (THREAD_ID < LSD_BUCKETS)
        tile_starts(start);
    block_sync();
    forget(d.shift); /* digits are made again: to keep them takes registers */
    tile_exchange(&t, d, count, rounds, full);
#if defined(PAYLOAD_LOG)
    if (PASS_EARLY && !made)
        tile_load_payload(&v, a->values[at], from, count, rounds, a->value_bytes, full);
#endif
    if (THREAD_ID < LSD_BUCKETS)
        look_delta(a, tile, last, own, start, sh_ld4(PASS_ALL));
    block_sync();
    tile_write_keys((void *)a->keys[to], &places, d, &a->map, count, rounds, a->key_bytes,
                    pass_how(a, ends), full, wide);
#if defined(PAYLOAD_LOG)
    if (!PASS_EARLY && !made)
        tile_load_payload(&v, a->values[at], from, count, rounds, a->value_bytes, full);
    block_sync();
    if (made)
        tile_exchange_index(&t, from, count, rounds, full);
    else
        tile_exchange_payload(&t, &v, count, rounds, full);
    block_sync();
    tile_write_payloads((void *)a->values[to], &places, count, rounds,
                        ends && to == SORT_OUT ? a->last_bytes : a->value_bytes, full, wide);
#endif
}

/* Clear row `row` of the state, and those that follow it by as many as there are blocks. */
DEV void clear_rows(const struct lsd_job *a, uint32_t row)
{
    ROLL for (; row < a->rows && THREAD_ID < LSD_BUCKETS; row += a->tiles)
        gm_st4(a->state + (uint64_t)row * LSD_BUCKETS + THREAD_ID, 0u);
}

DEV void lsd_pass(const struct lsd_job *a)
{
    const struct lsd_route *const r = a->routes + a->pass;
    const uint32_t size = TILE_THREADS * PASS_ROUNDS(a);
    uint32_t items, tile, count;
    int idle;

    if (BLOCK_ID == 0 && THREAD_ID == 0)
        gm_st4(a->next_ticket, 0u);
    if (!gm_ld4(&r->run))
        return;
    items = pass_items(a, a->from, a->items);
    idle = BLOCK_ID * size >= items; /* as many take a ticket as there are tiles */
    clear_rows(a, BLOCK_ID + (idle ? 0u : a->tiles));
    if (idle)
        return;
    if (THREAD_ID == 0) {
        sh_st4(PASS_TICKET, gm_add4(a->ticket, 1u));
        sh_st4(PASS_ALL, look_all(a, r));
    }
#if defined(TILE_MAPPED)
    bucket_cells_load(a->buckets, TILE_THREADS);
#endif
    block_sync();
    tile = sh_ld4(PASS_TICKET);
    count = items - tile * size;
    if (PASS_WIDE(a))
        pass_tile(a, r, tile, count < size ? count : size, count <= size, 0, PASS_TIED(a), 1);
    else if (count < size || size < TILE_SIZE) {
        if (PASS_TIED(a))
            pass_tile(a, r, tile, count < size ? count : size, count <= size, 0, 1, 0);
        else
            pass_tile(a, r, tile, count < size ? count : size, count <= size, 0, 0, 0);
    } else if (PASS_TIED(a))
        pass_tile(a, r, tile, TILE_SIZE, count == TILE_SIZE, 1, 1, 0);
    else
        pass_tile(a, r, tile, TILE_SIZE, count == TILE_SIZE, 1, 0, 0);
}

#endif
