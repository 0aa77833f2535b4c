/* nearly.h - words that are in order but for a few: those are taken out, sorted, and merged.
 *
 * Words go one by one to the end of those kept, which rise.  One that is less than the last of
 * them is taken out; or the last is, if the word fits behind the one before.  If ROW words in a row
 * were taken out, they come back, and what was kept above the greatest of them is taken out.
 * Each time at least one word more is out for good than before the row began, so no more than
 * ROW / SHARE of all words are read twice.
 *
 * If more than one in SHARE is out, that was not the way: the words still are where they were.
 * Random words are known by the first few.
 *
 * Taking out what disturbs the order, and when to come back: Ernerfeldt (Drop-Merge sort, 2016).  Here there is a
 * limit, and what was taken out is merged by searching, as it is little.
 *
 * Time: 2 n steps at most, and d log n for d words that are taken out.   Space: n words of room.
 */
#ifndef CW_CPU_SORT_NEARLY_H
#define CW_CPU_SORT_NEARLY_H

#include <string.h>

#include "cpu/sort/leaf/merge.h"
#include "cpu/sort/work.h"

#define NEARLY 512u /* words, at least: fewer go by quicksort as fast */
#define ROW    8u
#define SHARE  16u

#define BLOCK 64u /* words that are kept at once, if all of them rise */

/* Words kept from the front of `room`, and taken out from its end. */
struct kept {
    const struct cw_sort_keys *by; /* for words of this size */
    word *room;
    uint32_t n, kept, out;
    uint32_t most;  /* that may be out */
    uint32_t alone; /* words up to here are kept one by one */
};

static struct kept kept_in(word *room, const struct cw_sorter *s, uint32_t n, uint32_t most)
{
    const struct kept k = {cw_sort_keys_of(s->work.columns, sizeof *room), room, n, 0, 0, most, 0};

    return k;
}

static void take_out(struct kept *k, word x)
{
    k->room[k->n - ++k->out] = x;
}

/* The last ROW words, up to x[i], were taken out: they come back, and what is above them goes. */
static void come_back(struct kept *k, const word *x)
{
    word most = x[0];

    for (uint32_t i = 1; i < ROW; i++)
        most = before(most, x[i]) ? x[i] : most;
    k->out -= ROW;
    while (k->kept && before(most, k->room[k->kept - 1])) {
        k->kept--;
        take_out(k, k->room[k->kept]);
    }
}

/* Keep words x[i] .. that rise, the first of which fits: whole blocks of them, else one. */
static uint32_t keep(struct kept *k, const word *x, uint32_t i)
{
    if (i >= k->alone && k->n - i >= BLOCK) {
        if (!k->by->falls(x + i, BLOCK)) {
            memcpy(k->room + k->kept, x + i, BLOCK * sizeof *x);
            k->kept += BLOCK;
            return BLOCK;
        }
        k->alone = i + BLOCK; /* it is not asked again for these */
    }
    k->room[k->kept++] = x[i];
    return 1;
}

/* Part the words; 0 if too many are out. */
static int part(struct kept *k, const word *x)
{
    uint32_t row = 0;

    for (uint32_t i = 0; i < k->n;) {
        word *const end = k->room + k->kept;

        if (!k->kept || !before(x[i], end[-1])) {
            i += keep(k, x, i);
            row = 0;
            continue;
        }
        if (k->out > SHARE + i / SHARE || k->out >= k->most)
            return 0;
        if (!row && k->kept > 1 && !before(x[i], end[-2])) {
            take_out(k, end[-1]);
            end[-1] = x[i++];
            continue;
        }
        take_out(k, x[i++]);
        if (++row == ROW) {
            i -= ROW;
            come_back(k, x + i);
            row = 0;
        }
    }
    return k->out <= SHARE + k->n / SHARE && k->out <= k->most;
}

/* The first of n words that x is less than: looked for from the end, in steps that double, also
 * beyond 32 bits. */
static uint32_t place_of(word x, const word *in, uint32_t n)
{
    uint64_t end = n, step = 1, from;

    while (step < n && before(x, in[n - step])) {
        end = n - step;
        step *= 2;
    }
    for (from = step < n ? n - step : 0; from < end;) {
        const uint64_t middle = from + (end - from) / 2;

        if (before(x, in[middle]))
            end = middle;
        else
            from = middle + 1;
    }
    return (uint32_t)from;
}

/* Merge a few words with n, which stand before room for them; from the end. */
static void merge_few(const word *few, uint32_t count, word *many, uint32_t n)
{
    while (count) {
        const uint32_t at = place_of(few[count - 1], many, n);

        memmove(many + at + count, many + at, (n - at) * sizeof *many);
        count--;
        many[at + count] = few[count];
        n = at;
    }
}

#endif
