/* parts.h - rows longer than a block sorts: they are cut into parts of 2^last keys, which are
 * sorted and merged.
 *
 * Part p of a row has its keys from p 2^last on.  The words of a part stand in `words`, filled up
 * with the largest word.  Parts of all rows lie one after another, those of a row together.  With
 * offsets cw_rows_list_parts lists them:
 *
 *      list CW_ROWS_PARTS    start << 16 | length of each part
 *      part_rows             number of the row's first part << 32 | parts of the row
 *
 * Level m = 1, 2, .. merges groups of 2^m parts of a row, as prim/block_sort.h merges runs.  First
 * keys that mirror each other in the group are compared, then keys 2^(m-2), .., 1 parts apart, then
 * keys of a part.  The smaller key always goes to the lower place.  So a part that the row does not
 * have counts as full of largest words, which never move: it need not exist.  A row of one group is
 * done.  The last step inside a part writes it out.
 *
 * rows_step does up to three steps between parts at once.  A thread has one key of each of 8 parts
 * whose numbers differ in three neighbouring bits.  If the first step is the mirrored one, the four
 * parts of the upper half mirror the four lower ones, and so do the keys in them.  The steps after
 * it stay inside each four.
 *
 * Time: ceil(m / 3) + 1 passes over the words at level m.  Space: a word a key, filled up to 2^last
 * a row.  The network is the same for every input of these lengths, and no bank is asked twice.
 *
 * Merges of parts by a network: Batcher (1968).
 */
#ifndef CW_ROWS_PARTS_H
#define CW_ROWS_PARTS_H

#include "rows/together.h"

struct part {
    struct row keys;       /* its own */
    uint64_t number;       /* among all parts */
    uint32_t place, count; /* which one of its row, and parts of that */
    uint32_t from;         /* where this block's places begin in it: 0, but in rows/join.h */
};

DEV uint64_t part_count(const struct cw_rows_arg *a)
{
    return a->offsets ? row_count(a, CW_ROWS_PARTS) : rows_there(a) * a->parts;
}

DEV struct part part_find(const struct cw_rows_arg *a, int last, uint64_t number)
{
    struct part p;

    p.number = number;
    p.from = 0;
    if (a->offsets) {
        const uint64_t x = gm_ld8(a->lists + a->list_at[CW_ROWS_PARTS] + number);
        const uint64_t y = gm_ld8(a->part_rows + number);

        p.keys.start = x >> 16;
        p.keys.length = (uint32_t)x & 0xffffu;
        p.place = (uint32_t)(number - (y >> 32));
        p.count = (uint32_t)y;
    } else {
        const uint64_t row = number / a->parts;
        uint64_t rest;

        p.place = (uint32_t)(number - row * a->parts);
        p.count = a->parts;
        rest = a->length - ((uint64_t)p.place << last);
        p.keys.start = row * a->length + ((uint64_t)p.place << last);
        p.keys.length = rest < (uint64_t)1 << last ? (uint32_t)rest : 1u << last;
    }
    return p;
}

/* Key 32 r + lane of this warp's places. */
DEV struct spot part_spot(const struct cw_rows_arg *a, const struct part *p, struct row_shape s,
                          uint32_t r)
{
    const uint32_t column = p->from + (WARP_ID << (s.log_k + 5)) + 32u * r + LANE_ID;
    struct spot x;

    x.there = column < p->keys.length;
    x.item = p->keys.start + column;
    x.column = (p->place << a->last) + column;
    return x;
}

/* This warp's words of a part. */
DEV key *part_words(const struct cw_rows_arg *a, const struct part *p, struct row_shape s)
{
    return (key *)a->words + (p->number << s.log_n) + (WARP_ID << (s.log_k + 5));
}

/* ---- sort ----------------------------------------------------------------------------------- */

DEV void part_in(const struct cw_rows_arg *a, const struct part *p, struct row_shape s,
                 uint32_t base)
{
    ROLL for (uint32_t r = 0; r < 1u << s.log_k; r += BATCH)
    {
        struct spot spots[BATCH];
        key x[BATCH];

        UNROLL for (uint32_t i = 0; i < BATCH; i++) spots[i] = part_spot(a, p, s, r + i);
        words_in(x, a, spots, BATCH);
        UNROLL for (uint32_t i = 0; i < BATCH; i++)
        {
            sh_st_key(base + byte_of(32u * (r + i) + LANE_ID, s.log_k), x[i]);
        }
    }
}

