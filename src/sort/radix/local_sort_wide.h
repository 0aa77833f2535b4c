/* local_sort_wide.h - the local sort of keys of 8 bytes.
 *
 * Keys are put into shared memory.  The network then sorts words of 4 bytes: 32 - log_n bits of the
 * key above log_n bits that say where the key is.  The bits of the key are the highest in which
 * keys of the row differ.  Where keys agree in these, one thread puts a short run of keys into
 * order by counting.  If a run is long, the row is sorted by all bits, 32 - log_n at a time from
 * the lowest.
 */
#ifndef CW_SORT_RADIX_LOCAL_SORT_WIDE_H
#define CW_SORT_RADIX_LOCAL_SORT_WIDE_H

#include "prim/block_sort.h"

#define ROW_BITS(log_n) (32u - (uint32_t)(log_n))
#define ROW_RUN         10u /* items that one thread puts into order, at most */

/* Shared memory of a row of 2^log_n items: the items, what the network exchanges
 * (prim/block_sort.h: a word an item, and 16 bytes a thread), then this. */
struct row_misc {
    uint32_t long_runs; /* how many threads found a run that is too long for them */
    uint32_t unused;
    uint32_t after; /* walk_ask, for all threads */
    uint32_t unused_too;
    uint64_t range[32][2]; /* of each warp: the least and the greatest word */
};

#define ROW_NET(log_n) ((uint32_t)sizeof(uint64_t) << (log_n))
#define ROW_MISC(log_n) \
    (ROW_NET(log_n) + ((uint32_t)sizeof(key) << (log_n)) + (16u << ((log_n)-ROW_LOG_K)))
#define ROW_MISC_AT(log_n, field) (ROW_MISC(log_n) + SHARED_AT(row_misc, field))
#define ROW_SHARED(log_n)         (ROW_MISC(log_n) + (uint32_t)sizeof(struct row_misc))

/* Keys are read and written as they are.  In between they are words.  Whether they need that is
 * decided around loops, not in them: inside, every load would be waited for before the next. */
#define wide_load(j, at, i) gm_ld8((const uint64_t *)keys_at(j, at) + (i))
#define wide_store(j, i, x) gm_st8((uint64_t *)(j)->out + (i), x)

/* What the threads of a row know. */
struct row_state {
    uint32_t len, threads;
    int log_n;
    uint64_t least;
    uint32_t bits;  /* that differ, at most */
    uint32_t after; /* walk_ask */
};

/* The range of the row's keys. */
DEV void row_range(struct row_state *s, uint64_t least, uint64_t most, uint32_t after)
{
    const uint32_t range = ROW_MISC_AT(s->log_n, range);

    UNROLL for (uint32_t d = 16; d; d /= 2)
    {
        const uint64_t a = shfl_xor8(least, d);
        const uint64_t b = shfl_xor8(most, d);

        least = a < least ? a : least;
        most = b > most ? b : most;
    }
    if (LANE_ID == 0) {
        sh_st8(range + 16u * WARP_ID, least);
        sh_st8(range + 16u * WARP_ID + 8u, most);
    }
    if (THREAD_ID == 0) {
        sh_st4(ROW_MISC_AT(s->log_n, long_runs), 0u);
        sh_st4(ROW_MISC_AT(s->log_n, after), after);
    }
    block_sync();
    s->after = sh_ld4(ROW_MISC_AT(s->log_n, after));
    ROLL for (uint32_t w = 0; w < s->threads / 32u; w++)
    {
        const uint64_t a = sh_ld8(range + 16u * w);
        const uint64_t b = sh_ld8(range + 16u * w + 8u);

        least = a < least ? a : least;
        most = b > most ? b : most;
    }
    s->least = least;
    s->bits = 0;
    ROLL for (uint32_t half = 32; half; half /= 2)
    {
        if ((most - least) >> s->bits >> half)
            s->bits += half;
    }
    s->bits += (most - least) >> s->bits ? 1u : 0u;
}

