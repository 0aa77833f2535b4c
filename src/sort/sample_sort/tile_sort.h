/* tile_sort.h - a block loads a tile of the comparison sort into registers, sorts it and stores it.
 *
 * A tile is a piece of the array as it stands.  Or it is a bucket, or a piece of one, whose items
 * are gathered (sample_sort/gather_pieces.h).  All items of a tile are sorted (prim/block_sort.h),
 * so it does not matter which register a key is loaded into.  Lanes therefore ask for items that
 * follow each other.
 *
 * A source defines KEY_LOG, SAMPLE_LOG_K and SAMPLE_REST (do items have a rest of 4 bytes?).  A
 * word holds the key's word above the rest.
 */
#ifndef CW_SORT_SAMPLE_SORT_TILE_SORT_H
#define CW_SORT_SAMPLE_SORT_TILE_SORT_H

#include "sort/sample_sort/key.h"
#include "sort/sample_sort/gather_pieces.h"
#include "sort/sample_sort/segment_layout.h"
#include "prim/block_sort.h"

#define SAMPLE_K    (1 << SAMPLE_LOG_K)
#define SAMPLE_WARP (32u << SAMPLE_LOG_K) /* slots of a warp */

/* Shared memory of a thread: its words.  The next thread's begin 16 bytes later than they need to,
 * so that banks do not meet. */
struct sample_thread {
    uint8_t words[SAMPLE_K][KEY_BYTES];
    uint8_t apart[16];
};
#define SAMPLE_SHARED(threads) ((threads) * (uint32_t)sizeof(struct sample_thread))

/* Shared memory of a warp that gathers pieces: where the item of every slot comes from, then
 * marks. */
struct sample_pieces {
    uint32_t list[SAMPLE_WARP];
    uint32_t marks[32];
};
#define SAMPLE_MARKS SHARED_AT(sample_pieces, marks)
STATIC_ASSERT(sizeof(struct sample_pieces) <= 32u * sizeof(struct sample_thread),
              "lists are too long");

DEV key word_with(part x, uint32_t rest)
{
#if SAMPLE_REST
    return (key)x << PAY | rest;
#else
    (void)rest;
    return x;
#endif
}

DEV void array_words(key *x, const struct sample_sort_job *a, uint64_t start, uint32_t length,
                     int narrow)
{
    UNROLL for (uint32_t r = 0; r < SAMPLE_K; r++)
    {
        uint32_t rest = 0;
        part k = 0;

        if (32u * r < length) {
            k = load_part(a, start + 32u * r, narrow);
            if (SAMPLE_REST)
                rest = a->places ? (uint32_t)start + 32u * r : gm_ld4(a->in_rest + start + 32u * r);
        }
        x[r] = word_with(k, rest);
    }
}

/* Load all slots of a warp, 16 bytes at a time, so in another order.  For keys alone that start on
 * 16 bytes. */
DEV void array_quads(key *x, const key *in)
{
    UNROLL for (uint32_t r = 0; r < SAMPLE_K; r += QUAD)
    {
        quad_to(x + r, gm_ld16(in + 32u * r + QUAD * LANE_ID), 0);
    }
}

/* Load the slots of this warp, from item `start` of the input on. */
DEV void load_array(key *x, const struct sample_sort_job *a, uint64_t start, uint32_t length)
{
    const uint32_t first = WARP_ID * SAMPLE_WARP + LANE_ID;
    const uint32_t left = first < length ? length - first : 0u;

    const key *const in = (const key *)a->in + start + WARP_ID * SAMPLE_WARP;

    if (rarely(IS_NARROW(a)))
        array_words(x, a, start + first, left, 1);
    else if (!SAMPLE_REST && (uintptr_t)in % 16u == 0 && length == BLOCK_DIM << SAMPLE_LOG_K)
        array_quads(x, in);
    else
        array_words(x, a, start + first, left, 0);
    if (rarely(a->to_words)) {
        UNROLL for (int r = 0; r < SAMPLE_K; r++)
        {
            x[r] =
                word_with(part_to_word(a, (part)(x[r] >> (SAMPLE_REST ? PAY : 0))), (uint32_t)x[r]);
        }
    }
    UNROLL for (uint32_t r = 0; r < SAMPLE_K; r++)
    {
        if (32u * r >= left)
            x[r] = KEY_MAX;
    }
}

/* Make the words of slots `begin` .. `end` - 1, whose pieces are in the list. */
DEV void piece_words(key *x, const struct sample_sort_job *a, uint32_t begin, uint32_t end,
                     uint32_t mine, int narrow)
{
    const uint32_t upto = 0xffffffffu >> (31u - LANE_ID);
    uint32_t seen = 0xffffffffu;

    UNROLL for (uint32_t r = 0; r < SAMPLE_K; r++)
    {
        const uint32_t marks = sh_ld4(mine + SAMPLE_MARKS + 4u * r);
        const uint32_t place = seen + bit_count(marks & upto);
        const uint32_t slot = begin + 32u * r + LANE_ID;
        const uint32_t item = slot + sh_ld4(mine + 4u * place);

        seen += bit_count(marks);
        x[r] = KEY_MAX;
        if (slot < end)
            x[r] =
                word_with(load_part(a, item, narrow), SAMPLE_REST ? gm_ld4(a->in_rest + item) : 0u);
    }
}

