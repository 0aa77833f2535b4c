/* test_abi.c - a program and a library of different versions read a job alike: no field ever moves, no job
 * ever changes its size, and a tail that this version does not know is refused.
 *
 * A new field adds a line here, and takes its room from `reserved`: sizes stay as they are.
 */
#include <stddef.h>
#include <string.h>

#include "clearway.h"
#include "test.h"

/* As 64-bit systems have them. */
#if UINTPTR_MAX > 0xffffffffu
#define SIZE(type, bytes)      _Static_assert(sizeof(type) == (bytes), #type)
#define AT(type, field, bytes) _Static_assert(offsetof(type, field) == (bytes), #type "." #field)
SIZE(cw_array, 144);
AT(cw_array, type, 0);
AT(cw_array, flags, 4);
AT(cw_array, n, 8);
AT(cw_array, keys_in, 16);
AT(cw_array, keys_out, 24);
AT(cw_array, values_in, 32);
AT(cw_array, values_out, 40);
AT(cw_array, value_bytes, 48);
AT(cw_array, index_out, 56);
AT(cw_array, index_bytes, 64);
AT(cw_array, first_bit, 72);
AT(cw_array, bits, 76);
AT(cw_array, count, 80);
AT(cw_array, count_bytes, 88);
SIZE(cw_rows, 176);
AT(cw_rows, type, 0);
AT(cw_rows, flags, 4);
AT(cw_rows, rows, 8);
AT(cw_rows, length, 16);
AT(cw_rows, offsets, 24);
AT(cw_rows, items, 32);
AT(cw_rows, keys_in, 40);
AT(cw_rows, keys_out, 48);
AT(cw_rows, values_in, 56);
AT(cw_rows, values_out, 64);
AT(cw_rows, value_bytes, 72);
AT(cw_rows, index_out, 80);
AT(cw_rows, index_bytes, 88);
AT(cw_rows, ends, 96);
AT(cw_rows, offset_bytes, 104);
AT(cw_rows, count, 112);
AT(cw_rows, count_bytes, 120);
SIZE(cw_payload, 24);
AT(cw_payload, in, 0);
AT(cw_payload, out, 8);
AT(cw_payload, bytes, 16);
SIZE(cw_partition_job, 192);
AT(cw_partition_job, type, 0);
AT(cw_partition_job, rule, 4);
AT(cw_partition_job, flags, 8);
AT(cw_partition_job, n, 16);
AT(cw_partition_job, buckets, 24);
AT(cw_partition_job, first_bit, 28);
AT(cw_partition_job, splitters, 32);
AT(cw_partition_job, multiplier, 40);
AT(cw_partition_job, keys_in, 48);
AT(cw_partition_job, keys_out, 56);
AT(cw_partition_job, payloads, 64);
AT(cw_partition_job, payload_count, 72);
AT(cw_partition_job, offsets, 80);
AT(cw_partition_job, padded, 88);
AT(cw_partition_job, pad_to, 96);
AT(cw_partition_job, index_out, 104);
AT(cw_partition_job, inverse_out, 112);
AT(cw_partition_job, index_bytes, 120);
AT(cw_partition_job, count, 128);
AT(cw_partition_job, count_bytes, 136);
AT(cw_partition_job, block_buckets, 144);
AT(cw_partition_job, block_count, 152);
AT(cw_partition_job, choices, 160);
SIZE(cw_permute_job, 128);
AT(cw_permute_job, flags, 0);
AT(cw_permute_job, n, 8);
AT(cw_permute_job, bytes, 16);
AT(cw_permute_job, in, 24);
AT(cw_permute_job, out, 32);
AT(cw_permute_job, index, 40);
AT(cw_permute_job, index_bytes, 48);
AT(cw_permute_job, index_signed, 56);
AT(cw_permute_job, count, 64);
AT(cw_permute_job, count_bytes, 72);
SIZE(cw_gather_job, 160);
AT(cw_gather_job, flags, 0);
AT(cw_gather_job, type, 4);
AT(cw_gather_job, n, 8);
AT(cw_gather_job, rows, 16);
AT(cw_gather_job, columns, 24);
AT(cw_gather_job, per, 32);
AT(cw_gather_job, in, 40);
AT(cw_gather_job, out, 48);
AT(cw_gather_job, index, 56);
AT(cw_gather_job, index_bytes, 64);
AT(cw_gather_job, index_signed, 72);
AT(cw_gather_job, weights, 80);
AT(cw_gather_job, weight_type, 88);
SIZE(cw_shuffle_job, 112);
AT(cw_shuffle_job, n, 0);
AT(cw_shuffle_job, bytes, 8);
AT(cw_shuffle_job, seed, 16);
AT(cw_shuffle_job, inverse, 24);
AT(cw_shuffle_job, in, 32);
AT(cw_shuffle_job, out, 40);
SIZE(cw_transpose_job, 112);
AT(cw_transpose_job, rows, 0);
AT(cw_transpose_job, columns, 8);
AT(cw_transpose_job, batch, 16);
AT(cw_transpose_job, bytes, 24);
AT(cw_transpose_job, in, 32);
AT(cw_transpose_job, out, 40);
#endif

