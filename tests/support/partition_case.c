#include "partition_case.h"

#include <stdlib.h>
#include <string.h>

#include "case_memory.h"
#include "kernels/key_map.h"

#define GUARD  256u /* bytes on both sides of every array, which must stay as they were */
#define CANARY 0x5b

enum { KEYS_IN, CUTS, KEYS_OUT, INDEX, INVERSE, OFFSETS, PADDED, WORKSPACE, ROWS };
enum { ARRAYS = ROWS + 2 * PARTITION_PAYLOADS };

struct array {
    unsigned char *host, *now; /* with guards: as it was sent, as it came back */
    void *device;              /* the same, in the context's memory */
    size_t bytes, shift, item;
};

struct run {
    const struct partition_case *c;
    cw_context *context;
    struct array a[ARRAYS];
    cw_payload payloads[PARTITION_PAYLOADS];
    cw_partition_job job;
    uint32_t *bucket; /* of every item */
    size_t *from;     /* the items of the output, in stable order */
};

/* ---- arrays --------------------------------------------------------------------------------- */

static size_t whole(const struct array *a)
{
    return a->bytes + 2 * GUARD + a->shift;
}

static void *inside(const struct array *a)
{
    return a->device ? (char *)a->device + GUARD + a->shift : NULL;
}

static void array_make(struct run *r, int which, size_t items, size_t item)
{
    struct array *const a = &r->a[which];

    if (!item)
        return;
    a->item = item;
    a->bytes = items * item;
    a->shift = which == WORKSPACE ? 0 : item * r->c->shift;
    a->host = (unsigned char *)malloc(whole(a));
    a->now = (unsigned char *)malloc(whole(a));
    assert_non_null(a->host);
    assert_non_null(a->now);
    memset(a->host, CANARY, whole(a));
    assert_int_equal(case_memory_take(r->context, whole(a), &a->device), CW_OK);
}

static unsigned char *at(const struct array *a, unsigned char *in, size_t i)
{
    return in + GUARD + a->shift + i * a->item;
}

static uint64_t get(const struct array *a, unsigned char *in, size_t i)
{
    uint64_t x = 0;

    memcpy(&x, at(a, in, i), a->item < 8 ? a->item : 8);
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
    const uint64_t x = CW_KEY_TO_WORD(map, a), y = CW_KEY_TO_WORD(map, b);

    return (x > y) - (x < y);
}

static const struct cw_key_map *cut_map;

static int by_cut(const void *a, const void *b)
{
    return by_word(cut_map, *(const uint64_t *)a, *(const uint64_t *)b);
}

/* Ascending splitters, some of them equal. */
static void make_cuts(struct run *r, struct cw_random *random)
{
    const struct cw_key_map map = cw_key_map_of(r->c->type, 0);
    struct array *const a = &r->a[CUTS];
    uint64_t *const cut = (uint64_t *)calloc(r->c->buckets, sizeof *cut);

    assert_non_null(cut);
    for (uint32_t x = 0; x + 1 < r->c->buckets; x++) {
        const uint64_t y = x % 9 == 3 ? cut[x - 1] : cw_random_next(random);

        memcpy(at(a, a->host, x), &y, a->item);
        cut[x] = get(a, a->host, x);
    }
    cut_map = &map;
    qsort(cut, r->c->buckets - 1u, sizeof *cut, by_cut);
    for (uint32_t x = 0; x + 1 < r->c->buckets; x++)
        memcpy(at(a, a->host, x), &cut[x], a->item);
    free(cut);
}

