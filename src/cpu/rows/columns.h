/* columns.h - sort several leaves at once, each in its own column, by one network.
 *
 * Line i of the buffer holds item i of every leaf, one leaf a lane.  A comparator of the network
 * compares two lines, lane by lane: a minimum and a maximum of vectors, with no branch and no
 * address that depends on keys.  Leaves shorter than the longest are filled up with the largest
 * word, which ends up where it was.
 *
 * The network is Batcher's bitonic sorter with the second half of each merge read backwards, so
 * that every comparator puts the larger item at the larger index: then lines past the end, all
 * largest words, stay as they are, and any count of lines works.  Batcher's odd-even sorter has a
 * fifth fewer comparators, but here three levels can be done on 8 lines in registers, and two on 4,
 * so the bitonic one reads and writes far less; it measured twice as fast.
 *
 * The body is compiled for each word (WORD_LOG) and instruction set (CPU_AVX2, CPU_AVX512, or
 * neither) by a wrapper in columns/.  Vectors are left to the compiler: each loop over lanes does
 * the same for all.
 *
 * Sorting networks on columns of vectors: Furtak, Amaral and Niewiadomski (2007), Chhugani and others
 * (2008).  They then transpose and merge; here a column is a whole leaf.
 *
 * Time: n/2 * log n * (log n + 1) / 2 comparators for n lines.  Space: n + 1 lines.
 */
#include <string.h>

#include "cpu/inline.h"
#include "cpu/work.h"
#include "cpu/word.h"

#if !defined(CPU_AVX2) && !defined(CPU_AVX512)
#define ISA
#define CPU_NAME(log) cw_columns_plain_##log
#elif defined(__x86_64__) && defined(__GNUC__) && defined(CPU_AVX2)
#define ISA           __attribute__((target("avx2")))
#define CPU_NAME(log) cw_columns_avx2_##log
#elif defined(__x86_64__) && defined(__GNUC__)
#define ISA           __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define CPU_NAME(log) cw_columns_avx512_##log
#endif

#if defined(ISA)

#define NAME_OF(log) CPU_NAME(log)
#define SORT_COLUMNS NAME_OF(WORD_LOG)

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety) interleave(disable) unroll(disable)")
#elif defined(__GNUC__)
#define EACH_LANE _Pragma("GCC ivdep")
#else
#define EACH_LANE
#endif

/* ---- lines ---------------------------------------------------------------------------------- */

#if WORD_LOG < 4

#define LINE LANES /* bits of a line */
typedef bits item;

ISA static inline item get(const bits *line, uint32_t lane)
{
    return line[lane];
}

ISA static inline void put(bits *line, uint32_t lane, item x)
{
    line[lane] = x;
}

ISA static inline void order(item *x, item *y)
{
    const item a = *x, b = *y;

    *x = a < b ? a : b;
    *y = a < b ? b : a;
}

#else

#define LINE (2 * LANES) /* keys, then places */
typedef word item;

ISA static inline item get(const bits *line, uint32_t lane)
{
    const item x = {line[lane], line[LANES + lane]};

    return x;
}

ISA static inline void put(bits *line, uint32_t lane, item x)
{
    line[lane] = x.key;
    line[LANES + lane] = x.place;
}

ISA static inline void order(item *x, item *y)
{
    const item a = *x, b = *y;
    const int swap = (a.key > b.key) | ((a.key == b.key) & (a.place > b.place));

    x->key = swap ? b.key : a.key;
    x->place = swap ? b.place : a.place;
    y->key = swap ? a.key : b.key;
    y->place = swap ? a.place : b.place;
}

#endif

ISA static void order2(bits *a, bits *b)
{
    EACH_LANE
    for (uint32_t l = 0; l < LANES; l++) {
        item x = get(a, l), y = get(b, l);

        order(&x, &y);
        put(a, l, x);
        put(b, l, y);
    }
}

/* Two levels of a merge on 4 lines: the first pairs a with c and b with d, or, where a merge begins
 * (`turned`, a constant), a with d and b with c. */
ISA CW_INLINE void order4_of(bits *a, bits *b, bits *c, bits *d, int turned)
{
    EACH_LANE
    for (uint32_t l = 0; l < LANES; l++) {
        item x = get(a, l), y = get(b, l), z = get(c, l), t = get(d, l);

        order(&x, turned ? &t : &z);
        order(&y, turned ? &z : &t);
        order(&x, &y);
        order(&z, &t);
        put(a, l, x);
        put(b, l, y);
        put(c, l, z);
        put(d, l, t);
    }
}

ISA static void order4(bits *a, bits *b, bits *c, bits *d)
{
    order4_of(a, b, c, d, 0);
}

ISA static void order4_turned(bits *a, bits *b, bits *c, bits *d)
{
    order4_of(a, b, c, d, 1);
}