/* ---- tails ---------------------------------------------------------------------------------- */

#define CALLS(X)                                              \
    X(cw_array, cw_sort, cw_sort_workspace)                   \
    X(cw_rows, cw_sort_rows, cw_sort_rows_workspace)          \
    X(cw_partition_job, cw_partition, cw_partition_workspace) \
    X(cw_permute_job, cw_permute, cw_permute_workspace)       \
    X(cw_gather_job, cw_gather_sum, cw_gather_sum_workspace)  \
    X(cw_shuffle_job, cw_shuffle, cw_shuffle_workspace)       \
    X(cw_transpose_job, cw_transpose, cw_transpose_workspace)

/* Jobs of no items, which every call takes. */
static void fill_cw_array(cw_array *job)
{
    job->type = CW_U32;
}

static void fill_cw_rows(cw_rows *job)
{
    job->type = CW_U32;
}

static void fill_cw_partition_job(cw_partition_job *job)
{
    static uint64_t offsets[2];

    job->type = CW_U32;
    job->buckets = 1;
    job->offsets = offsets;
}

static void fill_cw_permute_job(cw_permute_job *job)
{
    job->bytes = job->index_bytes = 4;
}

static void fill_cw_gather_job(cw_gather_job *job)
{
    job->type = CW_F32;
    job->columns = job->per = 1;
    job->index_bytes = 4;
}

static void fill_cw_shuffle_job(cw_shuffle_job *job)
{
    job->bytes = 4;
}

static void fill_cw_transpose_job(cw_transpose_job *job)
{
    job->bytes = 4;
}

static void is_refused_as_newer(cw_status status)
{
    assert_int_equal(status, CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "older than what is asked"));
}

/* Each byte of the tail in turn, so that a field of any width and place is seen. */
#define TRY(type, call, workspace)                                       \
    static void try_##type(cw_context *context)                          \
    {                                                                    \
        type job = {0};                                                  \
        size_t bytes;                                                    \
                                                                         \
        fill_##type(&job);                                               \
        assert_int_equal(workspace(&job, &bytes), CW_OK);                \
        assert_int_equal(call(context, &job, NULL, 0, NULL), CW_OK);     \
        for (size_t x = offsetof(type, reserved); x < sizeof job; x++) { \
            ((unsigned char *)&job)[x] = 1;                              \
            is_refused_as_newer(workspace(&job, &bytes));                \
            is_refused_as_newer(call(context, &job, NULL, 0, NULL));     \
            ((unsigned char *)&job)[x] = 0;                              \
        }                                                                \
    }
CALLS(TRY)

static void a_tail_that_is_not_zero_is_refused(void **state)
{
    static const cw_backend backends[] = {CW_CPU, CW_EMULATOR};

    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        cw_context *context;

        assert_int_equal(cw_context_create(backends[b], &context), CW_OK);
#define RUN(type, call, workspace) try_##type(context);
        CALLS(RUN)
        cw_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tail_that_is_not_zero_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
