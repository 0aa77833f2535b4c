/* test_gather_sum.c - cw_gather_sum adds weighted rows as its formula says, bit by bit, in whichever
 * context CW_TEST_BACKEND names (emulator, unless told). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_memory.h"
#include "permute_case.h"
#include "prim/float16.h"

struct trial {
    cw_gather_job job;
    size_t shift; /* elements that rows begin after 256 bytes */
    int bad;      /* indices that name no row */
};

static float load(cw_type type, const uint8_t *from, size_t at)
{
    uint16_t half;
    float x;

    if (type == CW_F32)
        return memcpy(&x, from + 4 * at, 4), x;
    memcpy(&half, from + 2 * at, 2);
    return type == CW_F16 ? f32_of_f16(half) : f32_of_bf16(half);
}

static void store(cw_type type, uint8_t *to, size_t at, float x)
{
    const uint16_t half = (uint16_t)(type == CW_F16 ? f16_of_f32(x) : bf16_of_f32(x));

    if (type == CW_F32)
        memcpy(to + 4 * at, &x, 4);
    else
        memcpy(to + 2 * at, &half, 2);
}

/* Numbers of many sizes, all of them finite, of either sign. */
static void fill(cw_type type, uint8_t *to, size_t count, struct cw_random *r)
{
    for (size_t i = 0; i < count; i++)
        store(type, to, i,
              (float)((double)cw_random_below(r, 1u << 20) / (1 << 19) - 1) *
                  ldexpf(1, (int)cw_random_below(r, 12) - 6));
}

static uint64_t index_at(const cw_gather_job *job, const uint8_t *index, size_t at)
{
    uint64_t x8;
    uint32_t x4;

    if (job->index_bytes == 8)
        return memcpy(&x8, index + 8 * at, 8), x8;
    return memcpy(&x4, index + 4 * at, 4), x4;
}

/* The formula. */
static void expect(const cw_gather_job *job, const uint8_t *in, const uint8_t *index,
                   const uint8_t *weights, uint8_t *out)
{
    for (size_t i = 0; i < job->n; i++) {
        for (size_t c = 0; c < job->columns; c++) {
            float sum = 0;

            for (size_t k = 0; k < job->per; k++) {
                const uint64_t p = index_at(job, index, i * job->per + k);

                if (p < job->rows)
                    sum = fmaf(job->weights ? load(job->weight_type, weights, i * job->per + k) : 1,
                               load(job->type, in, p * job->columns + c), sum);
            }
            store(job->type, out, i * job->columns + c, sum);
        }
    }
}

static void *there(const uint8_t *host, size_t bytes, size_t shift)
{
    void *memory;

    permute_good(case_memory_take(permute_context, bytes + shift, &memory));
    permute_good(cw_memory_write(permute_context, (uint8_t *)memory + shift, host, bytes));
    return memory;
}

static void run(struct trial t, uint64_t seed)
{
    cw_gather_job job = t.job;
    struct cw_random r = cw_random_from(seed);
    const size_t size = cw_type_bytes(job.type), entries = job.n * job.per;
    const size_t in_bytes = job.rows * job.columns * size, shift = t.shift * size;
    const size_t out_bytes = job.n * job.columns * size, index_bytes = entries * job.index_bytes;
    const size_t weight_bytes = entries * cw_type_bytes(job.weight_type);
    uint8_t *const in = (uint8_t *)malloc(in_bytes + 1), *const out = (uint8_t *)malloc(out_bytes);
    uint8_t *const want = (uint8_t *)malloc(out_bytes), *const weights =
                                                            (uint8_t *)malloc(weight_bytes);
    uint8_t *const index = (uint8_t *)malloc(index_bytes);
    void *memory[4], *work;
    size_t need = 0;
    cw_status status;

    assert_true(in && out && want && weights && index);
    fill(job.type, in, job.rows * job.columns, &r);
    fill(job.weight_type, weights, entries, &r);
    for (size_t i = 0; i < entries; i++) {
        const uint64_t x = t.bad && cw_random_below(&r, 4) == 0 ? (uint64_t)0 - 1 - i % 7
                                                                : cw_random_below(&r, job.rows);
        const uint32_t x4 = (uint32_t)x;

        memcpy(index + i * job.index_bytes, job.index_bytes == 8 ? (const void *)&x : &x4,
               job.index_bytes);
    }
    memset(out, 0x5a, out_bytes);
    job.in = (uint8_t *)(memory[0] = there(in, in_bytes, shift)) + shift;
    job.out = (uint8_t *)(memory[1] = there(out, out_bytes, shift)) + shift;
    job.index = memory[2] = there(index, index_bytes, 0);
    memory[3] = there(weights, weight_bytes, 0);
    job.weights = t.job.weights ? memory[3] : NULL;
    permute_good(cw_gather_sum_workspace(&job, &need));
    permute_good(case_memory_take(permute_context, need + 1, &work));
    status = cw_gather_sum(permute_context, &job, work, need, NULL);
    if (!status)
        status = cw_wait(permute_context, NULL);
    permute_good(cw_memory_read(permute_context, out, job.out, out_bytes));
    memset(want, 0x5a, out_bytes);
    if (t.bad && job.flags & CW_CHECK) {
        assert_int_equal(status, CW_ERR_LABEL);
        assert_non_null(strstr(cw_last_error(), "negative"));
    } else {
        permute_good(status);
        expect(&t.job, in, index, weights, want);
    }
    if (memcmp(out, want, out_bytes) != 0)
        fail_msg("%zu rows of %zu %s, %zu each, shift %zu, seed %llu: other bits", job.n,
                 job.columns, cw_type_name(job.type), job.per, t.shift, (unsigned long long)seed);
    for (int x = 0; x < 4; x++)
        case_memory_give(permute_context, memory[x]);
    case_memory_give(permute_context, work);
    free(in), free(out), free(want), free(weights), free(index);
}

