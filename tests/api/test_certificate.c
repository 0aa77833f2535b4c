/* test_certificate.c - what `clearway verify` must not let pass: conflicts, kernels that no case
 * launches, outcomes that are wrong, figures of a GPU that differ.
 *
 * No kernel of the library gives it a reason, so these are made up.  What users see is tested in
 * verify.sh.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "dev/kernel.h"

#include "cli/common/say.c"
#include "cli/verify/verify_bench.c"
#include "cli/verify/verify_batch.c"
#include "cli/verify/verify_keys.c"
#include "cli/verify/verify_sums.c"

#define KERNEL_AT CW_KERNEL_cw_rows_u32_any

/* One launch of one kernel, the only one that is asked for. */
static struct verify_result sums_of(struct verify_cost ours, const struct verify_cost *theirs,
                                    enum cw_kernel kernel, unsigned wrong)
{
    struct verify v;
    struct verify_gpu gpu;
    struct verify_note x;
    struct verify_result r;

    memset(&x, 0, sizeof x);
    memset(&gpu, 0, sizeof gpu);
    x.kernel = kernel;
    x.number = 1;
    x.cost = ours;
    strcpy(x.what, "made up");
    assert_int_equal(verify_open(&v, CW_EMULATOR, (int)kernel, NULL), CW_OK);
    v.cases = 1;
    v.wrong = wrong;
    assert_int_equal(verify_note_add(&v.notes, &x), CW_OK);
    if (theirs) {
        x.cost = *theirs;
        strcpy(x.what, cw_kernel_name(kernel));
        assert_int_equal(verify_note_add(&gpu.same, &x), CW_OK);
    }
    verify_sum_up(&v, theirs ? &gpu : NULL, &r);
    assert_int_equal(r.count, 1);
    verify_close(&v);
    free(gpu.same.at);
    return r;
}

static void excess_fails_and_a_case_that_went_wrong_does(void **state)
{
    const struct verify_cost ideal = {10, 20, 20}, excess = {10, 21, 20};
    struct verify_result r;

    (void)state;
    r = sums_of(ideal, NULL, KERNEL_AT, 0);
    assert_true(r.passed);
    assert_int_equal(r.sum[0].verdict, VERIFY_FREE);
    assert_int_equal(r.sum[0].cases, 1);
    r = sums_of(excess, NULL, KERNEL_AT, 0);
    assert_false(r.passed);
    assert_int_equal(r.sum[0].verdict, VERIFY_CONFLICTS);
    assert_false(sums_of(ideal, NULL, KERNEL_AT, 1).passed);
}

static void a_kernel_that_no_case_launches_fails(void **state)
{
    struct verify v;
    struct verify_result r;

    (void)state;
    assert_int_equal(verify_open(&v, CW_EMULATOR, -1, NULL), CW_OK);
    verify_sum_up(&v, NULL, &r);
    assert_false(r.passed);
    assert_int_equal(r.count, CW_KERNEL_FIRST_SMALL); /* small ones may be left out */
    for (size_t k = 0; k < r.count; k++)
        assert_int_equal(r.sum[k].verdict, VERIFY_NOT_RUN);
    verify_close(&v);
}

static void figures_of_a_gpu_must_be_the_same(void **state)
{
    const struct verify_cost ideal = {10, 1000, 1000}, more = {0, 1001, 1001};
    const struct verify_cost excess = {0, 1001, 1000}, far = {0, 1042, 1042};
    const int paper = verify_kernel("cw_paper_warp4");

    (void)state;
    assert_true(sums_of(ideal, &ideal, KERNEL_AT, 0).passed);
    assert_false(sums_of(ideal, &more, KERNEL_AT, 0).passed);
    assert_false(sums_of(ideal, &excess, KERNEL_AT, 0).passed);
    if (paper >= 0) { /* where lanes part ways, and only there, near will do */
        struct verify_result r = sums_of(ideal, &more, (enum cw_kernel)paper, 0);

        assert_true(r.passed);
        assert_int_equal(r.sum[0].agree, VERIFY_NEAR);
        assert_false(sums_of(ideal, &excess, (enum cw_kernel)paper, 0).passed);
        assert_false(sums_of(ideal, &far, (enum cw_kernel)paper, 0).passed);
    }
}