/* Eight lines at once: written out, as only then every compiler keeps them in registers. */
#define GET8(c, l)                                             \
    item x0 = get(c, l), x1 = get(c + LINE, l);                \
    item x2 = get(c + 2 * LINE, l), x3 = get(c + 3 * LINE, l); \
    item x4 = get(c + 4 * LINE, l), x5 = get(c + 5 * LINE, l); \
    item x6 = get(c + 6 * LINE, l), x7 = get(c + 7 * LINE, l);
#define PUT8(c, l)                                      \
    put(c, l, x0), put(c + LINE, l, x1);                \
    put(c + 2 * LINE, l, x2), put(c + 3 * LINE, l, x3); \
    put(c + 4 * LINE, l, x4), put(c + 5 * LINE, l, x5); \
    put(c + 6 * LINE, l, x6), put(c + 7 * LINE, l, x7);

/* Sort 8 lines: 19 comparators, as few as can be. */
ISA static void sort8(bits *c)
{
    EACH_LANE
    for (uint32_t l = 0; l < LANES; l++) {
        GET8(c, l)

        order(&x0, &x1), order(&x2, &x3), order(&x4, &x5), order(&x6, &x7);
        order(&x0, &x2), order(&x1, &x3), order(&x4, &x6), order(&x5, &x7);
        order(&x1, &x2), order(&x5, &x6);
        order(&x0, &x4), order(&x1, &x5), order(&x2, &x6), order(&x3, &x7);
        order(&x2, &x4), order(&x3, &x5);
        order(&x1, &x2), order(&x3, &x4), order(&x5, &x6);

        PUT8(c, l)
    }
}

/* The last three levels of a merge. */
ISA static void end8(bits *c)
{
    EACH_LANE
    for (uint32_t l = 0; l < LANES; l++) {
        GET8(c, l)

        order(&x0, &x4), order(&x1, &x5), order(&x2, &x6), order(&x3, &x7);
        order(&x0, &x2), order(&x1, &x3), order(&x4, &x6), order(&x5, &x7);
        order(&x0, &x1), order(&x2, &x3), order(&x4, &x5), order(&x6, &x7);

        PUT8(c, l)
    }
}

/* ---- the network ---------------------------------------------------------------------------- */

/* Line i of n; all past the end are line n, of largest words. */
ISA static inline bits *at(bits *c, uint32_t n, uint32_t i)
{
    return c + (size_t)(i < n ? i : n) * LINE;
}

/* The first level or two of merging lines from .. from + p - 1 with the p that follow; the return
 * is the distance that the next level compares at. */
ISA static uint32_t merge_turned(bits *c, uint32_t n, uint32_t from, uint32_t p)
{
    const uint32_t last = from + 2 * p - 1;

    if (p == 8) {
        for (uint32_t i = 0; i < p; i++)
            order2(at(c, n, from + i), at(c, n, last - i));
        return p / 2;
    }
    for (uint32_t i = 0; i < p / 2; i++)
        order4_turned(at(c, n, from + i), at(c, n, from + i + p / 2), at(c, n, last - i - p / 2),
                      at(c, n, last - i));
    return p / 4;
}

ISA static void merge(bits *c, uint32_t n, uint32_t from, uint32_t p)
{
    const uint32_t end = from + 2 * p < n ? from + 2 * p : n;
    uint32_t k = merge_turned(c, n, from, p);

    for (; k > 8; k /= 4)
        for (uint32_t s = from; s < end; s += 2 * k)
            for (uint32_t i = s; i < s + k / 2; i++)
                order4(at(c, n, i), at(c, n, i + k / 2), at(c, n, i + k), at(c, n, i + k + k / 2));
    for (uint32_t s = from; k == 8 && s < end; s += 16)
        for (uint32_t i = s; i < s + 8; i++)
            order2(at(c, n, i), at(c, n, i + 8));
    for (uint32_t s = from; s < end; s += 8)
        end8(c + (size_t)s * LINE);
}

/* Sort the lines from .. from + span - 1 that there are; n is a multiple of 8. */
ISA static void sort_lines(bits *c, uint32_t n, uint32_t from, uint32_t span)
{
    if (span == 8) {
        sort8(c + (size_t)from * LINE);
        return;
    }
    sort_lines(c, n, from, span / 2);
    if (from + span / 2 < n) {
        sort_lines(c, n, from + span / 2, span / 2);
        merge(c, n, from, span / 2);
    }
}

/* ---- leaves --------------------------------------------------------------------------------- */

#include "cpu/rows/columns_io.h"

cw_columns_sort SORT_COLUMNS;

ISA void SORT_COLUMNS(const struct cw_leaf *leaf, uint32_t count, void *columns)
{
    bits *c = (bits *)columns;
    uint32_t n = 8, span = 8;

    for (uint32_t l = 0; l < count; l++)
        if (n < leaf[l].n)
            n = (leaf[l].n + 7) / 8 * 8;
    while (span < n)
        span *= 2;
    leaves_in(c, leaf, count, n);
    sort_lines(c, n, 0, span);
    leaves_out(c, leaf, count);
}

#endif
