/* conflicts_lanes.c - which lanes of a request are in each other's way, and a picture of it.
 *
 * A request is served part by part (machine/banks.h), and lanes of different parts do not collide.
 */
#include "conflicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 8u /* collisions that are listed */

static uint32_t words_of(const struct cw_lanes_request *r)
{
    return r->bytes <= 4 ? 1 : r->bytes / 4;
}

static void add(struct collision *c, uint32_t lane, uint32_t word)
{
    c->lanes |= UINT64_C(1) << lane;
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

uint32_t collisions_of(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                       struct collision *out)
{
    uint8_t part[CW_LANES_MAX];
    const uint32_t parts = cw_bank_parts(m, r, part);
    uint32_t count = 0;

    for (uint32_t k = 0; k < parts; k++) {
        struct collision banks[CW_BANKS_MAX];

        memset(banks, 0, sizeof banks);
        for (uint32_t lane = 0; lane < m->lanes; lane++)
            for (uint32_t x = 0; x < words_of(r) && part[lane] == k && r->lanes >> lane & 1; x++)
                add(&banks[(r->at[lane] / 4 + x) % m->banks], lane, r->at[lane] / 4 + x);
        for (uint32_t b = 0; b < m->banks; b++) {
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

static uint32_t members(uint64_t lanes, uint32_t *out)
{
    uint32_t count = 0;

    for (uint32_t lane = 0; lane < CW_LANES_MAX; lane++)
        if (lanes >> lane & 1)
            out[count++] = lane;
    return count;
}

void print_collisions(const struct collision *c, uint32_t count)
{
    char lanes[32], words[48];
    uint32_t member[CW_LANES_MAX];

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
static void row(const struct cw_bank_machine *m, const struct cw_lanes_request *r, uint32_t lane,
                const struct collision *c, uint32_t count, char *out)
{
    if (!(r->lanes >> lane & 1)) {
        strcpy(out, "-");
        return;
    }
    memset(out, '.', m->banks);
    out[m->banks] = 0;
    for (uint32_t x = 0; x < words_of(r); x++)
        out[(r->at[lane] / 4 + x) % m->banks] = 'o';
    for (uint32_t k = 0; k < count; k++)
        if (c[k].lanes >> lane & 1)
            out[c[k].bank] = '#';
}

/* Two lanes a line, if there are 32 banks; else one. */
void print_picture(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                   const struct collision *c, uint32_t count)
{
    static const char banks[] = "0       8       16      24      32      40      48      56";
    const uint32_t lines = m->banks > 32 ? m->lanes : m->lanes / 2;
    const int wide = (int)(m->banks > 32 ? m->banks : 26);
    char left[CW_BANKS_MAX + 1], right[CW_BANKS_MAX + 1];

    if (lines == m->lanes)
        printf("  lane  %.*s\n", wide, banks);
    else
        printf("  lane  %-32.*s  lane  %.*s\n", wide, banks, wide, banks);
    for (uint32_t lane = 0; lane < lines; lane++) {
        row(m, r, lane, c, count, left);
        if (lines == m->lanes) {
            printf("  %4u  %s\n", lane, left);
            continue;
        }
        row(m, r, lane + lines, c, count, right);
        printf("  %4u  %-32s  %4u  %s\n", lane, left, lane + lines, right);
    }
}
