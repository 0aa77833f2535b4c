#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64

#include "buckets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "clearway_mpi.h"
#include "cpu/entropy.h"
#include "files/array_file.h"
#include "files/output.h"
#include "inputs/random.h"
#include "slices.h"

#define SAMPLES 32u   /* of a bucket, of all ranks together */
#define MOST    8192u /* buckets */

struct extent {
    uint64_t at, count; /* items, in the scratch file */
    uint32_t bucket;
};

struct state {
    const struct buckets *b;
    struct cw_key_map map;
    size_t key;
    uint64_t first, count; /* this rank's slice */
    uint64_t room;         /* items of one buffer; a bucket may have as many */
    uint32_t wanted, buckets;
    uint64_t *edges; /* the least word of each bucket */
    struct cw_array_file file;
    int scratch;
    uint64_t written; /* items in it */
    struct extent *extents;
    size_t extent_count, extent_room;
    char *items, *sorted;
    void *workspace;
    size_t need;
};

/* Of a stable sort keys that are equal, -0 and +0 say, have one word. */
static uint64_t word_at(const struct state *s, const char *items, uint64_t i)
{
    uint64_t key = 0, word;

    memcpy(&key, items + i * s->key, s->key); /* little endian, as all machines that this runs on */
    word = CW_KEY_TO_WORD(&s->map, key);
    return CW_WORD_TO_RANK(&s->map, word);
}

static cw_status load(struct state *s, uint64_t from, uint64_t count, char *to)
{
    const cw_status status = cw_array_file_read(&s->file, from, count, to);

    if (!status && s->b->shifted)
        cw_npy_shift(to, count, 0);
    return status;
}

static cw_status store(const struct state *s, uint64_t at, uint64_t count, char *from)
{
    if (s->b->shifted)
        cw_npy_shift(from, count, 1);
    if (s->b->head->swapped)
        cw_swap_bytes(from, count, s->key);
    return slice_write(s->b->out, s->b->out_at + at * s->key, from, count * s->key, NULL);
}

/* ---- splitters -------------------------------------------------------------------------------- */

static int by_value(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return a < b ? -1 : a > b;
}

/* The first edge is 0.  A value that is there twice in a row gets a bucket of its own. */
static void edges_of(struct state *s, const uint64_t *samples, uint64_t n)
{
    s->edges[0] = 0;
    s->buckets = 1;
    for (uint32_t k = 1; k < s->wanted && n; k++) {
        const uint64_t word = samples[n * k / s->wanted], last = s->edges[s->buckets - 1];

        if (word > last)
            s->edges[s->buckets++] = word;
        else if (word == last && word < s->map.high)
            s->edges[s->buckets++] = word + 1;
    }
}

static cw_status sample(struct state *s)
{
    const uint64_t each = 1 + (uint64_t)SAMPLES * s->wanted / (uint64_t)s->b->ranks;
    uint64_t seed = cw_entropy(), n = 0;
    uint64_t *const all = (uint64_t *)malloc(each * (uint64_t)s->b->ranks * sizeof *all);
    uint64_t *const mine = (uint64_t *)malloc(each * sizeof *mine);
    char item[8];
    cw_status status = all && mine ? CW_OK : cw_fail(CW_ERR_MEMORY, "samples");

    for (uint64_t k = 0; k < each && !status && s->count; k++) {
        status = load(s, s->first + cw_drawn_below(&seed, s->count), 1, item);
        mine[n++] = word_at(s, item, 0);
    }
    status = all_agree(status);
    if (!status && MPI_Allgather(mine, (int)each, MPI_UINT64_T, all, (int)each, MPI_UINT64_T,
                                 MPI_COMM_WORLD) != MPI_SUCCESS)
        status = cw_fail(CW_ERR_IO, "MPI_Allgather failed");
    if (!status) { /* every rank has a slice: the array is longer than all memory */
        qsort(all, each * (uint64_t)s->b->ranks, sizeof *all, by_value);
        edges_of(s, all, each * (uint64_t)s->b->ranks);
    }
    free(all);
    free(mine);
    return status;
}

/* ---- the first pass --------------------------------------------------------------------------- */

static uint32_t bucket_of(const struct state *s, uint64_t word)
{
    uint32_t lo = 0, hi = s->buckets - 1;

    while (lo < hi) { /* the last edge that is not above it */
        const uint32_t middle = (lo + hi + 1) / 2;

        if (s->edges[middle] <= word)
            lo = middle;
        else
            hi = middle - 1;
    }
    return lo;
}

static cw_status note(struct state *s, uint32_t bucket, uint64_t at, uint64_t count)
{
    const struct extent e = {at, count, bucket};

    if (s->extent_count == s->extent_room) {
        struct extent *const more =
            (struct extent *)realloc(s->extents, (2 * s->extent_room + 64) * sizeof *more);

        if (!more)
            return cw_fail(CW_ERR_MEMORY, "a list of %zu parts", s->extent_room);
        s->extents = more;
        s->extent_room = 2 * s->extent_room + 64;
    }
    s->extents[s->extent_count++] = e;
    return CW_OK;
}

