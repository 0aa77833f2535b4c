/* digits.c - words of up to 16 bits, by two counting sorts of 8 bits, or one.
 *
 * Both digits are counted in one reading.  A digit's bucket is where it begins, and each item goes
 * to the next place of its bucket: so equal digits keep their order.  Counts have two tables in
 * turn, as an addition waits for the last one to the same counter.
 *
 * Time: n steps to count, and n a digit, on any words.   Space: 4 bytes an item.
 *
 * Least significant digit first: Seward (1954).
 */
#include "cpu/sort/leaf/digits.h"

#include <string.h>

#include "cpu/inline.h"
#include "cpu/sort/bucket.h"

#define DIGITS (1u << CW_DIGIT_BITS)
#define LOW    (DIGITS - 1u)
#define MANY   ((size_t)1 << 18) /* keys that are counted (count.c) rather than moved twice */

struct counts {
    uint32_t of[2][2][DIGITS]; /* low and high digits, each in two tables */
};

static void count(struct counts *c, const uint16_t *x, uint32_t n)
{
    uint32_t k = 0;

    for (; k + 2 <= n; k += 2) {
        c->of[0][0][x[k] & LOW]++;
        c->of[1][0][x[k] >> CW_DIGIT_BITS]++;
        c->of[0][1][x[k + 1] & LOW]++;
        c->of[1][1][x[k + 1] >> CW_DIGIT_BITS]++;
    }
    if (k < n) {
        c->of[0][0][x[k] & LOW]++;
        c->of[1][0][x[k] >> CW_DIGIT_BITS]++;
    }
}

/* Counts of both tables become places, in the first one. */
static void sum(struct counts *c, uint32_t digit)
{
    uint32_t all = 0;

    for (uint32_t d = 0; d < DIGITS; d++) {
        const uint32_t more = c->of[digit][0][d] + c->of[digit][1][d];

        c->of[digit][0][d] = all;
        all += more;
    }
}

/* ---- places --------------------------------------------------------------------------------- */

/* Words of mapped keys, in two bytes. */
static void load(const struct cw_sorter *s, const void *mapped, uint32_t n, uint32_t width,
                 uint16_t *to)
{
    const uint32_t mask = (1u << width) - 1u;
    uint64_t room[CW_SORT_BLOCK];

    for (uint32_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;
        const void *words = s->keys->words(s, (const char *)mapped + x * s->bytes[0], some, room);
        const uint32_t *of4 = (const uint32_t *)words;
        const uint64_t *of8 = (const uint64_t *)words;

        if (s->bytes[0] < 8) {
            CW_SIMD
            for (uint32_t k = 0; k < some; k++)
                to[x + k] = (uint16_t)(of4[k] & mask);
        } else {
            CW_SIMD
            for (uint32_t k = 0; k < some; k++)
                to[x + k] = (uint16_t)(of8[k] & mask);
        }
    }
}

void cw_sort_places_by_digits(const struct cw_sorter *s, struct cw_sort_thread *t,
                              const void *mapped, uint32_t n, uint32_t width, uint16_t *place)
{
    uint16_t *const word = (uint16_t *)t->ended;
    uint32_t *const moved = (uint32_t *)t->worker.sorted; /* high digit, then place */
    struct counts c = {{{{0}}}};
    uint32_t *const low = c.of[0][0], *const high = c.of[1][0];

    load(s, mapped, n, width, word);
    count(&c, word, n);
    sum(&c, 0);
    if (width <= CW_DIGIT_BITS) {
        for (uint32_t x = 0; x < n; x++)
            place[low[word[x]]++] = (uint16_t)x;
        return;
    }
    sum(&c, 1);
    for (uint32_t x = 0; x < n; x++)
        moved[low[word[x] & LOW]++] = (uint32_t)(word[x] >> CW_DIGIT_BITS) << CW_PLACE_BITS | x;
    for (uint32_t x = 0; x < n; x++)
        place[high[moved[x] >> CW_PLACE_BITS]++] = (uint16_t)moved[x];
}

/* ---- keys alone ----------------------------------------------------------------------------- */

int cw_sort_takes_digits(const struct cw_sorter *s)
{
    return s->bytes[0] == 2 && !s->bytes[1] && !s->bytes[2] && s->range == s->map.mask &&
           !s->map.tied && !s->compare && s->job->n >= CW_DIGITS_LESS && s->job->n < MANY;
}

/* Words of some keys of the input, which may lie anywhere. */
static const uint16_t *block(const struct cw_sorter *s, uint32_t x, uint32_t n, uint64_t *room)
{
    const void *mapped = cw_side_keys(s, CW_SIDE_IN, x, n, room);

    if (mapped != room)
        memcpy(room, mapped, n * sizeof(uint16_t));
    return (const uint16_t *)room;
}

/* From the input to the workspace, by the low digit, then to the output. */
void cw_sort_keys_by_digits(const struct cw_sorter *s)
{
    const uint32_t n = (uint32_t)s->job->n;
    uint16_t *const work = (uint16_t *)s->side[CW_SIDE_WORK].keys;
    char *const out = s->side[CW_SIDE_OUT].keys;
    struct counts c = {{{{0}}}};
    uint32_t *const low = c.of[0][0], *const high = c.of[1][0];
    uint64_t room[CW_SORT_BLOCK];

    for (uint32_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;

        count(&c, block(s, x, some, room), some);
    }
    sum(&c, 0);
    sum(&c, 1);
    for (uint32_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;
        const uint16_t *word = block(s, x, some, room);

        for (uint32_t k = 0; k < some; k++)
            work[low[word[k] & LOW]++] = word[k];
    }
    for (uint32_t x = 0; x < n; x++)
        memcpy(out + high[work[x] >> CW_DIGIT_BITS]++ * sizeof *work, work + x, sizeof *work);
    for (uint32_t x = 0; x < n && !s->map.plain; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;

        s->keys->unmap(s, out + x * sizeof *work, some, out + x * sizeof *work);
    }
}
