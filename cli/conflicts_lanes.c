/* conflicts_lanes.c - which lanes of a request are in each other's way, and a picture of it.
 *
 * A request of 8 or 16 bytes is served part by part, and lanes of different parts do not collide.
 * A read in which neighbours share is served in parts of twice as many lanes; it shows in the price,
 * which is then less than that of the same write.  (Where both cost the same, the smaller parts
 * account for all wavefronts, and are shown.)
 */
#include "conflicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 8u /* collisions that are listed */

static uint32_t lanes_a_part(const struct cw_request *r)
{
    const uint32_t n = CW_WARP / (r->bytes / 4);
    struct cw_request write = *r;
    uint32_t ideal;

    write.write = 1;
    return n < CW_WARP && cw_wavefronts(r, &ideal) < cw_wavefronts(&write, &ideal) ? 2 * n : n;
}

static void add(struct collision *c, uint32_t lane, uint32_t word)
{
    c->lanes |= UINT32_C(1) << lane;
    for (uint32_t x = 0; x < c->count; x++)
        if (c->word[x] == word)
            return;
    c->word[c->count++] = word;
}

static int by_count(const void *a, const void *b)
{
    const struct collision *const x = (const struct collision *)a;
    const struct collision *const y = (const struct collision *)b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->bank != y->bank)
        return x->bank < y->bank ? -1 : 1;
    return (x->lanes & -x->lanes) < (y->lanes & -y->lanes) ? -1 : 1;
}

uint32_t collisions_of(const struct cw_request *r, struct collision *out)
{
    const uint32_t part = lanes_a_part(r);
    uint32_t count = 0;

    for (uint32_t first = 0; first < CW_WARP; first += part) {
        struct collision banks[CW_BANKS];

        memset(banks, 0, sizeof banks);
        for (uint32_t lane = first; lane < first + part; lane++)
            for (uint32_t x = 0; x < r->bytes / 4 && r->lanes >> lane & 1; x++)
                add(&banks[(r->at[lane] / 4 + x) % CW_BANKS], lane, r->at[lane] / 4 + x);
        for (uint32_t b = 0; b < CW_BANKS; b++) {
            banks[b].bank = b;
            if (banks[b].count > 1)
                out[count++] = banks[b];
        }
    }
    qsort(out, count, sizeof *out, by_count);
    return count;
}

/* ---- lists of numbers ----------------------------------------------------- */

/* "0-31", "0, 32, .. 992" or "3, 5, 9", in at most `width` columns. */
static void list(char *out, size_t width, const uint32_t *x, uint32_t count)
{
    uint32_t step = count > 1 ? x[1] - x[0] : 0;
    size_t used = 0;

    for (uint32_t k = 1; k < count; k++)
        if (x[k] - x[k - 1] != step)
            step = 0;
    if (count > 2 && step == 1) {
        snprintf(out, width + 1, "%u-%u", x[0], x[count - 1]);
        return;
    }
    if (count > 4 && step) {
        snprintf(out, width + 1, "%u, %u, .. %u", x[0], x[1], x[count - 1]);
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        char one[16];
        const size_t length = (size_t)snprintf(one, sizeof one, "%s%u", k ? ", " : "", x[k]);

        if (used + length + (k + 1 < count ? 4 : 0) > width) {
            snprintf(out + used, width + 1 - used, ", ..");
            return;
        }
        memcpy(out + used, one, length + 1);
        used += length;
    }
}

static uint32_t members(uint32_t lanes, uint32_t *out)
{
    uint32_t count = 0;

    for (uint32_t lane = 0; lane < CW_WARP; lane++)
        if (lanes >> lane & 1)
            out[count++] = lane;
    return count;
}

void print_collisions(const struct collision *c, uint32_t count)
{
    char lanes[32], words[48];
    uint32_t member[CW_WARP];

    printf("  %4s  %-28s %5s  %s\n", "bank", "lanes that ask it", "words", "which, of 4 bytes");
    for (uint32_t k = 0; k < count && k < SHOWN; k++) {
        list(lanes, 28, member, members(c[k].lanes, member));
        list(words, 36, c[k].word, c[k].count);
        printf("  %4u  %-28s %5u  %s\n", c[k].bank, lanes, c[k].count, words);
    }
    if (count > SHOWN)
        printf("  and %u more\n", count - SHOWN);
}

/* ---- the picture ---------------------------------------------------------- */

/* A character for every bank: what the lane asks of it. */
static void row(const struct cw_request *r, uint32_t lane, const struct collision *c,
                uint32_t count, char *out)
{
    if (!(r->lanes >> lane & 1)) {
        strcpy(out, "-");
        return;
    }
    memset(out, '.', CW_BANKS);
    out[CW_BANKS] = 0;
    for (uint32_t x = 0; x < r->bytes / 4; x++)
        out[(r->at[lane] / 4 + x) % CW_BANKS] = 'o';
    for (uint32_t k = 0; k < count; k++)
        if (c[k].lanes >> lane & 1)
            out[c[k].bank] = '#';
}

void print_picture(const struct cw_request *r, const struct collision *c, uint32_t count)
{
    static const char banks[] = "0       8       16      24";
    char left[CW_BANKS + 1], right[CW_BANKS + 1];

    printf("  lane  %-32s  lane  %s\n", banks, banks);
    for (uint32_t lane = 0; lane < CW_WARP / 2; lane++) {
        row(r, lane, c, count, left);
        row(r, lane + CW_WARP / 2, c, count, right);
        printf("  %4u  %-32s  %4u  %s\n", lane, left, lane + CW_WARP / 2, right);
    }
}