/* Make words of ROW_BITS bits of the keys, from `shift` on, and the item's place.  Sort them, and
 * write them to where the network exchanges.  Returns a mask of this thread's 32 places: those
 * where a run begins of items that agree in these bits. */
DEV uint32_t row_pass(const struct row_state *s, struct row_unit u, uint32_t shift)
{
    const uint32_t mask = (1u << ROW_BITS(s->log_n)) - 1u;
    const uint32_t e = THREAD_ID << ROW_LOG_K;
    uint32_t ties = 0;
    uint32_t before, next;
    key x[1 << ROW_LOG_K];

    UNROLL for (uint32_t r = 0; r < (1u << ROW_LOG_K); r++)
    {
        const uint32_t at = r * s->threads + THREAD_ID;

        x[r] = KEY_MAX;
        if (at < s->len) {
            const uint64_t it = sh_ld8(8u * at);

            x[r] = ((uint32_t)((it - s->least) >> shift) & mask) << s->log_n | at;
        }
    }
    row_sort(x, u);
    layout_write(x, u.base, THREAD_ID, layout_of(ROW_LOG_K, ROW_LOG_K, 0));
    UNROLL for (uint32_t r = 0; r + 1u < (1u << ROW_LOG_K); r++) ties |=
        (x[r] ^ x[r + 1u]) >> s->log_n == 0 && e + r + 1u < s->len ? 1u << r : 0u;
    block_sync();
    before = e ? sh_ld4(u.base + byte_of(e - 1u, ROW_LOG_K)) : ~x[0];
    next = e + 32u < s->len ? sh_ld4(u.base + byte_of(e + 32u, ROW_LOG_K)) : ~x[31];
    ties |= (x[31] ^ next) >> s->log_n == 0 ? 1u << 31 : 0u;
    return ties & ~(ties << 1 | ((x[0] ^ before) >> s->log_n == 0 ? 1u : 0u));
}

/* The word of the key that stands at place e of the sorted ones. */
DEV uint64_t wide_word(const struct row_state *s, uint32_t base, uint32_t e)
{
    const uint32_t from = sh_ld4(base + byte_of(e, ROW_LOG_K)) & ((1u << s->log_n) - 1u);

    return sh_ld8(8u * from);
}

/* Store the items of the run that begins at place i, each by its rank.  Returns 0 if the run is too
 * long for one thread. */
DEV int row_run(const struct radix_job *j, const struct row_state *s, uint64_t start, uint32_t base,
                uint32_t i, uint32_t shift)
{
    const uint64_t first = wide_word(s, base, i);
    int same = 1;
    uint32_t len = 1;

    ROLL while (i + len < s->len)
    {
        const uint64_t next = wide_word(s, base, i + len);

        if ((next - s->least) >> shift != (first - s->least) >> shift)
            break;
        same &= next == first;
        if (++len > (same ? 8u * ROW_RUN : ROW_RUN))
            return 0;
    }
    if (same)
        return 1; /* they were stored in order */
    ROLL for (uint32_t k = 0; k < len; k++)
    {
        const uint64_t x = wide_word(s, base, i + k);
        uint32_t rank = 0;

        ROLL for (uint32_t m = 0; m < len; m++)
        {
            const uint64_t y = wide_word(s, base, i + m);

            rank += y < x || (m < k && y == x);
        }
        wide_store(j, start + i + rank, j->map.plain ? x : row_key(j, x));
    }
    return 1;
}

/* Store all items in the order of the sorted words. */
DEV void row_out(const struct radix_job *j, const struct row_state *s, uint64_t start,
                 uint32_t base)
{
    if (j->map.plain) {
        UNROLL4 for (uint32_t at = THREAD_ID; at < s->len; at += s->threads)
        {
            const uint64_t x = wide_word(s, base, at);

            wide_store(j, start + at, x);
        }
    } else {
        UNROLL4 for (uint32_t at = THREAD_ID; at < s->len; at += s->threads)
        {
            const uint64_t x = wide_word(s, base, at);

            wide_store(j, start + at, row_key(j, x));
        }
    }
    block_sync();
}

