/* network.h - up to 16 vectors of words, sorted without leaving the registers.
 *
 * A row is a vector, so lane l of all rows is a column.  First the columns are sorted, by Batcher's odd-even network.  Then
 * two neighbouring columns of c lanes each become one of 2 c, until there is one: it is read row by row.
 *
 * Two columns A and B, each in order, are merged by the bitonic network.  Its first level compares item i of A with item
 * i of B counted from the end: these are row i / c of A and the mirrored row of B, with the lanes of a pair of columns
 * mirrored, too.  All later levels of a bitonic merge over rows look the same, within halves: so each is a mirror image
 * of some rows, a minimum and a maximum.  The last levels are within a row.
 *
 * Rows that are missing would be of largest words: a comparison with them changes nothing, and is left out.
 *
 *      columns of 1 lane, 2 rows      merged to 2 lanes
 *          3 1                            1 2
 *          4 2                            3 4
 *
 * A sort of columns, then merges in registers: Bramas (2017); Blacher, Giesen, Sanders and Wassenberg (2022).
 *
 * Time: for 16 rows 63 + 4 * 32 comparators of rows and 10 * 16 within rows.   Space: 16 registers.
 */
#ifndef CW_CPU_SORT_VECTORS_NETWORK_H
#define CW_CPU_SORT_VECTORS_NETWORK_H

#include "cpu/sort/vectors/lanes.h"

#define ROWS 16

/* Written out, as compilers do not agree on which loops to unroll; `r` is a constant, and so is each condition. */
#define EACH_ROW(DO) \
    DO(0)            \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

LANE void sort_columns(vec *v, int r)
{
/* clang-format off */
#define C(x, y) if (y < r) order(v + x, v + y);
    C(0, 1) C(2, 3) C(4, 5) C(6, 7) C(8, 9) C(10, 11) C(12, 13) C(14, 15)
    C(0, 2) C(1, 3) C(4, 6) C(5, 7) C(8, 10) C(9, 11) C(12, 14) C(13, 15)
    C(1, 2) C(5, 6) C(9, 10) C(13, 14)
    C(0, 4) C(1, 5) C(2, 6) C(3, 7) C(8, 12) C(9, 13) C(10, 14) C(11, 15)
    C(2, 4) C(3, 5) C(10, 12) C(11, 13)
    C(1, 2) C(3, 4) C(5, 6) C(9, 10) C(11, 12) C(13, 14)
    C(0, 8) C(1, 9) C(2, 10) C(3, 11) C(4, 12) C(5, 13) C(6, 14) C(7, 15)
    C(4, 8) C(5, 9) C(6, 10) C(7, 11)
    C(2, 4) C(3, 5) C(6, 8) C(7, 9) C(10, 12) C(11, 13)
    C(1, 2) C(3, 4) C(5, 6) C(7, 8) C(9, 10) C(11, 12) C(13, 14)
#undef C
    /* clang-format on */
}

/* Row y is mirrored, and stays so: the next level mirrors what it compares anyway. */
LANE void order_mirrored(vec *v, int x, int y, int r, int mirror)
{
    if (y < r) {
        v[y] = lanes_crossed(v[y], mirror);
        order(v + x, v + y);
    }
}

/* Rows from .. from + m - 1: the first with the last, and so on. */
LANE void order_rows(vec *v, int from, int m, int r, int mirror)
{
#define PAIR(k)    \
    if (k < m / 2) \
        order_mirrored(v, from + k, from + m - 1 - k, r, mirror);
    PAIR(0) PAIR(1) PAIR(2) PAIR(3) PAIR(4) PAIR(5) PAIR(6) PAIR(7)
#undef PAIR
}

/* Columns of c lanes to columns of twice as many. */
LANE void merge_columns(vec *v, int c, int r)
{
    const int mirror = 2 * c - 1;
    const unsigned upper = c == 1   ? 0xaaaaaaaau
                           : c == 2 ? 0xccccccccu
                           : c == 4 ? 0xf0f0f0f0u
                           : c == 8 ? 0xff00ff00u
                                    : 0xffff0000u;

    if (r > 8)
        order_rows(v, 0, 16, r, mirror);
    if (r > 4) {
        order_rows(v, 0, 8, r, mirror);
        order_rows(v, 8, 8, r, mirror);
    }
    if (r > 2) {
        order_rows(v, 0, 4, r, mirror);
        order_rows(v, 4, 4, r, mirror);
        order_rows(v, 8, 4, r, mirror);
        order_rows(v, 12, 4, r, mirror);
    }
#define TWO(k)      \
    if (k % 2 == 0) \
        order_rows(v, k, 2, r, mirror);
    EACH_ROW(TWO)
#undef TWO
#define ROW(k)                                  \
    if (k < r) {                                \
        order_lanes(v + k, mirror, upper);      \
        if (c >= 16)                            \
            order_lanes(v + k, 8, 0xff00ff00u); \
        if (c >= 8)                             \
            order_lanes(v + k, 4, 0xf0f0f0f0u); \
        if (c >= 4)                             \
            order_lanes(v + k, 2, 0xccccccccu); \
        if (c >= 2)                             \
            order_lanes(v + k, 1, 0xaaaaaaaau); \
    }
    EACH_ROW(ROW)
#undef ROW
}

/* n words, more than fill r / 2 rows and no more than fill r. */
LANE void sort_rows_of(const word *in, word *out, uint32_t n, int r)
{
    const vec most = all_of(-1);
    vec v[ROWS];

#define LOAD(k)                                              \
    if (k < r)                                               \
        v[k] = k < r / 2 ? _mm512_loadu_si512(in + k * WIDE) \
                         : load_some(most, first_lanes((int)n - k * (int)WIDE), in + k * WIDE);
    EACH_ROW(LOAD)
#undef LOAD
    sort_columns(v, r);
    merge_columns(v, 1, r);
    merge_columns(v, 2, r);
    merge_columns(v, 4, r);
    if (WIDE > 8)
        merge_columns(v, 8, r);
    if (WIDE > 16)
        merge_columns(v, 16, r);
#define STORE(k)                                   \
    if (k < r / 2)                                 \
        _mm512_storeu_si512(out + k * WIDE, v[k]); \
    else if (k < r)                                \
        store_some(out + k * WIDE, first_lanes((int)n - k * (int)WIDE), v[k]);
    EACH_ROW(STORE)
#undef STORE
}

#define SOME_ROWS(r)                                                \
    ISA static void sort_##r(const word *in, word *out, uint32_t n) \
    {                                                               \
        sort_rows_of(in, out, n, r);                                \
    }
SOME_ROWS(1)
SOME_ROWS(2)
SOME_ROWS(3)
SOME_ROWS(4)
SOME_ROWS(6)
SOME_ROWS(8)
SOME_ROWS(10)
SOME_ROWS(12)
SOME_ROWS(14)
SOME_ROWS(16)
#undef SOME_ROWS

#define AT_ONCE (ROWS * WIDE) /* words */

/* Up to AT_ONCE words; `out` may be `in`. */
static void sort_at_once(const word *in, word *out, uint32_t n)
{
    static void (*const sort[])(const word *, word *, uint32_t) = {
        sort_1,  sort_1,  sort_2,  sort_3,  sort_4,  sort_6,  sort_6,  sort_8, sort_8,
        sort_10, sort_10, sort_12, sort_12, sort_14, sort_14, sort_16, sort_16};

    sort[(n + WIDE - 1) / WIDE](in, out, n);
}

#endif
