/* test_permute_api.c - cw_permute moves every element to where the index says, in whichever context
 * CW_TEST_BACKEND names (emulator, unless told). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "case_memory.h"
#include "kernels/permute_plan.h"
#include "rows_case.h"

static cw_context *context;

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    return 0;
}

static int emulated(void)
{
    return rows_test_backend() == CW_EMULATOR;
}

static int on_gpu(void)
{
    return rows_test_backend() == CW_CUDA;
}

static int small(void)
{
    return !on_gpu() && !(emulated() && CW_FULL_SHAPES);
}

/* On a GPU tiles and bins are larger: there must be more. */
static size_t items(size_t n)
{
    return small() ? n : emulated() || cw_quick_run() ? 40 * n : 1000 * n + 1;
}

enum pattern { RANDOM, IDENTITY, REVERSE, ROTATED, STRIDED, PATTERNS };

struct trial {
    size_t n, bytes, index_bytes, shift; /* shift: elements that arrays begin after 256 bytes */
    unsigned flags;
    enum pattern pattern;
    enum cw_permute_way way; /* AUTO: by cw_permute, else by its launches */
    uint64_t seed;
    int out_of_range, twice; /* how many indices are spoilt */
    cw_status want;
};

struct arrays {
    uint64_t *p;
    uint8_t *in, *out, *index; /* on the host */
    void *dev_in, *dev_out, *dev_index, *work;
    size_t work_bytes;
};

/* ---- inputs --------------------------------------------------------------------------------- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static void fill_index(const struct trial *t, uint64_t *p, struct cw_random *r)
{
    uint64_t stride = t->n / 3 + 1;

    while (gcd(stride, t->n) != 1)
        stride++;
    for (size_t i = 0; i < t->n; i++) {
        switch (t->pattern) {
        case REVERSE:
            p[i] = t->n - 1 - i;
            break;
        case ROTATED:
            p[i] = (i + t->n / 3) % t->n;
            break;
        case STRIDED:
            p[i] = i * stride % t->n;
            break;
        default:
            p[i] = i;
        }
    }
    for (size_t i = t->n; t->pattern == RANDOM && i-- > 1;) {
        const size_t j = (size_t)cw_random_below(r, i + 1);
        const uint64_t x = p[i];

        p[i] = p[j];
        p[j] = x;
    }
    for (int k = 0; k < t->out_of_range; k++)
        p[cw_random_below(r, t->n)] =
            k % 2 || t->index_bytes == 4 ? t->n + cw_random_below(r, 1000) : UINT64_MAX - 5;
    for (int k = 0; k < t->twice; k++)
        p[cw_random_below(r, t->n)] = p[cw_random_below(r, t->n)];
}

static void set_index(const struct trial *t, struct arrays *a)
{
    for (size_t i = 0; i < t->n; i++) {
        const uint32_t narrow = (uint32_t)a->p[i];

        memcpy(a->index + i * t->index_bytes,
               t->index_bytes == 8 ? (const void *)&a->p[i] : &narrow, t->index_bytes);
    }
}

static void good(cw_status status)
{
    if (status)
        fail_msg("%s", cw_last_error());
}

static cw_permute_job job_of(const struct trial *t, const struct arrays *a)
{
    const cw_permute_job job = {.flags = t->flags,
                                .n = t->n,
                                .bytes = t->bytes,
                                .in = (const uint8_t *)a->dev_in + t->shift * t->bytes,
                                .out = (uint8_t *)a->dev_out + t->shift * t->bytes,
                                .index = (const uint8_t *)a->dev_index + t->shift * t->index_bytes,
                                .index_bytes = t->index_bytes};

    return job;
}

static void make(const struct trial *t, struct arrays *a)
{
    struct cw_random r = cw_random_from(t->seed);
    const size_t data = t->n * t->bytes, index = t->n * t->index_bytes;

    a->p = (uint64_t *)malloc((t->n + 1) * sizeof *a->p);
    a->in = (uint8_t *)malloc(data + 1);
    a->out = (uint8_t *)malloc(data + 1);
    a->index = (uint8_t *)malloc(index + 1);
    assert_true(a->p && a->in && a->out && a->index);
    fill_index(t, a->p, &r);
    set_index(t, a);
    for (size_t i = 0; i < data; i += 8) {
        const uint64_t x = cw_random_next(&r);

        memcpy(a->in + i, &x, data - i < 8 ? data - i : 8);
    }
    memset(a->out, 0x5a, data);
    good(case_memory_take(context, data + t->shift * t->bytes, &a->dev_in));
    good(case_memory_take(context, data + t->shift * t->bytes, &a->dev_out));
    good(case_memory_take(context, index + t->shift * t->index_bytes, &a->dev_index));
    good(cw_memory_write(context, (uint8_t *)a->dev_in + t->shift * t->bytes, a->in, data));
    good(cw_memory_write(context, (uint8_t *)a->dev_out + t->shift * t->bytes, a->out, data));
    good(cw_memory_write(context, (uint8_t *)a->dev_index + t->shift * t->index_bytes, a->index,
                         index));
}

static void drop(struct arrays *a)
{
    free(a->p);
    free(a->in);
    free(a->out);
    free(a->index);
    case_memory_give(context, a->dev_in);
    case_memory_give(context, a->dev_out);
    case_memory_give(context, a->dev_index);
    case_memory_give(context, a->work);
}

/* ---- a trial -------------------------------------------------------------------------------- */

