/* test_cole_worst.c - how long Cole's column takes at most: the bound, and what is found below it.
 *
 * The bound is proved in paper/sort/cole.h.  Charged as worst, every column takes exactly that, so
 * that all parts of a stage keep to theirs.  As seen, it depends on the data: a hill climber
 * looks for data that take long.  Its seeds are fixed, so that its finds can be written down.
 */
#include <stdlib.h>
#include <string.h>

#include "paper/sort/cole.h"
#include "test.h"

struct bench {
    struct cw_model *model;
    int h, worst;
    uint32_t aux;
    cw_word *in, *best;
};

static void body(struct cw_model *s, const void *arg)
{
    const struct bench *const b = (const struct bench *)arg;
    view v = view_make(0, b->h, 1, 0, 1, 4);

    v.worst = b->worst;
    cole_sort_column(s, v, 0, 0, (int)b->aux);
}

static void bench_open(struct bench *b, int h, int worst)
{
    const struct cw_model_config config = {.w = (uint32_t)h, .m = 1};

    b->h = h;
    b->worst = worst;
    assert_int_equal(cw_model_create(&config, &b->model), CW_OK);
    assert_int_equal(cw_model_aux(b->model, "cole", COLE_WORDS, &b->aux), CW_OK);
    b->in = (cw_word *)malloc(2 * (size_t)h * sizeof *b->in);
    assert_non_null(b->in);
    b->best = b->in + h;
}

static void bench_close(struct bench *b)
{
    cw_model_destroy(b->model);
    free(b->in);
}

static uint64_t steps_of(struct bench *b)
{
    struct cw_counters n;

    for (int i = 0; i < b->h; i++)
        *cw_model_at(b->model, (uint32_t)i, 0) = b->in[i];
    if (cw_model_run(b->model, body, b))
        fail_msg("h = %d: %s", b->h, cw_last_error());
    for (int i = 1; i < b->h; i++)
        assert_true(*cw_model_at(b->model, (uint32_t)i - 1, 0) <=
                    *cw_model_at(b->model, (uint32_t)i, 0));
    cw_model_counters(b->model, &n);
    return n.steps;
}

/* A few keys among many equal ones, or all different. */
static void fill(struct bench *b, struct cw_random *random, int kind)
{
    for (int i = 0; i < b->h; i++)
        b->in[i] = kind % 3 == 0   ? cw_random_next(random)
                   : kind % 3 == 1 ? cw_random_below(random, 2 + (uint64_t)kind)
                                   : (cw_word)(i % 8 * b->h + i);
}

/* ---- charged as worst ---------------------------------------------------------- */

static void charged_as_worst_every_column_takes_its_bound(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (int h = 1; h <= 600; h += h < 70 ? 1 : 53) {
        struct bench b;

        bench_open(&b, h, 1);
        for (int kind = 0; kind < 4; kind++) {
            uint64_t steps;

            fill(&b, &random, kind);
            steps = steps_of(&b);
            if (steps != (uint64_t)cole_worst_steps(h))
                fail_msg("h = %d, kind %d, seed %llu: %llu steps, the bound is %lld", h, kind,
                         (unsigned long long)cw_test_seed(), (unsigned long long)steps,
                         cole_worst_steps(h));
        }
        bench_close(&b);
    }
}

/* ---- the climb ------------------------------------------------------------------ */

/* Exchange two items, move one, or turn a stretch round. */
static void change(struct bench *b, struct cw_random *random)
{
    const int h = b->h, how = (int)cw_random_below(random, 4);
    int i = (int)cw_random_below(random, (uint64_t)h),
        j = (int)cw_random_below(random, (uint64_t)h);
    const cw_word x = b->in[i];

    if (how == 0) {
        b->in[i] = b->in[j];
        return;
    }
    if (how < 3) {
        b->in[i] = b->in[j];
        b->in[j] = x;
        return;
    }
    for (; i < j; i++, j--) {
        const cw_word y = b->in[i];

        b->in[i] = b->in[j];
        b->in[j] = y;
    }
}

/* The most steps that `tries` changes lead to; begun afresh where nothing gains any more. */
static uint64_t climb(int h, uint32_t tries)
{
    struct cw_random random = cw_random_from((uint64_t)h);
    uint64_t most = 0, here = 0;
    uint32_t stuck = UINT32_MAX, begun = 0;
    struct bench b;

    bench_open(&b, h, 0);
    for (uint32_t k = 0; k < tries; k++) {
        uint64_t steps;

        if (stuck > 400 + 20 * (uint32_t)h) {
            fill(&b, &random, (int)begun++);
            here = stuck = 0;
        } else {
            change(&b, &random);
        }
        steps = steps_of(&b);
        stuck = steps > here ? 0 : stuck + 1;
        if (steps >= here) {
            here = steps;
            memcpy(b.best, b.in, (size_t)h * sizeof *b.in);
        } else {
            memcpy(b.in, b.best, (size_t)h * sizeof *b.in);
        }
        most = here > most ? here : most;
    }
    bench_close(&b);
    print_message("    h = %4d: %llu steps found in %u tries, the bound is %lld\n", h,
                  (unsigned long long)most, tries, cole_worst_steps(h));
    assert_true(most <= (uint64_t)cole_worst_steps(h));
    return most;
}

/* The finds of the long climb, which docs/paper.md has. */
static void a_climb_stays_below_the_bound(void **state)
{
    static const struct {
        int h;
        uint32_t tries, most;
    } known[] = {{16, 60000, 113},  {32, 60000, 288},  {64, 30000, 510}, {128, 12000, 762},
                 {256, 5000, 1018}, {512, 2000, 1282}, {1024, 800, 1536}};

    (void)state;
    if (!cw_long_run()) {
        assert_true(climb(32, CW_SANITIZED ? 100 : 1500) >= 276); /* more than random inputs take */
        return;
    }
    for (size_t k = 0; k < COUNT(known); k++)
        assert_int_equal(climb(known[k].h, known[k].tries), known[k].most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charged_as_worst_every_column_takes_its_bound),
        cmocka_unit_test(a_climb_stays_below_the_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
