/* in_place.c - a matrix of any shape transposed where it is.
 *
 * Catanzaro, Keller and Garland, "A decomposition for in-place matrix transposition" (2014): with c
 * = (size_t)cw_gcd(m, n), a = m / c, b = n / c, an m x n matrix becomes its transpose by
 *
 *      columns   x(i, j) <- x((i + j/b) mod m, j)                    if c > 1
 *      rows      x(i, ((i + j/b) mod m + j m) mod n) <- x(i, j)
 *      columns   x(i, j) <- x((j + i n - i/a) mod m, j)
 *
 * and an n x m matrix by the inverses of these, in the opposite order.  Of both, the one with m <=
 * n is taken.  Rows and columns are permuted by way of a thread's buffer; columns, as many at a
 * time as fill lines of memory.  No product of the paper is divided: all of them grow by steps.
 *
 * Time: every element is read and written three times.  Space: max(n, 64 / bytes * m) elements a
 * thread.
 */
#include "cpu/transpose/in_place.h"

#include <stdint.h>
#include <string.h>

#include "cpu/inline.h"
#include "base/threads.h"
#include "base/arith.h"

#define LINE   64u
#define SHARES 8u /* of a loop, for each thread */

struct shape {
    size_t m, n, a, b, bytes;
    char *x;
    int back; /* n x m: the inverses */
};

/* Columns that are permuted together. */
static size_t group_of(size_t bytes)
{
    return bytes < LINE ? LINE / bytes : 1;
}

size_t cw_in_place_bytes(size_t high, size_t wide, size_t bytes)
{
    const size_t m = high < wide ? high : wide, n = high < wide ? wide : high;
    const size_t group = group_of(bytes) < n ? group_of(bytes) : n;

    return (n > group * m ? n : group * m) * bytes;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* `bytes` is a constant where that helps. */
CW_INLINE void row_of(const struct shape *s, size_t i, char *buffer, size_t bytes)
{
    char *row = s->x + i * s->n * bytes;
    size_t step = 0, turn = i, left = s->b; /* j m mod n, (i + j/b) mod m */

    for (size_t j = 0; j < s->n; j++) {
        const size_t sum = turn + step, to = sum < s->n ? sum : sum - s->n;

        if (s->back)
            memcpy(buffer + j * bytes, row + to * bytes, bytes);
        else
            memcpy(buffer + to * bytes, row + j * bytes, bytes);
        step = step + s->m < s->n ? step + s->m : step + s->m - s->n;
        if (!--left) {
            left = s->b;
            turn = turn + 1 < s->m ? turn + 1 : 0;
        }
    }
    memcpy(row, buffer, s->n * bytes);
}

static void row(const struct shape *s, size_t i, char *buffer)
{
#define ROW(width) row_of(s, i, buffer, width)
    CW_BY_WIDTH(s->bytes, ROW, s->bytes)
#undef ROW
}

/* ---- columns -------------------------------------------------------------------------------- */

/* Columns j .. j + wide - 1, on their way through a buffer of m rows of them. */
struct columns {
    size_t j, wide;
    char *buffer;
};

/* Row i of the new columns is fetched from rows `start` and following, modulo m: one on for each
 * element, or, in a rotation, for each b of them.  The inverse sends row i there. */
CW_INLINE void column_row_of(const struct shape *s, const struct columns *c, size_t i, size_t start,
                             int rotation, size_t bytes)
{
    size_t other = start, left = s->b - c->j % s->b;

    for (size_t k = 0; k < c->wide; k++) {
        char *const in_matrix = s->x + ((s->back ? i : other) * s->n + c->j + k) * bytes;
        char *const in_buffer = c->buffer + ((s->back ? other : i) * c->wide + k) * bytes;

        memcpy(in_buffer, in_matrix, bytes);
        if (!rotation || !--left) {
            left = s->b;
            other = other + 1 < s->m ? other + 1 : 0;
        }
    }
}

static void column_row(const struct shape *s, const struct columns *c, size_t i, size_t start,
                       int rotation)
{
#define COLUMN_ROW(width) column_row_of(s, c, i, start, rotation, width)
    CW_BY_WIDTH(s->bytes, COLUMN_ROW, s->bytes)
#undef COLUMN_ROW
}

static void columns(const struct shape *s, size_t group, int rotation, char *buffer)
{
    struct columns c = {group * group_of(s->bytes), group_of(s->bytes), buffer};
    size_t start, left = s->a; /* of row i: (j/b + i) or (j + i n - i/a) mod m */

    c.wide = s->n - c.j < c.wide ? s->n - c.j : c.wide;
    start = (rotation ? c.j / s->b : c.j) % s->m;
    for (size_t i = 0; i < s->m; i++) {
        column_row(s, &c, i, start, rotation);
        start += rotation ? 1 : s->n % s->m;
        start -= start >= s->m ? s->m : 0;
        if (!rotation && !--left) {
            left = s->a;
            start = start ? start - 1 : s->m - 1;
        }
    }
    for (size_t i = 0; i < s->m; i++)
        memcpy(s->x + (i * s->n + c.j) * s->bytes, buffer + i * c.wide * s->bytes,
               c.wide * s->bytes);
}

/* ---- the passes ----------------------------------------------------------------------------- */

/* What all threads share. */
struct passes {
    const struct shape *shape;
    char *const *buffer;
    struct cw_team *team;
    unsigned threads;
    int rotation;
};

static void some_columns(void *user, size_t g, size_t end, unsigned thread)
{
    const struct passes *p = (const struct passes *)user;

    for (; g < end; g++)
        columns(p->shape, g, p->rotation, p->buffer[thread]);
}

static void some_rows(void *user, size_t i, size_t end, unsigned thread)
{
    const struct passes *p = (const struct passes *)user;

    for (; i < end; i++)
        row(p->shape, i, p->buffer[thread]);
}

/* About SHARES of them for each thread. */
static size_t share_of(const struct passes *p, size_t n)
{
    return n / (SHARES * p->threads) + 1;
}

static void all_columns(struct passes *p, int rotation)
{
    const struct shape *s = p->shape;
    const size_t groups = (s->n + group_of(s->bytes) - 1) / group_of(s->bytes);

    if (rotation && s->a == s->m)
        return;
    p->rotation = rotation;
    cw_team_run(p->team, p->threads, groups, share_of(p, groups), some_columns, p);
}

static void all_rows(struct passes *p)
{
    cw_team_run(p->team, p->threads, p->shape->m, share_of(p, p->shape->m), some_rows, p);
}

void cw_transpose_in_place(size_t high, size_t wide, size_t bytes, char *matrix,
                           char *const *buffer, struct cw_team *team, unsigned threads)
{
    const size_t c = (size_t)cw_gcd(high, wide);
    const int back = high > wide;
    const size_t m = back ? wide : high, n = back ? high : wide;
    const struct shape s = {m, n, m / c, n / c, bytes, matrix, back};

    struct passes p = {&s, buffer, team, threads, 0};

    all_columns(&p, !back);
    all_rows(&p);
    all_columns(&p, back);
}