/* Load the slots of a bucket from `from` on, up to its length. */
DEV void load_pieces(key *x, const struct sample_sort_job *a, const struct pieces *p, uint32_t from,
                     uint32_t length, uint32_t mine, int many)
{
    const uint32_t begin = from + WARP_ID * SAMPLE_WARP;
    const uint32_t end = from + length;

    if (begin < end) {
        list_pieces(p, begin, end < begin + SAMPLE_WARP ? end : begin + SAMPLE_WARP, mine,
                    mine + SAMPLE_MARKS, many);
        if (rarely(IS_NARROW(a)))
            piece_words(x, a, begin, end, mine, 1);
        else
            piece_words(x, a, begin, end, mine, 0);
    } else {
        UNROLL for (int r = 0; r < SAMPLE_K; r++) x[r] = KEY_MAX;
    }
    warp_sync(); /* the list has been read */
}

/* Write items from the warp's shared memory to the array.  `plain`: keys are written as they are,
 * in their full length. */
DEV void tile_items(const struct sample_sort_job *a, uint64_t start, uint32_t length, uint32_t mine,
                    int plain)
{
    ROLL for (uint32_t r = 0; r < SAMPLE_K; r += 8)
    {
        key x[8];

        UNROLL for (uint32_t i = 0; i < 8; i++)
        {
            x[i] = sh_ld_key(mine + byte_of(32u * (r + i) + LANE_ID, SAMPLE_LOG_K));
        }
        UNROLL for (uint32_t i = 0; i < 8; i++)
        {
            const uint32_t e = 32u * (r + i);
            const part k = (part)(x[i] >> (SAMPLE_REST ? PAY : 0));

            if (e < length) {
                if (plain)
                    put_part(a->out, start + e, k);
                else if (!SAMPLE_REST || a->out)
                    store_part(a, start + e, part_out(a, k, (uint32_t)x[i]));
                if (SAMPLE_REST)
                    gm_st4(a->out_rest + start + e, (uint32_t)x[i]);
            }
        }
        warp_sync(); /* no lane runs ahead into another round's requests */
    }
}

DEV void store_tile(const struct sample_sort_job *a, uint64_t start, uint32_t length, uint32_t mine)
{
    const uint32_t first = WARP_ID * SAMPLE_WARP + LANE_ID;
    const uint32_t left = first < length ? length - first : 0u;

    if (rarely(a->from_words || IS_NARROW(a) || !a->out))
        tile_items(a, start + first, left, mine, 0);
    else
        tile_items(a, start + first, left, mine, 1);
}

#define SAMPLE_UNIT(u, a, log_n, merges, multiply) \
    do {                                           \
        (u).log_k = SAMPLE_LOG_K;                  \
        (u).log_n = (log_n);                       \
        (u).shuffles = (merges);                   \
        (u).how.mads = (multiply);                 \
        (u).how.one = (a)->one;                    \
        (u).how.halves = 0;                        \
        (u).t = THREAD_ID;                         \
        (u).base = 0;                              \
    } while (0)

/* Write down the samples of the array's tile BLOCK_ID.  A thread has 2^log_k sorted items, all of
 * one line.  The items are not kept. */
DEV void draw_samples(key *x, const struct sample_sort_job *a, uint32_t length)
{
    const uint32_t q = a->at.every, per = (1u << a->log_tile) / q;
    const uint32_t from = THREAD_ID << SAMPLE_LOG_K, line = from / q;
    const int full = (int)(length >> a->log_tile);
    const uint32_t place = drawn_place(BLOCK_ID, q, full) - from % q; /* in the thread's, or not */
    const uint64_t to = (uint64_t)BLOCK_ID * per + line;
    const int whole = (line + 1u) * q <= length;

    UNROLL for (uint32_t half = SAMPLE_K / 2; half; half /= 2u)
    {
        UNROLL for (uint32_t r = 0; r < SAMPLE_K / 2; r++)
        {
            if (r < half)
                x[r] = place & half ? x[r + half] : x[r];
        }
    }
    if (whole && place < SAMPLE_K)
        put_part(a->drawn, to, (part)(x[0] >> (SAMPLE_REST ? PAY : 0)));
}

/* Store the sorted tile in registers. */
DEV void put_tile(key *x, const struct sample_sort_job *a, uint64_t start, uint32_t length,
                  uint32_t mine, int draw)
{
    layout_write(x, 0u, THREAD_ID, layout_of(SAMPLE_LOG_K, SAMPLE_LOG_K, 0));
    if (draw && a->draw)
        draw_samples(x, a, length);
    warp_sync();
    store_tile(a, start, length, mine);
}