/* Load the row to shared memory.  *least and *most become the range of this thread's words. */
DEV void row_in(const struct radix_job *j, const struct row_state *s, uint32_t from, uint64_t start,
                uint64_t *least, uint64_t *most)
{
    ROLL for (uint32_t r = 0; r < (1u << ROW_LOG_K); r += 16u)
    {
        uint64_t x[16];

        UNROLL for (uint32_t k = 0; k < 16u; k++)
        {
            const uint32_t at = (r + k) * s->threads + THREAD_ID;

            x[k] = at < s->len ? wide_load(j, from, start + at) : 0u;
        }
        if (!j->map.plain) {
            UNROLL for (uint32_t k = 0; k < 16u; k++) x[k] = row_word(j, x[k]);
        }
        UNROLL for (uint32_t k = 0; k < 16u; k++)
        {
            const uint32_t at = (r + k) * s->threads + THREAD_ID;

            if (at < s->len) {
                *least = x[k] < *least ? x[k] : *least;
                *most = x[k] > *most ? x[k] : *most;
                sh_st8(8u * at, x[k]);
            }
        }
    }
}

/* Row w->i; then w goes on. */
DEV void wide_row(const struct radix_job *a, struct row_walk *w, struct row_state s,
                  struct row_unit u)
{
    const uint64_t entry = row_of_list(a, w->i);
    const uint32_t after = walk_ask(w, a);
    const uint64_t start = entry & ((1ull << 46) - 1u);
    uint64_t least = ~0ull;
    uint64_t most = 0;
    uint32_t shift, ties;
    int first = 1;

    s.len = (uint32_t)(entry >> 46 & 0xffffu) + 1u;
    row_in(a, &s, (uint32_t)(entry >> 62), start, &least, &most);
    row_range(&s, least, most, after);
    walk_on(w, s.after);
    if (s.bits == 0) { /* equal keys, in order */
        UNROLL4 for (uint32_t at = THREAD_ID; at < s.len && entry >> 62 != AT_OUT; at += s.threads)
        {
            const uint64_t x = sh_ld8(8u * at);

            wide_store(a, start + at, a->map.plain ? x : row_key(a, x));
        }
        block_sync();
        return;
    }
    shift = s.bits > ROW_BITS(s.log_n) ? s.bits - ROW_BITS(s.log_n) : 0u;
    ROLL for (;;)
    {
        ties = row_pass(&s, u, shift);
        row_out(a, &s, start, u.base);
        if (first && shift == 0)
            break;
        if (first) {
            int short_runs = 1;

            first = 0;
            ROLL while (ties)
            {
                short_runs &=
                    row_run(a, &s, start, u.base, (THREAD_ID << ROW_LOG_K) + low_bit(ties), shift);
                ties &= ties - 1u;
            }
            if (!short_runs)
                sh_add4(ROW_MISC_AT(s.log_n, long_runs), 1u);
            block_sync();
            if (sh_ld4(ROW_MISC_AT(s.log_n, long_runs)) == 0)
                break;
            shift = 0; /* from the lowest bits on, with the items as they are */
        } else {
            shift += ROW_BITS(s.log_n);
            if (shift >= s.bits)
                break;
            row_in(a, &s, (uint32_t)AT_OUT, start, &least, &most);
            block_sync();
        }
    }
    block_sync();
}

DEV void rows_of_wide_keys(const struct radix_job *a, int log_n, int shuffles, int mads)
{
    struct row_walk w;
    struct row_state s;
    struct row_unit u;

    s.threads = 1u << (log_n - ROW_LOG_K);
    s.log_n = log_n;
    ROW_UNIT(u, a, ROW_LOG_K, log_n, shuffles, mads, ROW_NET(log_n));
    lists_begin(a);
    walk_begin(&w, a);
    ROLL while (w.i < w.rows) wide_row(a, &w, s, u);
}

#endif