DEV void part_to_words(key *words, struct row_shape s, uint32_t base)
{
    UNROLL for (uint32_t r = 0; r < 1u << s.log_k; r += QUAD)
    {
        const uint32_t e = 32u * r + QUAD * LANE_ID;

        gm_st16(words + e, sh_ld16(base + byte_of(e, s.log_k)));
    }
}

/* Sort all parts into words. */
DEV void rows_parts_sort(const struct cw_rows_arg *a, struct row_shape s)
{
    const uint32_t mine = WARP_ID * byte_of(32u << s.log_k, s.log_k);
    const uint64_t parts = part_count(a);
    struct row_unit u;

    UNIT(u, a, s);
    ROLL for (uint64_t number = BLOCK_ID; number < parts; number += GRID_DIM)
    {
        const struct part p = part_find(a, s.log_n, number);
        key x[ROWS_K];

        if (is_simple(a)) { /* keys may arrive in any order */
            const uint32_t column = (WARP_ID << (s.log_k + 5)) + LANE_ID;

            load_words(x, a, p.keys.start + column,
                       p.keys.length > column ? p.keys.length - column : 0u,
                       (p.place << s.log_n) + column, 32u, ROWS_K);
        } else {
            part_in(a, &p, s, mine);
            warp_sync();
            layout_read(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0), 0);
        }
        row_sort(x, u);
        layout_write(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0));
        warp_sync();
        part_to_words(part_words(a, &p, s), s, mine);
        warp_sync(); /* before the next part comes to the same places */
    }
}

/* ---- steps between parts -------------------------------------------------------------------- */

/* Chunks of a part: a block has a chunk, each thread 16 bytes. */
#define STEP_LOG (8 + QUAD_LOG)
STATIC_ASSERT(1u << STEP_LOG == CW_ROWS_STEP_THREADS << QUAD_LOG, "a chunk is a block's");

/* Does a part's group of level m have more than a lower half?  Otherwise there is nothing to
 * merge. */
DEV int part_merges(const struct part *p, uint32_t m)
{
    const uint32_t group = p->place >> m << m;

    return group + (1u << (m - 1u)) < p->count;
}

/* Do steps between parts: the highest `steps` of level m, of which the first is mirrored; or plain
 * ones.  Parts that are compared last are 2^low apart.  The thread has keys from word `e` on, of
 * each of 2^steps parts. */
DEV void step_keys(const struct cw_rows_arg *a, const struct part *p, int last, uint32_t e,
                   int steps, int mirror)
{
    const int parts = 1 << steps;
    const uint32_t low = a->low;
    const uint32_t back = (1u << last) - QUAD - e; /* mirrored words */
    const uint32_t rest = p->place & ((1u << low) - 1u), turned = (1u << low) - 1u - rest;
    key *const row = (key *)a->words + ((p->number - p->place) << last);
    key x[8 * QUAD];

    UNROLL for (int i = 0; i < parts; i++)
    {
        const int upper = mirror && i >= parts / 2;
        const uint32_t place = p->place - rest + ((uint32_t)i << low) + (upper ? turned : rest);
        const key *const at = row + ((uint64_t)place << last) + (upper ? back : e);

        UNROLL for (int k = 0; k < QUAD; k++) x[QUAD * i + k] = KEY_MAX;
        if (place < p->count)
            quad_to(x + QUAD * i, gm_ld16(at), upper ? QUAD - 1 : 0);
    }
    UNROLL for (int b = steps - 1; b >= 0; b--)
    {
        UNROLL for (int i = 0; i < parts; i++)
        {
            const int j = mirror && b == steps - 1 ? parts - 1 - i : i | 1 << b;

            UNROLL for (int k = 0; k < QUAD; k++)
            {
                if (!(i >> b & 1)) {
                    const key less = x[QUAD * i + k];
                    const key more = x[QUAD * j + k];

                    x[QUAD * i + k] = less < more ? less : more;
                    x[QUAD * j + k] = less < more ? more : less;
                }
            }
        }
    }
    UNROLL for (int i = 0; i < parts; i++)
    {
        const int upper = mirror && i >= parts / 2;
        const uint32_t place = p->place - rest + ((uint32_t)i << low) + (upper ? turned : rest);
        key *const at = row + ((uint64_t)place << last) + (upper ? back : e);
        key y[QUAD];

        UNROLL for (int k = 0; k < QUAD; k++) y[k] = x[QUAD * i + (upper ? QUAD - 1 - k : k)];
        if (place < p->count)
            gm_st16(at, quad_of(y));
    }
}

