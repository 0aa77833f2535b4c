/* sort.c - cw_sort on threads of the host: what is to be done, and memory for it. */
#include "cpu/sort/sort.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/sort/count.h"
#include "cpu/sort/buckets.h"
#include "cpu/sort/sample.h"
#include "base/threads.h"
#include "base/status.h"

#define ALIGNMENT  256u
#define CACHED     (512u << 10) /* bytes of keys that are sorted in cache */
#define BAD_PIVOTS 12u          /* below each other, before quicksort gives up */

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t cw_cpu_sort_workspace(const cw_array *job)
{
    return aligned(job->n * cw_type_bytes(job->type)) + aligned(job->n * job->value_bytes) +
           aligned(job->n * (job->index_out ? job->index_bytes : 0));
}

/* ---- what is to be done --------------------------------------------------------------------- */

static void set_sides(struct cw_sorter *s, char *workspace)
{
    const cw_array *job = s->job;
    struct cw_side_arrays *in = &s->side[CW_SIDE_IN], *work = &s->side[CW_SIDE_WORK];
    struct cw_side_arrays *out = &s->side[CW_SIDE_OUT];

    in->keys = (char *)(uintptr_t)job->keys_in; /* read only */
    in->values = (char *)(uintptr_t)job->values_in;
    work->keys = workspace;
    work->values = work->keys + aligned(job->n * s->bytes[0]);
    work->index = work->values + aligned(job->n * s->bytes[1]);
    out->keys = (char *)job->keys_out;
    out->values = (char *)job->values_out;
    out->index = (char *)job->index_out;
}

static struct cw_sorter sorter_of(const cw_array *job, char *workspace,
                                  const struct cw_sort_ways *ways)
{
    const struct cw_columns *columns = ways->columns;
    struct cw_sorter s = {0};

    s.job = job;
    s.work.columns = columns;
    s.map = cw_key_map_of_array(job);
    s.bytes[0] = cw_type_bytes(job->type);
    s.bytes[1] = job->value_bytes;
    s.bytes[2] = job->index_out ? job->index_bytes : 0;
    s.keys = cw_sort_keys_of(columns, s.bytes[0]);
    s.first = job->bits ? job->first_bit : 0;
    s.range = job->bits ? UINT64_MAX >> (64u - job->bits) : s.map.mask;
    s.partition[0] = cw_words_partition_of(columns, 0);
    s.partition[1] = cw_words_partition_of(columns, 1);
    s.compare = (job->flags & CW_CONFLICT_FREE) != 0;
    s.placed = s.bytes[1] || s.bytes[2] || s.range != s.map.mask || s.bytes[0] < 4 || s.map.tied;
    s.pivots = ways->pivots;
    s.seed = ways->seed;
    s.foreseen = ways->foreseen;
    s.leaf = ways->leaf ? ways->leaf : s.placed ? CW_SORT_PLACES : CACHED / s.bytes[0];
    set_sides(&s, workspace);
    return s;
}

/* ---- threads and their memory --------------------------------------------------------------- */

/* Bytes of one thread's buffers. */
struct sizes {
    size_t words, columns, leaves, keys, values, index; /* there are three of words */
    size_t places, line, cuts;                          /* two of places; as many lines as arrays */
    size_t sample, ends;
};

/* `words`, or so many more that a chunk as long as the buffer can give CW_SORT_LEAST of them to a
 * sample as long as the buffer (sort/sample.h). */
static size_t words_for_chunks(size_t n, size_t words)
{
    while (n / words >= words / CW_SORT_LEAST - 1)
        words *= 2;
    return words;
}

static struct sizes sizes_of(const struct cw_sorter *s)
{
    const size_t n = s->job->n, items = n < s->leaf ? n : s->leaf;
    const size_t word = s->placed ? (s->bytes[0] < 4 ? 4 : 2 * s->bytes[0]) : s->bytes[0];
    struct sizes z = {0};

    z.words = aligned(items * word);
    for (uint32_t kind = 0; kind < 3; kind++) {
        const size_t lanes = cw_lanes(kind) * ((size_t)4 << kind);
        const size_t bytes = aligned((s->work.columns->wide[kind] + 1) * lanes);

        z.columns = bytes > z.columns ? bytes : z.columns;
    }
    z.leaves = aligned(2 * CW_LEAVES * sizeof(struct cw_leaf));
    z.keys = aligned(items * s->bytes[0]);
    z.values = aligned(items * s->bytes[1]);
    z.index = aligned(items * s->bytes[2]);
    if (n > s->leaf) {
        const size_t sample = cw_sort_sample(n) * sizeof(uint64_t);

        z.words = z.words > sample ? z.words : aligned(sample);
        z.words = aligned(words_for_chunks(n, z.words / sizeof(uint64_t)) * sizeof(uint64_t));
        z.sample = z.words;
        z.ends = cw_sort_depth(n, s->leaf) * CW_SORT_BUCKETS * sizeof(size_t);
        z.places = aligned(CW_SORT_BUCKETS * sizeof(size_t));
        z.line = CW_SORT_BUCKETS * CW_SORT_LINE;
        z.cuts = aligned(sizeof(struct cw_cuts));
    }
    return z;
}

