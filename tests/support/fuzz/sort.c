/* sort.c - cw_sort: every type, order, payload, index, range of bits and count. */
#include "support/fuzz/calls.h"
#include "support/fuzz/items.h"
#include "support/fuzz/order.h"

struct run {
    cw_array job;
    size_t items; /* that there are: n, or the count */
    size_t key;   /* bytes */
    void *keys, *values, *keys_out, *values_out;
    void *keys_were, *values_were; /* as they were sent, for sorts in place */
    uint64_t count;
};

static uint64_t digit_of(const void *of, uint64_t key)
{
    const cw_array *const job = (const cw_array *)of;
    const uint64_t rank = rank_of(job->type, job->flags, key);

    return job->bits ? rank >> job->first_bit & UINT64_MAX >> (64 - job->bits) : rank;
}

static void choose(const struct where *on, struct input *in, struct run *r)
{
    static const size_t values[] = {0, 1, 2, 4, 8, 16}, indices[] = {0, 4, 8};
    cw_array *const j = &r->job;
    const uint64_t what = input_bytes(in, 2);

    memset(r, 0, sizeof *r);
    j->type = fuzz_type(in);
    j->flags = fuzz_order(in) | (what & 1 ? CW_STABLE : 0) | (what & 2 ? CW_CONFLICT_FREE : 0);
    j->n = fuzz_length(on, in);
    j->value_bytes = values[(what >> 2 & 7) % 6];
    j->index_bytes = indices[(what >> 5 & 7) % 3];
    r->key = cw_type_bytes(j->type);
    if (what & 256) {
        j->first_bit = (unsigned)input_below(in, 8 * r->key);
        j->bits = 1 + (unsigned)input_below(in, 8 * r->key - j->first_bit);
    }
    r->items = j->n;
    if (what & 512 && !(on->emulated && j->flags & CW_CONFLICT_FREE)) {
        r->count = input_below(in, j->n + 3);
        r->items = r->count < j->n ? (size_t)r->count : j->n;
        j->count = &r->count;
        j->count_bytes = what & 1024 ? 4 : 8;
    }
    r->keys = fuzz_keys(in, j->type, j->n);
    r->values = array_of(j->n * j->value_bytes);
    array_fill(r->values, j->n * j->value_bytes, what);
    r->keys_were = array_copy(r->keys, j->n * r->key);
    r->values_were = array_copy(r->values, j->n * j->value_bytes);
    r->keys_out = what & 2048 ? r->keys : array_of(j->n * r->key);
    r->values_out = what & 2048 ? r->values : array_of(j->n * j->value_bytes);
    j->keys_in = r->keys;
    j->keys_out = j->index_bytes && what & 4096 ? NULL : r->keys_out;
    j->index_out = j->index_bytes ? array_of(j->n * j->index_bytes) : NULL;
    if (j->value_bytes) {
        j->values_in = r->values;
        j->values_out = r->values_out;
    }
}

static void value_get(const void *from, size_t i, size_t bytes, struct item *out)
{
    out->value[0] = bytes == 16 ? item_get(from, 2 * i, 8) : item_get(from, i, bytes);
    out->value[1] = bytes == 16 ? item_get(from, 2 * i + 1, 8) : 0;
}

/* What is behind a count is as it was. */
static void check_rest(const struct run *r)
{
    const cw_array *const j = &r->job;
    const size_t rest = j->n - r->items;
    char *const junk = (char *)array_of(rest * 16);
    const char *const keys =
        r->keys_out == r->keys ? (char *)r->keys_were + r->items * r->key : junk;
    const char *const values =
        r->values_out == r->values ? (char *)r->values_were + r->items * j->value_bytes : junk;

    must(!j->keys_out || !memcmp((char *)r->keys_out + r->items * r->key, keys, rest * r->key),
         "keys behind the count were written");
    must(!memcmp((char *)r->values_out + r->items * j->value_bytes, values, rest * j->value_bytes),
         "values behind the count were written");
    must(!j->index_out ||
             !memcmp((char *)j->index_out + r->items * j->index_bytes, junk, rest * j->index_bytes),
         "indices behind the count were written");
    free(junk);
}

static void check(const struct run *r)
{
    const cw_array *const j = &r->job;
    struct items s = {.n = r->items,
                      .want = (struct item *)calloc(r->items + 1, sizeof *s.want),
                      .got = (struct item *)calloc(r->items + 1, sizeof *s.got),
                      .has_keys = j->keys_out != NULL,
                      .has_values = j->value_bytes != 0,
                      .has_places = j->index_bytes != 0,
                      .exact = j->index_bytes || j->flags & CW_STABLE};

    must(s.want && s.got, "no memory");
    for (size_t i = 0; i < r->items; i++) {
        s.want[i].place = i;
        s.want[i].key = item_get(r->keys_were, i, r->key);
        s.want[i].digit = digit_of(j, s.want[i].key);
        value_get(r->values_were, i, j->value_bytes, &s.want[i]);
        value_get(r->values_out, i, j->value_bytes, &s.got[i]);
        s.got[i].key = s.has_keys ? item_get(r->keys_out, i, r->key) : 0;
        s.got[i].place = s.has_places ? item_get(j->index_out, i, j->index_bytes) : 0;
    }
    items_check(&s, digit_of, j);
    check_rest(r);
    if (r->keys_out != r->keys)
        must(!memcmp(r->keys, r->keys_were, j->n * r->key), "the input was written");
    free(s.want);
    free(s.got);
}

/* One field is wrong, so that nothing may be read or written by it. */
static void spoil(struct input *in, cw_array *j)
{
    switch (input_below(in, 6)) {
    case 0:
        j->reserved[input_below(in, 6)] = 1;
        break;
    case 1:
        j->type = CW_TYPE_COUNT;
        break;
    case 2:
        j->flags |= 1u << 30;
        break;
    case 3:
        j->flags |= CW_NAN_FIRST | CW_TOTAL_ORDER;
        break;
    case 4:
        j->bits = 65;
        break;
    default:
        j->index_bytes = 3;
    }
}

void fuzz_sort(const struct where *on, struct input *in)
{
    struct run r;
    void *workspace;
    size_t bytes;

    choose(on, in, &r);
    must(cw_sort_workspace(&r.job, &bytes) == CW_OK, "cw_sort_workspace");
    workspace = workspace_of(bytes);
    if (input_below(in, 8) == 7) {
        spoil(in, &r.job);
        must(cw_sort(on->context, &r.job, workspace, bytes, NULL) != CW_OK,
             "wrong, and not refused");
        must(cw_last_error()[0] != 0, "refused without a word");
        must(!memcmp(r.keys, r.keys_were, r.job.n * r.key), "refused, and written");
    } else {
        fuzz_went_well(cw_sort(on->context, &r.job, workspace, bytes, NULL), 1, "cw_sort");
        check(&r);
    }
    if (r.keys_out != r.keys) {
        free(r.keys_out);
        free(r.values_out);
    }
    free(r.job.index_out);
    free(r.keys);
    free(r.values);
    free(r.keys_were);
    free(r.values_were);
    free(workspace);
}
