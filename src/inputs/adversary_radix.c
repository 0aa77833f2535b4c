/* adversary_radix.c - keys whose digits collide when a tile is scattered in shared memory.
 *
 * A block ranks the keys of its tile by one digit, keeping the order of equals, and writes each to
 * the word of its rank, a warp 32 neighbours at a time.  If neighbours have 32 different digits,
 * the same 32 all over the tile, and each digit comes a multiple of 32 times in it, then every
 * digit begins in bank 0, the 32 keys of request r are each the r-th of their digit, and all go to
 * bank r mod 32: one request, 32 wavefronts.  What a tile has beyond a multiple of 1024 keys gets a
 * digit after all others, which moves no other digit's beginning.
 *
 * The digit is thus given by the place that a key has when the pass begins, and a pass moves keys
 * by that digit alone.  So a key can be followed through the sort by itself: every pass collides,
 * not the first alone.
 */
#include "inputs/adversary.h"

/* Away from 0 and 255, where digits of floats would make NaNs. */
#define FIRST 24u
#define STEP  6u
#define REST  (FIRST + 32u * STEP)

/* The place to which a pass moves the key at `place`; its digit is added to the key. */
static uint64_t follow(uint64_t place, uint64_t n, uint32_t tile, uint32_t pass, uint64_t *key)
{
    const uint64_t before = place / tile, in = place % tile; /* tiles, keys of this one */
    const uint64_t left = n - before * tile, keys = left < tile ? left : tile;
    const uint64_t whole = tile / 1024u * 32u;                      /* keys of a digit in a tile, */
    const uint64_t all = n / tile * whole + n % tile / 1024u * 32u; /* .. in the array */
    const uint64_t rest = keys / 1024u * 1024u; /* from there on: the last digit */

    if (in < rest) {
        *key |= (FIRST + STEP * (in % 32u)) << 8u * pass;
        return in % 32u * all + before * whole + in / 32u;
    }
    *key |= (uint64_t)REST << 8u * pass;
    return 32u * all + before * (tile % 1024u) + in - rest;
}

uint64_t cw_adversary_radix(const struct cw_adversary *a, uint64_t n, uint32_t digits, uint64_t x)
{
    uint64_t key = 0;

    for (uint32_t pass = 0; pass < digits; pass++)
        x = follow(x, n, a->tile, pass, &key);
    return key;
}