static uint32_t bucket_of(struct run *r, uint64_t x)
{
    const struct partition_case *const c = r->c;
    const struct cw_key_map map = cw_key_map_of(c->type, 0);
    const uint64_t good = UINT64_C(0x9e3779b97f4a7c15);
    uint32_t b = 0, end = c->buckets - 1u;

    switch (c->rule) {
    case CW_BY_LABEL:
        return (uint32_t)x;
    case CW_BY_BITS:
        return (uint32_t)(CW_KEY_TO_WORD(&map, x) >> c->first_bit & (c->buckets - 1u));
    case CW_BY_SPLITTER:
        while (b < end) { /* the splitters before b are not above x, those from `end` on are */
            const uint32_t k = b + (end - b) / 2u;

            if (by_word(&map, get(&r->a[CUTS], r->a[CUTS].host, k), x) <= 0)
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

static void fill(struct run *r)
{
    const struct partition_case *const c = r->c;
    struct cw_random random = cw_random_from(c->seed);
    struct array *const keys = &r->a[KEYS_IN];

    if (r->a[CUTS].host)
        make_cuts(r, &random);
    for (size_t i = 0; i < c->n; i++) {
        const uint64_t x = key(c, i, &random);

        memcpy(at(keys, keys->host, i), &x, keys->item);
        r->bucket[i] = bucket_of(r, get(keys, keys->host, i));
    }
    for (size_t k = 0; k < c->bad && c->n; k++) {
        const uint64_t bound = c->type == CW_U8    ? 256
                               : c->type == CW_U16 ? 65536
                                                   : (uint64_t)1 << 32;
        const uint64_t x = c->buckets + cw_random_below(&random, bound - c->buckets);

        memcpy(at(keys, keys->host, cw_random_below(&random, c->n)), &x, keys->item);
    }
    for (int p = 0; p < PARTITION_PAYLOADS; p++)
        if (r->a[ROWS + 2 * p].bytes)
            random_bytes(&random, at(&r->a[ROWS + 2 * p], r->a[ROWS + 2 * p].host, 0),
                         r->a[ROWS + 2 * p].bytes);
}

static void make_arrays(struct run *r)
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

static void run_begin(struct run *r, cw_context *context, const struct partition_case *c)
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
    job->splitters = inside(&r->a[CUTS]);
    job->keys_in = inside(&r->a[KEYS_IN]);
    job->keys_out = inside(&r->a[KEYS_OUT]);
    job->offsets = (uint64_t *)inside(&r->a[OFFSETS]);
    job->padded = (uint64_t *)inside(&r->a[PADDED]);
    job->pad_to = c->pad_to;
    job->index_out = inside(&r->a[INDEX]);
    job->inverse_out = inside(&r->a[INVERSE]);
    job->index_bytes = c->index || c->inverse ? c->index_bytes : 0;
    job->payloads = r->payloads;
    for (int p = 0; p < PARTITION_PAYLOADS; p++) {
        if (c->payload[p]) {
            r->payloads[job->payload_count].in = inside(&r->a[ROWS + 2 * p]);
            r->payloads[job->payload_count].out = inside(&r->a[ROWS + 2 * p + 1]);
            r->payloads[job->payload_count++].bytes = c->payload[p];
        }
    }
    assert_int_equal(cw_partition_workspace(job, &workspace), CW_OK);
    array_make(r, WORKSPACE, workspace, 1);
    for (int x = 0; x < ARRAYS; x++)
        if (r->a[x].host)
            assert_int_equal(
                cw_memory_write(context, r->a[x].device, r->a[x].host, whole(&r->a[x])), CW_OK);
}

static void run_end(struct run *r)
{
    for (int x = 0; x < ARRAYS; x++) {
        free(r->a[x].host);
        free(r->a[x].now);
        case_memory_give(r->context, r->a[x].device);
    }
    free(r->bucket);
    free(r->from);
}

/* ---- the outcome ---------------------------------------------------------------------------- */

/* Offsets and padded offsets; *start: where the buckets begin. */
static const char *check_offsets(struct run *r, uint64_t *start)
{
    const struct partition_case *const c = r->c;
    struct array *const offsets = &r->a[OFFSETS], *const padded = &r->a[PADDED];
    uint64_t pad = 0;

    for (size_t i = 0; i < c->n; i++)
        start[r->bucket[i] + 1u]++;
    for (uint32_t b = 0; b <= c->buckets; b++) {
        const uint64_t items = b < c->buckets ? start[b + 1u] : 0;

        if (c->offsets && get(offsets, offsets->now, b) != start[b])
            return "an offset is wrong";
        if (c->pad_to && get(padded, padded->now, b) != pad)
            return "a padded offset is wrong";
        if (c->pad_to)
            pad += (items + c->pad_to - 1u) / c->pad_to * c->pad_to;
        if (b < c->buckets)
            start[b + 1u] += start[b];
    }
    return NULL;
}

/* Where output item i came from, if anything says so. */
static int source(struct run *r, size_t i, size_t *out)
{
    if (!r->c->index)
        return 0;
    *out = (size_t)get(&r->a[INDEX], r->a[INDEX].now, i);
    return 1;
}

static const char *same(struct run *r, int in, int out, size_t i, size_t from)
{
    struct array *const a = &r->a[in], *const b = &r->a[out];

    return memcmp(at(a, a->host, from), at(b, b->now, i), a->item) ? "an item is wrong" : NULL;
}

/* Everything that belongs to output item i, if it came from `from`. */
static const char *check_item(struct run *r, size_t i, size_t from)
{
    const char *wrong = NULL;

    if (r->c->keys)
        wrong = same(r, KEYS_IN, KEYS_OUT, i, from);
    for (int p = 0; p < PARTITION_PAYLOADS && !wrong; p++)
        if (r->c->payload[p])
            wrong = same(r, ROWS + 2 * p, ROWS + 2 * p + 1, i, from);
    if (!wrong && r->c->index && get(&r->a[INDEX], r->a[INDEX].now, i) != from)
        wrong = "an index is wrong";
    if (!wrong && r->c->inverse && get(&r->a[INVERSE], r->a[INVERSE].now, from) != i)
        wrong = "the inverse is wrong";
    return wrong;
}

/* Unstable: without an index nothing says where an item came from, so a bucket's rows are compared as
 * sorted lists of bytes; all arrays of an item side by side. */
static const struct run *sorting;

static size_t row_bytes(const struct run *r)
{
    size_t bytes = r->c->keys ? r->a[KEYS_IN].item : 0;

    for (int p = 0; p < PARTITION_PAYLOADS; p++)
        bytes += r->c->payload[p];
    return bytes;
}

static void row_of(struct run *r, int output, size_t i, unsigned char *to)
{
    const int shift = output ? 1 : 0;
    struct array *const keys = &r->a[output ? KEYS_OUT : KEYS_IN];

    if (r->c->keys) {
        memcpy(to, at(keys, output ? keys->now : keys->host, i), keys->item);
        to += keys->item;
    }
    for (int p = 0; p < PARTITION_PAYLOADS; p++) {
        struct array *const a = &r->a[ROWS + 2 * p + shift];

        if (r->c->payload[p])
            memcpy(to, at(a, output ? a->now : a->host, i), a->item);
        to += r->c->payload[p];
    }
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, row_bytes(sorting));
}

static const char *check_sets(struct run *r, const uint64_t *start)
{
    const size_t bytes = row_bytes(r), n = r->c->n;
    unsigned char *const want = (unsigned char *)malloc(2 * n * bytes + 1);
    unsigned char *const got = want + n * bytes;
    const char *wrong = NULL;

    assert_non_null(want);
    sorting = r;
    for (size_t i = 0; i < n; i++) {
        row_of(r, 0, r->from[i], want + i * bytes);
        row_of(r, 1, i, got + i * bytes);
    }
    for (uint32_t b = 0; b < r->c->buckets && bytes; b++) {
        qsort(want + start[b] * bytes, start[b + 1] - start[b], bytes, by_bytes);
        qsort(got + start[b] * bytes, start[b + 1] - start[b], bytes, by_bytes);
    }
    if (memcmp(want, got, n * bytes))
        wrong = "a bucket's items are wrong";
    free(want);
    return wrong;
}

static const char *check_items(struct run *r)
{
    const struct partition_case *const c = r->c;
    uint64_t *const start = (uint64_t *)calloc(2 * (size_t)c->buckets + 2, sizeof *start);
    uint64_t *const next = start + c->buckets + 1;
    const char *wrong;

    assert_non_null(start);
    wrong = check_offsets(r, start);
    memcpy(next, start, c->buckets * sizeof *next);
    for (size_t i = 0; i < c->n; i++)
        r->from[next[r->bucket[i]]++] = i;
    for (size_t i = 0; i < c->n && !wrong; i++) {
        size_t from = r->from[i], said;

        if (c->flags & CW_UNSTABLE) {
            if (!source(r, i, &said))
                continue;
            if (said >= c->n || r->bucket[said] != r->bucket[from])
                wrong = "an index is of another bucket";
            else
                wrong = check_item(r, i, said);
        } else {
            wrong = check_item(r, i, from);
        }
    }
    if (!wrong && c->flags & CW_UNSTABLE)
        wrong = check_sets(r, start);
    free(start);
    return wrong;
}

/* Fetch all arrays; nothing outside them, and no input, may have changed. */
static const char *fetch(struct run *r, int written)
{
    for (int x = 0; x < ARRAYS; x++) {
        struct array *const a = &r->a[x];
        const size_t end = GUARD + a->shift + a->bytes;
        const int input = x == KEYS_IN || x == CUTS || (x >= ROWS && (x - ROWS) % 2 == 0);

        if (!a->host)
            continue;
        assert_int_equal(cw_memory_read(r->context, a->now, a->device, whole(a)), CW_OK);
        if (memcmp(a->host, a->now, GUARD + a->shift) != 0 ||
            memcmp(a->host + end, a->now + end, GUARD) != 0)
            return "wrote outside an array";
        if ((input || (!written && x != WORKSPACE)) && memcmp(a->host, a->now, whole(a)) != 0)
            return input ? "an input was changed" : "an output was written in spite of bad labels";
    }
    return NULL;
}

/* A GPU that was not asked marks offsets, and writes nothing else. */
static const char *check_marks(struct run *r)
{
    for (int x = OFFSETS; x <= PADDED; x++) {
        struct array *const a = &r->a[x];

        if (!a->host)
            continue;
        assert_int_equal(cw_memory_read(r->context, a->now, a->device, whole(a)), CW_OK);
        for (uint32_t b = 0; b <= r->c->buckets; b++)
            if (get(a, a->now, b) != UINT64_MAX)
                return "bad labels are not marked";
        memset(at(a, a->now, 0), CANARY, a->bytes);
        assert_int_equal(cw_memory_write(r->context, a->device, a->now, whole(a)), CW_OK);
    }
    return fetch(r, 0);
}

static const char *check(struct run *r, cw_status status)
{
    const int asked = cw_context_backend(r->context) != CW_CUDA || r->c->flags & CW_CHECK;
    const char *wrong;

    if (r->c->bad && r->c->n) {
        if (status != (asked ? CW_ERR_LABEL : CW_OK))
            return "bad labels got another status";
        return asked ? fetch(r, 0) : check_marks(r);
    }
    if (status)
        return cw_last_error();
    wrong = fetch(r, 1);
    return wrong ? wrong : check_items(r);
}

int partition_case_run(cw_context *context, const struct partition_case *c)
{
    const char *wrong = NULL;
    struct run r;
    cw_status status;

    run_begin(&r, context, c);
    status = cw_partition(context, &r.job, inside(&r.a[WORKSPACE]), r.a[WORKSPACE].bytes, NULL);
    if (!status)
        status = cw_wait(context, NULL);
    wrong = check(&r, status);
    if (wrong)
        print_message("%s: %s rule %d, flags %u, n %zu, buckets %u, first bit %u, multiplier %llx, "
                      "keys %d, offsets %d, index %d, inverse %d (%zu), pad %zu, payloads %zu %zu "
                      "%zu %zu, bad %zu, shift %zu, pattern %d, seed %llu\n",
                      wrong, cw_type_name(c->type), (int)c->rule, c->flags, c->n, c->buckets,
                      c->first_bit, (unsigned long long)c->multiplier, c->keys, c->offsets,
                      c->index, c->inverse, c->index_bytes, c->pad_to, c->payload[0], c->payload[1],
                      c->payload[2], c->payload[3], c->bad, c->shift, (int)c->pattern,
                      (unsigned long long)c->seed);
    run_end(&r);
    return wrong != NULL;
}

/* ---- random cases --------------------------------------------------------------------------- */

static void random_rule(struct partition_case *c, struct cw_random *r)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
    const unsigned log = (unsigned)cw_random_below(r, 17);
    const uint32_t most = bits < 16 ? 256u : CW_BUCKETS_MAX;

    c->buckets = 1u + (uint32_t)cw_random_below(r, (uint64_t)1 << log);
    c->buckets = c->buckets > most ? most : c->buckets;
    if (c->rule == CW_BY_BITS) {
        const unsigned wide = log < bits ? log : bits;

        c->buckets = 1u << wide;
        c->first_bit = (unsigned)cw_random_below(r, wide ? bits - wide + 1u : bits);
    }
    if (c->rule == CW_BY_HASH && cw_random_below(r, 2))
        c->multiplier = cw_random_next(r) | 1u;
    if (c->rule == CW_BY_LABEL && cw_random_below(r, 8) == 0 &&
        c->buckets < (c->type == CW_U8 ? 256u : CW_BUCKETS_MAX))
        c->bad = 1u + cw_random_below(r, 3);
    if (c->rule == CW_BY_SPLITTER && c->buckets > 300 && c->n > 1000)
        c->buckets = 300;
}

