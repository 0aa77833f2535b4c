/* io.h - words of a tile of rows from global memory into shared memory, and back.
 *
 * A tile is what a block sorts at once.  Its threads have 2^log_k places each.  A row has 2^log_n
 * places, so a tile is one long row, a piece of one, or several short rows.  A warp loads and
 * stores the places of its own threads.  Lanes have consecutive places.  So global memory is asked
 * for consecutive keys, and shared memory for consecutive words, which are in different banks.  (Of
 * words of 8 and 16 bytes a half or a quarter of the warp is served at a time.)  32 consecutive
 * places cross the padding of prim/register_layout.h only at multiples of 128 bytes.
 *
 * Places behind a row's end hold the largest word.  It sorts to the end and is not stored.  All
 * lanes take part in every request.
 *
 * Where equal floats keep their order (prim/key_map.h: tied), a word holds the key's rank above its
 * place.  Several keys share the rank of zeros, and that of NaNs.  Such a rank becomes the word of
 * its own key again when words are sorted: the key is fetched by its place, before any key of the
 * row is written.
 */
#ifndef CW_ROWS_IO_H
#define CW_ROWS_IO_H

#include "prim/block_sort.h"
#include "rows/spot.h"

#define BATCH 4                      /* loads in flight, of a thread */
#define MOST  (KEY_LOG == 2 ? 8 : 4) /* the same, of rows/short.h */

/* ---- keys and words ------------------------------------------------------------------------- */

DEV bits key_to_word(const struct cw_key_map *m, bits x)
{
    const bits sign = x >> (m->bits - 1u) & 1u;

    return ((x ^ (sign ? (bits)m->flip : 0u) ^ (bits)m->toggle) - (bits)m->bias) & (bits)m->mask;
}

DEV bits word_to_key(const struct cw_key_map *m, bits x)
{
    const bits y = ((x + (bits)m->bias) & (bits)m->mask) ^ (bits)m->toggle;
    const bits sign = y >> (m->bits - 1u) & 1u;

    return y ^ (sign ? (bits)m->flip : 0u);
}

/* What is compared: the word, or its rank where equal floats keep their order (key_map.h). */
DEV bits key_to_rank(const struct cw_key_map *m, bits x)
{
    const bits w = key_to_word(m, x);

    return m->tied ? (bits)CW_WORD_TO_RANK(m, w) : w;
}

/* n items of an array, those that are there. */
DEV void fetch(bits *x, const void *array, uint32_t bytes, const struct spot *p, int n)
{
    const uint8_t *const at = (const uint8_t *)array;

    if (bytes == 4) {
        UNROLL for (int i = 0; i < n; i++) x[i] = p[i].there ? gm_ld4(at + 4 * p[i].item) : 0;
    } else if (bytes == 2) {
        UNROLL for (int i = 0; i < n; i++) x[i] = p[i].there ? gm_ld2(at + 2 * p[i].item) : 0;
    } else if (bytes == 1) {
        UNROLL for (int i = 0; i < n; i++) x[i] = p[i].there ? gm_ld1(at + p[i].item) : 0;
    } else {
        UNROLL for (int i = 0; i < n; i++) x[i] = p[i].there ? (bits)gm_ld8(at + 8 * p[i].item) : 0;
    }
}

DEV void put(void *array, uint32_t bytes, uint64_t item, bits x)
{
    uint8_t *const at = (uint8_t *)array;

    if (bytes == 4)
        gm_st4(at + 4 * item, (uint32_t)x);
    else if (bytes == 2)
        gm_st2(at + 2 * item, (uint32_t)x);
    else if (bytes == 1)
        gm_st1(at + item, (uint32_t)x);
    else
        gm_st8(at + 8 * item, (uint64_t)x);
}

DEV void put_index(const struct cw_rows_arg *a, uint64_t item, uint32_t place)
{
    if (a->index_bytes == 4)
        gm_st4((uint32_t *)a->index_out + item, place);
    else
        gm_st8((uint64_t *)a->index_out + item, place);
}

/* ---- a warp's places ------------------------------------------------------------------------ */

