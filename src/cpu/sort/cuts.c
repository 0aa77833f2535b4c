/* cuts.c - cuts from a sorted sample. */
#include "cpu/sort/sample.h"

#define HEAVY  64u    /* a key that is more than a 64th of the sample is heavy */
#define MOSTLY 0.5625 /* of a sample; a pass by splitters takes about two by digits */

/* How many of the sample are keys that alone are a bucket too many. */
static uint32_t heavy_keys(const uint64_t *sample, uint32_t n)
{
    uint32_t heavy = 0;

    for (uint32_t x = 0, end; x < n; x = end) {
        for (end = x + 1; end < n && sample[end] == sample[x];)
            end++;
        if ((uint64_t)(end - x) * HEAVY > n)
            heavy += end - x;
    }
    return heavy;
}

/* ---- digits --------------------------------------------------------------------------------- */

/* Bits for a cell of `count` keys, so that no bucket has more than `most`. */
static uint32_t bits_of_cell(uint32_t count, uint32_t most, uint32_t shift)
{
    uint32_t k = 0;

    while (k < shift && (uint64_t)most << k < count)
        k++;
    return k;
}

static uint32_t buckets_for(const uint32_t *count, uint32_t cells, uint32_t most, uint32_t shift)
{
    uint32_t all = 0;

    for (uint32_t c = 0; c < cells; c++) {
        all += 1u << bits_of_cell(count[c], most, shift);
        if (all > CW_SORT_BUCKETS)
            break;
    }
    return all;
}

/* The least limit on keys in a bucket for which there are buckets enough. */
static uint32_t limit_of(const uint32_t *count, uint32_t cells, uint32_t n, uint32_t buckets,
                         uint32_t shift)
{
    uint32_t less = 0, enough = n;

    while (enough - less > 1) {
        const uint32_t most = less + (enough - less) / 2;

        if (buckets_for(count, cells, most, shift) <= buckets)
            enough = most;
        else
            less = most;
    }
    return enough;
}

static void make_digits(const uint64_t *sample, uint32_t n, uint32_t buckets, struct cw_cuts *out)
{
    const uint32_t width = cw_width(sample[n - 1] - sample[0]);
    const uint32_t coarse = cw_width(buckets / 4 < CW_CUTS_CELLS ? buckets / 4 : CW_CUTS_CELLS - 1);
    uint32_t count[CW_CUTS_CELLS] = {0};
    uint32_t cells, most, base = 0;

    out->levels = 0;
    out->least = sample[0];
    out->most = sample[n - 1];
    out->shift = width > coarse ? width - coarse : 0;
    cells = (uint32_t)((out->most - out->least) >> out->shift) + 1;
    for (uint32_t x = 0; x < n; x++)
        count[(sample[x] - out->least) >> out->shift]++;
    most = limit_of(count, cells, n, buckets, out->shift);
    out->even = out->shift - bits_of_cell(count[0], most, out->shift);
    for (uint32_t c = 0; c < cells; c++) {
        const uint32_t k = bits_of_cell(count[c], most, out->shift);

        out->cell[c] = (out->shift - k) << 16 | (uint16_t)(base - (c << k));
        out->even = out->shift - k == out->even ? out->even : 64;
        base += 1u << k;
    }
    out->buckets = base;
}

/* A bucket for each word that there can be. */
static void make_single(const struct cw_sorter *s, struct cw_cuts *out)
{
    out->levels = 0;
    out->least = 0;
    out->most = s->range;
    out->shift = out->even = 0;
    out->buckets = (uint32_t)s->range + 1;
    out->large = 0;
}

/* As sort/keys.h finds it. */
static uint32_t bucket_by_digits(const struct cw_cuts *c, uint64_t word)
{
    const uint64_t y = word - c->least;
    const cw_cell cell = c->cell[y >> c->shift];

    return (uint16_t)(cell + (uint32_t)(y >> (cell >> 16)));
}

/* The share of the sample that is in buckets of more than `most`: *large, and without those of a
 * single key, which are sorted. */
static double too_large(const struct cw_cuts *c, const uint64_t *sample, uint32_t n, double most,
                        double *large)
{
    uint32_t all = 0, single = 0;

    for (uint32_t x = 0, end; x < n; x = end) {
        const uint32_t b = bucket_by_digits(c, sample[x]);

        for (end = x + 1; end < n && bucket_by_digits(c, sample[end]) == b;)
            end++;
        if (end - x > most) {
            all += end - x;
            single += sample[x] == sample[end - 1] ? end - x : 0;
        }
    }
    *large = (double)all / n;
    return (double)(all - single) / n;
}

/* ---- splitters ------------------------------------------------------------------------------ */

static void put_key(const struct cw_sorter *s, void *keys, uint32_t x, uint64_t key)
{
    if (s->bytes[0] == 8)
        ((uint64_t *)keys)[x] = key;
    else
        ((uint32_t *)keys)[x] = (uint32_t)key;
}

/* Node x of the tree, over splitters from .. from + 2^levels - 2. */
static void make_tree(const struct cw_sorter *s, const uint64_t *splitter, uint32_t x,
                      uint32_t levels, struct cw_cuts *out)
{
    const uint32_t half = 1u << (levels - 1);

    put_key(s, &out->tree, x, splitter[half - 1]);
    if (levels > 1) {
        make_tree(s, splitter, 2 * x, levels - 1, out);
        make_tree(s, splitter + half, 2 * x + 1, levels - 1, out);
    }
}

/* Keys of the sample at equal distances, each once; the greatest fills up the last level. */
static void make_splitters(const struct cw_sorter *s, const uint64_t *sample, uint32_t n,
                           uint32_t buckets, struct cw_cuts *out)
{
    uint64_t splitter[1u << CW_CUTS_LEVELS];
    const uint32_t most = buckets / 2 - 1;
    uint32_t count = 0;

    for (uint32_t k = 1; k <= most; k++) {
        const uint64_t key = sample[(uint64_t)n * k / (most + 1)];

        if (!count || splitter[count - 1] != key)
            splitter[count++] = key;
    }
    out->levels = cw_width(count);
    for (uint32_t x = count; x < 1u << out->levels; x++)
        splitter[x] = splitter[count - 1];
    make_tree(s, splitter, 1, out->levels, out);
    for (uint32_t x = 0; x < 1u << out->levels; x++)
        put_key(s, &out->splitter, x, splitter[x]);
    out->buckets = 2u << out->levels;
}

void cw_cuts_make(const struct cw_sorter *s, const uint64_t *sample, uint32_t n, size_t items,
                  uint32_t buckets, int split, struct cw_cuts *out)
{
    const int single = cw_cuts_single(s);
    const uint32_t heavy = sample[0] == sample[n - 1] ? n : heavy_keys(sample, n);
    const size_t most = cw_bucket_limit(s, items, buckets);

    out->single = single;
    if (single) {
        make_single(s, out);
        return;
    }
    if (!split && !s->compare && heavy <= n / 4) {
        make_digits(sample, n, buckets, out);
        if (too_large(out, sample, n, (double)most / (double)items * n, &out->large) < MOSTLY)
            return;
    }
    out->large = 0;
    make_splitters(s, sample, n, buckets, out);
}
