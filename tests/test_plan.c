/* test_plan.c - a plan moves every item in m read and m write steps, and a plan file
 * is either the plan that was saved or refused.
 */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* mkdtemp, P_tmpdir, setrlimit */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "paper/inputs.h"
#include "paper/plan.h"

/* The seeds of a run count up from the time, or from CW_SEED to run a failure again. */
static uint64_t first_seed, seed;

static uint64_t *make_labels(uint32_t w, uint32_t m, const char *input)
{
    uint64_t *label = malloc((size_t)w * m * sizeof *label);

    assert_int_equal(cw_input_make(input, CW_PERMUTE, w, m, 0, seed++, label), CW_OK);
    return label;
}

/* Run the plan on items that are their labels.  In each step every bank is asked
 * exactly once; in the end every item lies at its label.  Returns what is wrong. */
static const char *run_plan(const struct cw_paper_plan *plan, const uint64_t *label)
{
    const size_t w = plan->w, m = plan->m;
    uint64_t *b = malloc(w * m * sizeof *b);
    uint32_t *asked = calloc(w, sizeof *asked);
    const char *wrong = NULL;

    memset(b, 0xff, w * m * sizeof *b);
    for (size_t k = 0; k < m && !wrong; k++) {
        for (size_t i = 0; i < w && !wrong; i++) {
            const uint64_t entry = plan->entry[k * w + i];
            const size_t row = cw_paper_plan_row(entry);

            if (row >= w || cw_paper_plan_slot(entry) >= m || cw_paper_plan_col(entry) >= m) {
                wrong = "an entry is out of range";
            } else if (asked[row]++ != k) {
                wrong = "a bank is asked twice in a write step";
            } else {
                b[row * m + cw_paper_plan_col(entry)] = label[i * m + cw_paper_plan_slot(entry)];
            }
        }
    }
    for (size_t e = 0; e < w * m && !wrong; e++) {
        wrong = b[e] == e ? NULL : "an item is not where its label says";
    }
    free(b);
    free(asked);
    return wrong;
}

static void expect_plan(uint32_t w, uint32_t m, const char *input)
{
    uint64_t *label = make_labels(w, m, input);
    struct cw_paper_plan plan;
    const int good = cw_paper_plan_make(&plan, w, m, label, seed++) == CW_OK &&
                     cw_paper_plan_check(&plan) == CW_OK &&
                     cw_paper_plan_serves(&plan, label) == CW_OK;
    const char *wrong = good ? run_plan(&plan, label) : cw_last_error();

    if (wrong) {
        fail_msg("%u x %u, input %s, CW_SEED=%llu: %s", w, m, input, (unsigned long long)first_seed,
                 wrong);
    }
    cw_paper_plan_free(&plan);
    free(label);
}

static void a_plan_moves_every_item_without_conflict(void **state)
{
    static const uint32_t shape[][2] = {{1, 16},   {5, 1},    {33, 8},    {100, 7},  {32, 31},
                                        {31, 32},  {7, 100},  {64, 1023}, {997, 13}, {13, 97},
                                        {512, 64}, {2048, 3}, {3, 2048}};

    (void)state;
    for (const char *const *input = cw_input_names(CW_PERMUTE); *input; input++) {
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            expect_plan(shape[s][0], shape[s][1], *input);
        }
        for (uint32_t wm = 0; wm < 144; wm++) {
            expect_plan(1 + wm / 12, 1 + wm % 12, *input);
        }
    }
}

static void expect_refusal(const uint64_t *label, const char *one, const char *two)
{
    struct cw_paper_plan plan;

    assert_int_equal(cw_paper_plan_make(&plan, 3, 4, label, 1), CW_ERR_LABEL);
    assert_null(plan.entry);
    assert_non_null(strstr(cw_last_error(), one));
    assert_non_null(strstr(cw_last_error(), two));
}

static void the_first_bad_label_is_named(void **state)
{
    uint64_t *label = make_labels(3, 4, "identity");

    (void)state;
    label[10] = 7; /* row 2 slot 2 repeats row 1 slot 3 */
    expect_refusal(label, "(1, 3) is there twice", "row 1 slot 3, and row 2 slot 2");
    label[6] = 12; /* row 1 slot 2, before it: out of range */
    expect_refusal(label, "row 1 slot 2", "(3, 0) in 3 x 4");
    label[5] = UINT64_MAX;
    expect_refusal(label, "row 1 slot 1", "out of range");
    label[1] = 0;
    expect_refusal(label, "(0, 0) is there twice", "row 0 slot 0, and row 0 slot 1");
    free(label);
}

