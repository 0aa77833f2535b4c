/* test_plan.c - a plan moves every item in m read and m write steps; labels that are no permutation, and
 * plans that are not for the labels, are found out. */
#include <stdlib.h>
#include <string.h>

#include "tests/paper/paper_plan.h"

/* The seeds of a run count up from that of the program. */
static uint64_t seed;

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
    uint64_t *label = make_labels(w, m, input, seed++);
    struct cw_paper_plan plan;
    const int good = cw_paper_plan_make(&plan, w, m, label, seed++) == CW_OK &&
                     cw_paper_plan_check(&plan) == CW_OK &&
                     cw_paper_plan_serves(&plan, label) == CW_OK;
    const char *wrong = good ? run_plan(&plan, label) : cw_last_error();

    if (wrong) {
        fail_msg("%u x %u, input %s, CW_SEED=%llu: %s", w, m, input,
                 (unsigned long long)cw_test_seed(), wrong);
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
    uint64_t *label = make_labels(3, 4, "identity", seed++);

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
    uint64_t *label = make_labels(6, 5, "transpose", seed++);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_moves_every_item_without_conflict),
        cmocka_unit_test(the_first_bad_label_is_named),
        cmocka_unit_test(shapes_beyond_the_limits_are_refused),
        cmocka_unit_test(the_check_finds_every_single_change),
        cmocka_unit_test(the_check_names_the_fault),
        cmocka_unit_test(a_plan_for_other_labels_is_found_out),
    };

    seed = cw_test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
