/* test_faults.c - each call of the API while memory, threads, files or the system's randomness fail, once at each place
 * where it asks for them: it says so with the right status or does without, leaks nothing, leaves its outputs alone
 * when it fails, and works the next time.
 *
 * On host threads every request of every call fails.  The emulator makes up to a thousand requests a call: the first ones
 * fail, then some that the seed chooses.  CW_LONG=1: each of them, in calls on short arrays and on longer ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing_calls.h"
#include "fault_calls.h"
#include "test.h"

static unsigned char *clean, *kept; /* outputs before a call, and after it */

static void clear_outputs(void)
{
    memset(fault_room.out, 0x5a, fault_room.bytes);
    memset(fault_room.values, 0x5a, fault_room.bytes);
}

static int outputs_are(const unsigned char *as)
{
    return !memcmp(fault_room.out, as, fault_room.bytes) &&
           !memcmp(fault_room.values, as + fault_room.bytes, fault_room.bytes);
}

static unsigned char *keep_outputs(void)
{
    unsigned char *const at = (unsigned char *)malloc(2 * fault_room.bytes);

    assert_non_null(at);
    memcpy(at, fault_room.out, fault_room.bytes);
    memcpy(at + fault_room.bytes, fault_room.values, fault_room.bytes);
    return at;
}

static int is_right(cw_status status, enum failing_kind kind, const char *name)
{
    switch (kind) {
    case FAILING_MEMORY:
        return status == CW_OK || status == CW_ERR_MEMORY;
    case FAILING_FILE: /* a file that ends too early may be a damaged one */
        return status == CW_ERR_IO || status == CW_OK ||
               (status == CW_ERR_FORMAT && !strcmp(name, "fread"));
    default:
        return status == CW_OK;
    }
}

static void open_scene(struct fault_scene *s, const struct fault_call *call, cw_backend backend)
{
    fault_scene_open(s, backend);
    if (call->group)
        s->pair = fault_pair_begin(backend, fault_room.n);
}

/* One call with its k-th request failing; 0 when it makes no more than k. */
static int try_one(const struct fault_call *call, cw_backend backend, long k)
{
    const long before = failing_calls_live();
    struct fault_scene s;
    enum failing_kind kind;
    const char *name;
    cw_status status;

    open_scene(&s, call, backend);
    clear_outputs();
    failing_calls_begin(k);
    status = call->make(&s);
    kind = failing_calls_end(&name);
    if (!is_right(status, kind, name) || !cw_status_name(status) ||
        (status && backend == CW_CPU && !call->group && !outputs_are(clean)) ||
        (!status && !outputs_are(kept)))
        fail_msg("%s on backend %d, request %ld (%s) fails: %s (%s)", call->name, (int)backend, k,
                 name, cw_status_name(status), cw_last_error());
    clear_outputs();
    if (call->make(&s) || !outputs_are(kept))
        fail_msg("%s on backend %d does not work after request %ld (%s) failed", call->name,
                 (int)backend, k, name);
    fault_scene_close(&s);
    if (failing_calls_live() != before)
        fail_msg("%s on backend %d, request %ld (%s) fails: %ld blocks are lost", call->name,
                 (int)backend, k, name, failing_calls_live() - before);
    return kind != FAILING_NONE;
}

/* The first `all` requests one after another, then ever fewer of them, others with each seed.  Threads do not always ask
 * as often: a call is through when it made no request for three k. */
static long try_call(const struct fault_call *call, cw_backend backend, long all)
{
    struct cw_random random = cw_random_from(cw_test_seed());
    long tried = 0, beyond = 0;

    for (long k = 0; beyond < 3; k++) {
        const int failed = try_one(call, backend, k);

        tried += failed;
        beyond = failed ? 0 : beyond + 1;
        if (k >= all)
            k += (long)cw_random_below(&random, 2 * (uint64_t)k);
    }
    return tried;
}

/* The call as it should be, with as little workspace as will do: the emulator watches all of it. */
static cw_status learn(const struct fault_call *call, struct fault_scene *s)
{
    cw_status status = CW_ERR_WORKSPACE;

    for (size_t bytes = 4096; status == CW_ERR_WORKSPACE && bytes <= FAULT_WORKSPACE; bytes *= 2) {
        fault_room.workspace_bytes = bytes;
        clear_outputs();
        status = call->make(s);
    }
    return status;
}

static void try_all(cw_backend backend, size_t n, long all)
{
    long tried = 0;

    fault_room_make(n);
    clear_outputs();
    clean = keep_outputs();
    for (const struct fault_call *call = fault_calls; call->name; call++) {
        struct fault_scene s;
        cw_status status;
        long requests;

        open_scene(&s, call, backend);
        status = learn(call, &s);
        if (status)
            fail_msg("%s on backend %d: %s", call->name, (int)backend, cw_last_error());
        kept = keep_outputs();
        fault_scene_close(&s);
        requests = try_call(call, backend, all);
        if (cw_long_run())
            print_message("backend %d, %s of %zu items: %ld requests failed\n", (int)backend,
                          call->name, n, requests);
        tried += requests;
        free(kept);
    }
    free(clean);
    fault_room_end();
    print_message("backend %d, %zu items: %ld requests failed\n", (int)backend, n, tried);
}

#define EVERY 1000000L

static void host_threads_survive_every_fault(void **state)
{
    (void)state;
    try_all(CW_CPU, 80000, EVERY);
    try_all(CW_CPU, 4000, EVERY); /* without threads */
}

static void the_emulator_survives_faults(void **state)
{
    (void)state;
    try_all(CW_EMULATOR, 200, cw_long_run() ? EVERY : CW_FEW ? 4 : 16);
}

static void the_emulator_survives_faults_in_longer_calls(void **state)
{
    (void)state;
    try_all(CW_EMULATOR, cw_long_run() ? 2000 : 700, cw_long_run() ? EVERY : 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_threads_survive_every_fault),
        cmocka_unit_test(the_emulator_survives_faults),
        cmocka_unit_test(the_emulator_survives_faults_in_longer_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
