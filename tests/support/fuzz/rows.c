/* rows.c - cw_sort_rows: rows of one length or by offsets, with ends, gaps and counts. */
#include "support/fuzz/calls.h"
#include "support/fuzz/items.h"
#include "support/fuzz/order.h"

#define ROWS 40

struct run {
    cw_rows job;
    size_t items, key;               /* of an array; bytes of a key */
    size_t from[ROWS + 1], to[ROWS]; /* of each row */
    size_t rows;                     /* that there are: all, or the count */
    uint64_t count;
    void *offsets, *ends;
    void *keys, *values, *keys_out, *values_out, *keys_were, *values_were;
};

static uint64_t digit_of(const void *of, uint64_t key)
{
    const cw_rows *const job = (const cw_rows *)of;

    return rank_of(job->type, job->flags, key);
}

/* Rows one behind the other, with gaps if they have ends. */
static void lay(const struct where *on, struct input *in, struct run *r, int offsets, int ends)
{
    const size_t most = on->emulated ? 200 : 400, same = (size_t)input_below(in, most);
    cw_rows *const j = &r->job;
    size_t at = 0;

    j->rows = (size_t)input_below(in, ROWS + 1);
    for (size_t k = 0; k < j->rows; k++) {
        at += ends ? (size_t)input_below(in, 4) : 0;
        r->from[k] = at;
        at += offsets ? (size_t)input_below(in, input_below(in, 4) ? 20 : most) : same;
        r->to[k] = at;
        j->length = at - r->from[k] > j->length ? at - r->from[k] : j->length;
    }
    r->from[j->rows] = r->items = at;
    if (!offsets)
        j->length = same;
}

static void put_offsets(struct run *r, int ends, size_t bytes)
{
    cw_rows *const j = &r->job;

    r->offsets = array_of((j->rows + 1) * bytes);
    r->ends = array_of(j->rows * bytes);
    for (size_t k = 0; k <= j->rows; k++)
        item_put(r->offsets, k, bytes, r->from[k]);
    for (size_t k = 0; k < j->rows; k++)
        item_put(r->ends, k, bytes, r->to[k]);
    j->offsets = r->offsets;
    j->ends = ends ? r->ends : NULL;
    j->offset_bytes = bytes;
    j->items = r->items;
}

static void choose(const struct where *on, struct input *in, struct run *r)
{
    static const size_t values[] = {0, 1, 2, 4, 8, 0, 4, 8};
    cw_rows *const j = &r->job;
    const uint64_t what = input_bytes(in, 2);
    const int offsets = (what & 1) != 0, ends = offsets && what & 2;

    memset(r, 0, sizeof *r);
    j->type = fuzz_type(in);
    j->flags = fuzz_order(in) | (what & 4 ? CW_STABLE : 0) | (what & 8 ? CW_CHECK : 0) |
               (what & 16 ? CW_CONFLICT_FREE : 0);
    r->key = cw_type_bytes(j->type);
    lay(on, in, r, offsets, ends);
    if (offsets)
        put_offsets(r, ends, what & 32 ? 4 : 8);
    r->rows = j->rows;
    if (what & 64) {
        r->count = input_below(in, j->rows + 2);
        r->rows = r->count < j->rows ? (size_t)r->count : j->rows;
        j->count = &r->count;
        j->count_bytes = what & 128 ? 4 : 8;
    }
    j->value_bytes = values[what >> 8 & 7];
    r->keys = fuzz_keys(in, j->type, r->items);
    r->values = array_of(r->items * j->value_bytes);
    array_fill(r->values, r->items * j->value_bytes, what);
    r->keys_were = array_copy(r->keys, r->items * r->key);
    r->values_were = array_copy(r->values, r->items * j->value_bytes);
    r->keys_out = what & 2048 ? r->keys : array_of(r->items * r->key);
    r->values_out = what & 2048 ? r->values : array_of(r->items * j->value_bytes);
    j->index_bytes = what & 4096 ? 8 : 4;
    j->index_out = what & 8192 ? array_of(r->items * j->index_bytes) : NULL;
    j->keys_in = r->keys;
    j->keys_out = j->index_out && what & 16384 ? NULL : r->keys_out;
    if (j->value_bytes) {
        j->values_in = r->values;
        j->values_out = r->values_out;
    }
}

static void check_row(const struct run *r, size_t row)
{
    const cw_rows *const j = &r->job;
    const size_t from = r->from[row], n = r->to[row] - from;
    struct items s = {.n = n,
                      .want = (struct item *)calloc(n + 1, sizeof *s.want),
                      .got = (struct item *)calloc(n + 1, sizeof *s.got),
                      .has_keys = j->keys_out != NULL,
                      .has_values = j->value_bytes != 0,
                      .has_places = j->index_out != NULL,
                      .exact = j->index_out || j->flags & CW_STABLE};

    must(s.want && s.got, "no memory");
    for (size_t i = 0; i < n; i++) {
        s.want[i].place = i;
        s.want[i].key = item_get(r->keys_were, from + i, r->key);
        s.want[i].digit = digit_of(j, s.want[i].key);
        s.want[i].value[0] = item_get(r->values_were, from + i, j->value_bytes);
        s.got[i].value[0] = item_get(r->values_out, from + i, j->value_bytes);
        s.got[i].key = s.has_keys ? item_get(r->keys_out, from + i, r->key) : 0;
        s.got[i].place = s.has_places ? item_get(j->index_out, from + i, j->index_bytes) : 0;
    }
    items_check(&s, digit_of, j);
    free(s.want);
    free(s.got);
}

/* Keys between rows, and of rows beyond the count, are as they were. */
static void check_gaps(const struct run *r)
{
    const char *const out = (const char *)r->keys_out, *const was = (const char *)r->keys_were;
    char *const junk = (char *)array_of(r->items * r->key);
    const char *const want = r->keys_out == r->keys ? was : junk;
    size_t at = 0;

    for (size_t k = 0; r->job.keys_out && k <= r->rows; k++) {
        const size_t end = k < r->rows ? r->from[k] : r->items;

        must(!memcmp(out + at * r->key, want + at * r->key, (end - at) * r->key),
             "keys outside rows were written");
        at = k < r->rows ? r->to[k] : end;
    }
    free(junk);
}

void fuzz_rows(const struct where *on, struct input *in)
{
    struct run r;
    void *workspace;
    size_t bytes;

    choose(on, in, &r);
    if (fuzz_went_well(cw_sort_rows_workspace(&r.job, &bytes), 1, "cw_sort_rows_workspace")) {
        workspace = workspace_of(bytes);
        fuzz_went_well(cw_sort_rows(on->context, &r.job, workspace, bytes, NULL), 1,
                       "cw_sort_rows");
        for (size_t k = 0; k < r.rows; k++)
            check_row(&r, k);
        check_gaps(&r);
        free(workspace);
    }
    if (r.keys_out != r.keys) {
        free(r.keys_out);
        free(r.values_out);
    }
    free(r.job.index_out);
    free(r.offsets);
    free(r.ends);
    free(r.keys);
    free(r.values);
    free(r.keys_were);
    free(r.values_were);
}
