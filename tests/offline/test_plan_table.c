/* test_plan_table.c - plans meet what nobody promised: a table that was never written, a FIFO in place
 * of a file, no memory.
 *
 * Version 0.1 used numbers of the table as places unseen and crashed, waited for the writer of a
 * FIFO, and called lack of memory a failure of the disk.  malloc is wrapped (tests/CMakeLists.txt). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "offline/plan.h"
#include "test.h"

/* ---- malloc --------------------------------------------------------------------------------- */

static long calls_left = -1; /* until one fails; -1: none does */
static unsigned failed;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    if (calls_left == 0) {
        failed++;
        errno = ENOMEM;
        return NULL;
    }
    calls_left -= calls_left > 0;
    return __real_malloc(bytes);
}

/* ---- plans of every kind that has a table --------------------------------------------------- */

struct kind {
    size_t n;
    struct cw_plan_wish wish;
};

static const struct kind kinds[] = {
    {5000, {.table = 1, .gather = 1}},
    {1000, {.table = 1, .gather = -1, .tile = 1024}},
    {20000, {.table = 1, .gather = -1, .tile = 1024, .partitions = 2}},
    {100003, {.table = 1, .gather = -1, .tile = 512, .partitions = 3}},
};

static cw_plan *plan_of(const struct kind *k, struct cw_random *random, uint64_t *p)
{
    cw_plan *plan;

    for (size_t i = 0; i < k->n; i++) {
        const size_t at = (size_t)cw_random_below(random, i + 1);

        p[i] = p[at];
        p[at] = i;
    }
    if (cw_plan_make(p, 8, k->n, 4, 0, 2, &k->wish, &plan))
        fail_msg("%s", cw_last_error());
    return plan;
}

/* Arrays with guards on both sides. */
#define GUARD 4096u

static unsigned char *guarded(size_t bytes)
{
    unsigned char *p = (unsigned char *)aligned_alloc(256, (bytes + 2 * GUARD + 255) / 256 * 256);

    assert_non_null(p);
    memset(p, 0x5a, bytes + 2 * GUARD);
    return p + GUARD;
}

static void give_guarded(unsigned char *p, size_t bytes)
{
    for (size_t x = 0; x < GUARD; x++)
        assert_true(p[-1 - (ptrdiff_t)x] == 0x5a && p[bytes + x] == 0x5a);
    free(p - GUARD);
}

/* A table full of `filling`, or of chance, is refused or executed, and touches nothing else; the
 * right table works after that. */
static void try_table(const struct kind *k, cw_context *context, int filling, uint64_t seed)
{
    struct cw_random random = cw_random_from(seed);
    uint64_t *p = (uint64_t *)malloc(k->n * sizeof *p);
    cw_plan *plan = plan_of(k, &random, p);
    const size_t bytes = cw_plan_table_bytes(plan), all = 4 * k->n;
    unsigned char *table = guarded(bytes), *in = guarded(all), *out = guarded(all);
    unsigned char *workspace = guarded(all);
    cw_status status;

    for (size_t x = 0; x < bytes; x++)
        table[x] = (unsigned char)(filling < 0 ? (int)(cw_random_next(&random) >> 30) : filling);
    status = cw_plan_execute(context, plan, table, in, out, workspace, all, NULL);
    if (status != CW_OK && status != CW_ERR_LABEL)
        fail_msg("%s: %s; seed %llu", cw_status_name(status), cw_last_error(),
                 (unsigned long long)seed);
    if (filling)
        assert_int_equal(status, CW_ERR_LABEL);
    assert_int_equal(cw_plan_write_table(context, plan, table), CW_OK);
    for (size_t i = 0; i < k->n; i++)
        ((uint32_t *)(void *)in)[i] = (uint32_t)i;
    assert_int_equal(cw_plan_execute(context, plan, table, in, out, workspace, all, NULL), CW_OK);
    for (size_t i = 0; i < k->n; i++)
        assert_int_equal(((uint32_t *)(void *)out)[p[i]], i);
    give_guarded(table, bytes);
    give_guarded(in, all);
    give_guarded(out, all);
    give_guarded(workspace, all);
    cw_plan_destroy(plan);
    free(p);
}

static void a_table_that_nobody_wrote_does_no_harm(void **state)
{
    const uint64_t seed = cw_test_seed();
    cw_context *context;

    (void)state;
    assert_int_equal(cw_context_create(CW_CPU, &context), CW_OK);
    assert_int_equal(cw_context_set_threads(context, 2), CW_OK);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        try_table(&kinds[k], context, 0, seed);
        try_table(&kinds[k], context, 0xff, seed);
        for (unsigned t = 0; t < 4; t++)
            try_table(&kinds[k], context, -1, seed + t);
    }
    cw_context_destroy(context);
}

/* ---- files ---------------------------------------------------------------------------------- */

static void a_fifo_is_refused_at_once(void **state)
{
    char folder[] = "/tmp/clearway-test-XXXXXX", path[64];
    cw_plan *plan;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fifo", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(20); /* it would wait for a writer */
    assert_int_equal(cw_plan_load(path, &plan), CW_ERR_IO);
    assert_non_null(strstr(cw_last_error(), "not an ordinary file"));
    assert_int_equal(cw_plan_load("/dev/null", &plan), CW_ERR_IO);
    assert_int_equal(cw_plan_load(folder, &plan), CW_ERR_IO);
    alarm(0);
    unlink(path);
    rmdir(folder);
}

static void lack_of_memory_is_told_as_such(void **state)
{
    char folder[] = "/tmp/clearway-test-XXXXXX", path[64];
    struct cw_random random = cw_random_from(cw_test_seed());
    uint64_t *p = (uint64_t *)malloc(kinds[3].n * sizeof *p);

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/plan", folder);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        cw_plan *plan = plan_of(&kinds[k], &random, p), *loaded = NULL;
        cw_status status;
        unsigned call = 0;

        do {
            calls_left = (long)call++;
            failed = 0;
            status = cw_plan_save(plan, path);
            calls_left = -1;
            assert_int_equal(status, failed ? CW_ERR_MEMORY : CW_OK);
        } while (failed);
        assert_true(call > 1);
        call = 0;
        do {
            calls_left = (long)call++;
            failed = 0;
            status = cw_plan_load(path, &loaded);
            calls_left = -1;
            assert_int_equal(status, failed ? CW_ERR_MEMORY : CW_OK);
        } while (failed);
        assert_true(call > 1);
        cw_plan_destroy(plan);
        cw_plan_destroy(loaded);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing was left behind */
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_nobody_wrote_does_no_harm),
        cmocka_unit_test(a_fifo_is_refused_at_once),
        cmocka_unit_test(lack_of_memory_is_told_as_such),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