/* Make the words of n items, n at most MOST. */
DEV void words_in(key *x, const struct cw_rows_arg *a, const struct spot *p, int n)
{
    bits k[MOST];
    bits v[MOST];

#if KEY_LOG < 4
    if (a->map.plain && a->map.bits == 8 * KEY_BYTES) { /* words are the keys */
        UNROLL for (int i = 0; i < n; i++) x[i] =
            p[i].there ? gm_ld_key((const key *)a->keys_in + p[i].item) : KEY_MAX;
        return;
    }
#endif
    fetch(k, a->keys_in, a->map.bits / 8u, p, n);
    if (a->form == CW_ROWS_PAIRS) {
        fetch(v, a->values_in, a->value_bytes, p, n);
    } else {
        UNROLL for (int i = 0; i < n; i++) v[i] = p[i].column;
    }
    UNROLL for (int i = 0; i < n; i++)
    {
        const key high = a->map.plain ? k[i] : key_to_rank(&a->map, k[i]);

        x[i] = a->form == CW_ROWS_KEYS ? high : high << PAY | v[i];
        x[i] = p[i].there ? x[i] : KEY_MAX;
    }
}

/* Bring the warp's places of the tile to its shared memory, which starts at `base`. */
DEV void stage_in(const struct cw_rows_arg *a, struct row_shape s, uint32_t tile, uint32_t base)
{
    const uint64_t place = warp_place(s, tile);
    const struct row mine = rows_of_warp(a, s, place);
    const uint32_t k = 1u << s.log_k;

    ROLL for (uint32_t r = 0; r < k; r += BATCH)
    {
        struct spot p[BATCH];
        key x[BATCH];

        UNROLL for (uint32_t i = 0; i < BATCH; i++)
        {
            p[i] = spot_of(a, s, place, mine, r + i);
        }
        words_in(x, a, p, BATCH);
        UNROLL for (uint32_t i = 0; i < BATCH; i++)
        {
            const uint32_t at = base + byte_of(32u * (r + i) + LANE_ID, s.log_k);

            sh_st_key(at, x[i]);
        }
    }
}

/* Restore a sorted word.  Its key is the one at `place` of the row that begins at item `start` of
 * `keys`.  If several keys share the rank, the rank becomes the key's word. */
DEV key word_restored(const struct cw_rows_arg *a, const void *keys, uint64_t start, key x)
{
    const uint64_t place = (uint64_t)(x & (((key)1 << PAY) - 1u));
    struct spot p;
    bits k = 0;

    if (!CW_RANK_SHARED(&a->map, (bits)(x >> PAY)))
        return x;
    p.item = start + place;
    p.column = 0;
    p.there = 1;
    fetch(&k, keys, a->map.bits / 8u, &p, 1);
    return (key)key_to_word(&a->map, k) << PAY | (x & (((key)1 << PAY) - 1u));
}

/* Must keys be restored before they are written? */
DEV int is_tied(const struct cw_rows_arg *a)
{
    return a->map.tied && a->keys_out;
}

/* Must one of this warp's words, k a thread? */
DEV int any_tied(const struct cw_rows_arg *a, const key *x, uint32_t k)
{
    int tied = 0;

    if (!is_tied(a))
        return 0;
    UNROLL for (uint32_t r = 0; r < k; r++) tied |= CW_RANK_SHARED(&a->map, (bits)(x[r] >> PAY));
    return any_of(tied);
}

/* Gather the values of keys by their places in the row, to where the words were. */
DEV void gather(const struct cw_rows_arg *a, const struct spot *p, const key *x, const uint32_t *at,
                int n)
{
    struct spot q[BATCH] = {{0, 0, 0}};
    bits v[BATCH] = {0};

    UNROLL for (int i = 0; i < n; i++)
    {
        q[i] = p[i];
        q[i].item += (x[i] & (((key)1 << PAY) - 1u)) - p[i].column;
    }
    fetch(v, a->values_in, a->value_bytes, q, n);
    UNROLL for (int i = 0; i < n; i++)
    {
        const key y = v[i];

        sh_st_key(at[i], y);
    }
}

/* n items of an array, those that are there. */
DEV void put_all(void *array, uint32_t bytes, const struct spot *p, const bits *x, int n)
{
    uint8_t *const at = (uint8_t *)array;

    if (bytes == 4) {
        UNROLL for (int i = 0; i < n; i++)
        {
            if (p[i].there)
                gm_st4(at + 4 * p[i].item, (uint32_t)x[i]);
        }
    } else {
        UNROLL for (int i = 0; i < n; i++)
        {
            if (p[i].there)
                put(array, bytes, p[i].item, x[i]);
        }
    }
}

