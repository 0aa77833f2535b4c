/* partition.c - cw_partition: every rule, with payloads, padding, drops, choices and counts. */
#include "support/fuzz/calls.h"
#include "support/fuzz/order.h"

#define PAYLOADS 2
#define NOWHERE  UINT64_MAX

struct run {
    cw_partition_job job;
    size_t items, choices, key;
    uint64_t count, kept;
    uint32_t *bucket;  /* of an item; UINT32_MAX: it is dropped */
    uint64_t *place;   /* of an item in the output, or NOWHERE */
    uint64_t *offsets; /* as they should be */
    cw_payload payload[PAYLOADS];
    int bad; /* a label is no bucket's number */
};

static uint32_t bucket_of(const cw_partition_job *j, uint64_t key)
{
    const unsigned bits = 8 * (unsigned)cw_type_bytes(j->type);
    const uint64_t rank = rank_of(j->type, j->flags, key);
    const uint64_t multiplier = j->multiplier ? j->multiplier : UINT64_C(0x9e3779b97f4a7c15);
    const int negative = j->type >= CW_I8 && j->type <= CW_I64 && key >> (bits - 1) & 1;
    uint32_t b = 0;

    switch (j->rule) {
    case CW_BY_LABEL:
        return negative || key >= j->buckets ? UINT32_MAX : (uint32_t)key;
    case CW_BY_BITS:
        return (uint32_t)(rank >> j->first_bit) & (j->buckets - 1);
    case CW_BY_HASH:
        return (uint32_t)((key * multiplier >> 32) * j->buckets >> 32);
    default:
        while (b + 1 < j->buckets &&
               rank_of(j->type, j->flags, item_get(j->splitters, b, bits / 8)) <= rank)
            b++;
        return b;
    }
}

static void choose_rule(const struct where *on, struct input *in, cw_partition_job *j)
{
    const unsigned bits = 8 * (unsigned)cw_type_bytes(j->type);

    j->rule = (cw_rule)input_below(in, 4);
    if (j->rule == CW_BY_LABEL && mantissa_bits(j->type))
        j->rule = CW_BY_HASH;
    j->buckets = 1 + (uint32_t)input_below(in, input_below(in, 8) ? 40 : on->most);
    if (j->rule == CW_BY_BITS) {
        const unsigned some = (unsigned)input_below(in, (bits < 10 ? bits : 10) + 1);

        j->buckets = 1u << some;
        j->first_bit = (unsigned)input_below(in, some == bits ? 1 : bits - some);
    }
    if (j->rule == CW_BY_LABEL && bits == 8 && j->buckets > 127)
        j->buckets = 127;
    j->multiplier = input_bit(in) ? input_bytes(in, 8) | 1 : 0;
}

static int by_rank(const void *x, const void *y, void *of)
{
    const cw_partition_job *const j = (const cw_partition_job *)of;
    const size_t bytes = cw_type_bytes(j->type);
    const uint64_t a = rank_of(j->type, j->flags, item_get(x, 0, bytes));
    const uint64_t b = rank_of(j->type, j->flags, item_get(y, 0, bytes));

    return (a > b) - (a < b);
}

/* Keys that are labels: all are buckets' numbers, or now and then one is not. */
static void make_keys(struct input *in, struct run *r)
{
    cw_partition_job *const j = &r->job;
    void *const keys = fuzz_keys(in, j->type, j->n);
    const int stray = input_below(in, 4) == 3;

    for (size_t i = 0; j->rule == CW_BY_LABEL && i < j->n; i++) {
        const uint64_t x = item_get(keys, i, r->key);

        item_put(keys, i, r->key, stray && x % 7 == 6 ? x : x % j->buckets);
    }
    j->keys_in = keys;
    if (j->rule == CW_BY_SPLITTER) {
        void *const splitters = fuzz_keys(in, j->type, j->buckets - 1);

        qsort_r(splitters, j->buckets - 1, r->key, by_rank, j);
        j->splitters = splitters;
    }
}

