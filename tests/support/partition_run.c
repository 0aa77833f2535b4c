/* partition_run.c - keys, splitters and payloads of a partition case. */
#include "partition_run.h"

#include <stdlib.h>
#include <string.h>

#include "case_memory.h"
#include "prim/key_map.h"

/* ---- arrays --------------------------------------------------------------------------------- */

size_t partition_whole(const struct partition_array *a)
{
    return a->bytes + 2 * GUARD + a->shift;
}

void *partition_inside(const struct partition_array *a)
{
    return a->device ? (char *)a->device + GUARD + a->shift : NULL;
}

static void array_make(struct partition_run *r, int which, size_t items, size_t item)
{
    struct partition_array *const a = &r->a[which];

    if (!item)
        return;
    a->item = item;
    a->bytes = items * item;
    a->shift = which == WORKSPACE ? 0 : item * r->c->shift;
    a->host = (unsigned char *)malloc(partition_whole(a));
    a->now = (unsigned char *)malloc(partition_whole(a));
    assert_non_null(a->host);
    assert_non_null(a->now);
    memset(a->host, CANARY, partition_whole(a));
    assert_int_equal(case_memory_take(r->context, partition_whole(a), &a->device), CW_OK);
}

/* All of an array; of the workspace, and of an output that will be written, what is beside it: nobody has written the
 * rest, and the emulator sees who reads it. */
static void array_send(struct partition_run *r, int which)
{
    const struct partition_array *const a = &r->a[which];
    const int input =
        which == KEYS_IN || which == CUTS || (which >= ROWS && (which - ROWS) % 2 == 0);
    const int none = which == WORKSPACE || (!input && !r->c->bad);
    const size_t before = GUARD + a->shift, behind = before + (none ? a->bytes : 0);

    if (!a->host)
        return;
    assert_int_equal(cw_memory_write(r->context, a->device, a->host, before), CW_OK);
    assert_int_equal(cw_memory_write(r->context, (char *)a->device + behind, a->host + behind,
                                     partition_whole(a) - behind),
                     CW_OK);
}

unsigned char *partition_at(const struct partition_array *a, unsigned char *in, size_t i)
{
    return in + GUARD + a->shift + i * a->item;
}

uint64_t partition_get(const struct partition_array *a, unsigned char *in, size_t i)
{
    uint64_t x = 0;

    memcpy(&x, partition_at(a, in, i), a->item < 8 ? a->item : 8);
    return x;
}

/* ---- inputs --------------------------------------------------------------------------------- */

/* A key of the pattern, as bits. */
static uint64_t key(const struct partition_case *c, size_t i, struct cw_random *random)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
    const uint64_t of = c->rule == CW_BY_LABEL ? c->buckets : 0;
    uint64_t x = cw_random_next(random);

    switch (c->pattern) {
    case PARTITION_EQUAL:
        x = c->seed;
        break;
    case PARTITION_SORTED:
        return of ? i * of / c->n
                  : (uint64_t)((double)i / (double)c->n * 1073741824.0) << (bits - 32u) % 64u;
    case PARTITION_SKEWED:
        x = x >> 63 ? c->seed : x;
        break;
    case PARTITION_RUNS:
        x = (i / 13 + 1) * UINT64_C(0x9e3779b97f4a7c15);
        break;
    default:
        break;
    }
    return of ? x % of : x;
}

static int by_word(const struct cw_key_map *map, uint64_t a, uint64_t b)
{
    const uint64_t v = CW_KEY_TO_WORD(map, a), w = CW_KEY_TO_WORD(map, b);
    const uint64_t x = CW_WORD_TO_RANK(map, v), y = CW_WORD_TO_RANK(map, w);

    return (x > y) - (x < y);
}

static const struct cw_key_map *cut_map;

static int by_cut(const void *a, const void *b)
{
    return by_word(cut_map, *(const uint64_t *)a, *(const uint64_t *)b);
}

/* Ascending splitters, some of them equal. */
static void make_cuts(struct partition_run *r, struct cw_random *random)
{
    const struct cw_key_map map = cw_key_map_of(r->c->type, r->c->flags, 1);
    struct partition_array *const a = &r->a[CUTS];
    uint64_t *const cut = (uint64_t *)calloc(r->c->buckets, sizeof *cut);

    assert_non_null(cut);
    for (uint32_t x = 0; x + 1 < r->c->buckets; x++) {
        const uint64_t y = x % 9 == 3 ? cut[x - 1] : cw_random_next(random);

        memcpy(partition_at(a, a->host, x), &y, a->item);
        cut[x] = partition_get(a, a->host, x);
    }
    cut_map = &map;
    qsort(cut, r->c->buckets - 1u, sizeof *cut, by_cut);
    for (uint32_t x = 0; x + 1 < r->c->buckets; x++)
        memcpy(partition_at(a, a->host, x), &cut[x], a->item);
    free(cut);
}

