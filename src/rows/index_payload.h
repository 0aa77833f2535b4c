/* index_payload.h - rows of 4-byte keys with an index or values, by a network of 4-byte words.
 *
 * A word has two parts.  Above is the key's distance to the row's least key: its upper 32 - log_n
 * bits, counted from the highest bit in which keys of the row differ.  Below is the key's place in
 * the row, log_n bits.  prim/block_sort.h sorts these words with half the work of words that hold
 * key and place whole.
 *
 * The lower bits of the distance, at most log_n, wait in shared memory, two in a word.  They are
 * fetched by place, and so are values (rows/index_values.h).  Where keys agree in the upper bits,
 * one thread puts a short run of them into order.  If a run is long, the row is sorted by the lower
 * bits first and by the upper ones then, with keys fetched again.
 *
 * Equal keys keep their order.  It is not conflict-free, as fetching by place is not, and time
 * depends on the keys.  With CW_CONFLICT_FREE rows go by words of 8 bytes (rows/sort.h).
 *
 * Shared memory: the network's 2^log_n words, the lower bits, a mask for each thread, and early
 * values.
 */
#ifndef CW_ROWS_INDEX_PAYLOAD_H
#define CW_ROWS_INDEX_PAYLOAD_H

#include "rows/index_words.h"

/* ---- runs of equal upper bits --------------------------------------------------------------- */

/* Put the run of `length` words from place i on into order by their lower bits. */
DEV void indexed_run(const struct indexed_row *s, uint32_t i, uint32_t length)
{
    ROLL for (uint32_t k = 1; k < length; k++)
    {
        const uint32_t word = indexed_word(s, i + k);
        const uint32_t low = indexed_half(s, word & indexed_mask(s));
        uint32_t m = k;

        ROLL while (m)
        {
            const uint32_t other = indexed_word(s, i + m - 1u);

            if (indexed_half(s, other & indexed_mask(s)) <= low)
                break;
            sh_st4(indexed_at(s, i + m), other);
            m--;
        }
        if (m != k)
            sh_st4(indexed_at(s, i + m), word);
    }
}

/* Which of this thread's words agree with the next word in the upper bits.  All words stand in
 * shared memory. */
DEV uint32_t indexed_ties(const key *x, const struct indexed_row *s)
{
    const uint32_t e = THREAD_ID * s->k;
    const uint32_t next = e + s->k < s->length ? indexed_word(s, e + s->k) : ~x[s->k - 1u];
    uint32_t ties = (x[s->k - 1u] ^ next) >> s->log_n ? 0u : 1u << (s->k - 1u);

    UNROLL for (uint32_t r = 0; r + 1u < s->k; r++) ties |=
        (x[r] ^ x[r + 1u]) >> s->log_n == 0 && e + r + 1u < s->length ? 1u << r : 0u;
    return ties;
}

/* Put all runs into order, if they are short.  Returns whether they are. */
DEV int indexed_runs(const key *x, const struct indexed_row *s)
{
    uint32_t ties = indexed_ties(x, s);
    uint32_t before, after, starts;
    int all = 1;

    if (!indexed_any(s, ties != 0))
        return 1;
    block_sync();
    sh_st4(s->masks + 4u * THREAD_ID, ties);
    block_sync();
    before = THREAD_ID ? sh_ld4(s->masks + 4u * (THREAD_ID - 1u)) >> (s->k - 1u) : 0u;
    after = THREAD_ID + 1u < s->threads ? sh_ld4(s->masks + 4u * (THREAD_ID + 1u)) : 0u;
    starts = ties & ~(ties << 1 | before);
    ROLL while (starts)
    {
        const uint32_t r = low_bit(starts);
        const uint32_t more = ~(uint32_t)(((uint64_t)after << s->k | ties) >> r);
        const uint32_t length = (more ? low_bit(more) : 32u) + 1u;

        if (length > INDEXED_RUN)
            all = 0;
        else
            indexed_run(s, THREAD_ID * s->k + r, length);
        starts &= starts - 1u;
    }
    return !indexed_any(s, !all);
}

