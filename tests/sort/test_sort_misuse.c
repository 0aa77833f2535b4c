/* test_sort_misuse.c - every misuse of cw_sort gets its status, and nothing is written. */
#include <stdio.h>
#include <string.h>

#include "clearway.h"

#define N 5000u

/* Room for every array of a job, one after another, on 256 bytes. */
struct room {
    uint32_t keys_in[5120], keys_out[5120], index[5120];
    uint64_t values_in[5120], values_out[5120];
    unsigned char workspace[1 << 20];
};

#define MISUSE_JOB cw_array
#include "misuse.h"

static void fill(struct fixture *f)
{
    cw_array *const job = &f->job;

    for (uint32_t x = 0; x < N; x++)
        f->room->keys_in[x] = x * 2654435761u;
    job->type = CW_U32;
    job->n = N;
    job->keys_in = f->room->keys_in;
    job->keys_out = f->room->keys_out;
    job->values_in = f->room->values_in;
    job->values_out = f->room->values_out;
    job->value_bytes = 8;
    job->index_out = f->room->index;
    job->index_bytes = 4;
    assert_int_equal(cw_sort_workspace(job, &f->need), CW_OK);
}

static cw_status call(struct fixture *f)
{
    return cw_sort(f->context, &f->job, f->room->workspace, sizeof f->room->workspace, NULL);
}

static void what_is_right_is_taken(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        struct fixture f;

        begin(&f, backends[b]);
        assert_int_equal(call(&f), CW_OK);
        for (size_t x = 0; x < N; x++)
            assert_int_equal(f.room->keys_out[x], f.room->keys_in[f.room->index[x]]);
        f.job.n = 0;
        f.job.keys_in = f.job.keys_out = NULL; /* not looked at */
        assert_int_equal(call(&f), CW_OK);
        end(&f);
    }
}