static uint32_t bucket_of(struct partition_run *r, uint64_t x)
{
    const struct partition_case *const c = r->c;
    const struct cw_key_map map = cw_key_map_of(c->type, c->flags, 1);
    const uint64_t good = UINT64_C(0x9e3779b97f4a7c15);
    uint32_t b = 0, end = c->buckets - 1u;

    switch (c->rule) {
    case CW_BY_LABEL:
        return (uint32_t)x;
    case CW_BY_BITS:
        x = CW_KEY_TO_WORD(&map, x);
        return (uint32_t)(CW_WORD_TO_RANK(&map, x) >> c->first_bit & (c->buckets - 1u));
    case CW_BY_SPLITTER:
        while (b < end) { /* the splitters before b are not above x, those from `end` on are */
            const uint32_t k = b + (end - b) / 2u;

            if (by_word(&map, partition_get(&r->a[CUTS], r->a[CUTS].host, k), x) <= 0)
                b = k + 1u;
            else
                end = k;
        }
        return b;
    default:
        return (uint32_t)(((x * (c->multiplier ? c->multiplier : good)) >> 32) * c->buckets >> 32);
    }
}

static void random_bytes(struct cw_random *random, unsigned char *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t x = cw_random_next(random);

        memcpy(to + i, &x, bytes - i < 8 ? bytes - i : 8);
    }
}

static void fill(struct partition_run *r)
{
    const struct partition_case *const c = r->c;
    struct cw_random random = cw_random_from(c->seed);
    struct partition_array *const keys = &r->a[KEYS_IN];

    if (r->a[CUTS].host)
        make_cuts(r, &random);
    for (size_t i = 0; i < c->n; i++) {
        const uint64_t x = key(c, i, &random);

        memcpy(partition_at(keys, keys->host, i), &x, keys->item);
        r->bucket[i] = bucket_of(r, partition_get(keys, keys->host, i));
    }
    for (size_t k = 0; k < c->bad && c->n; k++) {
        const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
        const uint64_t bound = bits < 64 ? (uint64_t)1 << bits : UINT64_MAX; /* negatives too */
        const uint64_t x = c->buckets + cw_random_below(&random, bound - c->buckets);

        memcpy(partition_at(keys, keys->host, cw_random_below(&random, c->n)), &x, keys->item);
    }
    for (int p = 0; p < PARTITION_PAYLOADS; p++)
        if (r->a[ROWS + 2 * p].bytes)
            random_bytes(&random, partition_at(&r->a[ROWS + 2 * p], r->a[ROWS + 2 * p].host, 0),
                         r->a[ROWS + 2 * p].bytes);
}

static void make_arrays(struct partition_run *r)
{
    const struct partition_case *const c = r->c;
    const size_t bytes = cw_type_bytes(c->type);

    array_make(r, KEYS_IN, c->n, bytes);
    array_make(r, CUTS, c->buckets - 1u, c->rule == CW_BY_SPLITTER ? bytes : 0);
    array_make(r, KEYS_OUT, c->n, c->keys ? bytes : 0);
    array_make(r, INDEX, c->n, c->index ? c->index_bytes : 0);
    array_make(r, INVERSE, c->n, c->inverse ? c->index_bytes : 0);
    array_make(r, OFFSETS, c->buckets + 1u, c->offsets ? 8 : 0);
    array_make(r, PADDED, c->buckets + 1u, c->pad_to ? 8 : 0);
    for (int p = 0; p < PARTITION_PAYLOADS; p++) {
        array_make(r, ROWS + 2 * p, c->n, c->payload[p]);
        array_make(r, ROWS + 2 * p + 1, c->n, c->payload[p]);
    }
}

void partition_run_begin(struct partition_run *r, cw_context *context,
                         const struct partition_case *c)
{
    cw_partition_job *const job = &r->job;
    size_t workspace;

    memset(r, 0, sizeof *r);
    r->c = c;
    r->context = context;
    r->bucket = (uint32_t *)calloc(c->n + 1, sizeof *r->bucket);
    r->from = (size_t *)calloc(c->n + 1, sizeof *r->from);
    assert_non_null(r->bucket);
    assert_non_null(r->from);
    make_arrays(r);
    fill(r);
    job->type = c->type;
    job->rule = c->rule;
    job->flags = c->flags;
    job->n = c->n;
    job->buckets = c->buckets;
    job->first_bit = c->first_bit;
    job->multiplier = c->multiplier;
    job->splitters = partition_inside(&r->a[CUTS]);
    job->keys_in = partition_inside(&r->a[KEYS_IN]);
    job->keys_out = partition_inside(&r->a[KEYS_OUT]);
    job->offsets = (uint64_t *)partition_inside(&r->a[OFFSETS]);
    job->padded = (uint64_t *)partition_inside(&r->a[PADDED]);
    job->pad_to = c->pad_to;
    job->index_out = partition_inside(&r->a[INDEX]);
    job->inverse_out = partition_inside(&r->a[INVERSE]);
    job->index_bytes = c->index || c->inverse ? c->index_bytes : 0;
    job->payloads = r->payloads;
    for (int p = 0; p < PARTITION_PAYLOADS; p++) {
        if (c->payload[p]) {
            r->payloads[job->payload_count].in = partition_inside(&r->a[ROWS + 2 * p]);
            r->payloads[job->payload_count].out = partition_inside(&r->a[ROWS + 2 * p + 1]);
            r->payloads[job->payload_count++].bytes = c->payload[p];
        }
    }
    assert_int_equal(cw_partition_workspace(job, &workspace), CW_OK);
    array_make(r, WORKSPACE, workspace, 1);
    for (int x = 0; x < ARRAYS; x++)
        array_send(r, x);
}

void partition_run_end(struct partition_run *r)
{
    for (int x = 0; x < ARRAYS; x++) {
        free(r->a[x].host);
        free(r->a[x].now);
        case_memory_give(r->context, r->a[x].device);
    }
    free(r->bucket);
    free(r->from);
}
