/* test_permute_count.c - cw_permute of as many elements as a word in the context's memory says, in whichever context
 * CW_TEST_BACKEND names (emulator, unless told), and on the host. */
#include <stdlib.h>
#include <string.h>

#include "rows_case.h"

struct counted {
    size_t n, bytes, index_bytes, count_bytes;
    uint64_t said; /* what the word says */
    unsigned flags;
    uint64_t seed;
};

/* A random permutation. */
static void shuffle(uint64_t *p, size_t n, uint64_t seed)
{
    struct cw_random r = cw_random_from(seed);

    for (size_t i = 0; i < n; i++) {
        const size_t j = (size_t)cw_random_below(&r, i + 1);

        p[i] = p[j];
        p[j] = i;
    }
}

static void *sent(cw_context *context, const void *host, size_t bytes)
{
    void *there = NULL;

    assert_int_equal(cw_memory_alloc(context, bytes + 16, &there), CW_OK);
    assert_int_equal(cw_memory_write(context, there, host, bytes), CW_OK);
    return there;
}

/* Elements that are not named stay as they were. */
static int is_right(const struct counted *c, const uint64_t *p, const unsigned char *in,
                    const unsigned char *before, const unsigned char *after)
{
    const size_t items = c->said < c->n ? (size_t)c->said : c->n, all = c->n * c->bytes;
    unsigned char *const want = (unsigned char *)malloc(all + 1);
    int right;

    assert_non_null(want);
    memcpy(want, before, all);
    for (size_t i = 0; i < items; i++) {
        const size_t from = c->flags & CW_GATHER ? (size_t)p[i] : i;
        const size_t to = c->flags & CW_GATHER ? i : (size_t)p[i];

        memcpy(want + to * c->bytes, in + from * c->bytes, c->bytes);
    }
    right = memcmp(want, after, all) == 0;
    free(want);
    return right;
}

static int fails(cw_context *context, const struct counted *c)
{
    const size_t all = c->n * c->bytes;
    uint64_t *const p = (uint64_t *)malloc(c->n * 8 + 8);
    uint32_t *const p4 = (uint32_t *)malloc(c->n * 4 + 4);
    unsigned char *const in = (unsigned char *)malloc(3 * all + 3), *const before = in + all,
                         *const after = before + all;
    cw_permute_job job = {.flags = c->flags, .n = c->n, .bytes = c->bytes};
    void *room = NULL;
    size_t need = 0;
    cw_status status;
    int right;

    assert_true(p && p4 && in);
    shuffle(p, c->n, c->seed);
    for (size_t i = 0; i < c->n; i++)
        p4[i] = (uint32_t)p[i];
    for (size_t i = 0; i < 2 * all; i++)
        in[i] = (unsigned char)(i * 2654435761u >> 13);
    job.in = sent(context, in, all);
    job.out = sent(context, before, all);
    job.index = sent(context, c->index_bytes == 4 ? (void *)p4 : (void *)p, c->n * c->index_bytes);
    job.index_bytes = c->index_bytes;
    job.count = sent(context, &c->said, c->count_bytes);
    job.count_bytes = c->count_bytes;
    assert_int_equal(cw_permute_workspace(&job, &need), CW_OK);
    assert_int_equal(cw_memory_alloc(context, need + 1, &room), CW_OK);
    status = cw_permute(context, &job, room, need, NULL);
    assert_int_equal(cw_memory_read(context, after, job.out, all), CW_OK);
    right = !status && is_right(c, p, in, before, after);
    if (!right)
        print_message("%s: n %zu, %zu bytes, index %zu, count %llu (%zu), flags %u, seed %llu\n",
                      status ? cw_last_error() : "an element is wrong", c->n, c->bytes,
                      c->index_bytes, (unsigned long long)c->said, c->count_bytes, c->flags,
                      (unsigned long long)c->seed);
    cw_memory_free(context, room);
    cw_memory_free(context, (void *)job.in);
    cw_memory_free(context, job.out);
    cw_memory_free(context, (void *)job.index);
    cw_memory_free(context, (void *)job.count);
    free(in);
    free(p4);
    free(p);
    return !right;
}

static void as_many_as_the_count_says_are_moved(void **state)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3, 12, 40, 100};
    cw_context *context, *host;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    assert_int_equal(cw_context_create(CW_CPU, &host), CW_OK);
    for (size_t x = 0; x < 8 * COUNT(sizes); x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + x);
        struct counted c = {.n = 1u + (size_t)cw_random_below(&r, 1500),
                            .bytes = sizes[x % COUNT(sizes)],
                            .index_bytes = x & 1 ? 4 : 8,
                            .count_bytes = x & 2 ? 4 : 8,
                            .flags = (x & 4 ? CW_GATHER : 0u) | (x % 3 == 0 ? CW_CHECK : 0u),
                            .seed = cw_test_seed() + x};

        c.said = x % 7 == 0 ? c.n + 5 : cw_random_below(&r, c.n + 1);
        failed += fails(x % 4 == 3 ? host : context, &c);
    }
    cw_context_destroy(context);
    cw_context_destroy(host);
    assert_int_equal(failed, 0);
}

static void a_count_has_four_or_eight_bytes(void **state)
{
    const uint32_t index = 0, count = 1;
    uint32_t out = 0;
    cw_permute_job job = {.n = 1,
                          .bytes = 4,
                          .in = &index,
                          .out = &out,
                          .index = &count,
                          .index_bytes = 4,
                          .count = &index,
                          .count_bytes = 2};
    size_t need;

    (void)state;
    assert_int_equal(cw_permute_workspace(&job, &need), CW_ERR_ARGUMENT);
    job.count = NULL;
    job.count_bytes = 4;
    assert_int_equal(cw_permute_workspace(&job, &need), CW_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_as_the_count_says_are_moved),
                                       cmocka_unit_test(a_count_has_four_or_eight_bytes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