/* By the way that is asked for: launches as cw_permute sends them. */
static cw_status by_launches(const struct trial *t, struct arrays *a)
{
    const int cuda = context->backend == CW_CUDA;
    const cw_permute_job job = job_of(t, a);
    union cw_any_queue q;

    a->work_bytes = (size_t)cw_permute_bytes(&job, t->way, cuda);
    good(case_memory_take(context, a->work_bytes, &a->work));
    cw_context_queue(context, NULL, &q);
    cw_queue_buffer(&q.queue, job.in, t->n * t->bytes, 0);
    cw_queue_buffer(&q.queue, job.out, t->n * t->bytes, 1);
    cw_queue_buffer(&q.queue, job.index, t->n * t->index_bytes, 0);
    cw_queue_buffer(&q.queue, a->work, a->work_bytes, 1);
    return cw_permute_enqueue(&q.queue, &job, t->way, cuda, a->work);
}

static cw_status by_call(const struct trial *t, struct arrays *a)
{
    const cw_permute_job job = job_of(t, a);

    good(cw_permute_workspace(&job, &a->work_bytes));
    good(case_memory_take(context, a->work_bytes, &a->work));
    return cw_permute(context, &job, a->work, a->work_bytes, NULL);
}

/* Elements that are not where they belong; if places are named twice, no scatter says where. */
static size_t wrong(const struct trial *t, const struct arrays *a)
{
    size_t count = 0;

    for (size_t i = 0; i < t->n; i++) {
        const uint64_t p = a->p[i];
        const int gather = (t->flags & CW_GATHER) != 0;

        if (p < t->n && (gather || !t->twice))
            count += memcmp(a->out + (gather ? i : p) * t->bytes,
                            a->in + (gather ? p : i) * t->bytes, t->bytes) != 0;
    }
    return count;
}

static size_t untouched(const struct trial *t, const struct arrays *a)
{
    size_t count = 0;

    for (size_t i = 0; i < t->n * t->bytes; i++)
        count += a->out[i] == 0x5a;
    return count == t->n * t->bytes;
}

/* 0 if it went as it must. */
static int run(struct trial t)
{
    struct arrays a = {0};
    cw_status status;
    size_t bad = 0;

    make(&t, &a);
    status = t.way && rows_test_backend() != CW_CPU ? by_launches(&t, &a) : by_call(&t, &a);
    if (!status)
        status = cw_wait(context, NULL);
    good(cw_memory_read(context, a.out, (uint8_t *)a.dev_out + t.shift * t.bytes, t.n * t.bytes));
    if (status == t.want)
        bad = status ? !untouched(&t, &a) : wrong(&t, &a);
    if (bad || status != t.want)
        print_message("n %zu bytes %zu index %zu shift %zu flags %u pattern %d way %d seed %llu: "
                      "%s, %zu wrong (%s)\n",
                      t.n, t.bytes, t.index_bytes, t.shift, t.flags, (int)t.pattern, (int)t.way,
                      (unsigned long long)t.seed, cw_status_name(status), bad, cw_last_error());
    drop(&a);
    return bad || status != t.want;
}

static struct trial trial_of(size_t n, size_t bytes, uint64_t salt)
{
    const struct trial t = {
        .n = n, .bytes = bytes, .index_bytes = salt % 3 ? 4 : 8, .seed = cw_test_seed() + salt};

    return t;
}

static int both_directions(struct trial t)
{
    const int failed = run(t);

    t.flags ^= CW_GATHER;
    t.index_bytes = 12 - t.index_bytes;
    t.shift = t.shift ? 0 : 3;
    return failed + run(t);
}

/* ---- claims --------------------------------------------------------------------------------- */

