/* pivots.c - from weighted samples to two items that a splitter lies between. */
#include "distributed/sort/pivots.h"

#include <math.h>
#include <string.h>

#include "inputs/random.h"

double cw_pivots_chance = 15.0; /* Hoeffding: outside with a chance of 2 exp(-2 * 15) */

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
uint64_t cw_sample_at(uint64_t length, uint64_t count, uint64_t x, uint64_t seed)
{
    const uint64_t start = cw_scaled(cw_mixed(seed), length);
    const uint64_t whole = length / count, rest = length % count;

    if (count == length)
        return x;
    return x * whole + (x * rest + start) / count;
}

uint64_t cw_sample_seed(uint64_t seed, uint32_t r, uint32_t j, uint32_t round)
{
    return cw_mixed(seed + ((uint64_t)r << 32 | j)) + round;
}

/* Where the sample that comes first is. */
static struct cw_place place_of(const struct cw_candidates *c, const struct cw_merged *m)
{
    const uint32_t r = m->runs->rank;
    const uint64_t seed = cw_sample_seed(c->seed, r, c->splitter, c->round);
    struct cw_place p = {m->runs->word, 0, r};

    p.at = cw_sample_at(c->lengths[r], c->samples.counts[r], cw_merged_number(m), seed);
    return p;
}

struct sums {
    uint64_t candidates, samples;
    double spread; /* d */
};

static struct sums sums_of(const struct cw_candidates *c)
{
    struct sums t = {0, 0, 0};
    double squares = 0, all = 0;

    for (uint32_t r = 0; r < c->samples.ranks; r++) {
        const uint64_t length = c->lengths[r], count = c->samples.counts[r];

        t.candidates += length;
        t.samples += count;
        if (count < length) {
            const double w = (double)length / (double)count;

            squares += w * w;
            all += w;
        }
    }
    t.spread = sqrt(cw_pivots_chance * squares);
    t.spread = all < t.spread ? all : t.spread;
    return t;
}

/* a: the last sample with less than k - d before it.  b: the first with more than k + d. */
static void narrow(const struct cw_candidates *c, struct cw_merged *m, const struct sums *sums,
                   double k, struct cw_pivots *out)
{
    const double slack = 1e-9 * (double)sums->candidates; /* of adding doubles */
    const double low = k - sums->spread - slack, high = k + sums->spread + slack;
    double before = 0, from = 0, to = (double)sums->candidates;

    out->outcome = CW_NARROW;
    for (; m->left; cw_merged_drop(m)) {
        const uint32_t r = m->runs->rank;

        if (before < low) {
            out->a = place_of(c, m);
            out->has = 1;
            from = before;
        } else if (before > high) {
            out->b = place_of(c, m);
            out->has |= 2u;
            to = before;
            break;
        }
        before += (double)c->lengths[r] / (double)c->samples.counts[r];
    }
    out->candidates = (uint64_t)(to - from) + 1;
    if (out->candidates > c->about)
        out->candidates = c->about;
}

void cw_pivots_choose(const struct cw_candidates *c, uint64_t target, void *room,
                      struct cw_pivots *out)
{
    const struct sums sums = sums_of(c);
    struct cw_merged m;

    memset(out, 0, sizeof *out);
    if (target < c->before || target - c->before >= sums.candidates) {
        out->outcome = target < c->before ? CW_BELOW : CW_ABOVE;
        return;
    }
    m = cw_merged_open(&c->samples, room);
    if (sums.samples == sums.candidates) {
        for (uint64_t x = c->before; x < target; x++)
            cw_merged_drop(&m);
        out->a = place_of(c, &m);
        out->outcome = CW_FOUND;
        return;
    }
    narrow(c, &m, &sums, (double)(target - c->before), out);
}
