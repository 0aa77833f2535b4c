/* test_cpu_permute.c - an array permuted by threads of the host, held against out[p[i]] = in[i] and
 * out[i] = in[p[i]]: short arrays and windows alike, by every number of threads. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/permute/permute.h"
#include "cpu/permute/work.h"
#include "base/threads.h"
#include "values.h"

#define GUARD  64
#define CANARY 0xc3

struct trial {
    size_t n, bytes, index_bytes, least; /* least: bytes from which on windows are used */
    unsigned flags, threads;
    int bad;      /* one index in so many is out of range; 0: none */
    size_t shift; /* bytes that the output begins after an aligned place */
    uint64_t seed;
};

static const char *text_of(const struct trial *c)
{
    static char text[200];

    snprintf(text, sizeof text,
             "n %zu of %zu bytes, index of %zu, flags %u, threads %u, windows from %zu, bad %d, "
             "shift %zu, seed %llu (CW_SEED=%llu)",
             c->n, c->bytes, c->index_bytes, c->flags, c->threads, c->least, c->bad, c->shift,
             (unsigned long long)c->seed, (unsigned long long)cw_test_seed());
    return text;
}

static unsigned char *room_of(size_t bytes)
{
    unsigned char *p = (unsigned char *)aligned_alloc(256, (bytes + 4 * GUARD + 255) / 256 * 256);

    assert_non_null(p);
    memset(p, CANARY, (bytes + 4 * GUARD + 255) / 256 * 256);
    return p;
}

static void make_index(const struct trial *c, struct cw_random *random, void *index)
{
    for (size_t i = 0; i < c->n; i++)
        cw_set_item(index, i, c->index_bytes, i);
    for (size_t i = c->n; i > 1; i--) {
        const size_t j = cw_random_below(random, i);
        const uint64_t x = cw_item(index, i - 1, c->index_bytes);

        cw_set_item(index, i - 1, c->index_bytes, cw_item(index, j, c->index_bytes));
        cw_set_item(index, j, c->index_bytes, x);
    }
    for (size_t i = 0; i < c->n && c->bad; i++)
        if (cw_random_below(random, (uint64_t)c->bad) == 0)
            cw_set_item(index, i, c->index_bytes, c->n + (cw_random_next(random) & 0xffff));
}

static void try_trial(const struct trial *c)
{
    struct cw_random random = cw_random_from(c->seed);
    const size_t all = c->n * c->bytes;
    unsigned char *in = room_of(all), *index = room_of(c->n * c->index_bytes);
    unsigned char *got = room_of(all + c->shift), *want = room_of(all);
    unsigned char *out = got + GUARD + c->shift, *workspace;
    cw_permute_job job = {c->flags, c->n, c->bytes, in, out, index, c->index_bytes};
    const size_t need = cw_cpu_permute_workspace_by(&job, c->least);
    struct cw_team team = {.wanted = c->threads};

    workspace = room_of(need);
    for (size_t x = 0; x < all; x++)
        in[x] = (unsigned char)(cw_random_next(&random) >> 20);
    make_index(c, &random, index);
    for (size_t i = 0; i < c->n; i++) {
        const uint64_t p = cw_item(index, i, c->index_bytes);

        if (p < c->n && c->flags & CW_GATHER)
            memcpy(want + i * c->bytes, in + p * c->bytes, c->bytes);
        else if (p < c->n)
            memcpy(want + p * c->bytes, in + i * c->bytes, c->bytes);
    }
    if (cw_cpu_permute_by(&job, workspace, &team, c->least))
        fail_msg("%s; %s", cw_last_error(), text_of(c));
    cw_team_end(&team);
    if (memcmp(out, want, all))
        fail_msg("wrong; %s", text_of(c));
    for (size_t x = 0; x < GUARD; x++)
        if (out[-1 - (ptrdiff_t)x] != CANARY || out[all + x] != CANARY ||
            workspace[need + x] != CANARY)
            fail_msg("written outside; %s", text_of(c));
    free(in);
    free(index);
    free(got);
    free(want);
    free(workspace);
}

static struct trial random_trial(struct cw_random *random, size_t n)
{
    static const size_t widths[] = {1, 2, 3, 4, 8, 12, 16, 16, 8, 4, 64, 256};
    static const unsigned threads[] = {1, 2, 7, 0};
    struct trial c = {.n = n, .seed = cw_random_next(random)};

    c.bytes = widths[cw_random_below(random, COUNT(widths))];
    c.index_bytes = cw_random_below(random, 2) ? 4 : 8;
    c.least = cw_random_below(random, 3) ? 0 : SIZE_MAX;
    c.flags = cw_random_below(random, 2) ? CW_GATHER : 0;
    c.bad = cw_random_below(random, 4) ? 0 : 1 + (int)cw_random_below(random, 50);
    c.flags |= !c.bad && cw_random_below(random, 2) ? CW_CHECK : 0;
    c.threads = threads[cw_random_below(random, COUNT(threads))];
    c.shift = cw_random_below(random, 3) ? 0 : 1 + cw_random_below(random, 31);
    return c;
}