static void every_length_is_permuted(void **state)
{
    static const size_t lengths[] = {0,   1,   2,   3,    31,   32,   33,   255,  256,  257, 299,
                                     300, 511, 512, 1023, 1024, 1025, 2047, 2049, 3001, 4099};
    static const size_t more[] = {65537, 1000003, (1u << 22) - 1, (1u << 22) + 1, (1u << 25) + 7};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++)
        failed += both_directions(trial_of(lengths[x], 4, x));
    for (size_t x = 0; x < COUNT(more) && !emulated() && (x < 3 || (on_gpu() && !cw_quick_run()));
         x++)
        failed += both_directions(trial_of(more[x], 4, 100 + x));
    assert_int_equal(failed, 0);
}

static void every_way_permutes(void **state)
{
    static const size_t bytes[] = {1, 2, 4, 8, 16};
    static const size_t lengths[] = {1, 700, 1024, 2500, 4096};
    int failed = 0;

    (void)state;
    for (size_t b = 0; b < COUNT(bytes); b++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            for (int way = CW_PERMUTE_NAIVE; way <= CW_PERMUTE_ROUTE; way++) {
                struct trial t = trial_of(lengths[x], bytes[b], 200 + 10 * x + b);

                t.n = items(t.n);
                t.way = (enum cw_permute_way)way;
                t.flags = way == CW_PERMUTE_ROUTE ? CW_GATHER : 0;
                t.shift = x % 2;
                if (way != CW_PERMUTE_NAIVE || b < 2)
                    failed += run(t);
            }
        }
    }
    assert_int_equal(failed, 0);
}

static void every_pattern_is_permuted(void **state)
{
    int failed = 0;

    (void)state;
    for (int p = 0; p < PATTERNS; p++) {
        struct trial t = trial_of(items(3000), 4, 300 + (unsigned)p);

        t.pattern = (enum pattern)p;
        failed += both_directions(t);
        t.way = CW_PERMUTE_PLACE;
        failed += run(t);
        t.flags = CW_GATHER;
        t.way = CW_PERMUTE_ROUTE;
        failed += run(t);
    }
    assert_int_equal(failed, 0);
}

static void elements_of_1_to_256_bytes_are_permuted(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 256; bytes += bytes < 34 ? 1 : 37) {
        struct trial t = trial_of(emulated() || cw_quick_run() ? 97 : 10007, bytes, 400 + bytes);

        failed += both_directions(t);
    }
    failed += both_directions(trial_of(53, 256, 1));
    assert_int_equal(failed, 0);
}

/* Indices out of range are left out, in every way; the emulator sees that no access leaves the
 * arrays.  Twice: the same, where no two threads write to one word of shared memory. */
static void bad_indices_do_no_harm(void **state)
{
    int failed = 0;

    (void)state;
    for (int way = CW_PERMUTE_AUTO; way <= CW_PERMUTE_ROUTE; way++) {
        for (size_t n = 300; n < 4000; n += 1234) {
            struct trial t = trial_of(items(n), 4, 500 + n);

            t.way = (enum cw_permute_way)way;
            t.flags = way == CW_PERMUTE_ROUTE ? CW_GATHER : 0;
            t.out_of_range = 50;
            failed += run(t);
            t.twice = emulated() && (way == CW_PERMUTE_PLACE || way == CW_PERMUTE_AUTO) ? 0 : 100;
            failed += run(t);
            t.out_of_range = 0;
            failed += run(t);
        }
    }
    assert_int_equal(failed, 0);
}

/* All indices equal: a bin gets all items. */
static void a_gather_may_ask_for_one_element_often(void **state)
{
    struct trial t = trial_of(items(3000), 4, 600);

    (void)state;
    t.pattern = IDENTITY;
    t.flags = CW_GATHER;
    t.twice = (int)t.n;
    t.way = CW_PERMUTE_ROUTE;
    assert_int_equal(run(t), 0);
}

static void a_check_refuses_bad_indices_and_names_the_first(void **state)
{
    const size_t n = emulated() || cw_quick_run() ? 3000 : 300000;
    const uint64_t bad[] = {n, 5};
    char text[100];

    (void)state;
    for (size_t x = 0; x < COUNT(bad); x++) {
        struct trial t = trial_of(n, 4, 700 + x);
        struct arrays a = {0};
        size_t first = n;

        t.flags = CW_CHECK | (x ? CW_GATHER : 0);
        make(&t, &a);
        a.p[n / 2] = bad[x];
        a.p[n - 1] = bad[x];
        for (size_t i = 0; i < n; i++) { /* with 5 there are three: the second is meant */
            size_t before = 0;

            for (size_t j = 0; j < i && a.p[i] == 5; j++)
                before += a.p[j] == 5;
            if (first == n && (a.p[i] >= n || before))
                first = i;
        }
        set_index(&t, &a);
        good(cw_memory_write(context, (uint8_t *)a.dev_index, a.index, n * t.index_bytes));
        assert_int_equal(by_call(&t, &a), CW_ERR_LABEL);
        (void)snprintf(text, sizeof text, "index %zu is %llu:", first, (unsigned long long)bad[x]);
        if (strncmp(cw_last_error(), text, strlen(text)) != 0)
            fail_msg("%s, not %s", cw_last_error(), text);
        good(cw_memory_read(context, a.out, a.dev_out, n * t.bytes));
        assert_true(untouched(&t, &a));
        drop(&a);
    }
}