static cw_status write_all(int fd, const char *from, uint64_t bytes, uint64_t at)
{
    while (bytes) {
        const ssize_t n = pwrite(fd, from, bytes < (1u << 30) ? bytes : 1u << 30, (off_t)at);

        if (n <= 0)
            return cw_fail(CW_ERR_IO, "cannot write a scratch file");
        from += n;
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return CW_OK;
}

static cw_status read_all(int fd, char *to, uint64_t bytes, uint64_t at)
{
    while (bytes) {
        const ssize_t n = pread(fd, to, bytes < (1u << 30) ? bytes : 1u << 30, (off_t)at);

        if (n <= 0)
            return cw_fail(CW_ERR_IO, "cannot read a scratch file");
        to += n;
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return CW_OK;
}

/* n items of s->items, ordered by bucket in s->sorted, to the scratch file. */
static cw_status split(struct state *s, uint64_t n, uint64_t *at)
{
    cw_status status = CW_OK;
    uint64_t begin = 0;

    memset(at, 0, (s->buckets + 1) * sizeof *at);
    for (uint64_t i = 0; i < n; i++)
        at[bucket_of(s, word_at(s, s->items, i)) + 1]++;
    for (uint32_t k = 0; k < s->buckets; k++)
        at[k + 1] += at[k];
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t k = bucket_of(s, word_at(s, s->items, i));

        memcpy(s->sorted + at[k]++ * s->key, s->items + i * s->key, s->key);
    }
    for (uint32_t k = 0; k < s->buckets && !status; k++) {
        if (at[k] > begin)
            status = note(s, k, s->written + begin, at[k] - begin);
        begin = at[k];
    }
    if (!status)
        status = write_all(s->scratch, s->sorted, n * s->key, s->written * s->key);
    s->written += n;
    return status;
}

static cw_status split_all(struct state *s)
{
    uint64_t *const at = (uint64_t *)malloc((s->buckets + (size_t)1) * sizeof *at);
    cw_status status = at ? CW_OK : cw_fail(CW_ERR_MEMORY, "%u buckets", s->buckets);

    for (uint64_t k = 0; k < s->count && !status; k += s->room) {
        const uint64_t n = s->count - k < s->room ? s->count - k : s->room;

        status = load(s, s->first + k, n, s->items);
        if (!status)
            status = split(s, n, at);
        s->b->progress(s->b->user, 0.4 * (double)(k + n) / (double)s->count);
    }
    free(at);
    return status;
}

/* ---- the second pass -------------------------------------------------------------------------- */

/* This rank's part of a bucket; as many items as *n. */
static cw_status gather(const struct state *s, uint32_t bucket, uint64_t *n)
{
    cw_status status = CW_OK;

    *n = 0;
    for (size_t x = 0; x < s->extent_count && !status; x++) {
        const struct extent *const e = &s->extents[x];

        if (e->bucket != bucket)
            continue;
        status = read_all(s->scratch, s->items + *n * s->key, e->count * s->key, e->at * s->key);
        *n += e->count;
    }
    return status;
}

/* Are the bucket's keys all equal? */
static int equal(const struct state *s, uint32_t bucket)
{
    const uint64_t last = bucket + 1 < s->buckets ? s->edges[bucket + 1] - 1 : s->map.high;

    return s->edges[bucket] == last;
}

/* .. but not the same, since -0 and +0 are, or NaNs? */
static int shared(const struct state *s, uint32_t bucket)
{
    return s->map.tied && CW_RANK_SHARED(&s->map, s->edges[bucket]);
}

/* This rank's part of a bucket as it came, from place `at` on. */
static cw_status copy(struct state *s, uint32_t bucket, uint64_t at)
{
    cw_status status = CW_OK;

    for (size_t x = 0; x < s->extent_count && !status; x++) {
        const struct extent *const e = &s->extents[x];

        if (e->bucket != bucket)
            continue;
        status = read_all(s->scratch, s->items, e->count * s->key, e->at * s->key);
        if (!status)
            status = store(s, at, e->count, s->items);
        at += e->count;
    }
    return status;
}

/* Equal keys of all ranks, in order: those of this rank behind those of the ranks before it. */
static cw_status copy_all(struct state *s, uint32_t bucket, uint64_t n, uint64_t base)
{
    uint64_t upto = n;

    if (MPI_Scan(MPI_IN_PLACE, &upto, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS)
        return cw_fail(CW_ERR_IO, "MPI_Scan failed");
    return all_agree(copy(s, bucket, base + upto - n));
}

/* `count` items from place `at` on that are all the bucket's key. */
static cw_status fill(struct state *s, uint32_t bucket, uint64_t at, uint64_t count)
{
    const uint64_t flipped = CW_WORD_FLIPPED(&s->map, s->edges[bucket]);
    const uint64_t key = CW_FLIPPED_TO_KEY(&s->map, flipped);
    cw_status status = CW_OK;

    for (uint64_t k = 0; k < count && !status; k += s->room) {
        const uint64_t n = count - k < s->room ? count - k : s->room;

        for (uint64_t i = 0; i < n; i++)
            memcpy(s->items + i * s->key, &key, s->key);
        status = store(s, at + k, n, s->items);
    }
    return all_agree(status);
}

static cw_status sort_bucket(struct state *s, uint32_t bucket, uint64_t n, uint64_t base,
                             uint64_t total)
{
    cw_array job = {.type = s->b->head->type, .flags = s->b->flags};
    uint64_t first, count, came = 0;
    cw_status status;

    cw_group_share(total, (uint32_t)s->b->ranks, (uint32_t)s->b->rank, &first, &count);
    if (equal(s, bucket))
        return shared(s, bucket) ? copy_all(s, bucket, n, base)
                                 : fill(s, bucket, base + first, count);
    if (total > s->room)
        return cw_fail(CW_ERR_MEMORY,
                       "a bucket of %llu items, but a rank has room for %llu: --memory",
                       (unsigned long long)total, (unsigned long long)s->room);
    status = all_agree(gather(s, bucket, &came));
    job.n = n;
    job.keys_in = job.keys_out = s->items;
    if (!status)
        status =
            cw_mpi_sort(MPI_COMM_WORLD, s->b->context, &job, s->workspace, s->need, NULL, NULL);
    if (!status)
        status = all_agree(store(s, base + first, count, s->items));
    return status;
}

static cw_status sort_all(struct state *s)
{
    const size_t bytes = s->buckets * sizeof(uint64_t);
    uint64_t *const mine = (uint64_t *)calloc(1, bytes), *const all = (uint64_t *)malloc(bytes);
    cw_status status = all_agree(mine && all ? CW_OK : cw_fail(CW_ERR_MEMORY, "counts"));
    uint64_t base = 0;

    for (size_t x = 0; x < s->extent_count && mine; x++)
        mine[s->extents[x].bucket] += s->extents[x].count;
    if (!status && MPI_Allreduce(mine, all, (int)s->buckets, MPI_UINT64_T, MPI_SUM,
                                 MPI_COMM_WORLD) != MPI_SUCCESS)
        status = cw_fail(CW_ERR_IO, "MPI_Allreduce failed");
    for (uint32_t k = 0; k < s->buckets && !status; k++) {
        status = sort_bucket(s, k, mine[k], base, all[k]);
        base += status ? 0 : all[k];
        s->b->progress(s->b->user, 0.4 + 0.6 * (double)base / (double)s->b->head->length);
    }
    free(mine);
    free(all);
    return status;
}

/* ---- beginning and end ------------------------------------------------------------------------ */

static cw_status begin(struct state *s)
{
    const struct buckets *const b = s->b;
    cw_array job = {.type = b->head->type, .flags = b->flags};
    uint64_t buckets;
    cw_status status;

    s->room = b->memory / 4 / s->key;
    buckets = 4 * (b->head->length / s->room + 1);
    s->wanted = buckets < MOST ? (uint32_t)buckets : MOST;
    job.n = s->room;
    job.keys_out = s;
    status = cw_group_sort_workspace(b->context, &job, s->room, (uint32_t)b->ranks, &s->need);
    s->items = (char *)malloc(s->room * s->key);
    s->sorted = (char *)malloc(s->room * s->key);
    s->edges = (uint64_t *)malloc(2 * (size_t)s->wanted * sizeof *s->edges);
    if (!status && (!s->items || !s->sorted || !s->edges))
        status = cw_fail(CW_ERR_MEMORY, "%llu items", (unsigned long long)s->room);
    if (!status)
        status = cw_memory_alloc(b->context, s->need, &s->workspace);
    if (!status)
        status = cw_array_file_open(b->in, cw_npy_name(b->in) ? -1 : (int)b->head->type, &s->file);
    if (!status)
        status = cw_scratch_open(b->folder, &s->scratch);
    return status;
}

cw_status buckets_sort(const struct buckets *b)
{
    struct state s = {.b = b, .file = {.fd = -1}, .scratch = -1};
    cw_status status;

    s.map = cw_key_map_of(b->head->type, b->flags, (b->flags & CW_STABLE) != 0);
    s.key = cw_type_bytes(b->head->type);
    cw_group_share(b->head->length, (uint32_t)b->ranks, (uint32_t)b->rank, &s.first, &s.count);
    status = all_agree(begin(&s));
    if (!status)
        status = sample(&s);
    if (!status)
        status = all_agree(split_all(&s));
    if (!status)
        status = sort_all(&s);
    if (s.scratch >= 0)
        (void)close(s.scratch);
    if (s.file.fd >= 0)
        cw_array_file_close(&s.file);
    cw_memory_free(b->context, s.workspace);
    free(s.items);
    free(s.sorted);
    free(s.edges);
    free(s.extents);
    return status;
}
