/* block_sort3.h - sort rows of 3 * 2^(log_n - 2) or 5 * 2^(log_n - 3) keys in registers, k keys a
 * thread.
 *
 * A row of 2^n + 1 keys would be filled up to twice as many places.  With three quarters or five
 * eighths of the keys a thread, and as many threads, it has so many of the places:
 * prim/block_sort.h, for k = 24, 12 or 20.
 *
 * What holds for any number of keys a thread: Batcher's network for 32 (16) keys without the
 * comparators of missing ones; the mirrored step of a merge; a half-cleaner of a bitonic sequence
 * of even length.  A thread's 24 bitonic keys are halved three times, and every 3 that remain are
 * sorted by 3 comparators; 20 are halved twice, and every 5 are sorted by 8 (the fewest there are,
 * by exhaustive search).
 *
 * A run is a thread's keys.  Merge c joins groups of 2^c runs.  Its highest steps are done in a
 * layout: 2^G runs, which differ in bits p .. p + G - 1 of their numbers, in 3 or 5 registers each;
 * thread t has
 *
 *      key  e0 + 2^G r, r = 0, 1, ..     with e0 the lowest G bits of t
 *      run  the layout's bits from the register; the others, in ascending order, from the upper
 *           bits of t
 *
 * Layouts follow until 2 bits or fewer remain, which are done by shuffles:
 *
 *      c        1, 2      3          4          5             6          7          8            9
 *      4 bytes  shuffles  p=0        p=1, s     p=2, 2 s      p=3, 0     p=4, 1, s  5, 2, 2 s  6, 3, 0
 *      8, 16    shuffles  p=1, s     p=2, 2 s   p=3, 1, s     p=4, 2, 2 s           ..
 *      k = 20   the same
 *
 * Run x begins at word three_run(x), which is a sum of one number for each bit of x.  No bank is
 * asked twice:
 *
 *      4 bytes: 24 48 100 200 400    low layout, 16 bytes a lane, 8 lanes: 6, 4 and 1 quads of
 *                                    banks (mod 8)
 *                                    layouts, 32 lanes: 8 keys, then two bits of the run, which are
 *                                    p=0: 8, 16;  p=1: 24, 16;  above: 24, 16 words (mod 32)
 *      8 bytes: 12 24 50 104 208     low layout, 16 bytes a lane: 6, 4 and 1 quads (mod 8)
 *                                    layouts, 16 lanes: 4 keys, then two bits of the run, which are
 *                                    p=1: 12, 8;  above: 12, 8 words (mod 16)
 *      16 bytes: 12 26 53 104 208    low layout, 8 lanes: 4, 2 and 5 words (mod 8)
 *                                    layouts, 8 lanes: 4 keys, then bit 0 of the run: 4 words (mod
 *                                    8)
 *
 *      k = 20: 20 40 80 168 336      low layout: 5, 2 and 4 quads (mod 8)
 *                                    layouts, 32 lanes: 4 keys, then three bits of the run, which
 *                                    are p=1: 20, 8, 16;  p=2: 20, 8, 16;  above: 20, 8, 16 words
 *                                    (mod 32)
 *
 * Layouts up to p + G = 5 keep a warp's runs in the warp.
 *
 * Time for 768 keys of 4 bytes: as block_sort.h for 1024, but 6 shuffles and 8 accesses a key.
 *
 * Batcher's networks (1968); see prim/block_sort.h.
 */
#ifndef CW_PRIM_BLOCK_SORT3_H
#define CW_PRIM_BLOCK_SORT3_H

#include "prim/thread_sort.h"
#include "prim/warp_merge.h"

#if KEY_LOG == 2
#define THREE_G 3
#else
#define THREE_G 2
#endif
#define THREE_K (3 << THREE_G)
#define FIVE_G  2 /* words of 4 bytes only */
#define FIVE_K  (5 << FIVE_G)

struct three_unit {
    int k, g;  /* keys of a thread, THREE_K or FIVE_K; a layout has 2^g runs */
    int log_t; /* threads of a row */
    struct comparator how;
    uint32_t t;    /* this thread in the unit: in its warp, or in its block for longer rows */
    uint32_t base; /* the unit's shared memory */
};

/* ---- networks of a lane --------------------------------------------------------------------- */

