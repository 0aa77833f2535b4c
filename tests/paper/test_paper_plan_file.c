/* test_paper_plan_file.c - a file of a plan of the paper's offline permutation is either the plan that was saved
 * or refused. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* mkdtemp, P_tmpdir, setrlimit */
#endif

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paper_plan.h"

/* Each test of files has a folder of its own, and a path in it. */
static char folder[256];
static char path[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/plan-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/a.plan", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails, and the test with it, if anything is left behind */
}

static void a_saved_plan_loads_again(void **state)
{
    static const uint32_t shape[][2] = {{1, 1}, {33, 8}, {100, 7}, {7, 1100}};

    (void)state;
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        const uint32_t w = shape[s][0], m = shape[s][1];
        uint64_t *label = make_labels(w, m, "random", cw_test_seed() + s);
        struct cw_paper_plan saved, loaded;

        assert_int_equal(cw_paper_plan_make(&saved, w, m, label, cw_test_seed() + s), CW_OK);
        assert_int_equal(cw_paper_plan_save(&saved, path), CW_OK); /* over the one before */
        assert_int_equal(cw_paper_plan_load(&loaded, path), CW_OK);
        assert_int_equal(loaded.w, w);
        assert_int_equal(loaded.m, m);
        assert_memory_equal(loaded.entry, saved.entry, (size_t)w * m * sizeof *saved.entry);
        cw_paper_plan_free(&saved);
        cw_paper_plan_free(&loaded);
        free(label);
    }
}

/* The checksum as plan.c describes it, written down a second time. */
static void set_sum(unsigned char *bytes, size_t size)
{
    uint64_t sum = 0;

    for (size_t at = 0; at < size - 8; at += 8) {
        uint64_t word = 0;

        for (int b = 7; b >= 0; b--) {
            word = word * 256 + bytes[at + b];
        }
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum = sum >> 32 | sum << 32;
    }
    for (int b = 0; b < 8; b++) {
        bytes[size - 8 + b] = (unsigned char)(sum >> 8 * b);
    }
}

/* Save the rotation plan and read its bytes. */
static size_t saved_bytes(unsigned char *bytes, size_t room)
{
    struct cw_paper_plan plan = rotation_plan();
    FILE *file;
    size_t got;

    assert_int_equal(cw_paper_plan_save(&plan, path), CW_OK);
    cw_paper_plan_free(&plan);
    file = fopen(path, "rb");
    assert_non_null(file);
    got = fread(bytes, 1, room, file);
    fclose(file);
    return got;
}

static void the_file_is_little_endian_as_documented(void **state)
{
    static const unsigned char head[24] = {'C', 'W', 'P', 'L', 'A', 'N', '\r', '\n', 1, 0, 0, 0,
                                           4,   0,   0,   0,   3,   0,   0,    0,    0, 0, 0, 0};
    unsigned char bytes[200];

    (void)state;
    assert_int_equal(saved_bytes(bytes, sizeof bytes), 24 + 12 * 8 + 8);
    assert_memory_equal(bytes, head, 24);
    assert_int_equal(bytes[24 + 11 * 8 + 0], 1);      /* last entry: row 3 + 2 */
    assert_int_equal(bytes[24 + 11 * 8 + 2], 2 << 4); /* slot 2, from bit 20 */
    assert_int_equal(bytes[24 + 11 * 8 + 5], 2 << 2); /* column 2, from bit 42 */
}

static void expect_bad_file(const unsigned char *bytes, size_t size, const char *why)
{
    struct cw_paper_plan plan;
    FILE *file;

    unlink(path); /* some file systems flush one that is written over, which takes long */
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(cw_paper_plan_load(&plan, path), CW_ERR_FORMAT);
    assert_null(plan.entry);
    assert_non_null(strstr(cw_last_error(), why));
}

static void every_damaged_byte_is_found(void **state)
{
    unsigned char bytes[200];
    const size_t size = saved_bytes(bytes, sizeof bytes);

    (void)state;
    for (size_t at = 0; at < size; at++) {
        for (int damage = 1; damage < 256; damage += damage < 128 ? damage : 127) {
            bytes[at] ^= (unsigned char)damage;
            expect_bad_file(bytes, size, "");
            bytes[at] ^= (unsigned char)damage;
        }
    }
}

