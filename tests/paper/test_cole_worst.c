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
    b->in = (cw_word *)malloc(3 * (size_t)h * sizeof *b->in); /* best and, in a climb, top behind */
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

#define KINDS 5

/* Zeros and ones, all equal, all different, a few keys among many equal ones, and blocks dealt out. */
static void fill(struct bench *b, struct cw_random *random, int kind)
{
    for (int i = 0; i < b->h; i++)
        b->in[i] = kind % KINDS == 0   ? cw_random_below(random, 2)
                   : kind % KINDS == 1 ? 0
                   : kind % KINDS == 2 ? cw_random_next(random)
                   : kind % KINDS == 3 ? cw_random_below(random, 2 + (uint64_t)kind)
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
        for (int kind = 0; kind < KINDS; kind++) {
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

/* Copy an item over another, exchange two, turn a stretch round, or flip the last bit of one: of equal
 * items nothing else makes any others. */
static void change(struct bench *b, struct cw_random *random)
{
    const int h = b->h, how = (int)cw_random_below(random, 5);
    int i = (int)cw_random_below(random, (uint64_t)h),
        j = (int)cw_random_below(random, (uint64_t)h);
    const cw_word x = b->in[i];

    if (how == 0) {
        b->in[i] = b->in[j];
        return;
    }
    if (how == 4) {
        b->in[i] = x ^ 1;
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

#define IDLE 100 /* changes without a gain, after which a climb is given up */

/* The most steps that are found in so many tries: for the first half climbs from many columns, of all
 * kinds, then on from the best that they led to. */
static uint64_t climb(int h, uint32_t tries)
{
    const size_t bytes = (size_t)h * sizeof(cw_word);
    struct cw_random random = cw_random_from((uint64_t)h);
    uint64_t most = 0, here = 0;
    uint32_t idle = IDLE, begun = 0;
    struct bench b;
    cw_word *top;

    bench_open(&b, h, 0);
    top = b.best + h;
    for (uint32_t k = 0; k < tries; k++) {
        uint64_t steps;

        if (k == tries / 2) {
            memcpy(b.in, top, bytes);
            memcpy(b.best, top, bytes);
            here = most;
        } else if (k < tries / 2 && idle >= IDLE) {
            fill(&b, &random, (int)begun++);
            here = 0;
        } else {
            change(&b, &random);
        }
        steps = steps_of(&b);
        idle = steps > here ? 0 : idle + 1;
        if (steps >= here) {
            here = steps;
            memcpy(b.best, b.in, bytes);
        } else {
            memcpy(b.in, b.best, bytes);
        }
        if (here > most)
            memcpy(top, b.best, bytes);
        most = here > most ? here : most;
    }
    bench_close(&b);
    print_message(
        "    h = %4d: %llu steps found in %u tries, %u of them the first of a climb; the bound is "
        "%lld\n",
        h, (unsigned long long)most, tries, begun, cole_worst_steps(h));
    assert_true(most <= (uint64_t)cole_worst_steps(h));
    return most;
}

/* The finds of the long climb, which docs/paper.md has. */
static void a_climb_stays_below_the_bound(void **state)
{
    static const struct {
        int h;
        uint32_t tries, most;
    } known[] = {{16, 60000, 113},  {32, 60000, 288},  {64, 30000, 512}, {128, 12000, 746},
                 {256, 5000, 1014}, {512, 2000, 1305}, {1024, 800, 1621}};

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