DEV void three_lane_sort(key *x, struct three_unit u)
{
    const int levels = u.k > 16 ? 5 : 4;

    UNROLL for (int a = 0; a < levels; a++)
    {
        UNROLL for (int b = levels - 1; b >= 0; b--)
        {
            const int d = 1 << b;
            int nth = 0;

            UNROLL for (int i = 0; i < u.k; i++)
            {
                if (b <= a && i + d < u.k && batcher(i, d, a))
                    order(&x[i], &x[i + d], nth++, u.how);
            }
        }
    }
}

/* Every 3 keys, or 5, are bitonic: sort them. */
DEV void three_rest(key *x, struct three_unit u, int i)
{
    if (u.k == THREE_K) {
        order(&x[i], &x[i + 1], i, u.how);
        order(&x[i + 1], &x[i + 2], i, u.how);
        order(&x[i], &x[i + 1], i, u.how);
    } else {
        order(&x[i], &x[i + 1], i, u.how);
        order(&x[i], &x[i + 2], i + 1, u.how);
        order(&x[i], &x[i + 3], i + 2, u.how);
        order(&x[i], &x[i + 4], i + 3, u.how);
        order(&x[i + 1], &x[i + 3], i + 4, u.how);
        order(&x[i + 2], &x[i + 4], i + 5, u.how);
        order(&x[i + 1], &x[i + 2], i + 6, u.how);
        order(&x[i + 3], &x[i + 4], i + 7, u.how);
    }
}

/* Sort a bitonic sequence. */
DEV void three_lane_merge(key *x, struct three_unit u)
{
    const int odd = u.k >> u.g;

    UNROLL for (int b = u.g - 1; b >= 0; b--)
    {
        int nth = 0;

        UNROLL for (int i = 0; i < u.k; i++)
        {
            if (!(i / odd >> b & 1))
                order(&x[i], &x[i + (odd << b)], nth++, u.how);
        }
    }
    UNROLL for (int i = 0; i < u.k; i += odd) three_rest(x, u, i);
}

/* ---- shared memory -------------------------------------------------------------------------- */

/* Words before run x, of runs of k keys. */
DEV uint32_t three_run(uint32_t x, int k)
{
    if (k == FIVE_K)
        return 20u * x + 8u * (x >> 3);
#if KEY_LOG == 2
    return 24u * x + 4u * (x >> 2 & 1u) + 8u * (x >> 3);
#elif KEY_LOG == 3
    return 12u * x + 2u * (x >> 2 & 1u) + 8u * (x >> 3);
#else
    return 12u * x + 2u * (x >> 1 & 1u) + 5u * (x >> 2 & 1u) + 8u * (x >> 3);
#endif
}

DEV void three_write(const key *x, struct three_unit u)
{
    const uint32_t at = u.base + (three_run(u.t, u.k) << KEY_LOG);

    UNROLL for (int r = 0; r < u.k; r += QUAD)
    {
        sh_st16(at + ((uint32_t)r << KEY_LOG), quad_of(x + r));
    }
}

DEV void three_read(key *x, struct three_unit u)
{
    const uint32_t at = u.base + (three_run(u.t, u.k) << KEY_LOG);

    UNROLL for (int r = 0; r < u.k; r += QUAD)
    {
        quad_to(x + r, sh_ld16(at + ((uint32_t)r << KEY_LOG)), 0);
    }
}

/* The barrier around an exchange among runs that differ in bits below `top`. */
DEV void three_sync(int top)
{
    if (top > 5)
        block_sync();
    else
        warp_sync();
}

/* What the thread's number gives of its places in the layout.  `flip` of ones mirrors the runs below
 * p, and in the keys. */
DEV uint32_t three_thread(struct three_unit u, int p, uint32_t flip)
{
    const uint32_t e0 = (u.t ^ flip) & ((1u << u.g) - 1u);
    const uint32_t low = (u.t >> u.g ^ flip) & ((1u << p) - 1u);
    const uint32_t high = u.t >> (u.g + p) << (u.g + p);

    return u.base + ((three_run(low | high, u.k) + e0) << KEY_LOG);
}

/* Bytes from a layout's first run to run q of its 2^G: a sum over the bits of q. */
struct three_steps {
    uint32_t of[3];
};

DEV struct three_steps three_steps_of(int p, int k)
{
    struct three_steps s;

    UNROLL for (int b = 0; b < 3; b++) s.of[b] = three_run((1u << b) << p, k) << KEY_LOG;
    return s;
}

