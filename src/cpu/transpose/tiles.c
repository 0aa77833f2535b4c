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

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LINE 64u

/* As many as fill a line, but 16 of odd sizes, and 8 of more than 16 bytes. */
size_t cw_tile_side(size_t bytes)
{
    return bytes > 16 ? 8 : bytes & (bytes - 1) ? 16 : LINE / bytes;
}

/* ---- one tile ------------------------------------------------------------------------------- */

/* x, `high` rows of `wide` elements, to y.  Rows of both are `side` apart.  `bytes` is a constant
 * where that helps. */
CW_INLINE void turn_of(const char *x, char *y, size_t side, size_t high, size_t wide, size_t bytes)
{
    for (size_t c = 0; c < wide; c++)
        for (size_t r = 0; r < high; r++)
            memcpy(y + (c * side + r) * bytes, x + (r * side + c) * bytes, bytes);
}

static void turn(const char *x, char *y, size_t side, size_t high, size_t wide, size_t bytes)
{
#define TURN(width) turn_of(x, y, LINE / (width), LINE / (width), LINE / (width), width)
    if (high == side && wide == side && side * bytes == LINE)
        CW_BY_WIDTH(bytes, TURN, 16)
    else
        turn_of(x, y, side, high, wide, bytes);
#undef TURN
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

void cw_transpose_band(const struct cw_matrix *m, size_t b)
{
    const size_t side = cw_tile_side(m->bytes), bytes = m->bytes, r = b * side;
    const size_t high = part_of(r, m->rows, side);
    struct tile x, y;

    for (size_t c = 0; c < m->columns; c += side) {
        const size_t wide = part_of(c, m->columns, side);

        load_tile(m->in + (r * m->columns + c) * bytes, m->columns * bytes, high, wide * bytes,
                  side * bytes, x.x);
        turn(x.x, y.x, side, high, wide, bytes);
        store_tile(y.x, m->rows * bytes, wide, high * bytes, side * bytes,
                   m->out + (c * m->rows + r) * bytes, m->past);
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