/* THREAD_ID.  Where the address of a word takes a division, the compiler must not keep addresses
 * from one function to the next, so it must not know that the number is the same. */
DEV uint32_t indexed_thread(const struct indexed_row *s)
{
    return s->three ? shfl4(THREAD_ID, LANE_ID) : THREAD_ID;
}

/* ---- keys by place -------------------------------------------------------------------------- */

/* Load the row's keys as they are.  All are read before any is written. */
DEV void indexed_keys(key *x, const struct cw_rows_arg *a, const struct indexed_row *s)
{
    const uint32_t thread = indexed_thread(s);

    UNROLL for (uint32_t r = 0; r < s->k; r++)
    {
        const uint32_t at = r * s->threads + thread;

        if (at < s->length) {
            const uint32_t place = indexed_word(s, at) & indexed_mask(s);

            x[r] = gm_ld4((const uint32_t *)a->keys_in + s->start +
                          (s->again ? indexed_half(s, place) : place));
        }
    }
    block_sync();
    UNROLL for (uint32_t r = 0; r < s->k; r++)
    {
        const uint32_t at = r * s->threads + thread;

        if (at < s->length && a->keys_out)
            gm_st4((uint32_t *)a->keys_out + s->start + at, x[r]);
    }
}

/* ---- long runs ------------------------------------------------------------------------------ */

/* Sort by the lower bits, then by the upper ones.  The half words then hold places by rank. */
DEV void indexed_again(key *x, const struct cw_rows_arg *a, struct indexed_row *s,
                       struct row_unit u)
{
    const uint32_t thread = indexed_thread(s);

    block_sync();
    UNROLL for (uint32_t r = 0; r < s->k; r++)
    {
        const uint32_t at = r * s->threads + thread;

        x[r] = at < s->length ? indexed_half(s, at) << s->log_n | at : KEY_MAX;
    }
    block_sync();
    indexed_sort(x, s, u);
    block_sync();
    UNROLL for (uint32_t r = 0; r < s->k; r += 2)
    {
        const uint32_t one = indexed_word(s, r * s->threads + thread) & indexed_mask(s);
        const uint32_t two = indexed_word(s, (r + 1u) * s->threads + thread) & indexed_mask(s);

        sh_st4(s->lows + 4u * (r / 2 * s->threads + thread), one | two << 16);
    }
    UNROLL for (uint32_t r = 0; r < s->k; r++)
    {
        const uint32_t at = r * s->threads + thread;

        x[r] = KEY_MAX;
        if (at < s->length) {
            const uint32_t k = indexed_key(a, s->start + indexed_half(s, at));

            x[r] = ((k - s->least) >> s->shift) << s->log_n | at;
        }
    }
    block_sync();
    indexed_sort(x, s, u);
    s->again = 1;
    block_sync();
    indexed_keys(x, a, s);
}

/* ---- out ------------------------------------------------------------------------------------ */

/* Store x[i] to item `first`, and every step-th item after it, of an array of u32, as long as these
 * are below `rest`. */
DEV void indexed_put(void *array, uint64_t item, uint32_t step, uint32_t rest, const uint32_t *x)
{
    uint32_t *const p = (uint32_t *)array + item;

    UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
    {
        if (i * step < rest)
            gm_st4(p + i * step, x[i]);
    }
}

/* Store keys, index and early values of INDEXED_BATCH words, from place `first` on.  `k` has the
 * keys, `place` where they were. */
DEV void indexed_put_all(const struct cw_rows_arg *a, const struct indexed_row *s, uint32_t first,
                         uint32_t *k, const uint32_t *place)
{
    const uint64_t item = s->start + first;
    const uint32_t rest = first < s->length ? s->length - first : 0u;

    if (!a->map.plain) {
        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
        {
            k[i] = (uint32_t)word_to_key(&a->map, k[i]);
        }
    }
    if (a->keys_out && !s->again && !s->restore)
        indexed_put(a->keys_out, item, s->threads, rest, k);
    if (a->index_out && a->index_bytes == 4)
        indexed_put(a->index_out, item, s->threads, rest, place);
    if (a->index_out && a->index_bytes == 8) {
        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
        {
            if (i * s->threads < rest)
                gm_st8((uint64_t *)a->index_out + item + i * s->threads, place[i]);
        }
    }
    if (a->early) {
        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
        {
            k[i] = sh_ld4(s->values + 4u * (place[i] & indexed_mask(s)));
        }
        indexed_put(a->values_out, item, s->threads, rest, k);
    }
}

