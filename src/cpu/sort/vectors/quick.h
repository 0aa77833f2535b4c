/* quick.h - quicksort by vectors: the body of vectors4.c and vectors8.c.
 *
 * A stretch of n words has its place in `out`, and as much room in `work`.  It is where it will end, or at the front of its
 * room, or (at first) in the caller's array.  A partition reads it once.  Words up to the pivot go to the front of `out`,
 * where they belong; the others to the front of `work`.  So each side again has a place and as much room:
 *
 *      lesser    out[0 .. low)    where they are            room work[high .. n)
 *      greater   out[low .. n)    they are work[0 .. high)  room work[0 .. high)
 *
 * One of the two arrays may be the one that is read: after k words, no more than k were stored to it.  Each vector is pressed
 * together twice and stored whole, with no branch; what is stored too much is within n words, and is stored again.
 *
 * The shorter side is sorted first, the longer one in the same call: so no more than log2(n) calls wait for each other.
 * Up to 16 vectors are sorted in registers (network.h).
 *
 * The pivot is a median of 9 words, or of 81, each from a random place of a ninth.  Where nothing is less than it, all words
 * equal to it are parted from the rest, and are sorted.  If the 9 agree, the first word that differs from them is looked
 * for.  There may be none; else it says on which side of the pivot to cut, and both sides have a word.  A pivot is bad if it
 * leaves more than 7/8 together.  After the first one, places come from a seed made then; a stretch that got too many is
 * merged.
 *
 * Quicksort by vectors, down to networks: Bramas (2017); Blacher, Giesen, Sanders and Wassenberg (2022).
 * Medians of medians of three: Tukey, in Bentley and McIlroy (1993).  Giving up after bad pivots:
 * Musser (1997).  Here it ends in a merge, and new places are drawn only after a bad pivot.
 *
 * Time: n log(n / 16 lanes) / lanes on any words.   Space: n words of room.
 */
#include "cpu/sort/vectors/vectors.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <string.h>

#include "cpu/entropy.h"
#include "cpu/sort/leaf/runs.h"
#include "cpu/sort/vectors/network.h"

/* ---- partition ------------------------------------------------------------------------------ */

struct heads {
    word *low, *high;
};

LANE void deal(struct heads *to, vec v, vec pivot)
{
    const mask m = up_to(v, pivot);
    const size_t low = (size_t)__builtin_popcount(m);

    _mm512_storeu_si512(to->low, pressed(m, v));
    _mm512_storeu_si512(to->high, pressed(others(m), v));
    to->low += low;
    to->high += WIDE - low;
}

/* The last words, fewer than a vector. */
LANE void deal_last(struct heads *to, const word *x, uint32_t n, vec pivot)
{
    const mask all = first_lanes((int)n);
    const vec v = load_some(all_of(0), all, x);
    const mask m = up_to(v, pivot) & all, rest = (mask)(~m & all);
    const int low = __builtin_popcount(m);

    store_some(to->low, first_lanes(low), pressed(m, v));
    store_some(to->high, first_lanes((int)n - low), pressed(rest, v));
    to->low += low;
}

/* Words of x up to the pivot to `low`, the others to `high`: how many are low?  Both have room for n; one may be x. */
ISA static uint32_t partition(const word *x, uint32_t n, word *low, word *high, word pivot)
{
    const vec p = all_of(pivot);
    struct heads to = {low, high};
    uint32_t k = 0;

    for (; n - k >= 4 * WIDE; k += 4 * WIDE) {
        const vec a = _mm512_loadu_si512(x + k), b = _mm512_loadu_si512(x + k + WIDE);
        const vec c = _mm512_loadu_si512(x + k + 2 * WIDE),
                  d = _mm512_loadu_si512(x + k + 3 * WIDE);

        deal(&to, a, p);
        deal(&to, b, p);
        deal(&to, c, p);
        deal(&to, d, p);
    }
    for (; n - k >= WIDE; k += WIDE)
        deal(&to, _mm512_loadu_si512(x + k), p);
    if (k < n)
        deal_last(&to, x + k, n - k, p);
    return (uint32_t)(to.low - low);
}

/* ---- pivots --------------------------------------------------------------------------------- */

/* A random number below `limit`, quickly (Knuth's MMIX generator). */
static inline uint32_t place_below(struct cw_pivots *p, uint32_t limit)
{
    p->random = p->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((p->random >> 32) * limit >> 32);
}

static inline word middle(word a, word b, word c)
{
    const word less = a < b ? a : b, more = a < b ? b : a;

    return c < less ? less : c > more ? more : c;
}

/* The median of three medians of three words, `step` apart. */
static word median_of_9(const word *x, size_t step)
{
    return middle(middle(x[0], x[step], x[2 * step]), middle(x[3 * step], x[4 * step], x[5 * step]),
                  middle(x[6 * step], x[7 * step], x[8 * step]));
}

/* Nine words, or medians of nine. */
static void draw(struct cw_pivots *p, const word *x, uint32_t n, word *nine)
{
    const uint32_t step = n / 9, from = place_below(p, step);

    for (uint32_t k = 0; k < 9; k++)
        nine[k] = n < 4096 ? x[from + k * step]
                           : median_of_9(x + step * k + place_below(p, n / 81), n / 81);
}

static int agree(const word *nine)
{
    word any = 0;

    for (uint32_t k = 1; k < 9; k++)
        any |= nine[k] ^ nine[0];
    return !any;
}