/* The next `bytes` of *memory. */
static void *next(char **memory, size_t bytes)
{
    char *const at = *memory;

    *memory += bytes;
    return at;
}

/* Give a thread its buffers; with *memory of NULL, this only counts. */
static void lay_out(const struct cw_sorter *s, const struct sizes *z, char **memory,
                    struct cw_sort_thread *t)
{
    memset(t, 0, sizeof *t);
    t->worker.work = &s->work;
    t->worker.loaded = next(memory, z->words);
    t->worker.sorted = next(memory, z->words);
    t->ended = next(memory, z->words);
    t->worker.columns = next(memory, z->columns);
    t->worker.leaves = (struct cw_leaf *)next(memory, z->leaves);
    t->keys = (char *)next(memory, z->keys);
    t->values = (char *)next(memory, z->values);
    t->index = (char *)next(memory, z->index);
    t->at = (size_t *)next(memory, z->places);
    t->begin = (size_t *)next(memory, z->places);
    t->cuts = (struct cw_cuts *)next(memory, z->cuts);
    t->sample = (uint64_t *)next(memory, z->sample);
    t->ends = (size_t *)next(memory, z->ends);
    for (uint32_t a = 0; a < CW_SORT_ARRAYS; a++)
        t->lines[a] = (char *)next(memory, s->bytes[a] ? z->line : 0);
}

/* Memory for all threads; freed by free. */
static char *allocate(struct cw_sorter *s)
{
    const struct sizes z = sizes_of(s);
    const size_t lines = (s->bytes[0] ? 1 : 0) + (s->bytes[1] ? 1 : 0) + (s->bytes[2] ? 1 : 0);
    const size_t each = 3 * z.words + z.columns + z.leaves + z.keys + z.values + z.index +
                        2 * z.places + z.cuts + z.sample + z.ends + lines * z.line;
    const size_t list = aligned(s->threads * sizeof *s->thread) + aligned(cw_sort_lists_bytes(s));
    char *const memory = (char *)aligned_alloc(ALIGNMENT, list + s->threads * each);
    char *at = memory;

    if (!memory) {
        cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", each, s->threads);
        return NULL;
    }
    s->thread = (struct cw_sort_thread *)at;
    s->lists = (struct cw_sort_lists *)(at + aligned(s->threads * sizeof *s->thread));
    s->room = z.words / sizeof(uint64_t);
    s->depth = cw_sort_depth(s->job->n, s->leaf);
    at += list;
    for (unsigned t = 0; t < s->threads; t++)
        lay_out(s, &z, &at, &s->thread[t]);
    return memory;
}

/* ---- the call ------------------------------------------------------------------------------- */

cw_status cw_cpu_sort_by(const cw_array *job, void *workspace, struct cw_team *team,
                         const struct cw_sort_ways *ways)
{
    const unsigned threads = cw_team_threads(team);
    struct cw_sorter s = sorter_of(job, (char *)workspace, ways);
    const struct cw_bucket all = {CW_SIDE_IN, 0, job->n};
    char *memory;

    if (!job->n)
        return CW_OK;
    if (!ways->leaf && cw_sort_counts(job))
        return cw_sort_by_counting(job, &s.map, team);
    s.threads = job->n / s.leaf < threads ? (unsigned)(job->n / s.leaf) + 1 : threads;
    s.team = team;
    memory = allocate(&s);
    while (!memory && s.threads > 1) { /* fewer threads need less */
        s.threads /= 2;
        memory = allocate(&s);
    }
    if (!memory)
        return CW_ERR_MEMORY;
    cw_sort_bucket(&s, &all);
    free(memory);
    return CW_OK;
}

cw_status cw_cpu_sort(const cw_array *job, void *workspace, struct cw_team *team, uint64_t seed)
{
    struct cw_sort_ways best = {&cw_columns_list[cw_columns_count - 1], 0, BAD_PIVOTS, seed, 0};

    while (!best.columns->here())
        best.columns--;
    return cw_cpu_sort_by(job, workspace, team, &best);
}
