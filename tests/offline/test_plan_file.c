/* test_plan_file.c - plans are saved whole, loaded as they were, and damaged ones are refused. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "offline/file.h"
#include "test.h"

#define HEAD (8 * CW_FILE_WORDS)
#define MOST 65536u

static char path[] = "/tmp/clearway-plan-XXXXXX/plan";
static cw_context *context;
static unsigned char file[MOST + 64];

static int open_all(void **state)
{
    char *const slash = strrchr(path, '/');
    char *made;

    (void)state;
    *slash = 0;
    made = mkdtemp(path);
    *slash = '/';
    return !made || cw_context_create(CW_CPU, &context);
}

static int close_all(void **state)
{
    (void)state;
    unlink(path);
    *strrchr(path, '/') = 0;
    cw_context_destroy(context);
    return rmdir(path); /* fails if a temporary file was left behind */
}

enum kind { TURN, TRANSPOSE, BITS, GATHER, ONE, TWO, THREE, KINDS };

static uint64_t value(enum kind kind, uint64_t i, uint64_t n)
{
    switch (kind) {
    case TURN:
        return (i + 77) % n;
    case TRANSPOSE:
        return i % 40 * (n / 40) + i / 40;
    case BITS:
        return (i >> 3 | i << 9) & (n - 1);
    default:
        return i * 601 % n;
    }
}

static const size_t lengths[KINDS] = {1000, 40 * 50, 4096, 1000, 1000, 1000, 1000};

/* A plan of each kind, of items of 4 bytes. */
static cw_plan *make(enum kind kind)
{
    const struct cw_plan_wish wish = {.table = kind >= GATHER,
                                      .gather = kind == GATHER ? 1 : -1,
                                      .tile = kind == ONE ? 1024 : 64,
                                      .partitions = kind >= ONE ? 1u + (kind - ONE) : 0};
    const size_t n = lengths[kind];
    uint64_t *const p = (uint64_t *)malloc(n * sizeof *p);
    cw_plan *plan = NULL;

    for (size_t i = 0; i < n; i++)
        p[i] = value(kind, i, n);
    assert_int_equal(cw_plan_make(p, 8, n, 4, 0, 1, &wish, &plan), CW_OK);
    free(p);
    return plan;
}

static void check_executes(const cw_plan *plan, enum kind kind)
{
    const size_t n = lengths[kind];
    uint32_t *in, *out;
    void *table, *room;
    size_t need;

    assert_int_equal(cw_plan_workspace(plan, &need), CW_OK);
    assert_int_equal(cw_memory_alloc(context, 4 * n, (void **)&in), CW_OK);
    assert_int_equal(cw_memory_alloc(context, 4 * n, (void **)&out), CW_OK);
    assert_int_equal(cw_memory_alloc(context, cw_plan_table_bytes(plan), &table), CW_OK);
    assert_int_equal(cw_memory_alloc(context, need, &room), CW_OK);
    assert_int_equal(cw_plan_write_table(context, plan, table), CW_OK);
    for (uint32_t i = 0; i < n; i++)
        in[i] = i;
    assert_int_equal(cw_plan_execute(context, plan, table, in, out, room, need, NULL), CW_OK);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(out[value(kind, i, n)], i);
    cw_memory_free(context, in);
    cw_memory_free(context, out);
    cw_memory_free(context, table);
    cw_memory_free(context, room);
}

static size_t read_file(void)
{
    FILE *const f = fopen(path, "rb");
    size_t size;

    assert_non_null(f);
    size = fread(file, 1, MOST, f);
    fclose(f);
    return size;
}

/* Load the first `size` bytes of file[]. */
static cw_status load_bytes(size_t size)
{
    FILE *const f = fopen(path, "r+b"); /* not "wb": emptying it first costs a disk milliseconds */
    cw_plan *plan = (cw_plan *)file;
    cw_status status;

    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, size, f), size);
    assert_int_equal(fflush(f) || ftruncate(fileno(f), (off_t)size), 0);
    fclose(f);
    status = cw_plan_load(path, &plan);
    if (status) {
        assert_null(plan);
        assert_true(cw_last_error()[0] != 0);
    }
    cw_plan_destroy(plan);
    return status;
}

/* With checksums that are right. */
static cw_status load_forged(size_t size)
{
    cw_file_put(file + HEAD, cw_file_sum(0, file, HEAD), 8);
    cw_file_put(file + size - 8, cw_file_sum(0, file, size - 8), 8);
    return load_bytes(size);
}

static size_t save(enum kind kind)
{
    cw_plan *const plan = make(kind);

    assert_int_equal(cw_plan_save(plan, path), CW_OK);
    cw_plan_destroy(plan);
    return read_file();
}

/* ---- claims --------------------------------------------------------------------------------- */

static void what_was_saved_is_loaded(void **state)
{
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        cw_plan *const made = make(kind);
        cw_plan *loaded = NULL;

        assert_int_equal(cw_plan_save(made, path), CW_OK);
        assert_int_equal(cw_plan_load(path, &loaded), CW_OK);
        assert_string_equal(cw_plan_kind(made), cw_plan_kind(loaded));
        assert_int_equal(cw_plan_table_bytes(made), cw_plan_table_bytes(loaded));
        check_executes(made, kind);
        check_executes(loaded, kind);
        cw_plan_destroy(made);
        cw_plan_destroy(loaded);
    }
}

