/* register_layout.h - which thread holds which key in which register, and exchanges between two
 * such layouts.
 *
 * The threads of a unit (a warp, or the block of a long row) hold k = 2^log_k keys each, 128 bytes
 * or more.  A layout (h, g) says which.  Write the number of element e in bits:
 *
 *      bits h .. h+g-1, h >= log_k     are the upper g bits of the register's number
 *      log_k - g bits below log_k      are in the register's number, too: first those that number
 *                                      the keys of 16 bytes, then from log_k - 1 down
 *      the other bits below log_k      are the lowest bits of the thread's number
 *      bits log_k .. h-1, then h+g ..  are its other bits
 *
 * With g = 0 thread t holds the run e = t*k .. t*k + k-1: the low layout.  A merge compares
 * elements that differ in one bit.  So it goes through layouts that have that bit in registers.
 *
 * Runs are padded by 16 bytes.  No bank is asked twice in a wavefront:
 *
 *      low layout, 16 bytes a lane    8 lanes stand k keys and 16 bytes apart.  k keys are a
 *                                     multiple of 128 bytes, so they meet eight different quads of
 *                                     banks
 *      others, 16, 8, 4 bytes a lane  8, 16 or 32 lanes differ in the bits below log_k that number
 *                                     the 16-, 8- or 4-byte pieces of 128 bytes: they ask for all
 *                                     pieces, in some order
 *
 * The second holds if g is at least 3, since the lowest g bits of the thread's number stand there.
 * With g = 2 the third bit is the one above the layout's.  It stands for 4 runs, which are 64
 * bytes apart: that is the piece that is missing.  g = 1 is not used.
 *
 * A lane's address is the sum of what its number gives and of what the register's number gives.
 * The second is a constant, so an exchange computes no addresses.
 */
#ifndef CW_PRIM_REGISTER_LAYOUT_H
#define CW_PRIM_REGISTER_LAYOUT_H

#include "prim/key.h"

struct layout {
    int log_k;
    int h;
    int g;
};

DEV struct layout layout_of(int log_k, int h, int g)
{
    struct layout v;

    v.log_k = log_k;
    v.h = h;
    v.g = g;
    return v;
}

/* Where element e stands in the unit's shared memory. */
DEV uint32_t byte_of(uint32_t e, int log_k)
{
    return (e << KEY_LOG) + (e >> log_k << 4);
}

/* Bits below log_k that a layout has in registers, and how many of them number the keys of one
 * access. */
DEV int bits_inside(struct layout v)
{
    return v.log_k - v.g;
}

DEV int bits_access(struct layout v)
{
    return bits_inside(v) < QUAD_LOG ? bits_inside(v) : QUAD_LOG;
}

/* Bits of the element that the thread's number gives. */
DEV uint32_t of_thread(uint32_t t, struct layout v)
{
    const int n = v.h - v.log_k;
    const uint32_t e0 = t & ((1u << v.g) - 1u);
    const uint32_t e1 = t >> v.g & ((1u << n) - 1u);
    const uint32_t e2 = t >> (v.g + n);

    return e0 << bits_access(v) | e1 << v.log_k | e2 << (v.h + v.g);
}

/* Bits of the element that the register's number gives. */
DEV uint32_t of_register(uint32_t r, struct layout v)
{
    const int in = bits_inside(v);
    const int low = bits_access(v);
    const uint32_t r0 = r & ((1u << low) - 1u);
    const uint32_t r1 = (r & ((1u << in) - 1u)) >> low;
    const uint32_t r2 = r >> in;

    return r0 | r1 << (low + v.g) | r2 << v.h;
}

/* Put all keys of this thread where the layout says. */
DEV void layout_write(const key *x, uint32_t base, uint32_t t, struct layout v)
{
    const uint32_t at = base + byte_of(of_thread(t, v), v.log_k);
    const int k = 1 << v.log_k;
    const int width = 1 << bits_access(v);

    UNROLL for (int r = 0; r < k; r += width)
    {
        const uint32_t to = at + byte_of(of_register((uint32_t)r, v), v.log_k);

        if (width == QUAD)
            sh_st16(to, quad_of(x + r));
        else if (KEY_LOG == 2 && width == 2)
            sh_st8(to, (uint64_t)x[r + 1] << 32 | x[r]);
        else
            sh_st_key(to, x[r]);
    }
}

/* Read all keys of this thread.
 *
 * With `mirror`, an element whose highest bit in registers is 1 comes from the place that mirrors
 * it in the bits below h.  So of two sorted runs the upper one is reversed inside each block of
 * 2^h.  The keys of one access come reversed, too.
 *
 * Why that is enough for a merge.  Take any bound that says which elements are small.  All columns
 * of registers (the same bits below h) then have the same number of small elements, but for one at
 * most.  So when each column is sorted, only one block is not sorted against the others, and that
 * block is bitonic.  That is what g steps of a bitonic merge leave.
 */
DEV void layout_read(key *x, uint32_t base, uint32_t t, struct layout v, int mirror)
{
    const uint32_t below = (1u << v.h) - 1u;
    const uint32_t mine = of_thread(t, v);
    const uint32_t other = mine ^ (of_thread(0xffffffffu, v) & below);
    const uint32_t at = base + byte_of(mine, v.log_k);
    const uint32_t at_mirror = base + byte_of(other, v.log_k);
    const int k = 1 << v.log_k;
    const int width = 1 << bits_access(v);
    const int inside = (1 << bits_inside(v)) - 1;

    UNROLL for (int r = 0; r < k; r += width)
    {
        const int back = mirror && r >= k / 2;
        const int flip = back ? width - 1 : 0;
        const int place = back ? r ^ inside ^ (width - 1) : r;
        const uint32_t from =
            (back ? at_mirror : at) + byte_of(of_register((uint32_t)place, v), v.log_k);

        if (width == QUAD) {
            quad_to(x + r, sh_ld16(from), flip);
        } else if (KEY_LOG == 2 && width == 2) {
            const uint64_t q = sh_ld8(from);

            x[r + flip] = (key)q;
            x[r + 1 - flip] = (key)(q >> 32);
        } else {
            x[r] = sh_ld_key(from);
        }
    }
}

#endif
