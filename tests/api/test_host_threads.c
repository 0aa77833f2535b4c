/* test_host_threads.c - what host threads promise (docs/promises.md): those that the system refuses are
 * done without, none is left behind, a child of fork() has its own, signals go to the program's.
 *
 * Version 0.1 took threads from OpenMP, whose runtime ends the process when one cannot be made, and
 * hangs in a child.  pthread_create is wrapped (tests/CMakeLists.txt), to refuse or to be mean. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/threads.h"
#include "every_call.h"
#include "test.h"

#define N ((size_t)300007)

/* ---- pthread_create ------------------------------------------------------------------------- */

static unsigned made, refused_from, refused_to; /* calls from .. to - 1 are refused */
static unsigned others;                         /* threads that a sanitizer has */
static size_t stack;                            /* of all threads; 0: what was asked for */

int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *x);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *x);

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*run)(void *), void *x)
{
    const unsigned k = made++;
    pthread_attr_t small;
    int failed;

    if (k >= refused_from && k < refused_to)
        return EAGAIN;
    if (!stack)
        return __real_pthread_create(t, a, run, x);
    pthread_attr_init(&small);
    failed = pthread_attr_setstacksize(&small, stack);
    if (!failed)
        failed = __real_pthread_create(t, &small, run, x);
    pthread_attr_destroy(&small);
    return failed;
}

