/* row_view.h - who holds which key, and exchanges between two such views.
 *
 * The threads of a unit (a warp, or the block of a long row) hold k = 2^log_k keys each.  A view
 * (h, g) says which: element e of the unit, written in bits, has
 *
 *      bits h .. h+g-1, with h >= log_k     in the register's number (its upper g bits), and
 *      v = log_k - g bits below log_k       in the register's number too: 0 and 1 first, then
 *                                           from log_k - 1 down;
 *      the other bits below log_k           the lowest bits of the thread's number,
 *      then bits log_k .. h-1, then bits h+g ..
 *
 * With g = 0 thread t holds the run e = t*k .. t*k + k-1: the low view.  A merge compares
 * elements that differ in one bit, so it goes through the views that have that bit in registers.
 *
 * Element e stands at word e + 4*(e >> log_k): runs are padded by 16 bytes.  No bank is asked
 * twice in a wavefront:
 *
 *      low view, 16 bytes a lane        8 lanes stand k + 4 words apart, so at 4, 12, .. or
 *                                       36 i mod 32 = 4 i: eight different quads of banks
 *      v >= 2, 16 bytes a lane          8 lanes differ in element bits 2, 3, 4: 128 bytes in a row
 *      v = 1, 8 bytes a lane            16 lanes differ in bits 1 .. 4: the same
 *      v = 0, 4 bytes a lane            32 lanes differ in bits 0 .. 4: the same
 *
 * (for v > log_k - 3 and g > 0 a quarter warp would reach into bits above log_k; such views are
 * not used).  A lane's address is a sum of its part and of the register's, which is a constant,
 * so an exchange computes no addresses.
 */
#ifndef CW_ROW_VIEW_H
#define CW_ROW_VIEW_H

struct view {
    int log_k;
    int h;
    int g;
};

DEV struct view view_of(int log_k, int h, int g)
{
    struct view v;

    v.log_k = log_k;
    v.h = h;
    v.g = g;
    return v;
}

DEV uint32_t word_of(uint32_t e, int log_k)
{
    return 4u * (e + (e >> log_k << 2));
}

/* Bits of the element that the thread's number gives. */
DEV uint32_t of_thread(uint32_t t, struct view v)
{
    const int low = v.log_k - v.g < 2 ? v.log_k - v.g : 2;
    const int n0 = v.g;
    const int n1 = v.h - v.log_k;
    const uint32_t e0 = t & ((1u << n0) - 1u);
    const uint32_t e1 = t >> n0 & ((1u << n1) - 1u);
    const uint32_t e2 = t >> (n0 + n1);

    return e0 << low | e1 << v.log_k | e2 << (v.h + v.g);
}

/* And those that the register's number gives. */
DEV uint32_t of_register(uint32_t r, struct view v)
{
    const int in = v.log_k - v.g;
    const int low = in < 2 ? in : 2;
    const uint32_t r0 = r & ((1u << low) - 1u);
    const uint32_t r1 = (r & ((1u << in) - 1u)) >> low;
    const uint32_t r2 = r >> in;

    return r0 | r1 << (low + v.g) | r2 << v.h;
}

/* Put all keys of this thread where the view says. */
DEV void view_write(const uint32_t *x, uint32_t base, uint32_t t, struct view v)
{
    const uint32_t at = base + word_of(of_thread(t, v), v.log_k);
    const int k = 1 << v.log_k;
    const int in = v.log_k - v.g;

    if (in >= 2) {
        UNROLL for (int r = 0; r < k; r += 4)
        {
            const vec16 q = {x[r], x[r + 1], x[r + 2], x[r + 3]};

            sh_st16(at + word_of(of_register((uint32_t)r, v), v.log_k), q);
        }
    } else if (in == 1) {
        UNROLL for (int r = 0; r < k; r += 2)
        {
            const uint64_t q = (uint64_t)x[r + 1] << 32 | x[r];

            sh_st8(at + word_of(of_register((uint32_t)r, v), v.log_k), q);
        }
    } else {
        UNROLL for (int r = 0; r < k; r++)
            sh_st4(at + word_of(of_register((uint32_t)r, v), v.log_k), x[r]);
    }
}

/* Get them.  With `mirror`, every element whose highest bit in registers is 1 comes from the
 * place that mirrors it below that bit: the upper one of two sorted runs is reversed, which
 * makes the two a bitonic sequence.  Vectors come reversed then. */
DEV void view_read(uint32_t *x, uint32_t base, uint32_t t, struct view v, int mirror)
{
    const uint32_t all = (1u << (v.h + v.g - 1)) - 1u;
    const uint32_t mine = of_thread(t, v);
    const uint32_t at = base + word_of(mine, v.log_k);
    const uint32_t theirs = of_thread(0xffffffffu, v) & all;
    const uint32_t at_mirror = base + word_of(mine ^ theirs, v.log_k);
    const int k = 1 << v.log_k;
    const int in = v.log_k - v.g;

    UNROLL for (int r = 0; r < k; r += in < 2 ? 1 << in : 4)
    {
        const int back = mirror && r >= k / 2;
        const int width = in < 2 ? 1 << in : 4;
        const int flip = back ? width - 1 : 0;
        const uint32_t e = of_register((uint32_t)r, v);
        const uint32_t m = of_register((uint32_t)(r ^ (k / 2 - 1) ^ (width - 1)), v);
        const uint32_t from = back ? at_mirror + word_of(m, v.log_k) : at + word_of(e, v.log_k);

        if (in >= 2) {
            const vec16 q = sh_ld16(from);

            x[r + flip] = q.x;
            x[r + (1 ^ flip)] = q.y;
            x[r + (2 ^ flip)] = q.z;
            x[r + (3 ^ flip)] = q.w;
        } else if (in == 1) {
            const uint64_t q = sh_ld8(from);

            x[r + flip] = (uint32_t)q;
            x[r + (1 ^ flip)] = (uint32_t)(q >> 32);
        } else {
            x[r] = sh_ld4(from);
        }
    }
}

#endif