static void make_outputs(struct input *in, struct run *r, uint64_t what)
{
    cw_partition_job *const j = &r->job;

    j->keys_out = what & 1 ? array_of(j->n * r->key) : NULL;
    j->offsets = what & 2 ? (uint64_t *)array_of(8 * ((size_t)j->buckets + 1)) : NULL;
    j->pad_to = 1 + (size_t)input_below(in, 9);
    j->padded = what & 4 ? (uint64_t *)array_of(8 * ((size_t)j->buckets + 1)) : NULL;
    j->index_bytes = what & 8 ? 4 : 8;
    j->index_out = what & 16 ? array_of(j->n * j->index_bytes) : NULL;
    j->inverse_out =
        what & 32 || j->flags & CW_UNSTABLE || !(what & 3) ? array_of(j->n * j->index_bytes) : NULL;
    if (!j->index_out && !j->inverse_out)
        j->index_bytes = 0;
    if (what & 64) {
        j->block_count = 1 + (size_t)input_below(in, 100);
        j->block_buckets = (uint32_t *)array_of(4 * j->block_count);
    }
    j->payload_count = what >> 7 & 1;
    j->payload_count += what >> 8 & 1;
    j->payloads = r->payload;
    for (size_t k = 0; k < j->payload_count; k++) {
        const size_t bytes = 1 + (size_t)input_below(in, 20), tokens = j->n / r->choices;
        void *const rows = array_of(tokens * bytes);

        array_fill(rows, tokens * bytes, what + k);
        r->payload[k].in = rows;
        r->payload[k].out = array_of(j->n * bytes);
        r->payload[k].bytes = bytes;
    }
}

static void choose(const struct where *on, struct input *in, struct run *r)
{
    static const unsigned orders[] = {0, CW_TOTAL_ORDER, CW_NAN_FIRST, CW_NAN_GREATEST};
    cw_partition_job *const j = &r->job;
    const uint64_t what = input_bytes(in, 3);

    memset(r, 0, sizeof *r);
    j->type = fuzz_type(in);
    r->key = cw_type_bytes(j->type);
    j->flags = orders[what & 3] | (what & 4 ? CW_UNSTABLE : 0) | (what & 8 ? CW_CHECK : 0);
    choose_rule(on, in, j);
    if (j->rule == CW_BY_LABEL && what & 16)
        j->flags |= CW_DROP;
    r->choices = what & 32 ? 1 + (size_t)input_below(in, 4) : 1;
    j->choices = r->choices;
    j->n = fuzz_length(on, in) / r->choices * r->choices;
    r->items = j->n;
    if (what & 64) {
        r->count = input_below(in, j->n + 2);
        r->items = r->count < j->n ? (size_t)r->count : j->n;
        j->count = &r->count;
        j->count_bytes = what & 128 ? 4 : 8;
    }
    make_keys(in, r);
    make_outputs(in, r, what >> 8);
}

/* ---- what should come of it ----------------------------------------------------------------- */

static void expect(struct run *r)
{
    const cw_partition_job *const j = &r->job;
    uint64_t *next;

    r->bucket = (uint32_t *)array_of(4 * j->n);
    r->place = (uint64_t *)array_of(8 * j->n);
    r->offsets = (uint64_t *)calloc((size_t)j->buckets + 1, 8);
    must(r->offsets != NULL, "no memory");
    for (size_t i = 0; i < r->items; i++) {
        r->bucket[i] = bucket_of(j, item_get(j->keys_in, i, r->key));
        r->bad |= r->bucket[i] == UINT32_MAX;
        if (r->bucket[i] != UINT32_MAX)
            r->offsets[r->bucket[i] + 1]++;
    }
    for (uint32_t b = 0; b < j->buckets; b++)
        r->offsets[b + 1] += r->offsets[b];
    r->kept = r->offsets[j->buckets];
    next = (uint64_t *)array_copy(r->offsets, 8 * ((size_t)j->buckets + 1));
    for (size_t i = 0; i < r->items; i++)
        r->place[i] = r->bucket[i] == UINT32_MAX ? NOWHERE : next[r->bucket[i]]++;
    free(next);
    r->bad = r->bad && !(j->flags & CW_DROP);
}

