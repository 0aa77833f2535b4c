/* adversary_radix.c - keys whose digits collide when a tile is scattered in shared memory.
 *
 * A block ranks the keys of its tile by one digit, keeping the order of equals, and writes each to
 * the word of its rank, a warp 32 neighbours at a time.  If neighbours have 32 different digits, the
 * same 32 all over the tile, and each digit comes a multiple of 32 times in it, then every digit
 * begins in bank 0, the 32 keys of request r are each the r-th of their digit, and all go to
 * bank r mod 32: one request, 32 wavefronts.  What a tile has beyond a multiple of 1024 keys gets a
 * digit after all others, which moves no other digit's beginning.
 *
 * The digit is thus given by the place that a key has when the pass begins, and a pass moves keys
 * by that digit alone: digits are handed out pass by pass while the sort is followed, so that every
 * pass of the sort collides, not the first alone.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs/adversary.h"
#include "machine/status.h"

/* Away from 0 and 255, where digits of floats would make NaNs. */
#define FIRST 24u
#define STEP  6u
#define REST  (FIRST + 32u * STEP)

static uint32_t digit_at(uint64_t place, uint64_t n, uint32_t tile)
{
    const uint64_t in = place % tile, left = n - (place - in);
    const uint64_t keys = left < tile ? left : tile;

    return in < keys / 1024u * 1024u ? FIRST + STEP * (uint32_t)(in % 32u) : REST;
}

static void add_digit(void *keys, size_t key_bytes, uint64_t i, uint32_t pass, uint32_t digit)
{
    const uint16_t one = 1;
    unsigned char *const key = (unsigned char *)keys + i * key_bytes;
    const int little = *(const unsigned char *)&one;

    key[little ? pass : key_bytes - 1 - pass] = (unsigned char)digit;
}

/* Hand out the digits of a pass and move the places as the pass would. */
static void follow(const struct cw_adversary *a, uint64_t n, uint32_t pass, void *keys,
                   size_t key_bytes, const uint64_t *in, uint64_t *out)
{
    uint64_t begin[257] = {0};

    for (uint64_t x = 0; x < n; x++)
        begin[digit_at(x, n, a->tile) + 1]++;
    for (uint32_t d = 0; d < 256; d++)
        begin[d + 1] += begin[d];
    for (uint64_t x = 0; x < n; x++) {
        const uint32_t d = digit_at(x, n, a->tile);

        add_digit(keys, key_bytes, in[x], pass, d);
        out[begin[d]++] = in[x];
    }
}

cw_status cw_adversary_radix(const struct cw_adversary *a, uint64_t n, uint32_t digits, void *keys,
                             size_t key_bytes)
{
    uint64_t *in = (uint64_t *)malloc(n ? n * sizeof *in : 1);
    uint64_t *out = (uint64_t *)malloc(n ? n * sizeof *out : 1);
    cw_status status = CW_OK;

    if (!in || !out)
        status = cw_fail(CW_ERR_MEMORY, "out of memory for %llu places", (unsigned long long)n);
    if (!status) {
        memset(keys, 0, n * key_bytes);
        for (uint64_t x = 0; x < n; x++)
            in[x] = x;
    }
    for (uint32_t pass = 0; !status && pass < digits; pass++) {
        uint64_t *const swap = in;

        follow(a, n, pass, keys, key_bytes, in, out);
        in = out;
        out = swap;
    }
    free(in);
    free(out);
    return status;
}