static void sums_have_the_bits_of_the_formula(void **state)
{
    static const cw_type types[] = {CW_F16, CW_BF16, CW_F32};
    static const size_t shapes[][3] = {{7, 8, 1},  {5, 64, 8},  {3, 33, 3},
                                       {40, 1, 5}, {9, 24, 13}, {1, 1500, 2}};
    uint64_t k = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(types); x++) {
        for (size_t s = 0; s < COUNT(shapes); s++, k++) {
            struct trial t = {.job = {.type = types[x],
                                      .n = shapes[s][0],
                                      .rows = 11 + s,
                                      .columns = shapes[s][1],
                                      .per = shapes[s][2],
                                      .index_bytes = k % 2 ? 4 : 8,
                                      .weights = k % 3 ? &k : NULL,
                                      .weight_type = k % 4 == 1 ? CW_F32 : types[x]},
                              .shift = k % 5 == 2};

            run(t, cw_test_seed() + k);
            t.bad = 1;
            run(t, cw_test_seed() + 100 + k);
        }
    }
}

static void a_check_refuses_rows_that_are_not_there(void **state)
{
    struct trial t = {.job = {.flags = CW_CHECK,
                              .type = CW_BF16,
                              .n = 20,
                              .rows = 9,
                              .columns = 16,
                              .per = 3,
                              .index_bytes = 8,
                              .index_signed = 1,
                              .weight_type = CW_F32}};

    (void)state;
    run(t, cw_test_seed());
    t.bad = 1;
    run(t, cw_test_seed());
}

static void misuse_is_refused(void **state)
{
    uint16_t a[64] = {0}, b[64] = {0};
    uint32_t p[8] = {0};
    const cw_gather_job right = {.type = CW_F16,
                                 .n = 4,
                                 .rows = 4,
                                 .columns = 16,
                                 .per = 2,
                                 .in = a,
                                 .out = b,
                                 .index = p,
                                 .index_bytes = 4};
    cw_gather_job job = right;

    (void)state;
    job.type = CW_U16;
    assert_int_equal(cw_gather_sum(permute_context, &job, NULL, 0, NULL), CW_ERR_TYPE);
    job = right, job.per = 0;
    assert_int_equal(cw_gather_sum(permute_context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right, job.columns = 1u << 20;
    assert_int_equal(cw_gather_sum(permute_context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right, job.out = a;
    assert_int_equal(cw_gather_sum(permute_context, &job, NULL, 0, NULL), CW_ERR_OVERLAP);
    job = right, job.weights = p, job.weight_type = CW_BF16;
    assert_int_equal(cw_gather_sum(permute_context, &job, NULL, 0, NULL), CW_ERR_TYPE);
    job = right, job.index = NULL;
    assert_int_equal(cw_gather_sum(permute_context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right, job.flags = CW_CHECK;
    assert_int_equal(cw_gather_sum(permute_context, &job, NULL, 0, NULL), CW_ERR_WORKSPACE);
    assert_int_equal(cw_gather_sum(permute_context, NULL, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_gather_sum(NULL, &right, NULL, 0, NULL), CW_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_have_the_bits_of_the_formula),
        cmocka_unit_test(a_check_refuses_rows_that_are_not_there),
        cmocka_unit_test(misuse_is_refused),
    };

    return cmocka_run_group_tests(tests, permute_open, permute_close);
}