/* Store n sorted words: keys, places, and values if they are in the words. */
DEV void words_out(const struct cw_rows_arg *a, const struct spot *p, const key *x, int n)
{
    bits k[BATCH] = {0}, v[BATCH] = {0};

#if KEY_LOG < 4
    if (a->map.plain && a->map.bits == 8 * KEY_BYTES) {
        UNROLL for (int i = 0; i < n; i++)
        {
            if (p[i].there)
                gm_st_key((key *)a->keys_out + p[i].item, x[i]);
        }
        return;
    }
#endif
    UNROLL for (int i = 0; i < n; i++)
    {
        k[i] = (bits)(a->form == CW_ROWS_KEYS ? x[i] : x[i] >> PAY);
        v[i] = (bits)(x[i] & (((key)1 << PAY) - 1u));
    }
    if (!a->map.plain) {
        UNROLL for (int i = 0; i < n; i++) k[i] = word_to_key(&a->map, k[i]);
    }
    if (a->keys_out)
        put_all(a->keys_out, a->map.bits / 8u, p, k, n);
    if (a->index_out)
        put_all(a->index_out, a->index_bytes, p, v, n);
    if (a->form == CW_ROWS_PAIRS)
        put_all(a->values_out, a->value_bytes, p, v, n);
}

/* A barrier for all threads of a row. */
DEV void row_sync_all(struct row_shape s)
{
    if (s.log_n > s.log_k + 5)
        block_sync();
    else
        warp_sync();
}

/* Wait until all threads of a row have restored their keys.  In place, all are read before any is
 * written. */
DEV void restored(const struct cw_rows_arg *a, struct row_shape s)
{
    if (is_tied(a) && a->keys_in == a->keys_out)
        row_sync_all(s);
}

/* Restore the warp's words in shared memory. */
DEV void stage_restore(const struct cw_rows_arg *a, struct row_shape s, uint32_t tile,
                       uint32_t base)
{
    const uint64_t place = warp_place(s, tile);
    const uint64_t start = rows_of_warp(a, s, place).start;

    ROLL for (uint32_t r = 0; r < 1u << s.log_k; r++)
    {
        const uint32_t at = base + byte_of(32u * r + LANE_ID, s.log_k);
        const key x = word_restored(a, a->keys_in, start, sh_ld_key_all(at));

        sh_st_key(at, x);
        warp_sync(); /* no lane runs ahead into another round's requests */
    }
}

/* Store the warp's places from shared memory to the arrays.  If values are gathered, all values of
 * the row are read before any is written, so there is a barrier for all threads of the row. */
DEV void stage_out(const struct cw_rows_arg *a, struct row_shape s, uint32_t tile, uint32_t base)
{
    const uint64_t place = warp_place(s, tile);
    const struct row mine = rows_of_warp(a, s, place);
    const uint32_t k = 1u << s.log_k;
    const int late = a->form == CW_ROWS_INDEX && a->value_bytes;

    ROLL for (uint32_t r = 0; r < k; r += BATCH)
    {
        struct spot p[BATCH];
        uint32_t at[BATCH];
        key x[BATCH];

        UNROLL for (uint32_t i = 0; i < BATCH; i++)
        {
            p[i] = spot_of(a, s, place, mine, r + i);
            at[i] = base + byte_of(32u * (r + i) + LANE_ID, s.log_k);
            x[i] = sh_ld_key_all(at[i]);
        }
        words_out(a, p, x, BATCH);
        if (late)
            gather(a, p, x, at, BATCH);
        warp_sync(); /* no lane runs ahead into another round's requests */
    }
    if (!late)
        return;
    row_sync_all(s);
    ROLL for (uint32_t r = 0; r < k; r++)
    {
        const struct spot p = spot_of(a, s, place, mine, r);
        const key x = sh_ld_key_all(base + byte_of(32u * r + LANE_ID, s.log_k));

        if (p.there)
            put(a->values_out, a->value_bytes, p.item, (bits)x);
        warp_sync();
    }
}

#endif
