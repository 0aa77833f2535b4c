/* pivots.c - from weighted samples to two items that a splitter lies between. */
#include "distributed/sort/pivots.h"

#include <math.h>
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

/* The samples of a rank that are left: they ascend.  The rank whose next one comes first is at the
 * top of a heap. */
struct run {
    uint64_t word, next, end; /* numbers of all samples; the word of `next` */
    uint32_t rank;
};

_Static_assert(sizeof(struct run) <= CW_PIVOTS_ROOM, "room for a rank's samples");

struct heap {
    const struct cw_samples *samples;
    struct run *runs;
    uint32_t left;
};

static int comes_first(const struct run *a, const struct run *b)
{
    return a->word < b->word || (a->word == b->word && a->rank < b->rank);
}

/* Let what is at place x sink to where it belongs. */
static void sink(struct heap *h, uint32_t x)
{
    const struct run moved = h->runs[x];

    for (uint32_t child = 2 * x + 1; child < h->left; child = 2 * x + 1) {
        if (child + 1 < h->left && comes_first(&h->runs[child + 1], &h->runs[child]))
            child++;
        if (!comes_first(&h->runs[child], &moved))
            break;
        h->runs[x] = h->runs[child];
        x = child;
    }
    h->runs[x] = moved;
}

static struct heap open(const struct cw_samples *s, void *room)
{
    struct heap h = {s, (struct run *)room, 0};
    uint64_t next = 0;

    for (uint32_t r = 0; r < s->ranks; r++) {
        const struct run run = {s->counts[r] ? s->words[next] : 0, next, next + s->counts[r], r};

        if (s->counts[r])
            h.runs[h.left++] = run;
        next = run.end;
    }
    for (uint32_t x = h.left / 2; x > 0; x--)
        sink(&h, x - 1);
    return h;
}

/* The first sample is done with. */
static void drop(struct heap *h)
{
    struct run *const top = h->runs;

    top->next++;
    if (top->next < top->end)
        top->word = h->samples->words[top->next];
    else
        *top = h->runs[--h->left];
    if (h->left)
        sink(h, 0);
}

/* Where the sample that comes first is. */
static struct cw_place place_of(const struct heap *h)
{
    const struct cw_samples *const s = h->samples;
    const struct run *const top = h->runs;
    const uint64_t count = s->counts[top->rank];
    struct cw_place p = {top->word, 0, top->rank};

    p.at =
        cw_sample_at(&s->intervals[p.rank], count, top->next + count - top->end, s->seeds[p.rank]);
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
static void narrow(struct heap *h, const struct sums *sums, double k, struct cw_pivots *out)
{
    const struct cw_samples *const s = h->samples;
    const double slack = 1e-9 * (double)sums->candidates; /* of adding doubles */
    const double low = k - sums->spread - slack, high = k + sums->spread + slack;
    double before = 0, from = 0, to = (double)sums->candidates;

    out->outcome = CW_NARROW;
    for (; h->left; drop(h)) {
        const uint32_t r = h->runs->rank;

        if (before < low) {
            out->a = place_of(h);
            out->has = 1;
            from = before;
        } else if (before > high) {
            out->b = place_of(h);
            out->has |= 2u;
            to = before;
            break;
        }
        before += (double)s->intervals[r].length / (double)s->counts[r];
    }
    out->candidates = (uint64_t)(to - from) + 1;
}

void cw_pivots_choose(const struct cw_samples *s, uint64_t target, void *room,
                      struct cw_pivots *out)
{
    const struct sums sums = sums_of(s);
    struct heap h;

    memset(out, 0, sizeof *out);
    if (target < sums.below || target - sums.below >= sums.candidates) {
        out->outcome = target < sums.below ? CW_BELOW : CW_ABOVE;
        return;
    }
    h = open(s, room);
    if (s->all == sums.candidates) {
        for (uint64_t x = sums.below; x < target; x++)
            drop(&h);
        out->a = place_of(&h);
        out->outcome = CW_FOUND;
        return;
    }
    narrow(&h, &sums, (double)(target - sums.below), out);
}
