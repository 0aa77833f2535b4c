/* partition_check.c - what came out of a partition, held against the buckets of its items. */
#include <stdlib.h>
#include <string.h>

#include "partition_run.h"

/* Offsets and padded offsets; *start: where the buckets begin. */
static const char *check_offsets(struct partition_run *r, uint64_t *start)
{
    const struct partition_case *const c = r->c;
    struct partition_array *const offsets = &r->a[OFFSETS], *const padded = &r->a[PADDED];
    uint64_t pad = 0;

    for (size_t i = 0; i < c->n; i++)
        start[r->bucket[i] + 1u]++;
    for (uint32_t b = 0; b <= c->buckets; b++) {
        const uint64_t items = b < c->buckets ? start[b + 1u] : 0;

        if (c->offsets && partition_get(offsets, offsets->now, b) != start[b])
            return "an offset is wrong";
        if (c->pad_to && partition_get(padded, padded->now, b) != pad)
            return "a padded offset is wrong";
        if (c->pad_to)
            pad += (items + c->pad_to - 1u) / c->pad_to * c->pad_to;
        if (b < c->buckets)
            start[b + 1u] += start[b];
    }
    return NULL;
}

/* Where output item i came from, if anything says so. */
static int source(struct partition_run *r, size_t i, size_t *out)
{
    if (!r->c->index)
        return 0;
    *out = (size_t)partition_get(&r->a[INDEX], r->a[INDEX].now, i);
    return 1;
}

static const char *same(struct partition_run *r, int in, int out, size_t i, size_t from)
{
    struct partition_array *const a = &r->a[in], *const b = &r->a[out];

    return memcmp(partition_at(a, a->host, from), partition_at(b, b->now, i), a->item)
               ? "an item is wrong"
               : NULL;
}

/* Everything that belongs to output item i, if it came from `from`. */
static const char *check_item(struct partition_run *r, size_t i, size_t from)
{
    const char *wrong = NULL;

    if (r->c->keys)
        wrong = same(r, KEYS_IN, KEYS_OUT, i, from);
    for (int p = 0; p < PARTITION_PAYLOADS && !wrong; p++)
        if (r->c->payload[p])
            wrong = same(r, ROWS + 2 * p, ROWS + 2 * p + 1, i, from);
    if (!wrong && r->c->index && partition_get(&r->a[INDEX], r->a[INDEX].now, i) != from)
        wrong = "an index is wrong";
    if (!wrong && r->c->inverse && partition_get(&r->a[INVERSE], r->a[INVERSE].now, from) != i)
        wrong = "the inverse is wrong";
    return wrong;
}

/* Unstable: without an index nothing says where an item came from, so a bucket's rows are compared as
 * sorted lists of bytes; all arrays of an item side by side. */
static const struct partition_run *sorting;

static size_t row_bytes(const struct partition_run *r)
{
    size_t bytes = r->c->keys ? r->a[KEYS_IN].item : 0;

    for (int p = 0; p < PARTITION_PAYLOADS; p++)
        bytes += r->c->payload[p];
    return bytes;
}

static void row_of(struct partition_run *r, int output, size_t i, unsigned char *to)
{
    const int shift = output ? 1 : 0;
    struct partition_array *const keys = &r->a[output ? KEYS_OUT : KEYS_IN];

    if (r->c->keys) {
        memcpy(to, partition_at(keys, output ? keys->now : keys->host, i), keys->item);
        to += keys->item;
    }
    for (int p = 0; p < PARTITION_PAYLOADS; p++) {
        struct partition_array *const a = &r->a[ROWS + 2 * p + shift];

        if (r->c->payload[p])
            memcpy(to, partition_at(a, output ? a->now : a->host, i), a->item);
        to += r->c->payload[p];
    }
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, row_bytes(sorting));
}

static const char *check_sets(struct partition_run *r, const uint64_t *start)
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

static const char *check_items(struct partition_run *r)
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
static const char *fetch(struct partition_run *r, int written)
{
    for (int x = 0; x < ARRAYS; x++) {
        struct partition_array *const a = &r->a[x];
        const size_t end = GUARD + a->shift + a->bytes;
        const int input = x == KEYS_IN || x == CUTS || (x >= ROWS && (x - ROWS) % 2 == 0);

        if (!a->host)
            continue;
        assert_int_equal(cw_memory_read(r->context, a->now, a->device, partition_whole(a)), CW_OK);
        if (memcmp(a->host, a->now, GUARD + a->shift) != 0 ||
            memcmp(a->host + end, a->now + end, GUARD) != 0)
            return "wrote outside an array";
        if ((input || (!written && x != WORKSPACE)) &&
            memcmp(a->host, a->now, partition_whole(a)) != 0)
            return input ? "an input was changed" : "an output was written in spite of bad labels";
    }
    return NULL;
}

/* A GPU that was not asked marks offsets, and writes nothing else. */
static const char *check_marks(struct partition_run *r)
{
    for (int x = OFFSETS; x <= PADDED; x++) {
        struct partition_array *const a = &r->a[x];

        if (!a->host)
            continue;
        assert_int_equal(cw_memory_read(r->context, a->now, a->device, partition_whole(a)), CW_OK);
        for (uint32_t b = 0; b <= r->c->buckets; b++)
            if (partition_get(a, a->now, b) != UINT64_MAX)
                return "bad labels are not marked";
        memset(partition_at(a, a->now, 0), CANARY, a->bytes);
        assert_int_equal(cw_memory_write(r->context, a->device, a->now, partition_whole(a)), CW_OK);
    }
    return fetch(r, 0);
}

const char *partition_check(struct partition_run *r, cw_status status)
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