/* ---- kernels -------------------------------------------------------------------------------- */

/* Sort the first `length` words of the tile, those behind them being the largest: merges of
 * warps that would only add such words are left out.  For a short array that is one tile. */
DEV void sort_part(key *x, struct row_unit u, uint32_t length)
{
    int merges = u.log_n - u.log_k;

    ROLL while (merges > 5 && length <= 1u << (u.log_k + merges - 1)) merges--;
    lane_sort(x, u.log_k, u.log_k, u.how);
    ROLL for (int c = 1; c <= merges; c++) row_round(x, u, c);
}

/* Sort tile BLOCK_ID of the array.  If the array will be cut, it is laid out, too, in the kernel
 * for short ones: `lays`, a constant. */
DEV void sample_sort_first(const struct sample_sort_job *a, int log_n, int shuffles, int mads,
                           int lays)
{
    const uint32_t mine = WARP_ID * byte_of(SAMPLE_WARP, SAMPLE_LOG_K);
    const uint64_t start = (uint64_t)BLOCK_ID << log_n;
    const uint64_t left = a->n - start;
    const uint32_t length = left < 1u << log_n ? (uint32_t)left : 1u << log_n;
    struct row_unit u;
    key x[SAMPLE_K];

    SAMPLE_UNIT(u, a, log_n, shuffles, mads);
    if (lays && a->list_count && BLOCK_ID == 0 && THREAD_ID == 0)
        whole_layout(a);
    load_array(x, a, start, length);
    if (lays)
        sort_part(x, u, length);
    else
        row_sort(x, u);
    put_tile(x, a, start, length, mine, 1);
}

/* Sort the slots of bucket g from `from` on.  `many`: of many tiles (gather_pieces.h). */
DEV void sample_sort_bucket(const struct sample_sort_job *a, struct row_unit u, uint32_t g,
                            uint32_t from, uint64_t start, uint32_t length, int many)
{
    const uint32_t mine = WARP_ID * byte_of(SAMPLE_WARP, SAMPLE_LOG_K);
    struct pieces p;
    key x[SAMPLE_K];

    pieces_of(&p, a, g);
    load_pieces(x, a, &p, from, length, mine, many);
    row_sort(x, u);
    put_tile(x, a, start, length, mine, 0);
}

/* Sort tile BLOCK_ID of the next pass, a piece of a bucket. */
DEV void sample_sort_coarse(const struct sample_sort_job *a, int log_n, int shuffles, int mads)
{
    const uint32_t buckets = gm_ld4(a->next.count);
    struct row_unit u;

    SAMPLE_UNIT(u, a, log_n, shuffles, mads);
    if (BLOCK_ID < gm_ld4(a->next.tiles + buckets)) {
        const uint32_t g = find_last(a->next.tiles, buckets, BLOCK_ID);
        const uint32_t from = (BLOCK_ID - gm_ld4(a->next.tiles + g)) << log_n;
        const uint64_t start = gm_ld8(a->next.start + g) + from;
        const uint64_t left = gm_ld8(a->next.start + g + 1) - start;

        sample_sort_bucket(a, u, g, from, start, left < 1u << log_n ? (uint32_t)left : 1u << log_n,
                           1);
    }
}

/* Sort bucket BLOCK_ID.  If it is too long, put it on a list. */
DEV void sample_sort_fine(const struct sample_sort_job *a, int log_n, int shuffles, int mads)
{
    struct row_unit u;

    SAMPLE_UNIT(u, a, log_n, shuffles, mads);
    if (BLOCK_ID < gm_ld4(a->next.count)) {
        const uint64_t start = gm_ld8(a->next.start + BLOCK_ID);
        const uint64_t length = gm_ld8(a->next.start + BLOCK_ID + 1) - start;

        if (length > 1u << log_n) {
            if (THREAD_ID == 0)
                gm_st4(a->list + gm_add4(a->list_count, 1u), BLOCK_ID);
        } else {
            sample_sort_bucket(a, u, BLOCK_ID, 0u, start, (uint32_t)length, 0);
        }
    }
}

/* Sort the buckets of the list. */
DEV void sample_sort_long(const struct sample_sort_job *a, int log_n, int shuffles, int mads)
{
    const uint32_t count = gm_ld4(a->list_count);
    struct row_unit u;

    SAMPLE_UNIT(u, a, log_n, shuffles, mads);
    ROLL for (uint32_t i = BLOCK_ID; i < count; i += GRID_DIM)
    {
        const uint32_t g = gm_ld4(a->list + i);
        const uint64_t start = gm_ld8(a->next.start + g);

        sample_sort_bucket(a, u, g, 0u, start, (uint32_t)(gm_ld8(a->next.start + g + 1) - start),
                           0);
        block_sync();
    }
}

#endif