struct partition_case partition_case_random(uint64_t seed, size_t most)
{
    static const cw_type labels[] = {CW_U8, CW_U16, CW_U32, CW_U32};
    static const size_t widths[] = {1, 2, 4, 4, 4, 8, 12, 16, 24, 100, 256, 1028};
    struct cw_random r = cw_random_from(seed);
    struct partition_case c;
    const uint64_t size = cw_random_below(&r, 4);

    memset(&c, 0, sizeof c);
    c.seed = seed;
    c.rule = (cw_rule)cw_random_below(&r, 4);
    c.type = cw_random_below(&r, 2) ? CW_U32 : (cw_type)cw_random_below(&r, CW_TYPE_COUNT);
    if (c.rule == CW_BY_LABEL)
        c.type = labels[cw_random_below(&r, 4)];
    c.flags =
        (cw_random_below(&r, 2) ? CW_UNSTABLE : 0u) | (cw_random_below(&r, 2) ? CW_CHECK : 0u);
    c.n =
        size == 0 ? cw_random_below(&r, 70) : cw_random_below(&r, size == 1 ? most / 8 + 1 : most);
    random_rule(&c, &r);
    c.keys = cw_random_below(&r, 3) != 0;
    c.offsets = cw_random_below(&r, 2) || !c.keys;
    c.index = cw_random_below(&r, 3) == 0;
    c.inverse = cw_random_below(&r, 4) == 0;
    c.index_bytes = cw_random_below(&r, 3) ? 4 : 8;
    c.pad_to = cw_random_below(&r, 3) ? 0 : 1u + cw_random_below(&r, 130);
    for (size_t p = cw_random_below(&r, 3) ? cw_random_below(&r, 2) : cw_random_below(&r, 5); p--;)
        c.payload[p] = widths[cw_random_below(&r, COUNT(widths))];
    c.shift = cw_random_below(&r, 3) ? 0 : 1u + cw_random_below(&r, 3);
    c.pattern = cw_random_below(&r, 2)
                    ? PARTITION_RANDOM
                    : (enum partition_pattern)cw_random_below(&r, PARTITION_PATTERNS);
    return c;
}
