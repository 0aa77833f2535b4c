/* moves.c - cw_permute, cw_gather_sum, cw_shuffle and cw_transpose. */
#include <math.h>

#include "prim/float16.h"
#include "support/fuzz/calls.h"

/* ---- permute -------------------------------------------------------------------------------- */

struct run {
    cw_permute_job job;
    size_t items; /* of the index: n, or the count */
    uint64_t count;
    uint64_t *index; /* as numbers */
    int bad;         /* out of range, or there twice */
};

static void make_index(struct input *in, struct run *r)
{
    cw_permute_job *const j = &r->job;
    const uint64_t seed = input_bytes(in, 2), kind = input_below(in, 4);
    const int may_repeat = (j->flags & (CW_GATHER | CW_CHECK)) == CW_GATHER;
    void *const index = array_of(j->n * j->index_bytes);
    uint8_t *const seen = (uint8_t *)calloc(j->n + 1, 1);

    must(seen != NULL, "no memory");
    r->index = (uint64_t *)array_of(8 * j->n);
    for (size_t i = 0; i < j->n; i++) {
        r->index[i] = kind == 1 ? (i + seed) % j->n : cw_shuffle_at(j->n, seed, i);
        if (kind == 2 && input_below(in, 8) == 0) /* twice, or outside */
            r->index[i] = input_bytes(in, 1) & 1 ? seed % j->n : j->n + seed;
        item_put(index, i, j->index_bytes, r->index[i]);
        if (i >= r->items)
            continue;
        if (r->index[i] >= j->n || (seen[r->index[i]] && !may_repeat))
            r->bad = 1;
        else
            seen[r->index[i]] = 1;
    }
    j->index = index;
    free(seen);
}

static void check_permuted(const struct run *r, const char *was)
{
    const cw_permute_job *const j = &r->job;
    char *const want = (char *)array_copy(was, j->n * j->bytes);

    for (size_t i = 0; i < r->items; i++) {
        const size_t to = j->flags & CW_GATHER ? i : (size_t)r->index[i];
        const size_t from = j->flags & CW_GATHER ? (size_t)r->index[i] : i;

        if (r->index[i] < j->n)
            memcpy(want + to * j->bytes, (const char *)j->in + from * j->bytes, j->bytes);
    }
    must(!memcmp(want, j->out, j->n * j->bytes), "elements are not where the index says");
    free(want);
}

void fuzz_permute(const struct where *on, struct input *in)
{
    const uint64_t what = input_bytes(in, 1);
    struct run r = {.job = {.n = fuzz_length(on, in)}};
    cw_permute_job *const j = &r.job;
    void *data, *was, *workspace;
    cw_status status;
    size_t bytes;

    j->flags = (what & 1 ? CW_GATHER : 0) | (what & 2 ? CW_CHECK : 0);
    j->bytes = 1 + (size_t)input_below(in, what & 4 ? 20 : 300);
    j->index_bytes = what & 8 ? 4 : 8;
    j->index_signed = (what & 16) != 0;
    r.items = j->n;
    if (what & 32) {
        r.count = input_below(in, j->n + 2);
        r.items = r.count < j->n ? (size_t)r.count : j->n;
        j->count = &r.count;
        j->count_bytes = what & 64 ? 4 : 8;
    }
    make_index(in, &r);
    data = array_of(j->n * j->bytes);
    array_fill(data, j->n * j->bytes, what);
    j->in = data;
    j->out = array_of(j->n * j->bytes);
    was = array_copy(j->out, j->n * j->bytes);
    must(cw_permute_workspace(j, &bytes) == CW_OK, "cw_permute_workspace");
    workspace = workspace_of(bytes);
    status = cw_permute(on->context, j, workspace, bytes, NULL);
    if (r.bad && j->flags & CW_CHECK) {
        must(status == CW_ERR_LABEL, "an index that is none is taken");
        must(!memcmp(j->out, was, j->n * j->bytes), "refused, and written");
    } else if (fuzz_went_well(status, 1, "cw_permute") && (!r.bad || j->flags & CW_GATHER)) {
        check_permuted(&r, (const char *)was);
    }
    free(workspace);
    free(was);
    free(data);
    free(j->out);
    free((void *)(uintptr_t)j->index);
    free(r.index);
}

/* ---- gather and add ------------------------------------------------------------------------- */

static float real_get(cw_type type, const void *from, size_t i)
{
    const uint32_t x = (uint32_t)item_get(from, i, cw_type_bytes(type));

    return type == CW_F32 ? f32_of_bits(x) : type == CW_F16 ? f32_of_f16(x) : f32_of_bf16(x);
}

/* As the header says: f32, in the order of k, one rounding a step. */
static void check_sums(const cw_gather_job *j)
{
    const size_t bytes = cw_type_bytes(j->type);

    for (size_t i = 0; i < j->n; i++)
        for (size_t c = 0; c < j->columns; c++) {
            const size_t at = i * j->columns + c;
            float sum = 0;

            for (size_t k = i * j->per; k < (i + 1) * j->per; k++) {
                const uint64_t p = item_get(j->index, k, j->index_bytes);
                const float w = j->weights ? real_get(j->weight_type, j->weights, k) : 1.0f;

                if (p < j->rows)
                    sum = fmaf(w, real_get(j->type, j->in, p * j->columns + c), sum);
            }
            if (isnan(sum)) {
                must(isnan(real_get(j->type, j->out, at)), "a sum is no NaN");
                continue;
            }
            must(item_get(j->out, at, bytes) == (j->type == CW_F32   ? bits_of_f32(sum)
                                                 : j->type == CW_F16 ? f16_of_f32(sum)
                                                                     : bf16_of_f32(sum)),
                 "a sum is wrong");
        }
}