/* Store keys and index of the row.  Where each key came from goes to `from`, two in a word. */
DEV void indexed_out(const struct cw_rows_arg *a, const struct indexed_row *s, uint32_t *from)
{
    const uint32_t thread = indexed_thread(s);

    UNROLL for (uint32_t r = 0; r < s->k; r += INDEXED_BATCH)
    {
        const uint32_t first = r * s->threads + thread;
        uint32_t word[INDEXED_BATCH];
        uint32_t place[INDEXED_BATCH];
        uint32_t x[INDEXED_BATCH];

        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
        {
            word[i] = indexed_word(s, first + i * s->threads);
            place[i] = word[i] & indexed_mask(s);
            if (s->three && first + i * s->threads >= s->length)
                place[i] = 0; /* of a word past the end: no thread had such a place */
            x[i] = 0;
        }
        if (s->shift || s->again) {
            UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++) x[i] = indexed_half(s, place[i]);
        }
        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
        {
            place[i] = s->again ? x[i] : place[i];
            x[i] += ((word[i] >> s->log_n) << s->shift) + s->least;
        }
        indexed_put_all(a, s, first, x, place);
        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i += 2)
        {
            from[(r + i) / 2u] = place[i] | place[i + 1u] << 16;
        }
        warp_sync(); /* no lane runs ahead into another round's requests */
    }
}

/* Sort rows of a class.  A block has one row, then every GRID_DIM-th after it. */
DEV void rows_indexed(const struct cw_rows_arg *a, int log_n, int shuffles, int mads, int three)
{
    const int list = log_n + (three ? CW_ROWS_THREE : 0);
    const uint64_t rows = row_count(a, list);
    struct row_unit u;
    struct indexed_row s;

    ROW_UNIT(u, a, INDEXED_LOG_K, log_n, shuffles, mads, 0);
    s.log_n = log_n;
    s.three = three;
    s.k = three ? THREE_K : INDEXED_K;
    s.threads = 1u << (log_n - INDEXED_LOG_K);
    s.lows = CW_ROWS_INDEXED_LOWS(log_n);
    s.masks = CW_ROWS_INDEXED_MASKS(log_n);
    s.values = CW_ROWS_INDEXED_VALUES(log_n);
    ROLL for (uint64_t slot = BLOCK_ID; slot < rows; slot += GRID_DIM)
    {
        const struct row row = row_find(a, list, slot);
        uint32_t from[INDEXED_K / 2];
        key x[INDEXED_K];

        s.start = row.start;
        s.length = row.length;
        s.again = 0;
        if (!s.length)
            continue;
        indexed_in(x, a, &s);
        indexed_sort(x, &s, u);
        block_sync();
        if (s.shift && !indexed_runs(x, &s))
            indexed_again(x, a, &s, u);
        block_sync();
        if (s.restore && !s.again && a->keys_out)
            indexed_keys(x, a, &s);
        indexed_out(a, &s, from);
        if (a->value_bytes && !a->early)
            indexed_values(a, &s, from);
        block_sync();
    }
}

#define INDEXED_KERNEL(log_n, shuffles, mads, blocks)                                             \
    KERNEL(cw_rows_index_##log_n, struct cw_rows_arg, 1 << (log_n - INDEXED_LOG_K), blocks)       \
    {                                                                                             \
        rows_indexed(arg, log_n, shuffles, mads, 0);                                              \
    }                                                                                             \
    KERNEL(cw_rows_index_three_##log_n, struct cw_rows_arg, 1 << (log_n - INDEXED_LOG_K), blocks) \
    {                                                                                             \
        rows_indexed(arg, log_n, shuffles, mads, 1);                                              \
    }
CW_ROWS_INDEXED(INDEXED_KERNEL)

#endif