DEV uint32_t three_step(struct three_steps s, int q)
{
    return (q & 1 ? s.of[0] : 0u) + (q & 2 ? s.of[1] : 0u) + (q & 4 ? s.of[2] : 0u);
}

/* Read the layout's keys.  With `first` those of its upper runs are mirrored, as
 * prim/register_layout.h says. */
DEV void three_layout_read(key *x, struct three_unit u, int p, int first)
{
    const uint32_t at = three_thread(u, p, 0);
    const uint32_t at_mirror = three_thread(u, p, 0xffffffffu);
    const struct three_steps steps = three_steps_of(p, u.k);
    const int runs = 1 << u.g, each = u.k >> u.g;

    UNROLL for (int q = 0; q < runs; q++)
    {
        const int back = first && q >= runs / 2;
        const uint32_t from = (back ? at_mirror : at) + three_step(steps, q);

        UNROLL for (int r = 0; r < each; r++)
        {
            x[each * q + r] =
                sh_ld_key(from + ((uint32_t)(back ? each - 1 - r : r) << u.g << KEY_LOG));
        }
    }
}

DEV void three_layout_write(const key *x, struct three_unit u, int p)
{
    const uint32_t at = three_thread(u, p, 0);
    const struct three_steps steps = three_steps_of(p, u.k);

    const int each = u.k >> u.g;

    UNROLL for (int q = 0; q < 1 << u.g; q++)
    {
        const uint32_t to = at + three_step(steps, q);

        UNROLL for (int r = 0; r < each; r++)
        {
            sh_st_key(to + ((uint32_t)r << u.g << KEY_LOG), x[each * q + r]);
        }
    }
}

/* ---- merges --------------------------------------------------------------------------------- */

/* Do the layout's steps of a merge: of two ascending halves (`first`), or of a bitonic sequence. */
DEV void three_columns(key *x, int first, struct three_unit u)
{
    const int runs = 1 << u.g, each = u.k >> u.g;

    UNROLL for (int b = u.g - 1; b >= 0; b--)
    {
        int nth = 0;

        UNROLL for (int q = 0; q < runs; q++)
        {
            if (q + (1 << b) < runs && (first ? batcher(q, 1 << b, u.g - 1) : !(q >> b & 1))) {
                UNROLL for (int r = 0; r < each; r++)
                {
                    order(&x[each * q + r], &x[each * (q + (1 << b)) + r], nth++, u.how);
                }
            }
        }
    }
}

/* Do the steps of threads 2^(bits-1) .. 1 apart. */
DEV void three_shuffles(key *x, int bits, struct three_unit u)
{
    ROLL for (int b = bits - 1; b >= 0; b--)
    {
        const int upper = LANE_ID >> b & 1;

        UNROLL for (int j = 0; j < u.k; j++)
        {
            const key y = shfl_xor_key(x[j], 1 << b);

            x[j] = keep(upper, x[j], y, u.how);
        }
    }
}

/* Do the steps of merge c that concern other threads. */
DEV void three_merge(key *x, struct three_unit u, int c)
{
    int p = c - u.g; /* bits that remain */

    three_write(x, u);
    three_sync(c);
    three_layout_read(x, u, p, 1);
    three_sync(c); /* the mirror read what others will write */
    three_columns(x, 1, u);
    three_layout_write(x, u, p);
    three_sync(c);
    ROLL while (p > 2)
    {
        const int top = p;

        p -= u.g;
        three_layout_read(x, u, p, 0);
        three_columns(x, 0, u);
        three_layout_write(x, u, p);
        three_sync(top);
    }
    three_read(x, u);
    three_shuffles(x, p, u);
}

DEV void three_round(key *x, struct three_unit u, int c)
{
    if (c <= 2)
        warp_merge(x, u.k, c, u.how);
    else
        three_merge(x, u, c);
    three_lane_merge(x, u);
}

DEV void three_sort(key *x, struct three_unit u)
{
    three_lane_sort(x, u);
    if (u.log_t < 3) {
        UNROLL for (int c = 1; c <= u.log_t; c++) three_round(x, u, c);
    } else {
        ROLL for (int c = 1; c <= u.log_t; c++) three_round(x, u, c);
    }
}

#endif
