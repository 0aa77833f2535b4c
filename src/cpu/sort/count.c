/* count.c - keys of one or two bytes, sorted by counting them.
 *
 * There are at most 65536 different keys, and nothing that tells equal ones apart (of floats in a
 * stable sort their bits do: -0 and +0 are equal): so they are counted, each thread those of a
 * stretch, and written anew, each thread a stretch of the output.
 *
 * Counters of keys with equal low bytes lie 2 KiB apart, so they would share a few sets of the first
 * cache: keys made for that took 3.8 times as long as random ones.  So the counters of each high
 * byte are in another order, which follows from a seed that nobody foresees.
 *
 * Space: 8 bytes for each key that there can be, for each thread and once more.
 */
#include "cpu/sort/count.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "base/status.h"

#define SHARE \
    ((size_t)1 << 18) /* bytes of keys; to wake a thread for fewer takes as long as to count them */

/* Tables begin at a line of the cache: the last counter of a thread and the first of the next would
 * share one, and keys of 0 and 255 alone took 4.4 times as long as random ones. */
#define LINE 64u

static size_t kinds_of(size_t bytes)
{
    return (size_t)1 << 8 * bytes;
}

int cw_sort_counts(const cw_array *job, const struct cw_key_map *map)
{
    const size_t bytes = cw_type_bytes(job->type);

    return bytes <= 2 && !job->value_bytes && !job->index_bytes &&
           (!job->bits || job->bits == 8 * bytes) && !(job->flags & CW_CONFLICT_FREE) &&
           !map->tied && job->n >= kinds_of(bytes);
}

static uint32_t key_of(const struct cw_key_map *m, uint32_t word)
{
    const uint64_t flipped = CW_WORD_FLIPPED(m, (uint64_t)word);

    return (uint32_t)CW_FLIPPED_TO_KEY(m, flipped);
}

/* Where a key of two bytes is counted; `stir` is odd. */
static uint32_t slot_of(uint32_t key, uint32_t stir)
{
    return key ^ ((key >> 8) * stir & 0xffu);
}

/* Bytes have four tables in turn: an addition to a counter waits for the last one to the same
 * counter, so that one table would take keys of few values three times as long as random ones. */
static void count_bytes(const unsigned char *keys, size_t n, size_t *counts)
{
    size_t more[3][256] = {{0}}, x = 0;

    for (; n - x >= 4; x += 4) {
        counts[keys[x]]++;
        more[0][keys[x + 1]]++;
        more[1][keys[x + 2]]++;
        more[2][keys[x + 3]]++;
    }
    for (; x < n; x++)
        counts[keys[x]]++;
    for (size_t k = 0; k < 256; k++)
        counts[k] += more[0][k] + more[1][k] + more[2][k];
}

static void count(const char *keys, size_t bytes, size_t n, uint32_t stir, size_t *counts)
{
    uint16_t key;

    memset(counts, 0, kinds_of(bytes) * sizeof *counts);
    if (bytes == 1)
        count_bytes((const unsigned char *)keys, n, counts);
    for (size_t x = 0; x < n && bytes == 2; x++) {
        memcpy(&key, keys + 2 * x, 2);
        counts[slot_of(key, stir)]++;
    }
}

/* last[k]: where keys whose word is k end. */
static void sum(const struct cw_key_map *map, size_t kinds, uint32_t stir, const size_t *counts,
                unsigned threads, size_t *last)
{
    size_t all = 0;

    for (size_t k = 0; k < kinds; k++) {
        const uint32_t slot = slot_of(key_of(map, (uint32_t)k), stir);

        for (unsigned t = 0; t < threads; t++)
            all += counts[t * kinds + slot];
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

/* One call. */
struct counting {
    const cw_array *job;
    const struct cw_key_map *map;
    size_t bytes, kinds, step; /* step: keys of a stretch */
    uint32_t stir;             /* see slot_of */
    size_t *counts, *last;
};

static void count_stretch(void *user, size_t t, size_t end, unsigned thread)
{
    const struct counting *c = (const struct counting *)user;
    const size_t n = c->job->n, from = t * c->step < n ? t * c->step : n, left = n - from;

    (void)end;
    (void)thread;
    count((const char *)c->job->keys_in + from * c->bytes, c->bytes,
          left < c->step ? left : c->step, c->stir, c->counts + t * c->kinds);
}

static void fill_stretch(void *user, size_t t, size_t end, unsigned thread)
{
    const struct counting *c = (const struct counting *)user;
    const size_t n = c->job->n, from = t * c->step < n ? t * c->step : n, left = n - from;

    (void)end;
    (void)thread;
    fill(c->map, c->bytes, c->last, from, from + (left < c->step ? left : c->step),
         (char *)c->job->keys_out);
}

cw_status cw_sort_by_counting(const cw_array *job, const struct cw_key_map *map,
                              struct cw_team *team, uint64_t seed)
{
    const unsigned threads = cw_team_threads(team);
    const size_t bytes = cw_type_bytes(job->type), kinds = kinds_of(bytes), n = job->n;
    const size_t shares = n * bytes / SHARE + 1;
    const unsigned most = shares < threads ? (unsigned)shares : threads;
    const size_t step = n / most + 1;
    size_t *counts = (size_t *)aligned_alloc(LINE, (most + 1) * kinds * sizeof *counts);
    struct counting c = {job, map, bytes, kinds, step, 0, counts, NULL};

    if (!counts)
        return cw_fail(CW_ERR_MEMORY, "no tables of %zu counts for %u threads", kinds, most);
    c.stir = bytes == 2 ? (uint32_t)(seed >> 32) | 1u : 0;
    c.last = counts + most * kinds;
    cw_team_run(team, most, most, 1, count_stretch, &c);
    sum(map, kinds, c.stir, counts, most, c.last);
    cw_team_run(team, most, most, 1, fill_stretch, &c);
    free(counts);
    return CW_OK;
}
