/* cuts.c - cuts from a sorted sample. */
#include "cpu/sort/cuts.h"

#define HEAVY 64u /* a key that is more than a 64th of the sample is heavy */

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

void cw_cuts_make(const struct cw_sorter *s, const uint64_t *sample, uint32_t n, uint32_t buckets,
                  struct cw_cuts *out)
{
    const uint32_t heavy = sample[0] == sample[n - 1] ? n : heavy_keys(sample, n);

    if (s->compare || heavy > n / 4)
        make_splitters(s, sample, n, buckets, out);
    else
        make_digits(sample, n, buckets, out);
}
