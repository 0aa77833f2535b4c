/* test_surroundings.c - each call of the API where a program has made it hard: on a stack of 64 KiB, with a signal every
 * millisecond, with floating-point traps, while another thread forks.  What comes out is the same. */
#define _GNU_SOURCE 1 /* feenableexcept */

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_calls.h"
#include "test.h"

static unsigned char *kept;

static void clear_outputs(void)
{
    memset(fault_room.out, 0x5a, fault_room.bytes);
    memset(fault_room.values, 0x5a, fault_room.bytes);
}

static void keep_outputs(void)
{
    memcpy(kept, fault_room.out, fault_room.bytes);
    memcpy(kept + fault_room.bytes, fault_room.values, fault_room.bytes);
}

static int outputs_are_kept(void)
{
    return !memcmp(fault_room.out, kept, fault_room.bytes) &&
           !memcmp(fault_room.values, kept + fault_room.bytes, fault_room.bytes);
}

/* One call in surroundings. */
struct task {
    const struct fault_call *call;
    struct fault_scene *scene;
    cw_status status;
};

typedef void surroundings(struct task *t);

static void plain(struct task *t)
{
    t->status = t->call->make(t->scene);
}

static void *run(void *user)
{
    plain((struct task *)user);
    return NULL;
}

static void on_a_small_stack(struct task *t)
{
    const size_t size = CW_SANITIZED ? (size_t)1 << 20 : (size_t)64 << 10;
    pthread_attr_t how;
    pthread_t thread;

    pthread_attr_init(&how);
    assert_int_equal(pthread_attr_setstacksize(&how, size), 0);
    assert_int_equal(pthread_create(&thread, &how, run, t), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&how);
}

static volatile sig_atomic_t rang;

static void ring(int number)
{
    (void)number;
    rang++;
}

static void with_signals(struct task *t)
{
    const struct itimerval often = {{0, 1000}, {0, 200}}, never = {{0, 0}, {0, 0}};
    struct sigaction on = {.sa_handler = ring},
                     was; /* no SA_RESTART: system calls are interrupted */

    sigaction(SIGALRM, &on, &was);
    setitimer(ITIMER_REAL, &often, NULL);
    plain(t);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &was, NULL);
}

static void with_traps(struct task *t)
{
    fenv_t was;

    fegetenv(&was);
#if defined(__GLIBC__)
    feenableexcept(FE_INVALID | FE_DIVBYZERO);
#endif
    plain(t);
    fesetenv(&was);
}

static atomic_int forking;

/* Children end at once: what matters is that locks and threads of the parent are as they were. */
static void *fork_on(void *user)
{
    (void)user;
    while (forking) {
        const pid_t child = fork();

        if (!child)
            _exit(0);
        if (child > 0)
            (void)waitpid(child, NULL, 0);
    }
    return NULL;
}

static void while_another_thread_forks(struct task *t)
{
    pthread_t thread;

    forking = 1;
    assert_int_equal(pthread_create(&thread, NULL, fork_on, NULL), 0);
    plain(t);
    forking = 0;
    pthread_join(thread, NULL);
}

/* In a child of its own, after the parent used the context. */
static void in_a_child(struct task *t)
{
    pid_t child;
    int status;

    plain(t);
    clear_outputs();
    child = fork();
    assert_true(child >= 0);
    if (!child) {
        alarm(60);
        plain(t);
        _exit(t->status || !outputs_are_kept());
    }
    assert_true(waitpid(child, &status, 0) == child);
    if (status)
        fail_msg("%s: the child ends with %d", t->call->name, status);
    plain(t);
}

static cw_status learn(const struct fault_call *call, struct fault_scene *s)
{
    cw_status status = CW_ERR_WORKSPACE;

    for (size_t bytes = 4096; status == CW_ERR_WORKSPACE && bytes <= FAULT_WORKSPACE; bytes *= 2) {
        fault_room.workspace_bytes = bytes;
        clear_outputs();
        status = call->make(s);
    }
    keep_outputs();
    return status;
}

static void try_all(cw_backend backend, size_t n, surroundings *around, const char *name,
                    int groups)
{
    fault_room_make(n);
    kept = (unsigned char *)malloc(2 * fault_room.bytes);
    assert_non_null(kept);
    for (const struct fault_call *call = fault_calls; call->name; call++) {
        struct fault_scene s;
        struct task t = {call, &s, CW_OK};

        if (call->group && !groups)
            continue;
        fault_scene_open(&s, backend);
        if (call->group)
            s.pair = fault_pair_begin(backend, n);
        if (learn(call, &s))
            fail_msg("%s on backend %d: %s", call->name, (int)backend, cw_last_error());
        clear_outputs();
        around(&t);
        if (t.status || !outputs_are_kept())
            fail_msg("%s on backend %d, %s: %s, %s", call->name, (int)backend, name,
                     cw_status_name(t.status), outputs_are_kept() ? "right" : "wrong");
        fault_scene_close(&s);
    }
    free(kept);
    fault_room_end();
}

#define TEST(around, groups)                                \
    static void calls_##around(void **state)                \
    {                                                       \
        (void)state;                                        \
        try_all(CW_CPU, 80000, around, #around, groups);    \
        try_all(CW_EMULATOR, 200, around, #around, groups); \
    }

TEST(on_a_small_stack, 1)
TEST(with_signals, 1)
TEST(with_traps, 1)
TEST(while_another_thread_forks, 1)
TEST(in_a_child, 0) /* ranks are threads, and the child has one */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_on_a_small_stack),
        cmocka_unit_test(calls_with_signals),
        cmocka_unit_test(calls_with_traps),
        cmocka_unit_test(calls_while_another_thread_forks),
        cmocka_unit_test(calls_in_a_child),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