static void any_changed_bit_is_found(void **state)
{
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        const size_t size = save(kind);
        const size_t step = kind < GATHER ? 1 : CW_SANITIZED ? 97 : 23;

        for (size_t at = 0; at < size; at += at < HEAD + 8 ? 1 : step) {
            file[at] ^= (unsigned char)(1u << at % 8);
            assert_int_equal(load_bytes(size), CW_ERR_FORMAT);
            file[at] ^= (unsigned char)(1u << at % 8);
        }
        assert_int_equal(load_bytes(size), CW_OK);
    }
}

static void any_other_length_is_refused(void **state)
{
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        const size_t size = save(kind);

        for (size_t less = 0; less < size; less += less < 300 ? 1 : 97)
            assert_int_equal(load_bytes(less), CW_ERR_FORMAT);
        assert_int_equal(load_bytes(size - 1), CW_ERR_FORMAT);
        assert_int_equal(load_bytes(size + 8), CW_ERR_FORMAT);
    }
}

/* A file whose checksums are right but which is no permutation. */
static void forgeries_are_refused(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed());
    int refused = 0;

    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        const size_t size = save(kind);

        assert_int_equal(load_forged(size), CW_OK);
        for (size_t field = 2; field < CW_FILE_FIELDS; field++) { /* the head's numbers */
            static const uint64_t odd[] = {0, 1, 2, 3, 33, 4097, UINT32_MAX, UINT64_MAX, 1u << 31};
            const uint64_t kept = cw_file_get(file + 8 * field, 8);

            for (size_t x = 0; x < COUNT(odd); x++) {
                cw_status status;

                cw_file_put(file + 8 * field, odd[x], 8);
                status = load_forged(size); /* some numbers do not matter to some kinds */
                assert_true(status == CW_ERR_FORMAT || status == CW_OK);
                refused += status != CW_OK;
            }
            cw_file_put(file + 8 * field, kept, 8);
        }
        for (int k = 0; k < 40 && kind >= GATHER; k++) { /* counts and places */
            const size_t at = HEAD + 8 + 2 * cw_random_below(&r, (size - HEAD - 16) / 2);
            const unsigned char kept = file[at];

            file[at] ^= (unsigned char)(1 + cw_random_below(&r, 255));
            assert_int_equal(load_forged(size), CW_ERR_FORMAT);
            file[at] = kept;
        }
        assert_int_equal(load_forged(size), CW_OK);
    }
    assert_true(refused > 100);
}

/* Its low half would do: nobody may look at that alone. */
static void a_fan_of_more_than_32_bits_is_refused_with_the_tiles_it_was_to_have(void **state)
{
    (void)state;
    for (enum kind kind = TWO; kind <= THREE; kind++) {
        const size_t size = save(kind);

        cw_file_put(file + 8 * 13, cw_file_get(file + 8 * 13, 8) | (uint64_t)1 << 32, 8);
        assert_int_equal(load_forged(size), CW_ERR_FORMAT);
        assert_non_null(strstr(cw_last_error(), kind == TWO ? "tiles of 64, 1 partition passes"
                                                            : "tiles of 64, 2 partition passes"));
    }
}

static void other_files_are_refused(void **state)
{
    const size_t size = save(TWO);
    cw_plan *plan = NULL;

    (void)state;
    cw_file_put(file + 8, 2, 8);
    assert_int_equal(load_forged(size), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "version 2"));
    memcpy(file, "CWPLAN\r\n", 8); /* the model's */
    assert_int_equal(load_bytes(size), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "not a plan"));
    assert_int_equal(cw_plan_load("/no/such/file", &plan), CW_ERR_IO);
    assert_int_equal(cw_plan_load("/tmp", &plan), CW_ERR_IO);
    assert_null(plan);
}

static void a_failed_save_leaves_what_was_there(void **state)
{
    cw_plan *const plan = make(TWO);
    const size_t size = save(THREE);
    char folder[64];

    (void)state;
    assert_int_equal(cw_plan_save(plan, "/no/such/folder/plan"), CW_ERR_IO);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(cw_plan_save(plan, folder), CW_ERR_IO);
    assert_int_equal(read_file(), size);
    assert_int_equal(load_bytes(size), CW_OK);
    cw_plan_destroy(plan);
}

/* Items of any size, of which there are none. */
static void plans_of_nothing_are_saved_and_loaded(void **state)
{
    const uint64_t none = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 300; bytes = 2 * bytes + 1) {
        for (unsigned flags = 0; flags <= CW_GATHER; flags += CW_GATHER) {
            cw_plan *plan, *again;

            assert_int_equal(cw_plan_create(&none, 8, 0, bytes, flags, 1, &plan), CW_OK);
            assert_int_equal(cw_plan_save(plan, path), CW_OK);
            if (cw_plan_load(path, &again))
                fail_msg("%zu bytes: %s", bytes, cw_last_error());
            assert_int_equal(cw_plan_items(again), 0);
            assert_int_equal(cw_plan_item_bytes(again), bytes);
            assert_int_equal(cw_plan_execute(context, again, NULL, NULL, NULL, NULL, 0, NULL),
                             CW_OK);
            cw_plan_destroy(plan);
            cw_plan_destroy(again);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_saved_is_loaded),
        cmocka_unit_test(plans_of_nothing_are_saved_and_loaded),
        cmocka_unit_test(any_changed_bit_is_found),
        cmocka_unit_test(any_other_length_is_refused),
        cmocka_unit_test(forgeries_are_refused),
        cmocka_unit_test(a_fan_of_more_than_32_bits_is_refused_with_the_tiles_it_was_to_have),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_failed_save_leaves_what_was_there),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
