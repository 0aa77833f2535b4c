/* tiles.c - matrices transposed by tiles of lines of memory.
 *
 * A tile is a line of 64 bytes wide, and as many rows high as a line has elements.  So every line
 * of the input is read whole and once, every line of the output written whole and once, and rows
 * that lie a power of two apart, which share a set of every cache, need not stay there together:
 * the tile is loaded to a buffer, turned there, and stored.
 */
#include "cpu/transpose/tiles.h"

#include <stdint.h>
#include <string.h>

#include "cpu/inline.h"
#include "cpu/transpose/blocks.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LINE     64u
#define SET      2048u /* bytes: rows so far apart, or a multiple, share sets */
#define TOGETHER 8u    /* bands */

/* As many as fill a line, but 16 of odd sizes, and 8 of more than 16 bytes. */
size_t cw_tile_side(size_t bytes)
{
    return bytes > 16 ? 8 : bytes & (bytes - 1) ? 16 : LINE / bytes;
}

/* ---- one tile ------------------------------------------------------------------------------- */

/* x, `high` rows of `wide` elements, to y.  Rows of both are `side` apart. */
static void turn(const char *x, char *y, size_t side, size_t high, size_t wide, size_t bytes)
{
    const struct cw_side_of_turn t = {x, side * bytes, y, side * bytes};

    turn_any(&t, high, wide, bytes);
}

static void load_tile(const char *from, size_t pitch, size_t high, size_t wide, size_t side,
                      char *to)
{
    if (wide == LINE && side == LINE) {
        for (size_t r = 0; r < high; r++)
            memcpy(to + r * LINE, from + r * pitch, LINE);
        return;
    }
    for (size_t r = 0; r < high; r++)
        memcpy(to + r * side, from + r * pitch, wide);
}

static void store_line(const char *from, char *to, size_t wide, int past)
{
#if defined(__SSE2__)
    if (past && wide == LINE && (uintptr_t)to % 16 == 0) {
        for (size_t x = 0; x < LINE; x += 16)
            _mm_stream_si128((__m128i *)(to + x), _mm_load_si128((const __m128i *)(from + x)));
        return;
    }
#endif
    (void)past;
    memcpy(to, from, wide);
}

/* All widths in bytes. */
static void store_tile(const char *from, size_t pitch, size_t high, size_t wide, size_t side,
                       char *to, int past)
{
    for (size_t r = 0; r < high; r++)
        store_line(from + r * side, to + r * pitch, wide, past);
}

/* ---- bands ---------------------------------------------------------------------------------- */

/* Room for a tile: 64 x 64 bytes, or 16 x 16 elements of 15, or 8 x 8 of 64. */
struct tile {
    _Alignas(LINE) char x[LINE * LINE];
};

static size_t part_of(size_t from, size_t all, size_t side)
{
    return all - from < side ? all - from : side;
}

/* Rows whose lines share a set of every cache go by way of buffers, and so does what is written past the caches. */
static int straight(const struct cw_matrix *m)
{
    const size_t in = m->columns * m->bytes, out = m->rows * m->bytes;

    return !m->past && in % SET && out % SET;
}

/* Rows from r on and columns from c on. */
static struct cw_side_of_turn from_here(const struct cw_matrix *m, size_t r, size_t c)
{
    const size_t bytes = m->bytes;
    const struct cw_side_of_turn t = {m->in + (r * m->columns + c) * bytes, m->columns * bytes,
                                      m->out + (c * m->rows + r) * bytes, m->rows * bytes};

    return t;
}

static void turn_tile(const struct cw_matrix *m, size_t r, size_t c)
{
    const size_t side = cw_tile_side(m->bytes), bytes = m->bytes;
    const size_t high = part_of(r, m->rows, side), wide = part_of(c, m->columns, side);
    const struct cw_side_of_turn t = from_here(m, r, c);
    struct tile x, y;

    if (high < side || wide < side) {
        turn_any(&t, high, wide, bytes);
        return;
    }
    load_tile(t.in, t.in_pitch, high, wide * bytes, side * bytes, x.x);
    turn(x.x, y.x, side, high, wide, bytes);
    store_tile(y.x, t.out_pitch, wide, high * bytes, side * bytes, t.out, m->past);
}

/* Down a few bands before the next tiles to the right: so a row of the output gets several lines at once. */
void cw_transpose_bands(const struct cw_matrix *m, size_t b, size_t end)
{
    const size_t side = cw_tile_side(m->bytes);
    const int direct = straight(m);

    for (; b < end; b += TOGETHER) {
        const size_t some = end - b < TOGETHER ? end - b : TOGETHER;
        const size_t high = part_of(b * side, m->rows, some * side);

        for (size_t c = 0; c < m->columns; c += side) {
            const struct cw_side_of_turn t = from_here(m, b * side, c);

            if (direct)
                turn_any(&t, high, part_of(c, m->columns, side), m->bytes);
            for (size_t k = b; k < b + some && !direct; k++)
                turn_tile(m, k * side, c);
        }
    }
#if defined(__SSE2__)
    if (m->past)
        _mm_sfence();
#endif
}

void cw_transpose_square_band(const struct cw_matrix *m, size_t b)
{
    const size_t side = cw_tile_side(m->bytes), bytes = m->bytes, r = b * side;
    const size_t high = part_of(r, m->rows, side), pitch = m->columns * bytes;
    struct tile x, y;

    for (size_t c = r; c < m->columns; c += side) {
        const size_t wide = part_of(c, m->columns, side);
        char *const there = m->out + r * pitch + c * bytes, *const mirror =
                                                                m->out + c * pitch + r * bytes;
        struct tile z;

        load_tile(there, pitch, high, wide * bytes, side * bytes, x.x);
        turn(x.x, y.x, side, high, wide, bytes);
        if (c > r) {
            load_tile(mirror, pitch, wide, high * bytes, side * bytes, x.x);
            turn(x.x, z.x, side, wide, high, bytes);
            store_tile(z.x, pitch, high, wide * bytes, side * bytes, there, 0);
        }
        store_tile(y.x, pitch, wide, high * bytes, side * bytes, mirror, 0);
    }
}
