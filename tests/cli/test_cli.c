/* test_cli.c - the tool tells a run that fails, and an output that is wrong.
 *
 * No algorithm of the library does either, so these are wrong on purpose.  What
 * users see of the tool is tested in cli.sh.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/model/explain.c"
#include "cli/model/gpu.c"
#include "cli/model/request.c"
#include "cli/model/run.c"
#include "cli/common/json.c"
#include "cli/common/memory.c"
#include "cli/common/say.c"

static void does_nothing(struct cw_model *s, const void *job)
{
    (void)s;
    (void)job;
}

/* Everybody asks bank 0 in the same step. */
static void collides(struct cw_model *s, const void *job)
{
    (void)job;
    cw_model_read(s, 0, 0, "collides:1");
}

/* The output rises, but one key is not of the input. */
static void loses_a_key(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = (const struct cw_job *)arg;
    const uint32_t i = cw_model_lane(s);

    for (uint32_t k = 0; k < job->m; k++)
        cw_model_write(s, i, k, i * job->m + k + (i == job->w - 1 && k == job->m - 1),
                       "loses_a_key:1");
}

static double bound_m(uint32_t w, uint32_t m)
{
    (void)w;
    return m;
}

static double bound_0(uint32_t w, uint32_t m)
{
    (void)w;
    (void)m;
    return 0;
}

static cw_status takes_squares(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return w == m ? CW_OK : cw_fail(CW_ERR_SHAPE, "needs w = m");
}

static uint32_t takes_everything(uint32_t w, uint32_t m, const struct cw_options *opt,
                                 struct cw_area *out)
{
    (void)w;
    (void)m;
    (void)opt;
    out[0].name = "everything";
    out[0].columns = UINT32_MAX;
    return 1;
}

static struct cw_algorithm algorithm(void (*body)(struct cw_model *s, const void *job))
{
    struct cw_algorithm alg;

    memset(&alg, 0, sizeof alg);
    alg.name = "wrong";
    alg.bound_text = "m";
    alg.bound = bound_m;
    alg.problem = CW_SORT;
    alg.conflict_free = 1;
    alg.body = body;
    return alg;
}

/* Run on 4 x 4 keys, sorted or reverse. */
static cw_status run(const struct cw_algorithm *alg, int sorted, struct result *out)
{
    struct request r;
    cw_word items[16];
    const struct input in = {"test", items, NULL};

    request_init(&r);
    r.w = r.m = 4;
    for (uint64_t i = 0; i < 16; i++)
        items[i] = sorted ? i : 15 - i;
    return run_algorithm(&r, alg, &in, out);
}

static void a_right_output_is_verified(void **state)
{
    const struct cw_algorithm alg = algorithm(does_nothing);
    struct result result;

    (void)state;
    assert_int_equal(run(&alg, 1, &result), CW_OK);
    assert_true(result.verified);
    assert_int_equal(result.counters.steps, 0);
    assert_true(result.bound == 4);
}

static void a_wrong_output_is_not_verified(void **state)
{
    struct cw_algorithm alg = algorithm(does_nothing);
    struct result result;

    (void)state;
    assert_int_equal(run(&alg, 0, &result), CW_OK);
    assert_false(result.verified);
    assert_non_null(strstr(cw_last_error(), "place 0 holds 15, not 0"));

    alg.body = loses_a_key;
    assert_int_equal(run(&alg, 0, &result), CW_OK);
    assert_false(result.verified);
    assert_non_null(strstr(cw_last_error(), "place 15 holds 16, not 15"));
}

static void a_conflict_ends_a_strict_run_only(void **state)
{
    struct cw_algorithm alg = algorithm(collides);
    struct result result;

    (void)state;
    assert_int_equal(run(&alg, 1, &result), CW_ERR_CONFLICT);
    assert_int_equal(exit_of(CW_ERR_CONFLICT), FAILED);
    alg.conflict_free = 0; /* then conflicts are counted without being asked to */
    assert_int_equal(run(&alg, 1, &result), CW_OK);
    assert_true(result.count && result.verified);
    assert_int_equal(result.counters.conflicts, 3);
}

static void the_order_is_the_algorithms(void **state)
{
    struct cw_algorithm alg = algorithm(does_nothing);
    struct result result;

    (void)state;
    alg.order = CW_COLUMN_MAJOR;
    assert_int_equal(run(&alg, 1, &result), CW_OK);
    assert_true(result.verified); /* put in and read in the same order */
    alg.problem = CW_TRANSPOSE;
    assert_int_equal(run(&alg, 1, &result), CW_OK);
    assert_false(result.verified); /* nothing was transposed */
}

static void a_bound_of_nothing_gives_no_ratio(void **state)
{
    struct cw_algorithm alg = algorithm(does_nothing);
    struct result result;

    (void)state;
    alg.bound = bound_0;
    assert_int_equal(run(&alg, 1, &result), CW_OK);
    assert_false(isfinite(result.ratio));
}

static void what_cannot_run_is_refused_before(void **state)
{
    struct cw_algorithm alg = algorithm(does_nothing);
    struct request r;

    (void)state;
    request_init(&r);
    r.w = 4;
    r.m = 5;
    alg.check = takes_squares;
    assert_int_equal(run_check(&r, &alg), CW_ERR_SHAPE);
    assert_int_equal(exit_of(CW_ERR_SHAPE), USAGE);
    alg.check = NULL;
    assert_int_equal(run_check(&r, &alg), CW_OK);
    r.w = 1 << 20;
    alg.areas = takes_everything;
    assert_int_equal(run_check(&r, &alg), CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "GiB of memory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_output_is_verified),
        cmocka_unit_test(a_wrong_output_is_not_verified),
        cmocka_unit_test(a_conflict_ends_a_strict_run_only),
        cmocka_unit_test(the_order_is_the_algorithms),
        cmocka_unit_test(a_bound_of_nothing_gives_no_ratio),
        cmocka_unit_test(what_cannot_run_is_refused_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