static void null_pointers_are_refused(void **state)
{
    size_t bytes;
    cw_array job = {0};

    (void)state;
    REFUSES(f->job.keys_in = NULL, CW_ERR_ARGUMENT, "keys_in");
    REFUSES(f->job.values_in = NULL, CW_ERR_ARGUMENT, "values_in");
    REFUSES(f->job.values_out = NULL, CW_ERR_ARGUMENT, "values_out");
    REFUSES((f->job.keys_out = NULL, f->job.index_out = NULL), CW_ERR_ARGUMENT, "keys_out");
    REFUSES(f->job.value_bytes = 0, CW_ERR_ARGUMENT, "value_bytes");
    REFUSES(f->job.index_bytes = 0, CW_ERR_ARGUMENT, "index_out");
    REFUSES(f->job.index_out = NULL, CW_ERR_ARGUMENT, "index_out");
    assert_int_equal(cw_sort(NULL, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_sort_workspace(NULL, &bytes), CW_ERR_ARGUMENT);
    assert_int_equal(cw_sort_workspace(&job, NULL), CW_ERR_ARGUMENT);
}

static void unknown_types_flags_and_sizes_are_refused(void **state)
{
    (void)state;
    REFUSES(f->job.type = CW_TYPE_COUNT, CW_ERR_TYPE, "type 12");
    REFUSES(f->job.type = (cw_type)-1, CW_ERR_TYPE, "type -1");
    REFUSES(f->job.flags = 1u << 20, CW_ERR_ARGUMENT, "0x100000");
    REFUSES(f->job.flags = CW_CHECK, CW_ERR_ARGUMENT, "0x8");
    REFUSES(f->job.value_bytes = 3, CW_ERR_ARGUMENT, "values of 3 bytes");
    REFUSES(f->job.value_bytes = 32, CW_ERR_ARGUMENT, "values of 32 bytes");
    REFUSES(f->job.index_bytes = 2, CW_ERR_ARGUMENT, "index of 2 bytes");
    REFUSES(f->job.n = SIZE_MAX / 2, CW_ERR_ARGUMENT, "memory");
    REFUSES(f->job.n = ((size_t)1 << 32) + 1, CW_ERR_ARGUMENT, "2^32");
}

static void bits_outside_the_key_are_refused(void **state)
{
    (void)state;
    REFUSES(f->job.bits = 33, CW_ERR_ARGUMENT, "33 bits from bit 0");
    REFUSES(f->job.first_bit = 32, CW_ERR_ARGUMENT, "keys have 32");
    REFUSES((f->job.first_bit = 30, f->job.bits = 3), CW_ERR_ARGUMENT, "3 bits from bit 30");
    REFUSES((f->job.first_bit = 8, f->job.bits = UINT32_MAX), CW_ERR_ARGUMENT, "from bit 8");
}

/* Where kernels count places in 32 bits. */
static void arrays_too_long_for_the_kernels_are_refused(void **state)
{
    struct fixture f;

    (void)state;
    begin(&f, CW_EMULATOR);
    f.job.values_in = f.job.values_out = NULL;
    f.job.value_bytes = 0;
    f.job.index_out = NULL;
    f.job.index_bytes = 0;
    f.job.n = ((size_t)1 << 40) + 1;
    refused(&f, call(&f), CW_ERR_ARGUMENT, "2^40");
    end(&f);
}

static void overlapping_buffers_are_refused(void **state)
{
    (void)state;
    REFUSES(f->job.keys_out = f->room->keys_in + 1, CW_ERR_OVERLAP, "keys_in and keys_out");
    REFUSES(f->job.values_out = f->room->values_in + 8, CW_ERR_OVERLAP, "values_out");
    REFUSES(f->job.values_out = f->room->keys_out, CW_ERR_OVERLAP, "keys_out and values_out");
    REFUSES(f->job.index_out = f->room->keys_in, CW_ERR_OVERLAP, "index_out");
    REFUSES(f->job.keys_out = f->room->values_in, CW_ERR_OVERLAP, "values_in");
}

static void misaligned_arrays_are_refused(void **state)
{
    (void)state;
    REFUSES(f->job.keys_in = (char *)f->room->keys_in + 2, CW_ERR_ARGUMENT, "keys_in");
    REFUSES(f->job.values_out = (char *)f->room->values_out + 4, CW_ERR_ARGUMENT, "values_out");
    REFUSES(f->job.index_out = (char *)f->room->index + 1, CW_ERR_ARGUMENT, "index_out");
}

static void a_bad_workspace_is_refused(void **state)
{
    struct fixture f;

    (void)state;
    begin(&f, CW_EMULATOR);
    refused(&f, cw_sort(f.context, &f.job, NULL, f.need, NULL), CW_ERR_WORKSPACE, "0 bytes");
    refused(&f, cw_sort(f.context, &f.job, f.room->workspace, 100, NULL), CW_ERR_WORKSPACE,
            "needed");
    refused(&f, cw_sort(f.context, &f.job, f.room->workspace + 8, f.need, NULL), CW_ERR_WORKSPACE,
            "256");
    f.job.keys_out = f.room->workspace;
    refused(&f, call(&f), CW_ERR_OVERLAP, "workspace");
    end(&f);
}

/* For every n it is not less than for any smaller one, and what the header promises for keys alone
 * and for pairs of 4 bytes. */
static void workspace_grows_with_the_array(void **state)
{
    static const size_t values[] = {0, 4, 16};

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        for (size_t v = 0; v < COUNT(values); v++) {
            cw_array job = {.type = (cw_type)t, .value_bytes = values[v]};
            const size_t item = cw_type_bytes(job.type) + values[v];
            size_t last = 0, bytes;

            for (job.n = 1; job.n < (size_t)1 << 30; job.n += job.n / 61 + 1) {
                assert_int_equal(cw_sort_workspace(&job, &bytes), CW_OK);
                assert_true(bytes >= last);
                last = bytes;
                if (!values[v] || (values[v] == 4 && item == 8))
                    assert_true(bytes <= job.n * item + (64u << 20));
            }
        }
    }
}

/* Where some kernels, or all of them, refuse: who has room for more keys than they take has room for as many. */
static void workspace_does_not_fall_where_kernels_refuse(void **state)
{
    static const int limits[] = {20, 24, 30, 31, 32, 40};
    static const unsigned flags[] = {0, CW_STABLE, CW_CONFLICT_FREE, CW_CONFLICT_FREE | CW_STABLE};

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        for (unsigned v = 0; v < 12; v++) {
            cw_array job = {.type = (cw_type)t};
            size_t last = 0, bytes;

            job.flags = flags[v % 4];
            job.index_bytes = v / 4 == 1 ? 8 : 0;
            job.value_bytes = v / 4 == 2 ? 16 : 0;
            for (size_t k = 0; k < 3 * COUNT(limits); k++) {
                job.n = ((size_t)1 << limits[k / 3]) + k % 3 - 1;
                assert_int_equal(cw_sort_workspace(&job, &bytes), CW_OK);
                assert_true(bytes >= last);
                last = bytes;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_right_is_taken),
        cmocka_unit_test(null_pointers_are_refused),
        cmocka_unit_test(unknown_types_flags_and_sizes_are_refused),
        cmocka_unit_test(bits_outside_the_key_are_refused),
        cmocka_unit_test(arrays_too_long_for_the_kernels_are_refused),
        cmocka_unit_test(overlapping_buffers_are_refused),
        cmocka_unit_test(misaligned_arrays_are_refused),
        cmocka_unit_test(a_bad_workspace_is_refused),
        cmocka_unit_test(workspace_grows_with_the_array),
        cmocka_unit_test(workspace_does_not_fall_where_kernels_refuse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
