/* test_sort_rows_misuse.c - every misuse of cw_sort_rows and of contexts gets its status, and nothing
 * is written. */
#include <stdio.h>
#include <string.h>

#include "clearway.h"

#define ROWS   4u
#define LENGTH 50u
#define ITEMS  (ROWS * LENGTH)

/* Room for every array of a job, one after another, on 256 bytes. */
struct room {
    uint32_t keys_in[256], keys_out[256], values_in[256], values_out[256], index[256];
    uint64_t offsets[32];
    unsigned char workspace[1 << 16];
};

#define MISUSE_JOB cw_rows
#include "misuse.h"

static void fill(struct fixture *f)
{
    cw_rows *const job = &f->job;

    for (uint32_t r = 0; r <= ROWS; r++)
        f->room->offsets[r] = (uint64_t)r * LENGTH;
    for (uint32_t x = 0; x < ITEMS; x++)
        f->room->keys_in[x] = x * 2654435761u;
    job->type = CW_U32;
    job->rows = ROWS;
    job->length = LENGTH;
    job->offsets = f->room->offsets;
    job->items = ITEMS;
    job->keys_in = f->room->keys_in;
    job->keys_out = f->room->keys_out;
    job->values_in = f->room->values_in;
    job->values_out = f->room->values_out;
    job->value_bytes = 4;
    job->index_out = f->room->index;
    assert_int_equal(cw_sort_rows_workspace(job, &f->need), CW_OK);
}

static cw_status call(struct fixture *f)
{
    return cw_sort_rows(f->context, &f->job, f->room->workspace, f->need, NULL);
}

static void what_is_right_is_taken(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        struct fixture f;

        begin(&f, backends[b]);
        assert_int_equal(call(&f), CW_OK);
        assert_memory_not_equal(f.room, f.before, sizeof *f.room);
        end(&f);
    }
}