static void short_arrays_are_permuted(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (size_t x = 0; x < (CW_SANITIZED ? 200 : 1000); x++) {
        const struct trial c =
            random_trial(&random, x < 60 ? x / 10 : cw_random_below(&random, 3000));

        try_trial(&c);
    }
}

static void long_arrays_are_permuted_by_windows(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() * 5);

    (void)state;
    for (size_t x = 0; x < (cw_long_run() ? 500 : CW_SANITIZED ? 8 : 40); x++) {
        const struct trial c = random_trial(&random, 30000 + cw_random_below(&random, 150000));

        try_trial(&c);
    }
}

/* As the library does it, and with lines that are written past the caches. */
static void megabytes_are_permuted(void **state)
{
    (void)state;
    for (unsigned flags = 0; flags <= (CW_SANITIZED ? 0 : CW_GATHER); flags += CW_GATHER) {
        const struct trial c = {.n = 2500003,
                                .bytes = 4,
                                .index_bytes = 4,
                                .least = (size_t)1 << 20,
                                .flags = flags | CW_CHECK,
                                .threads = 2,
                                .seed = cw_test_seed()};

        try_trial(&c);
    }
}

/* The first offender is named, whatever comes after it, and the output stays as it was. */
static void what_is_no_permutation_is_refused(void **state)
{
    static const size_t lengths[] = {10, 100000};
    char text[100];

    (void)state;
    for (size_t k = 0; k < 16; k++) {
        const size_t n = lengths[k & 1], first = n / 2 + 1;
        uint32_t *index = (uint32_t *)calloc(n, 4), *in = (uint32_t *)calloc(n, 4);
        unsigned char *out = room_of(n * 4), *workspace;
        struct cw_team team = {.wanted = 2};
        const cw_permute_job job = {CW_CHECK | (k & 2 ? CW_GATHER : 0), n, 4, in, out, index, 4};

        assert_true(index && in);
        workspace = room_of(cw_cpu_permute_workspace_by(&job, k & 4 ? 0 : SIZE_MAX));
        for (size_t i = 0; i < n; i++)
            index[i] = (uint32_t)(n - 1 - i);
        index[n - 1] = index[n - 2];
        index[first] = k & 8 ? (uint32_t)n + 5 : index[2];
        snprintf(text, sizeof text,
                 k & 8 ? "index %zu is %u: out of range, n is %zu"
                       : "index %zu is %u: there was one before",
                 first, index[first], n);
        assert_int_equal(cw_cpu_permute_by(&job, workspace, &team, k & 4 ? 0 : SIZE_MAX),
                         CW_ERR_LABEL);
        assert_string_equal(cw_last_error(), text);
        cw_team_end(&team);
        for (size_t x = 0; x < 4 * n; x++)
            assert_int_equal(out[x], CANARY);
        free(index);
        free(in);
        free(out);
        free(workspace);
    }
}

/* Two and a half times as many items as a thread is called for, by so many threads: no worker more. */
static void no_more_threads_work_than_there_may(void **state)
{
    enum { N = 40960, WANTED = 2 };
    uint32_t *const index = (uint32_t *)malloc(N * sizeof *index);
    unsigned char *const in = room_of(4 * N), *const out = room_of(4 * N);
    const cw_permute_job job = {0, N, 4, in, out, index, 4};
    unsigned char *const workspace = room_of(cw_cpu_permute_workspace_by(&job, 0));
    struct cw_team team = {.wanted = WANTED};

    (void)state;
    assert_non_null(index);
    for (uint32_t i = 0; i < N; i++)
        index[i] = N - 1 - i;
    assert_int_equal(cw_cpu_permute_by(&job, workspace, &team, 0), CW_OK);
    assert_in_range(cw_team_workers(&team), 0, WANTED - 1);
    cw_team_end(&team);
    free(index);
    free(in);
    free(out);
    free(workspace);
}

static void workspace_is_an_array_and_places(void **state)
{
    size_t before = 0;

    (void)state;
    for (size_t n = 0; n < (size_t)1 << 33; n = n * 2 + 1) {
        const cw_permute_job job = {CW_CHECK, n, 4, NULL, NULL, NULL, 8};
        const size_t need = cw_cpu_permute_workspace(&job);

        assert_in_range(need, before, n * 8 + 1024);
        before = need;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_arrays_are_permuted),
        cmocka_unit_test(long_arrays_are_permuted_by_windows),
        cmocka_unit_test(megabytes_are_permuted),
        cmocka_unit_test(what_is_no_permutation_is_refused),
        cmocka_unit_test(no_more_threads_work_than_there_may),
        cmocka_unit_test(workspace_is_an_array_and_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
