/* test_small_stack.c - no call needs more than 64 KiB of the calling thread's stack, on any keys.
 *
 * Version 0.1 took 65 KiB for each level of a sort, and 192 KiB at least. */
#include <pthread.h>

#include "every_call.h"
#include "inputs/adversary.h"
#include "test.h"

#include <stdlib.h>

#define STACK 65536u
#define N     ((size_t)300007)

struct task {
    cw_context *context;
    uint64_t seed;
    const uint64_t *keys; /* NULL: every call */
    const char *failed;
};

static void *run(void *user)
{
    struct task *t = (struct task *)user;

    t->failed = t->keys ? sort_call(t->context, t->keys, N) : every_call(t->context, N, t->seed);
    return NULL;
}

static void in_small_stack(struct task *t)
{
    pthread_attr_t attributes;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attributes), 0);
    if (!CW_SANITIZED) /* whose frames are larger */
        assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run, t), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    if (t->failed)
        fail_msg("%s: %s; seed %llu", t->failed, cw_last_error(), (unsigned long long)t->seed);
}

static void every_call_takes_64_kib(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads < 4; threads += 2) {
        struct task t = {.seed = cw_test_seed()};

        assert_int_equal(cw_context_create(CW_CPU, &t.context), CW_OK);
        assert_int_equal(cw_context_set_threads(t.context, threads), CW_OK);
        in_small_stack(&t);
        cw_context_destroy(t.context);
    }
}

static void crafted_keys_take_64_kib(void **state)
{
    uint64_t *keys = (uint64_t *)malloc(N * sizeof *keys);

    (void)state;
    assert_non_null(keys);
    for (unsigned k = 0; k < 6; k++) {
        const uint64_t seed = cw_test_seed();
        struct task t = {.seed = seed, .keys = keys};

        if (k / 2 == 0)
            assert_int_equal(cw_adversary_sort_0_1(N, 65536, keys), CW_OK);
        else
            assert_int_equal(cw_adversary_sort(seed, N, k / 2, keys), CW_OK);
        assert_int_equal(cw_context_create(CW_CPU, &t.context), CW_OK);
        assert_int_equal(cw_context_set_threads(t.context, 1 + k % 2), CW_OK);
        assert_int_equal(cw_context_set_seed(t.context, seed), CW_OK);
        in_small_stack(&t);
        cw_context_destroy(t.context);
    }
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_takes_64_kib),
        cmocka_unit_test(crafted_keys_take_64_kib),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
