/* external_split.c - splitters from a sample, and the bucket of a key by them.
 *
 * The sample is taken in pieces (external_sample.h).  A value that is chosen twice is frequent: it
 * becomes a splitter together with the word after it, so that it has a bucket of its own.  A range
 * that samples misled about is cut into equal ones instead.
 */
#include <stdlib.h>
#include <string.h>

#include "files/external_sample.h"
#include "files/external_state.h"
#include "base/status.h"

#define CROWD  4u  /* splitters of a cell, for cells to be of use */
#define RANGES 64u /* equal ones, at least */

static int by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t word_at(const struct cw_key_map *m, const void *keys, uint64_t i, size_t bytes)
{
    const unsigned char *const p = (const unsigned char *)keys + i * bytes;
    uint16_t x2;
    uint32_t x4;
    uint64_t x = *p;

    if (bytes == 2)
        memcpy(&x2, p, 2), x = x2;
    else if (bytes == 4)
        memcpy(&x4, p, 4), x = x4;
    else if (bytes == 8)
        memcpy(&x, p, 8);
    x = CW_KEY_TO_WORD(m, x);
    return m->tied ? CW_WORD_TO_RANK(m, x) : x;
}

static cw_status sample(const struct cw_external_state *s, uint64_t *words, uint64_t *count)
{
    const uint64_t n = s->x->n;
    uint64_t random = s->seed;
    uint64_t keys[CW_EXTERNAL_PIECE];

    *count = 0;
    for (uint64_t k = 0; k < cw_external_pieces(n); k++) {
        uint64_t take;
        const uint64_t first = cw_external_piece(&random, n, k, &take);
        const cw_status status = cw_external_read(s, first, take, keys, NULL);

        if (status)
            return status;
        for (uint64_t i = 0; i < take; i++)
            words[(*count)++] = word_at(&s->map, keys, i, s->key);
    }
    return CW_OK;
}

/* Add a splitter that is above all others. */
static void add(struct cw_splitters *p, uint64_t word)
{
    if (!p->count || word > p->words[p->count - 1])
        p->words[p->count++] = word;
}

/* cell[k]: splitters below the first word of cell k, which the search may begin with. */
static void fill_cells(struct cw_splitters *p)
{
    const uint64_t range = p->words[p->count - 1] - p->words[0];
    uint32_t b = 0;

    while (range >> p->shift >= CW_EXTERNAL_CELLS)
        p->shift++;
    p->even = 1;
    for (uint64_t k = 0; k <= range >> p->shift; k++) {
        const uint32_t before = b;

        p->cell[k] = (uint16_t)b;
        while (b < p->count && (p->words[b] - p->words[0]) >> p->shift == k)
            b++;
        p->even &= b - before <= CROWD;
    }
}

static void finish(struct cw_external_state *s)
{
    s->buckets = s->splitters.count + 1;
    while (s->splitters.size <= s->splitters.count)
        s->splitters.size *= 2;
    for (uint32_t k = s->splitters.count; k < s->splitters.size; k++)
        s->splitters.words[k] = UINT64_MAX;
    fill_cells(&s->splitters);
}

static void choose(struct cw_external_state *s, const uint64_t *words, uint64_t count,
                   uint32_t buckets)
{
    uint64_t before = 0;

    for (uint32_t b = 1; b < buckets; b++) {
        const uint64_t word = words[count * b / buckets];

        add(&s->splitters, word);
        if ((b > 1 && word == before && word < s->map.mask))
            add(&s->splitters, word + 1);
        before = word;
    }
    finish(s);
}

/* Equal ranges from the least word to the greatest. */
static void cut(struct cw_external_state *s, uint32_t buckets)
{
    const uint64_t step = (s->high - s->low) / buckets + 1;

    for (uint64_t word = s->low; s->high - word >= step; word += step)
        add(&s->splitters, word + step);
    if (!s->splitters.count)
        add(&s->splitters, s->low);
    finish(s);
}

cw_status cw_splitters_choose(struct cw_external_state *s, uint32_t buckets)
{
    const int ranges = s->misled >= 2;
    uint64_t *const words =
        (uint64_t *)malloc((size_t)CW_EXTERNAL_PIECES * CW_EXTERNAL_PIECE * sizeof *words);
    uint64_t count;
    cw_status status;

    buckets = ranges && buckets < RANGES ? RANGES : buckets;
    s->splitters.size = 2;
    s->splitters.words = (uint64_t *)malloc((size_t)buckets * 4 * sizeof *words);
    if (!words || !s->splitters.words) {
        free(words);
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u splitters", buckets);
    }
    status = ranges ? CW_OK : sample(s, words, &count);
    if (ranges) {
        cut(s, buckets);
    } else if (!status) {
        qsort(words, count, sizeof *words, by_word);
        choose(s, words, count, buckets);
    }
    free(words);
    return status;
}

void cw_bucket_range(const struct cw_external_state *s, uint32_t b, uint64_t *low, uint64_t *high)
{
    const struct cw_splitters *const p = &s->splitters;

    *low = b ? p->words[b - 1] : s->low;
    *high = b < p->count ? p->words[b] - 1 : s->high; /* below the first splitter of 0: no word */
}

int cw_bucket_single(const struct cw_external_state *s, uint32_t b)
{
    uint64_t low, high;

    cw_bucket_range(s, b, &low, &high);
    return low == high;
}

int cw_bucket_counted(const struct cw_external_state *s, uint32_t b)
{
    uint64_t low, high;

    cw_bucket_range(s, b, &low, &high);
    return low == high && !s->index && !(s->map.tied && CW_RANK_SHARED(&s->map, low));
}

#define KEY      uint8_t
#define CLASSIFY classify1
#include "files/external_classify.h"
#define KEY      uint16_t
#define CLASSIFY classify2
#include "files/external_classify.h"
#define KEY      uint32_t
#define CLASSIFY classify4
#include "files/external_classify.h"
#define KEY      uint64_t
#define CLASSIFY classify8
#include "files/external_classify.h"

void cw_splitters_classify(const struct cw_splitters *p, const struct cw_key_map *m,
                           const void *keys, size_t bytes, uint32_t n, uint16_t *bucket)
{
    if (bytes == 1)
        classify1(p, m, (const uint8_t *)keys, n, bucket);
    else if (bytes == 2)
        classify2(p, m, (const uint16_t *)keys, n, bucket);
    else if (bytes == 4)
        classify4(p, m, (const uint32_t *)keys, n, bucket);
    else
        classify8(p, m, (const uint64_t *)keys, n, bucket);
}