/* The first of n words that is not `one`, or n. */
ISA static uint32_t other_than(const word *x, uint32_t n, word one)
{
    const vec ones = all_of(one);
    uint32_t k = 0;

    while (n - k >= WIDE && !differ(_mm512_loadu_si512(x + k), ones))
        k += WIDE;
    while (k < n && x[k] == one)
        k++;
    return k;
}

/* A pivot was bad: from now on nobody foresees them. */
static void bad_pivot(struct cw_pivots *p)
{
    if (!p->alert && !p->foreseen)
        p->random ^= cw_entropy();
    p->alert = 1;
    p->left--;
}

/* ---- stretches ------------------------------------------------------------------------------ */

static struct cw_stretch stretch(const word *from, word *out, word *work, uint32_t n)
{
    const struct cw_stretch s = {from, out, work, n};

    return s;
}

/* Nine words of a stretch are this one. */
static void part_same(struct cw_pivots *p, const struct cw_stretch *s, word same,
                      struct cw_stretch *less, struct cw_stretch *more)
{
    const word *x = (const word *)s->from;
    word *const out = (word *)s->out, *const work = (word *)s->work;
    const uint32_t n = s->n, at = other_than(x, n, same);
    uint32_t low = 0, high = 0;

    if (at < n) {
        low = partition(x, n, out, work, x[at] < same ? same - 1 : same);
        high = n - low;
        bad_pivot(p);
    } else if (x != out) {
        memcpy(out, x, n * sizeof *x);
    }
    *less = stretch(out, out, work + high, low);
    *more = stretch(work, out + n - high, work, high);
}

/* Both sides of a stretch of more than AT_ONCE words. */
static void part(struct cw_pivots *p, const struct cw_stretch *s, struct cw_stretch *less,
                 struct cw_stretch *more)
{
    const word *x = (const word *)s->from;
    word *const out = (word *)s->out, *const work = (word *)s->work;
    const uint32_t n = s->n;
    word nine[9], pivot;
    uint32_t low = 0;

    draw(p, x, n, nine);
    if (agree(nine)) {
        part_same(p, s, nine[0], less, more);
        return;
    }
    pivot = median_of_9(nine, 1);
    if (pivot) {
        low = partition(x, n, out, work, pivot - 1);
        x = work; /* all of them, if none is less */
    }
    if (low > n - n / 8 || (low && low < n / 8))
        bad_pivot(p);
    *less = stretch(out, out, work + (n - low), low);
    if (!low) { /* the pivots are done with */
        low = partition(x, n, out, work, pivot);
        if (low < n / 8)
            bad_pivot(p);
        for (uint32_t k = 0; k < low; k++)
            out[k] = pivot;
    }
    *more = stretch(work, out + low, work, n - low);
}

/* By merges of runs that are sorted at once, which go to and fro. */
static void merge(const struct cw_stretch *s)
{
    const word *x = (const word *)s->from;
    word *at = (word *)s->out, *other = (word *)s->work, *both;

    for (uint64_t run = AT_ONCE; run < s->n; run *= 2)
        both = at, at = other, other = both;
    for (uint32_t k = 0; k < s->n; k += AT_ONCE)
        sort_at_once(x + k, at + k, s->n - k < AT_ONCE ? s->n - k : AT_ONCE);
    for (uint64_t run = AT_ONCE; run < s->n; run *= 2) {
        merge_runs(at, other, s->n, (uint32_t)run);
        both = at, at = other, other = both;
    }
}

static void quick_sort(struct cw_pivots *p, const struct cw_stretch *whole)
{
    struct cw_stretch s = *whole, less, more;
    const uint32_t left = p->left;

    while (s.n > AT_ONCE && p->left) {
        part(p, &s, &less, &more);
        s = less.n > more.n ? less : more;
        quick_sort(p, less.n > more.n ? &more : &less);
    }
    if (s.n > AT_ONCE)
        merge(&s);
    else if (s.n)
        sort_at_once((const word *)s.from, (word *)s.out, s.n);
    p->left = left;
}

/* ---- order that is there -------------------------------------------------------------------- */

/* Is no word less (`down`: greater) than the one before?  The first vector nearly always tells. */
LANE int ordered(const word *x, uint32_t n, int down)
{
    uint32_t k = 0;

    for (; k + WIDE < n; k += WIDE) {
        const vec v = _mm512_loadu_si512(x + k), next = _mm512_loadu_si512(x + k + 1);

        if ((down ? up_to(next, v) : up_to(v, next)) != FULL)
            return 0;
    }
    while (k + 1 < n && (down ? x[k] >= x[k + 1] : x[k] <= x[k + 1]))
        k++;
    return k + 1 == n;
}

static void turn(const word *x, word *out, uint32_t n)
{
    for (uint32_t k = 0; k < n / 2; k++) {
        const word low = x[k], high = x[n - 1 - k];

        out[k] = high;
        out[n - 1 - k] = low;
    }
    if (n % 2)
        out[n / 2] = x[n / 2];
}

ISA static void sort(struct cw_pivots *p, const struct cw_stretch *s)
{
    const word *x = (const word *)s->from;
    word *const out = (word *)s->out;

    if (s->n > AT_ONCE && ordered(x, s->n, 0)) {
        if (x != out)
            memcpy(out, x, s->n * sizeof *x);
    } else if (s->n > AT_ONCE && ordered(x, s->n, 1)) {
        turn(x, out, s->n);
    } else {
        quick_sort(p, s);
    }
}

extern const struct cw_vectors VECTORS;
const struct cw_vectors VECTORS = {AT_ONCE, sort, part};

#endif