static void null_pointers_are_refused(void **state)
{
    size_t bytes;
    cw_rows job = {0};

    (void)state;
    REFUSES(f->job.keys_in = NULL, CW_ERR_ARGUMENT, "keys_in");
    REFUSES(f->job.values_in = NULL, CW_ERR_ARGUMENT, "values_in");
    REFUSES(f->job.values_out = NULL, CW_ERR_ARGUMENT, "values_out");
    REFUSES((f->job.keys_out = NULL, f->job.index_out = NULL), CW_ERR_ARGUMENT, "keys_out");
    REFUSES(f->job.value_bytes = 0, CW_ERR_ARGUMENT, "value_bytes");
    assert_int_equal(cw_sort_rows(NULL, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_sort_rows_workspace(NULL, &bytes), CW_ERR_ARGUMENT);
    assert_int_equal(cw_sort_rows_workspace(&job, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_context_create(CW_CPU, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_wait(NULL, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_context_set_threads(NULL, 1), CW_ERR_ARGUMENT);
    cw_context_destroy(NULL);
}

static void unknown_types_flags_and_sizes_are_refused(void **state)
{
    (void)state;
    REFUSES(f->job.type = CW_TYPE_COUNT, CW_ERR_TYPE, "type 12");
    REFUSES(f->job.type = (cw_type)-1, CW_ERR_TYPE, "type -1");
    REFUSES(f->job.flags = 1u << 20, CW_ERR_ARGUMENT, "0x100000");
    REFUSES(f->job.value_bytes = 3, CW_ERR_ARGUMENT, "values of 3 bytes");
    REFUSES(f->job.value_bytes = 16, CW_ERR_ARGUMENT, "values of 16 bytes");
    REFUSES(f->job.length = (size_t)CW_ROWS_MAX + 1, CW_ERR_LENGTH, "4294967296");
    REFUSES(f->job.index_bytes = 2, CW_ERR_ARGUMENT, "index of 2 bytes");
    REFUSES(f->job.offset_bytes = 16, CW_ERR_ARGUMENT, "offsets of 16 bytes");
    REFUSES((f->job.ends = f->job.offsets, f->job.offsets = NULL), CW_ERR_ARGUMENT, "ends");
    REFUSES((f->job.offsets = NULL, f->job.items = ITEMS + 1), CW_ERR_ARGUMENT, "201");
    REFUSES((f->job.offsets = NULL, f->job.items = 0, f->job.rows = SIZE_MAX / 2), CW_ERR_ARGUMENT,
            "memory");
    REFUSES(f->job.rows = (size_t)UINT32_MAX + 1, CW_ERR_ARGUMENT, "too many");
    REFUSES(f->job.items = SIZE_MAX / 2, CW_ERR_ARGUMENT, "too many");
}

static void bad_offsets_are_refused(void **state)
{
    (void)state;
    REFUSES((f->room->offsets[2] = 40, f->before->offsets[2] = 40), CW_ERR_ARGUMENT, "row 1");
    REFUSES((f->room->offsets[ROWS] = ITEMS + 1, f->before->offsets[ROWS] = ITEMS + 1),
            CW_ERR_ARGUMENT, "row 3");
    REFUSES((f->room->offsets[1] = 49, f->before->offsets[1] = 49), CW_ERR_LENGTH, "row 1");
}

static void overlapping_buffers_are_refused(void **state)
{
    (void)state;
    REFUSES(f->job.keys_out = f->room->keys_in + 1, CW_ERR_OVERLAP, "keys_in and keys_out");
    REFUSES(f->job.values_out = f->room->values_in + 8, CW_ERR_OVERLAP, "values_out");
    REFUSES(f->job.values_out = f->room->keys_out, CW_ERR_OVERLAP, "keys_out and values_out");
    REFUSES(f->job.index_out = f->room->keys_in, CW_ERR_OVERLAP, "index_out");
    REFUSES(f->job.keys_out = f->room->values_in, CW_ERR_OVERLAP, "values_in");
    REFUSES(f->job.keys_out = (uint32_t *)(void *)f->room->offsets, CW_ERR_OVERLAP, "offsets");
}

static void misaligned_arrays_are_refused(void **state)
{
    (void)state;
    REFUSES(f->job.keys_in = (char *)f->room->keys_in + 2, CW_ERR_ARGUMENT, "keys_in");
    REFUSES(f->job.values_out = (char *)f->room->values_out + 1, CW_ERR_ARGUMENT, "values_out");
}

static void a_bad_workspace_is_refused(void **state)
{
    struct fixture f;

    (void)state;
    begin(&f, CW_EMULATOR);
    refused(&f, cw_sort_rows(f.context, &f.job, NULL, f.need, NULL), CW_ERR_WORKSPACE, "0 bytes");
    refused(&f, cw_sort_rows(f.context, &f.job, f.room->workspace, f.need - 1, NULL),
            CW_ERR_WORKSPACE, "needed");
    refused(&f, cw_sort_rows(f.context, &f.job, f.room->workspace + 8, f.need, NULL),
            CW_ERR_WORKSPACE, "256");
    f.job.keys_out = f.room->workspace;
    refused(&f, call(&f), CW_ERR_OVERLAP, "workspace");
    end(&f);
}

/* Of floats in parts, whose bits do not say their order, keys are copied besides; of others they are not. */
static void keys_are_copied_where_bits_do_not_say_their_order(void **state)
{
    static char memory[64];

    (void)state;
    for (unsigned x = 0; x < 16; x++) {
        const size_t length = x & 1 ? 200000 : 100;
        const int keys = (x & 2) != 0, floats = (x & 4) != 0;
        cw_rows job = {.type = floats ? CW_F32 : CW_U32,
                       .flags = x & 8 ? CW_DESCENDING : 0,
                       .rows = 10,
                       .length = length,
                       .keys_in = memory,
                       .keys_out = keys ? memory : NULL,
                       .index_out = memory};
        size_t bytes, total;

        assert_int_equal(cw_sort_rows_workspace(&job, &bytes), CW_OK);
        if (floats)
            job.flags |= CW_TOTAL_ORDER;
        assert_int_equal(cw_sort_rows_workspace(&job, &total), CW_OK);
        assert_int_equal(bytes - total, floats && keys && length > 100 ? 40 * length : 0);
    }
}

static void workspace_grows_with_the_batch(void **state)
{
    cw_rows job = {0};
    size_t last = 0, bytes;

    (void)state;
    job.type = CW_U64;
    job.offsets = (const uint64_t *)&last; /* only looked at for being there */
    job.value_bytes = 8;
    for (job.length = 1; job.length <= (size_t)1 << 30; job.length *= 2) {
        job.rows = job.length * 3;
        job.items = job.length * 100;
        assert_int_equal(cw_sort_rows_workspace(&job, &bytes), CW_OK);
        assert_true(bytes >= last);
        last = bytes;
    }
}

static void unknown_backends_and_missing_gpus_are_refused(void **state)
{
    cw_context *c = (cw_context *)&c;

    (void)state;
    assert_int_equal(cw_context_create((cw_backend)99, &c), CW_ERR_ARGUMENT);
    assert_null(c);
    if (cw_context_create(CW_CUDA, &c) != CW_OK) {
        assert_null(c);
        assert_string_not_equal(cw_last_error(), "");
        assert_int_equal(cw_context_create(CW_AUTO, &c), CW_OK);
        assert_int_equal(cw_context_backend(c), CW_CPU);
    }
    cw_context_destroy(c);
}

static void memory_of_a_context_is_written_and_read(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        char text[] = "bank", back[sizeof text];
        cw_context *c;
        void *p;

        assert_int_equal(cw_context_create(backends[b], &c), CW_OK);
        assert_int_equal(cw_memory_alloc(c, sizeof text, &p), CW_OK);
        assert_int_equal((uintptr_t)p % 256, 0);
        assert_int_equal(cw_memory_write(c, p, text, sizeof text), CW_OK);
        assert_int_equal(cw_memory_read(c, back, p, sizeof text), CW_OK);
        assert_string_equal(back, text);
        cw_memory_free(c, p);
        assert_int_equal(cw_memory_alloc(c, SIZE_MAX - 8, &p), CW_ERR_MEMORY);
        assert_null(p);
        if (!CW_SANITIZED) { /* sanitizers end the program instead */
            assert_int_equal(cw_memory_alloc(c, SIZE_MAX / 2, &p), CW_ERR_MEMORY);
            assert_null(p);
        }
        assert_int_equal(cw_memory_alloc(c, 8, NULL), CW_ERR_ARGUMENT);
        assert_int_equal(cw_memory_write(c, NULL, text, 1), CW_ERR_ARGUMENT);
        assert_int_equal(cw_memory_read(c, NULL, text, 1), CW_ERR_ARGUMENT);
        assert_int_equal(cw_memory_write(c, NULL, NULL, 0), CW_OK);
        cw_context_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_right_is_taken),
        cmocka_unit_test(null_pointers_are_refused),
        cmocka_unit_test(unknown_types_flags_and_sizes_are_refused),
        cmocka_unit_test(bad_offsets_are_refused),
        cmocka_unit_test(overlapping_buffers_are_refused),
        cmocka_unit_test(misaligned_arrays_are_refused),
        cmocka_unit_test(a_bad_workspace_is_refused),
        cmocka_unit_test(workspace_grows_with_the_batch),
        cmocka_unit_test(keys_are_copied_where_bits_do_not_say_their_order),
        cmocka_unit_test(unknown_backends_and_missing_gpus_are_refused),
        cmocka_unit_test(memory_of_a_context_is_written_and_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