/* Do the steps of all parts.  The lowest of those that are compared has the work. */
DEV void rows_step(const struct cw_rows_arg *a, int last)
{
    const int log_chunks = last - STEP_LOG;
    const uint64_t work = part_count(a) << log_chunks;

    ROLL for (uint64_t w = BLOCK_ID; w < work; w += GRID_DIM)
    {
        const struct part p = part_find(a, last, w >> log_chunks);
        const uint32_t e =
            ((uint32_t)(w & ((1u << log_chunks) - 1u)) << STEP_LOG) + QUAD * THREAD_ID;

        if (p.place >> a->low & ((1u << a->steps) - 1u) || !part_merges(&p, a->level))
            continue;
        if (a->steps == 3 && a->mirror)
            step_keys(a, &p, last, e, 3, 1);
        else if (a->steps == 2 && a->mirror)
            step_keys(a, &p, last, e, 2, 1);
        else if (a->mirror)
            step_keys(a, &p, last, e, 1, 1);
        else if (a->steps == 3)
            step_keys(a, &p, last, e, 3, 0);
        else if (a->steps == 2)
            step_keys(a, &p, last, e, 2, 0);
        else
            step_keys(a, &p, last, e, 1, 0);
    }
}

/* ---- steps inside a part -------------------------------------------------------------------- */

DEV void part_from_words(const key *words, struct row_shape s, uint32_t base)
{
    UNROLL for (uint32_t r = 0; r < 1u << s.log_k; r += QUAD)
    {
        const uint32_t e = 32u * r + QUAD * LANE_ID;

        sh_st16(base + byte_of(e, s.log_k), gm_ld16(words + e));
    }
}

/* Gather the values of n words by the places of their keys.  values_kept has all values as they
 * were. */
DEV void part_values(const struct cw_rows_arg *a, const struct spot *p, const key *x, int n)
{
    struct spot q[BATCH] = {{0, 0, 0}};
    bits v[BATCH] = {0};

    UNROLL for (int i = 0; i < n; i++)
    {
        q[i] = p[i];
        q[i].item += (uint64_t)(x[i] & (((key)1 << PAY) - 1u)) - p[i].column;
    }
    fetch(v, a->values_kept, a->value_bytes, q, n);
    UNROLL for (int i = 0; i < n; i++)
    {
        if (p[i].there)
            put(a->values_out, a->value_bytes, p[i].item, v[i]);
    }
}

DEV void part_out(const struct cw_rows_arg *a, const struct part *p, struct row_shape s,
                  uint32_t base)
{
    ROLL for (uint32_t r = 0; r < 1u << s.log_k; r += BATCH)
    {
        struct spot spots[BATCH];
        key x[BATCH];

        UNROLL for (uint32_t i = 0; i < BATCH; i++)
        {
            spots[i] = part_spot(a, p, s, r + i);
            x[i] = sh_ld_key_all(base + byte_of(32u * (r + i) + LANE_ID, s.log_k));
        }
        if (rarely(is_tied(a))) {
            UNROLL for (uint32_t i = 0; i < BATCH; i++) x[i] =
                word_restored(a, a->keys_kept, spots[i].item - spots[i].column, x[i]);
        }
        words_out(a, spots, x, BATCH);
        if (a->form == CW_ROWS_INDEX && a->value_bytes)
            part_values(a, spots, x, BATCH);
        warp_sync(); /* no lane runs ahead into another round's requests */
    }
}

/* Finish level m in every part. */
DEV void rows_parts_merge(const struct cw_rows_arg *a, struct row_shape s)
{
    const uint32_t mine = WARP_ID * byte_of(32u << s.log_k, s.log_k);
    const uint64_t parts = part_count(a);
    struct row_unit u;

    UNIT(u, a, s);
    ROLL for (uint64_t number = BLOCK_ID; number < parts; number += GRID_DIM)
    {
        const struct part p = part_find(a, s.log_n, number);
        key *const words = part_words(a, &p, s);
        key x[ROWS_K];

        if (!part_merges(&p, a->level))
            continue;
        part_from_words(words, s, mine);
        row_bitonic(x, u);
        layout_write(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0));
        warp_sync();
        if (p.count <= 1u << a->level)
            part_out(a, &p, s, mine);
        else
            part_to_words(words, s, mine);
        warp_sync(); /* before the next part comes to the same places */
    }
}

#endif