void fuzz_gather_sum(const struct where *on, struct input *in)
{
    static const cw_type types[] = {CW_F16, CW_BF16, CW_F32};
    const uint64_t what = input_bytes(in, 1);
    cw_gather_job j = {.type = types[input_below(in, 3)],
                       .n = (size_t)input_below(in, 20),
                       .rows = (size_t)input_below(in, 20),
                       .columns = 1 + (size_t)input_below(in, 70),
                       .per = 1 + (size_t)input_below(in, 5),
                       .index_bytes = what & 1 ? 4 : 8,
                       .index_signed = (what & 2) != 0,
                       .flags = what & 4 ? CW_CHECK : 0};
    const size_t asks = j.n * j.per, most = j.rows + (what & 8 ? 2 : 0);
    void *const index = array_of(asks * j.index_bytes), *workspace;
    cw_status status;
    size_t bytes;
    int bad = 0;

    for (size_t k = 0; k < asks; k++) {
        const uint64_t p = most ? input_below(in, most) : 0;

        item_put(index, k, j.index_bytes, p);
        bad |= p >= j.rows;
    }
    j.index = index;
    j.weight_type = what & 16 ? CW_F32 : j.type;
    j.weights = what & 32 ? fuzz_keys(in, j.weight_type, asks) : NULL;
    j.in = fuzz_keys(in, j.type, j.rows * j.columns);
    j.out = array_of(j.n * j.columns * cw_type_bytes(j.type));
    must(cw_gather_sum_workspace(&j, &bytes) == CW_OK, "cw_gather_sum_workspace");
    workspace = workspace_of(bytes);
    status = cw_gather_sum(on->context, &j, workspace, bytes, NULL);
    if (bad && j.flags & CW_CHECK)
        must(status == CW_ERR_LABEL, "an index that names no row is taken");
    else if (fuzz_went_well(status, 1, "cw_gather_sum"))
        check_sums(&j);
    free(workspace);
    free(index);
    free((void *)(uintptr_t)j.weights);
    free((void *)(uintptr_t)j.in);
    free(j.out);
}

/* ---- shuffle, transpose --------------------------------------------------------------------- */

void fuzz_shuffle(const struct where *on, struct input *in)
{
    cw_shuffle_job j = {.n = fuzz_length(on, in),
                        .bytes = 1 + (size_t)input_below(in, 40),
                        .seed = input_bytes(in, 8),
                        .inverse = input_bit(in)};
    void *const data = array_of(j.n * j.bytes), *workspace;
    size_t bytes;

    array_fill(data, j.n * j.bytes, j.seed);
    j.in = data;
    j.out = array_of(j.n * j.bytes);
    must(cw_shuffle_workspace(&j, &bytes) == CW_OK, "cw_shuffle_workspace");
    workspace = workspace_of(bytes);
    fuzz_went_well(cw_shuffle(on->context, &j, workspace, bytes, NULL), 1, "cw_shuffle");
    for (size_t i = 0; i < j.n; i++) {
        const uint64_t to = cw_shuffle_at(j.n, j.seed, i);

        must(to < j.n && cw_shuffle_back(j.n, j.seed, to) == i, "no permutation");
        must(!memcmp((char *)j.out + (j.inverse ? i : to) * j.bytes,
                     (char *)data + (j.inverse ? to : i) * j.bytes, j.bytes),
             "an element is not where it goes");
    }
    free(workspace);
    free(data);
    free(j.out);
}

void fuzz_transpose(const struct where *on, struct input *in)
{
    const size_t most = on->emulated ? 30 : 90;
    cw_transpose_job j = {.rows = (size_t)input_below(in, most),
                          .columns = (size_t)input_below(in, most),
                          .batch = (size_t)input_below(in, 4),
                          .bytes = 1 + (size_t)input_below(in, 64)};
    const size_t all = (j.batch ? j.batch : 1) * j.rows * j.columns * j.bytes;
    char *const data = (char *)array_of(all), *const was = (char *)array_of(all);
    void *workspace;
    size_t bytes;

    array_fill(was, all, j.bytes);
    memcpy(data, was, all);
    j.in = data;
    j.out = input_bit(in) ? data : (char *)array_of(all);
    must(cw_transpose_workspace(&j, &bytes) == CW_OK, "cw_transpose_workspace");
    workspace = workspace_of(bytes);
    fuzz_went_well(cw_transpose(on->context, &j, workspace, bytes, NULL), 1, "cw_transpose");
    for (size_t b = 0; b < (j.batch ? j.batch : 1); b++)
        for (size_t x = 0; x < j.rows * j.columns; x++) {
            const size_t first = b * j.rows * j.columns;
            const size_t to = x % j.columns * j.rows + x / j.columns;

            must(!memcmp((char *)j.out + (first + to) * j.bytes, was + (first + x) * j.bytes,
                         j.bytes),
                 "not transposed");
        }
    free(workspace);
    if (j.out != data)
        free(j.out);
    free(data);
    free(was);
}