static unsigned threads_now(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned count = 0;

    assert_non_null(tasks);
    for (struct dirent *e = readdir(tasks); e; e = readdir(tasks))
        count += e->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* A thread that was joined stands in /proc for a moment longer: it is given a second to go. */
static unsigned threads_at_last(unsigned want)
{
    const struct timespec moment = {.tv_nsec = 1000000};

    for (int k = 0; k < 1000 && threads_now() > want; k++)
        nanosleep(&moment, NULL);
    return threads_now();
}

static cw_context *open_context(unsigned threads)
{
    cw_context *context;

    assert_int_equal(cw_context_create(CW_CPU, &context), CW_OK);
    assert_int_equal(cw_context_set_threads(context, threads), CW_OK);
    return context;
}

static void all_right(cw_context *context, uint64_t seed)
{
    const char *failed = every_call(context, CW_SANITIZED ? N / 2 + 1 : N, seed);

    if (failed)
        fail_msg("%s: %s; thread %u .. %u refused, seed %llu", failed, cw_last_error(),
                 refused_from, refused_to, (unsigned long long)seed);
}

/* ---- threads that are not there ------------------------------------------------------------- */

static void refused_threads_are_done_without(void **state)
{
    const uint64_t seed = cw_test_seed();

    (void)state;
    for (unsigned k = 0; k < 5; k++) /* one at a time, and all from there on */
        for (int all = 0; all < 2; all++) {
            cw_context *context = open_context(4);

            made = 0;
            refused_from = k;
            refused_to = all ? UINT32_MAX : k + 1;
            all_right(context, seed + k);
            assert_true(made > k);
            cw_context_destroy(context);
        }
    refused_from = refused_to = 0;
    assert_int_equal(threads_at_last(others + 1), others + 1);
}

/* Run in a child of its own, which must leave with 0 within a minute. */
static void in_child(int (*body)(void *), void *user)
{
    const pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (!child) {
        alarm(60);
        _exit(body(user));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fail_msg("the child ended with status 0x%x", (unsigned)status);
}

/* Not enough address space for 32 threads of any stack. */
static int with_little_room(void *user)
{
    const size_t n = 1 << 18;
    uint64_t *keys = (uint64_t *)malloc(n * sizeof *keys);
    struct rlimit limit;
    cw_context *context;
    char line[256];
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    (void)user;
    if (!keys || !file || !fgets(line, sizeof line, file))
        return 2;
    fclose(file);
    pages = atol(line);
    limit.rlim_cur = limit.rlim_max = (rlim_t)pages * 4096 + ((rlim_t)160 << 20);
    for (size_t x = 0; x < n; x++)
        keys[x] = (n - x) * 2654435761u;
    if (setrlimit(RLIMIT_AS, &limit) || cw_context_create(CW_CPU, &context) ||
        cw_context_set_threads(context, 32) || sort_call(context, keys, n))
        return 1;
    cw_context_destroy(context);
    free(keys);
    return 0;
}

static void little_address_space_means_fewer_threads(void **state)
{
    (void)state;
    if (CW_SANITIZED)
        skip();
    in_child(with_little_room, NULL);
}

/* ---- where threads begin and end ------------------------------------------------------------ */

static void no_thread_is_left(void **state)
{
    const uint64_t seed = cw_test_seed();
    cw_context *a = open_context(3), *b = open_context(2);

    (void)state;
    all_right(a, seed);
    all_right(b, seed);
    assert_int_equal(threads_now(), others + 1 + 2 + 1);
    assert_int_equal(cw_context_set_threads(a, 2), CW_OK);
    assert_int_equal(threads_at_last(others + 1 + 1), others + 1 + 1);
    all_right(a, seed);
    cw_context_destroy(a);
    cw_context_destroy(b);
    assert_int_equal(threads_at_last(others + 1), others + 1);
}

/* Everybody's stack is 64 KiB. */
static void workers_need_no_more_than_64_kib(void **state)
{
    cw_context *context;

    (void)state;
    if (CW_SANITIZED)
        skip();
    context = open_context(4);
    stack = 65536;
    all_right(context, cw_test_seed());
    cw_context_destroy(context);
    stack = 0;
}

/* ---- fork ----------------------------------------------------------------------------------- */

static int sort_in_child(void *user)
{
    cw_context *context = (cw_context *)user;

    if (every_call(context, N / 2 + 1, 5))
        return 1;
    if (threads_now() < 2) /* the parent's did not come along */
        return 2;
    cw_context_destroy(context);
    return 0;
}

static int destroy_in_child(void *user)
{
    cw_context_destroy((cw_context *)user);
    return 0;
}

static void a_child_has_threads_of_its_own(void **state)
{
    const uint64_t seed = cw_test_seed();
    cw_context *context = open_context(3);

    (void)state;
    all_right(context, seed);
    if (!CW_FORK_HAS_THREADS) {
        cw_context_destroy(context);
        skip();
    }
    for (int k = 0; k < 3; k++)
        in_child(sort_in_child, context);
    in_child(destroy_in_child, context);
    all_right(context, seed + 1);
    cw_context_destroy(context);
}

/* ---- signals -------------------------------------------------------------------------------- */

static pthread_t main_thread;
static volatile sig_atomic_t handled, stray;

static void handle(int number)
{
    (void)number;
    handled++;
    stray += !pthread_equal(pthread_self(), main_thread);
}

static void signals_go_to_the_programs_threads(void **state)
{
    const struct sigaction action = {.sa_handler = handle};
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    cw_context *context = open_context(4);

    (void)state;
    main_thread = pthread_self();
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    all_right(context, cw_test_seed());
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    cw_context_destroy(context);
    signal(SIGALRM, SIG_DFL);
    assert_true(handled > 0);
    assert_int_equal(stray, 0);
}

/* ---- teams ---------------------------------------------------------------------------------- */

struct tally {
    unsigned char done[1000];
    unsigned busy[8];
};

static void mark(void *user, size_t from, size_t end, unsigned thread)
{
    struct tally *t = (struct tally *)user;

    t->busy[thread]++; /* a race, if two had one number */
    for (; from < end; from++)
        t->done[from]++;
}

static void every_share_is_done_once(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());
    struct cw_team team = {.wanted = 8};

    (void)state;
    for (int k = 0; k < 3000; k++) {
        const size_t n = cw_random_below(&random, 1001), grain = 1 + cw_random_below(&random, 40);
        const unsigned threads = 1 + (unsigned)cw_random_below(&random, 8);
        struct tally t = {{0}, {0}};

        cw_team_run(&team, threads, n, grain, mark, &t);
        for (size_t x = 0; x < 1000; x++)
            assert_int_equal(t.done[x], x < n);
        for (unsigned x = threads; x < 8; x++)
            assert_int_equal(t.busy[x], 0);
    }
    assert_in_range(cw_team_workers(&team), 1, 7);
    cw_team_end(&team);
    assert_int_equal(cw_team_workers(&team), 0);
}

static void *nothing(void *user)
{
    return user;
}

/* A sanitizer may start a thread of its own beside the program's first. */
static unsigned threads_of_sanitizer(void)
{
    pthread_t first;

    if (__real_pthread_create(&first, NULL, nothing, NULL) || pthread_join(first, NULL))
        return 0;
    return threads_now() - 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_share_is_done_once),
        cmocka_unit_test(refused_threads_are_done_without),
        cmocka_unit_test(little_address_space_means_fewer_threads),
        cmocka_unit_test(no_thread_is_left),
        cmocka_unit_test(workers_need_no_more_than_64_kib),
        cmocka_unit_test(a_child_has_threads_of_its_own),
        cmocka_unit_test(signals_go_to_the_programs_threads),
    };

    others = threads_of_sanitizer();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
