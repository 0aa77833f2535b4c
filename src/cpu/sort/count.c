/* count.c - keys of one or two bytes, sorted by counting them.
 *
 * There are at most 65536 different keys, and nothing that tells equal ones apart: so they are
 * counted, each thread those of a stretch, and written anew, each thread a stretch of the output.
 *
 * Space: 8 bytes for each key that there can be, for each thread and once more.
 */
#include "cpu/sort/count.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "base/status.h"

static size_t kinds_of(size_t bytes)
{
    return (size_t)1 << 8 * bytes;
}

int cw_sort_counts(const cw_array *job)
{
    const size_t bytes = cw_type_bytes(job->type);

    return bytes <= 2 && !job->value_bytes && !job->index_bytes &&
           (!job->bits || job->bits == 8 * bytes) && !(job->flags & CW_CONFLICT_FREE) &&
           job->n >= kinds_of(bytes);
}

static uint32_t key_of(const struct cw_key_map *m, uint32_t word)
{
    const uint64_t flipped = CW_WORD_FLIPPED(m, (uint64_t)word);

    return (uint32_t)CW_FLIPPED_TO_KEY(m, flipped);
}

static void count(const char *keys, size_t bytes, size_t n, size_t *counts)
{
    uint16_t key;

    memset(counts, 0, kinds_of(bytes) * sizeof *counts);
    for (size_t x = 0; x < n && bytes == 1; x++)
        counts[(uint8_t)keys[x]]++;
    for (size_t x = 0; x < n && bytes == 2; x++) {
        memcpy(&key, keys + 2 * x, 2);
        counts[key]++;
    }
}

/* last[k]: where keys whose word is k end. */
static void sum(const struct cw_key_map *map, size_t kinds, const size_t *counts, unsigned threads,
                size_t *last)
{
    size_t all = 0;

    for (size_t k = 0; k < kinds; k++) {
        const uint32_t key = key_of(map, (uint32_t)k);

        for (unsigned t = 0; t < threads; t++)
            all += counts[t * kinds + key];
        last[k] = all;
    }
}

/* Keys from .. end - 1 of the output. */
static void fill(const struct cw_key_map *map, size_t bytes, const size_t *last, size_t from,
                 size_t end, char *out)
{
    for (uint32_t k = 0; from < end; k++) {
        const size_t stop = last[k] < end ? last[k] : end;
        const uint16_t key = (uint16_t)key_of(map, k);

        if (stop <= from)
            continue;
        if (bytes == 1)
            memset(out + from, (int)key, stop - from);
        for (size_t x = from; bytes == 2 && x < stop; x++)
            memcpy(out + 2 * x, &key, 2);
        from = stop;
    }
}

cw_status cw_sort_by_counting(const cw_array *job, const struct cw_key_map *map, unsigned threads)
{
    const size_t bytes = cw_type_bytes(job->type), kinds = kinds_of(bytes), n = job->n;
    const unsigned most = n / kinds < threads ? (unsigned)(n / kinds) : threads;
    const size_t step = n / most + 1;
    size_t *counts = (size_t *)malloc((most + 1) * kinds * sizeof *counts);
    size_t *last = counts + most * kinds;

    if (!counts)
        return cw_fail(CW_ERR_MEMORY, "no tables of %zu counts for %u threads", kinds, most);
    CW_OMP(omp parallel for schedule(static, 1) num_threads((int)most) if (most > 1))
    for (unsigned t = 0; t < most; t++) {
        const size_t from = t * step < n ? t * step : n, left = n - from;

        count((const char *)job->keys_in + from * bytes, bytes, left < step ? left : step,
              counts + t * kinds);
    }
    sum(map, kinds, counts, most, last);
    CW_OMP(omp parallel for schedule(static, 1) num_threads((int)most) if (most > 1))
    for (unsigned t = 0; t < most; t++) {
        const size_t from = t * step < n ? t * step : n, left = n - from;

        fill(map, bytes, last, from, from + (left < step ? left : step), (char *)job->keys_out);
    }
    free(counts);
    return CW_OK;
}