/* All lanes to one bank. */
static void collides(struct cw_emu *e, const void *arg)
{
    (void)e;
    (void)arg;
    sh_st4(128 * LANE_ID, LANE_ID);
}

static void a_launch_is_noted_with_its_conflicts(void **state)
{
    const struct cw_emu_config config = {32, 4096};
    const struct cw_emu_launch launch = {collides, NULL, 1, NULL, 0};
    const struct cw_launch l = {KERNEL_AT, 1, 32, 4096, NULL};
    struct cw_emu *e;
    struct verify v;
    struct verify_result r;

    (void)state;
    assert_int_equal(verify_open(&v, CW_EMULATOR, KERNEL_AT, NULL), CW_OK);
    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    assert_int_equal(cw_emu_launch(e, &launch), CW_OK);
    verify_begin(&v, "a warp that %s", "collides");
    note(&v, &l, e);
    verify_sum_up(&v, NULL, &r);
    assert_int_equal(r.sum[0].cost.requests, 1);
    assert_int_equal(r.sum[0].cost.wavefronts, 32);
    assert_int_equal(r.sum[0].cost.ideal, 1);
    assert_int_equal(r.sum[0].verdict, VERIFY_CONFLICTS);
    assert_false(r.passed);
    cw_emu_destroy(e);
    verify_close(&v);
}

/* ---- outcomes ------------------------------------------------------------------------------- */

static void flip(struct verify_array *a, size_t at)
{
    ((unsigned char *)a->host)[at] ^= 1;
}

/* Sorted rows are right, and not if a bit of any array that was asked for is another. */
static void outcome(struct verify *v, struct rows_form form)
{
    const struct rows_case c = {.form = form, .rows = 9, .length = 50, .salt = 3};
    const int outputs[] = {KEYS_OUT, VALUES_OUT, INDEX};
    const int asked[] = {!form.no_keys, form.value_bytes > 0, form.index};
    struct batch b;

    assert_int_equal(batch_make(v, &c, &b), CW_OK);
    assert_non_null(batch_check(&b)); /* not yet sorted */
    assert_int_equal(batch_sort(&b), CW_OK);
    assert_null(batch_check(&b));
    for (int x = 0; x < 3; x++) {
        struct verify_array *const a = &b.a[outputs[x]];

        for (size_t at = 0; asked[x] && at < a->bytes; at += 37) {
            flip(a, at);
            assert_non_null(batch_check(&b));
            flip(a, at);
        }
    }
    assert_null(batch_check(&b));
    batch_free(&b);
}

static void an_outcome_with_one_wrong_bit_is_seen(void **state)
{
    static const struct rows_form forms[] = {{CW_U32, 0, 0, 0, 0},
                                             {CW_F64, CW_DESCENDING, 0, 0, 0},
                                             {CW_I16, 0, 4, 0, 0},
                                             {CW_F32, CW_STABLE, 4, 1, 0},
                                             {CW_BF16, CW_DESCENDING, 0, 1, 1}};
    struct verify v;

    (void)state;
    assert_int_equal(verify_open(&v, CW_CPU, -1, NULL), CW_OK);
    for (size_t x = 0; x < COUNT(forms); x++)
        outcome(&v, forms[x]);
    verify_close(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excess_fails_and_a_case_that_went_wrong_does),
        cmocka_unit_test(a_kernel_that_no_case_launches_fails),
        cmocka_unit_test(figures_of_a_gpu_must_be_the_same),
        cmocka_unit_test(a_launch_is_noted_with_its_conflicts),
        cmocka_unit_test(an_outcome_with_one_wrong_bit_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