/* Where items may change places inside a bucket, the inverse says where they are; all places are taken. */
static void take_places(struct run *r)
{
    const cw_partition_job *const j = &r->job;
    uint8_t *const seen = (uint8_t *)calloc(j->n + 1, 1);

    must(seen != NULL, "no memory");
    for (size_t i = 0; i < r->items; i++) {
        const uint64_t ones = UINT64_MAX >> (64 - 8 * j->index_bytes);
        const uint64_t p = item_get(j->inverse_out, i, j->index_bytes);

        if (r->place[i] == NOWHERE) {
            must(p == ones, "a dropped item has a place");
            continue;
        }
        must(p >= r->offsets[r->bucket[i]] && p < r->offsets[r->bucket[i] + 1],
             "an item is in another bucket");
        must(!seen[p]++, "two items have one place");
        must(j->flags & CW_UNSTABLE || p == r->place[i], "an inverse is wrong");
        r->place[i] = p;
    }
    free(seen);
}

static void check_items(const struct run *r)
{
    const cw_partition_job *const j = &r->job;

    for (size_t i = 0; i < r->items; i++) {
        const uint64_t p = r->place[i];

        if (p == NOWHERE)
            continue;
        if (j->keys_out)
            must(item_get(j->keys_out, p, r->key) == item_get(j->keys_in, i, r->key),
                 "a key is wrong");
        if (j->index_out)
            must(item_get(j->index_out, p, j->index_bytes) == i / r->choices, "an index is wrong");
        for (size_t k = 0; k < j->payload_count; k++) {
            const cw_payload *const y = &r->payload[k];

            must(!memcmp((char *)y->out + p * y->bytes,
                         (const char *)y->in + i / r->choices * y->bytes, y->bytes),
                 "a payload is wrong");
        }
    }
}

static void check_offsets(const struct run *r)
{
    const cw_partition_job *const j = &r->job;
    uint64_t padded = 0;
    size_t block = 0;

    for (uint32_t b = 0; b <= j->buckets; b++) {
        const uint64_t size = b < j->buckets ? r->offsets[b + 1] - r->offsets[b] : 0;
        const uint64_t blocks = (size + j->pad_to - 1) / j->pad_to;

        must(!j->offsets || j->offsets[b] == r->offsets[b], "an offset is wrong");
        must(!j->padded || j->padded[b] == padded, "a padded offset is wrong");
        padded += blocks * j->pad_to;
        for (uint64_t k = 0; k < blocks && block < j->block_count; k++, block++)
            must(j->block_buckets[block] == b, "a block's bucket is wrong");
    }
    for (; block < j->block_count; block++)
        must(j->block_buckets[block] == UINT32_MAX, "a block past the end has a bucket");
}

static void end(struct run *r)
{
    const cw_partition_job *const j = &r->job;
    void *const all[] = {(void *)(uintptr_t)j->keys_in,
                         (void *)(uintptr_t)j->splitters,
                         j->keys_out,
                         j->offsets,
                         j->padded,
                         j->index_out,
                         j->inverse_out,
                         j->block_buckets,
                         r->bucket,
                         r->place,
                         r->offsets};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    for (size_t k = 0; k < j->payload_count; k++) {
        free((void *)(uintptr_t)r->payload[k].in);
        free(r->payload[k].out);
    }
}

void fuzz_partition(const struct where *on, struct input *in)
{
    struct run r;
    void *workspace;
    size_t bytes;
    cw_status status;

    choose(on, in, &r);
    expect(&r);
    must(cw_partition_workspace(&r.job, &bytes) == CW_OK, "cw_partition_workspace");
    workspace = workspace_of(bytes);
    status = cw_partition(on->context, &r.job, workspace, bytes, NULL);
    if (r.bad) {
        must(status == CW_ERR_LABEL || (on->emulated && !(r.job.flags & CW_CHECK) && !status),
             "a label that is no bucket's number is taken");
    } else {
        fuzz_went_well(status, 1, "cw_partition");
        if (r.job.inverse_out)
            take_places(&r);
        check_items(&r);
        check_offsets(&r);
    }
    free(workspace);
    end(&r);
}