static void a_check_lets_permutations_pass(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t n = 1; n < 5000; n = 3 * n + 1) {
        struct trial t = trial_of(n, 8, 800 + n);

        t.flags = CW_CHECK;
        failed += both_directions(t);
    }
    assert_int_equal(failed, 0);
}

static cw_status refused(cw_permute_job job)
{
    size_t need = 0;
    char workspace[512];

    return cw_permute_workspace(&job, &need) ? cw_permute_workspace(&job, &need)
                                             : cw_permute(context, &job, workspace, 0, NULL);
}

static void misuse_is_refused(void **state)
{
    uint32_t a[64], b[64], p[64];
    const cw_permute_job right = {
        .n = 64, .bytes = 4, .in = a, .out = b, .index = p, .index_bytes = 4};
    cw_permute_job job = right;

    (void)state;
    job.bytes = 0;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job.bytes = 257;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.index_bytes = 2;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.flags = CW_DESCENDING;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.index = NULL;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.out = a + 1;
    job.n = 63;
    assert_int_equal(refused(job), CW_ERR_OVERLAP);
    job = right;
    job.in = (const uint8_t *)a + 1;
    job.n = 60;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.flags = CW_CHECK;
    assert_int_equal(refused(job), CW_ERR_WORKSPACE);
    assert_int_equal(cw_permute(context, NULL, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_permute(NULL, &right, NULL, 0, NULL), CW_ERR_ARGUMENT);
}

static void the_workspace_grows_with_n(void **state)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 24};

    (void)state;
    for (size_t b = 0; b < COUNT(sizes); b++) {
        for (unsigned flags = 0; flags <= CW_GATHER; flags += CW_GATHER) {
            size_t last = 0;

            for (size_t n = 1; n < (size_t)1 << 31; n += n / 7 + 1) {
                const cw_permute_job job = {
                    .flags = flags, .n = n, .bytes = sizes[b], .index_bytes = 8};
                size_t need = 0;

                assert_int_equal(cw_permute_workspace(&job, &need), CW_OK);
                assert_true(need >= last);
                assert_true(need <= n * (7 + sizes[b]) + (1u << 20));
                last = need;
            }
        }
    }
}

static void random_jobs(void **state)
{
    const unsigned cases = cw_test_cases(cw_long_run() ? 10000 : CW_FEW ? 20 : 100);
    const size_t most = small() ? 2500 : emulated() || cw_quick_run() ? 200000 : 2000000;
    struct cw_random r = cw_random_from(cw_test_seed());
    int failed = 0;

    (void)state;
    for (unsigned k = 0; k < cases && failed < 5; k++) {
        struct trial t = trial_of(
            (size_t)cw_random_below(&r, small() ? most : 2 + (most >> cw_random_below(&r, 14))),
            (size_t)1 << cw_random_below(&r, 5), cw_random_next(&r));

        if (cw_random_below(&r, 4) == 0)
            t.bytes = (size_t)cw_random_below(&r, 40) + 1;
        t.pattern = (enum pattern)cw_random_below(&r, PATTERNS);
        t.flags = cw_random_below(&r, 2) ? CW_GATHER : 0;
        t.shift = (size_t)cw_random_below(&r, 5);
        t.way = (enum cw_permute_way)cw_random_below(&r, CW_PERMUTE_ROUTE + 1);
        if (t.n && cw_random_below(&r, 3) == 0)
            t.out_of_range = (int)cw_random_below(&r, 20);
        failed += run(t);
    }
    print_message("%u cases, seed %llu: %d failed\n", cases, (unsigned long long)cw_test_seed(),
                  failed);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_permuted),
        cmocka_unit_test(every_way_permutes),
        cmocka_unit_test(every_pattern_is_permuted),
        cmocka_unit_test(elements_of_1_to_256_bytes_are_permuted),
        cmocka_unit_test(bad_indices_do_no_harm),
        cmocka_unit_test(a_gather_may_ask_for_one_element_often),
        cmocka_unit_test(a_check_refuses_bad_indices_and_names_the_first),
        cmocka_unit_test(a_check_lets_permutations_pass),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(the_workspace_grows_with_n),
        cmocka_unit_test(random_jobs),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