static void every_other_length_is_refused(void **state)
{
    unsigned char bytes[200] = {0};
    const size_t size = saved_bytes(bytes, sizeof bytes);

    (void)state;
    for (size_t length = 0; length < size; length++) {
        expect_bad_file(bytes, length, length < 8 ? "is not a plan" : "truncated");
    }
    for (size_t length = size + 1; length < sizeof bytes; length++) {
        expect_bad_file(bytes, length, "too long");
    }
}

static void each_refusal_says_why(void **state)
{
    static const struct {
        int at, value; /* the byte that is changed */
        int summed;    /* is the checksum made right again? */
        const char *why;
    } change[] = {{0, 'X', 1, "is not a plan"},
                  {8, 2, 1, "version 2, not 1"},
                  {20, 1, 1, "damaged: its shape"},
                  {15, 255, 1, "damaged: its shape"},
                  {12, 3, 1, "too long"},
                  {16, 4, 1, "truncated"},
                  {24 + 6, 1, 0, "checksum is wrong"},
                  {24 + 6, 1, 1, "no plan: round 0, row 0"},
                  {24 + 48, 0, 1, "no plan: round 1, row 3"}};
    unsigned char bytes[200];
    const size_t size = saved_bytes(bytes, sizeof bytes);

    (void)state;
    for (size_t c = 0; c < sizeof change / sizeof *change; c++) {
        const unsigned char before = bytes[change[c].at];

        bytes[change[c].at] = (unsigned char)change[c].value;
        if (change[c].summed) {
            set_sum(bytes, size);
        }
        expect_bad_file(bytes, size, change[c].why);
        bytes[change[c].at] = before;
    }
}

static void what_cannot_be_written_or_read_is_refused(void **state)
{
    struct cw_paper_plan plan = rotation_plan(), loaded;
    char nowhere[320];

    (void)state;
    plan.entry[0] ^= 1;
    assert_int_equal(cw_paper_plan_save(&plan, path), CW_ERR_FORMAT); /* it is no plan any more */
    assert_int_not_equal(access(path, F_OK), 0);
    plan.entry[0] ^= 1;
    snprintf(nowhere, sizeof nowhere, "%s/none/a.plan", folder);
    assert_int_equal(cw_paper_plan_save(&plan, nowhere), CW_ERR_IO);
    assert_int_equal(cw_paper_plan_load(&loaded, nowhere), CW_ERR_IO);
    assert_null(loaded.entry);
    assert_int_equal(cw_paper_plan_save(&plan, folder), CW_ERR_IO);
    assert_int_equal(cw_paper_plan_load(&loaded, folder), CW_ERR_IO);
    if (geteuid() != 0) { /* root may write everywhere */
        assert_int_equal(chmod(folder, 0500), 0);
        assert_int_equal(cw_paper_plan_save(&plan, path), CW_ERR_IO);
        assert_int_equal(chmod(folder, 0700), 0);
    }
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(cw_paper_plan_save(&plan, path), CW_ERR_IO);
    assert_int_equal(cw_paper_plan_load(&loaded, path),
                     CW_ERR_IO); /* and does not wait for a writer */
    assert_non_null(strstr(cw_last_error(), "not an ordinary file"));
    cw_paper_plan_free(&plan);
}

/* A limit on the size of files stands for a full disk. */
static void a_full_disk_leaves_the_old_plan(void **state)
{
    struct cw_paper_plan plan = rotation_plan(), loaded;
    struct rlimit before, limit;
    void (*handler)(int);
    cw_status status;

    (void)state;
    assert_int_equal(cw_paper_plan_save(&plan, path), CW_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    handler = signal(SIGXFSZ, SIG_IGN);
    limit = before;
    limit.rlim_cur = 100; /* of the 128 bytes */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    status = cw_paper_plan_save(&plan, path);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, CW_ERR_IO);
    assert_int_equal(cw_paper_plan_load(&loaded, path), CW_OK);
    cw_paper_plan_free(&loaded);
    cw_paper_plan_free(&plan);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(a_saved_plan_loads_again),
        WITH_FOLDER(the_file_is_little_endian_as_documented),
        WITH_FOLDER(every_damaged_byte_is_found),
        WITH_FOLDER(every_other_length_is_refused),
        WITH_FOLDER(each_refusal_says_why),
        WITH_FOLDER(what_cannot_be_written_or_read_is_refused),
        WITH_FOLDER(a_full_disk_leaves_the_old_plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