static void shapes_beyond_the_limits_are_refused(void **state)
{
    const uint64_t label = 0;
    struct cw_paper_plan plan;

    (void)state;
    assert_int_equal(cw_paper_plan_make(&plan, 0, 1, &label, 1), CW_ERR_ARGUMENT);
    assert_int_equal(cw_paper_plan_make(&plan, 1, 0, &label, 1), CW_ERR_ARGUMENT);
    assert_int_equal(cw_paper_plan_make(&plan, 1, 1, NULL, 1), CW_ERR_ARGUMENT);
    assert_int_equal(cw_paper_plan_make(&plan, CW_PLAN_ROW_MAX + 1, 1, &label, 1), CW_ERR_SHAPE);
    assert_int_equal(cw_paper_plan_make(&plan, 1, CW_PLAN_SLOT_MAX + 1, &label, 1), CW_ERR_SHAPE);
    assert_int_equal(cw_paper_plan_make(&plan, 65536, 65536, &label, 1), CW_ERR_SHAPE);
}

/* A 4 x 3 plan by rotation: round k sends slot k of row i to column k of row i+k. */
static struct cw_paper_plan rotation_plan(void)
{
    struct cw_paper_plan plan = {4, 3, malloc(12 * sizeof *plan.entry)};

    for (uint32_t e = 0; e < 12; e++) {
        plan.entry[e] = cw_paper_plan_entry((e % 4 + e / 4) % 4, e / 4, e / 4);
    }
    return plan;
}

static void the_check_finds_every_single_change(void **state)
{
    struct cw_paper_plan plan = rotation_plan();

    (void)state;
    assert_int_equal(cw_paper_plan_check(&plan), CW_OK);
    for (int e = 0; e < 12; e++) {
        for (int bit = 0; bit < 64; bit++) {
            plan.entry[e] ^= (uint64_t)1 << bit;
            assert_int_equal(cw_paper_plan_check(&plan), CW_ERR_FORMAT);
            plan.entry[e] ^= (uint64_t)1 << bit;
        }
    }
    cw_paper_plan_free(&plan);
    assert_int_equal(cw_paper_plan_check(&plan), CW_ERR_FORMAT);
}

static void the_check_names_the_fault(void **state)
{
    static const struct {
        uint32_t row, slot, col; /* of the entry of round 1, row 1, which should be 2, 1, 1 */
        const char *why;
    } fault[] = {{4, 1, 1, "is out of range"},
                 {1, 1, 1, "asks a row that another asks in the same round"},
                 {2, 0, 1, "reads a slot that was read before"},
                 {2, 1, 0, "writes a place that was written before"}};
    struct cw_paper_plan plan = rotation_plan();

    (void)state;
    for (size_t f = 0; f < sizeof fault / sizeof *fault; f++) {
        plan.entry[5] = cw_paper_plan_entry(fault[f].row, fault[f].slot, fault[f].col);
        assert_int_equal(cw_paper_plan_check(&plan), CW_ERR_FORMAT);
        assert_non_null(strstr(cw_last_error(), "round 1, row 1"));
        assert_non_null(strstr(cw_last_error(), fault[f].why));
    }
    cw_paper_plan_free(&plan);
}

static void a_plan_for_other_labels_is_found_out(void **state)
{
    uint64_t *label = make_labels(6, 5, "transpose");
    struct cw_paper_plan plan;

    (void)state;
    assert_int_equal(cw_paper_plan_make(&plan, 6, 5, label, 1), CW_OK);
    assert_int_equal(cw_paper_plan_serves(&plan, label), CW_OK);
    label[17] ^= 1;
    assert_int_equal(cw_paper_plan_serves(&plan, label), CW_ERR_LABEL);
    assert_non_null(strstr(cw_last_error(), "row 3 slot 2"));
    cw_paper_plan_free(&plan);
    free(label);
}

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
        uint64_t *label = make_labels(w, m, "random");
        struct cw_paper_plan saved, loaded;

        assert_int_equal(cw_paper_plan_make(&saved, w, m, label, seed++), CW_OK);
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
        cmocka_unit_test(a_plan_moves_every_item_without_conflict),
        cmocka_unit_test(the_first_bad_label_is_named),
        cmocka_unit_test(shapes_beyond_the_limits_are_refused),
        cmocka_unit_test(the_check_finds_every_single_change),
        cmocka_unit_test(the_check_names_the_fault),
        cmocka_unit_test(a_plan_for_other_labels_is_found_out),
        WITH_FOLDER(a_saved_plan_loads_again),
        WITH_FOLDER(the_file_is_little_endian_as_documented),
        WITH_FOLDER(every_damaged_byte_is_found),
        WITH_FOLDER(every_other_length_is_refused),
        WITH_FOLDER(each_refusal_says_why),
        WITH_FOLDER(what_cannot_be_written_or_read_is_refused),
        WITH_FOLDER(a_full_disk_leaves_the_old_plan),
    };

    first_seed = getenv("CW_SEED") ? strtoull(getenv("CW_SEED"), NULL, 0) : (uint64_t)time(NULL);
    seed = first_seed;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
