/* pivots.c - from weighted samples to two items that a splitter lies between. */
#include "distributed/sort/pivots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/random.h"

#define CHANCE 15.0 /* Hoeffding: outside with a chance of 2 exp(-2 * 15) */

uint64_t cw_sample_count(uint64_t length, uint64_t candidates, uint64_t samples)
{
    const uint64_t most = length < 4 * samples ? length : 4 * samples;
    double wanted;

    if (candidates <= samples)
        return most;
    wanted = ceil((double)length * (double)samples / (double)candidates);
    return wanted < (double)most ? (uint64_t)wanted : most;
}

/* Sample x is item (x * length + start) / count: each item is one with a chance of count /
 * length. */
uint64_t cw_sample_at(const struct cw_interval *interval, uint64_t count, uint64_t x, uint64_t seed)
{
    const uint64_t length = interval->length;
    const uint64_t start = cw_scaled(cw_mixed(seed), length);
    const uint64_t whole = length / count, rest = length % count;

    if (count == length)
        return interval->lo + x;
    return interval->lo + x * whole + (x * rest + start) / count;
}

/* ---- samples in order ------------------------------------------------------------------------ */

struct sample {
    uint64_t word, number; /* of all samples; those of a rank ascend */
    uint32_t rank;
};

_Static_assert(sizeof(struct sample) <= CW_PIVOTS_ROOM, "room for a sample");

static int by_order(const void *x, const void *y)
{
    const struct sample *const a = (const struct sample *)x, *const b = (const struct sample *)y;

    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void order(const struct cw_samples *s, struct sample *out)
{
    uint64_t x = 0;

    for (uint32_t r = 0; r < s->ranks; r++) {
        for (uint64_t c = 0; c < s->counts[r]; c++, x++) {
            out[x].word = s->words[x];
            out[x].number = x;
            out[x].rank = r;
        }
    }
    qsort(out, s->all, sizeof *out, by_order);
}

static struct cw_place place_of(const struct cw_samples *s, const struct sample *sample)
{
    const uint32_t r = sample->rank;
    struct cw_place p = {sample->word, 0, r};
    uint64_t first = 0;

    for (uint32_t i = 0; i < r; i++)
        first += s->counts[i];
    p.at = cw_sample_at(&s->intervals[r], s->counts[r], sample->number - first, s->seeds[r]);
    return p;
}

/* ---- what they show -------------------------------------------------------------------------- */

struct sums {
    uint64_t below, candidates; /* sums of lo and length */
    double spread;              /* d */
};

static struct sums sums_of(const struct cw_samples *s)
{
    struct sums t = {0, 0, 0};
    double squares = 0, all = 0;

    for (uint32_t r = 0; r < s->ranks; r++) {
        const uint64_t length = s->intervals[r].length;

        t.below += s->intervals[r].lo;
        t.candidates += length;
        if (s->counts[r] < length) {
            const double w = (double)length / (double)s->counts[r];

            squares += w * w;
            all += w;
        }
    }
    t.spread = sqrt(CHANCE * squares);
    t.spread = all < t.spread ? all : t.spread;
    return t;
}

/* a: the last sample with less than k - d before it.  b: the first with more than k + d. */
static void narrow(const struct cw_samples *s, const struct sample *x, const struct sums *sums,
                   double k, struct cw_pivots *out)
{
    const double slack = 1e-9 * (double)sums->candidates; /* of adding doubles */
    const double low = k - sums->spread - slack, high = k + sums->spread + slack;
    double before = 0, from = 0, to = (double)sums->candidates;
    uint64_t a = s->all, b = s->all;

    for (uint64_t i = 0; i < s->all && b == s->all; i++) {
        if (before < low) {
            a = i;
            from = before;
        } else if (before > high) {
            b = i;
            to = before;
        }
        before += (double)s->intervals[x[i].rank].length / (double)s->counts[x[i].rank];
    }
    if (a < s->all)
        out->a = place_of(s, &x[a]);
    if (b < s->all)
        out->b = place_of(s, &x[b]);
    out->has = (a < s->all ? 1u : 0u) | (b < s->all ? 2u : 0u);
    out->candidates = (uint64_t)(to - from) + 1;
    out->outcome = CW_NARROW;
}

void cw_pivots_choose(const struct cw_samples *s, uint64_t target, void *room,
                      struct cw_pivots *out)
{
    const struct sums sums = sums_of(s);
    struct sample *const x = (struct sample *)room;

    memset(out, 0, sizeof *out);
    if (target < sums.below || target - sums.below >= sums.candidates) {
        out->outcome = target < sums.below ? CW_BELOW : CW_ABOVE;
        return;
    }
    order(s, x);
    if (s->all == sums.candidates) {
        out->a = place_of(s, &x[target - sums.below]);
        out->outcome = CW_FOUND;
        return;
    }
    narrow(s, x, &sums, (double)(target - sums.below), out);
}
