/* test_shuffle.c - cw_shuffle moves elements as its bijection says, in whichever context CW_TEST_BACKEND names
 * (emulator, unless told). */
#include <stdlib.h>
#include <string.h>

#include "case_memory.h"
#include "permute_case.h"

struct trial {
    size_t n, bytes;
    uint64_t seed;
    int inverse;
    enum cw_permute_way way; /* AUTO: by cw_shuffle, else by its launches */
};

static cw_status call(const struct trial *t, const cw_shuffle_job *job)
{
    const int cuda = permute_context->backend == CW_CUDA;
    union cw_any_queue q;
    cw_status status;
    void *work;
    size_t need;

    permute_good(cw_shuffle_workspace(job, &need));
    if (t->way)
        need = (size_t)cw_shuffle_bytes(job, t->way, cuda);
    permute_good(case_memory_take(permute_context, need + 1, &work));
    if (t->way && permute_context->backend != CW_CPU) {
        cw_context_queue(permute_context, NULL, &q);
        cw_queue_buffer(&q.queue, job->in, job->n * job->bytes, 0);
        cw_queue_buffer(&q.queue, job->out, job->n * job->bytes, 1);
        cw_queue_buffer(&q.queue, work, need, 1);
        status = cw_shuffle_enqueue(&q.queue, job, t->way, cuda, work);
    } else {
        status = cw_shuffle(permute_context, job, work, need, NULL);
    }
    if (!status)
        status = cw_wait(permute_context, NULL);
    case_memory_give(permute_context, work);
    return status;
}

static void run(struct trial t)
{
    const size_t all = t.n * t.bytes;
    struct cw_random r = cw_random_from(t.seed);
    uint8_t *const in = (uint8_t *)malloc(all + 8), *const out = (uint8_t *)malloc(all + 8);
    void *dev_in, *dev_out;
    cw_shuffle_job job = {.n = t.n, .bytes = t.bytes, .seed = t.seed, .inverse = t.inverse};

    assert_true(in && out);
    for (size_t i = 0; i < all; i += 8) {
        const uint64_t x = cw_random_next(&r);

        memcpy(in + i, &x, 8);
    }
    permute_good(case_memory_take(permute_context, all, &dev_in));
    permute_good(case_memory_take(permute_context, all, &dev_out));
    permute_good(cw_memory_write(permute_context, dev_in, in, all));
    memset(out, 0x5a, all);
    permute_good(cw_memory_write(permute_context, dev_out, out, all));
    job.in = dev_in;
    job.out = dev_out;
    permute_good(call(&t, &job));
    permute_good(cw_memory_read(permute_context, out, dev_out, all));
    for (size_t i = 0; i < t.n; i++) {
        const uint64_t to = cw_shuffle_at(t.n, t.seed, i);

        assert_in_range(to, 0, t.n - 1);
        if (memcmp(out + (t.inverse ? i : to) * t.bytes, in + (t.inverse ? to : i) * t.bytes,
                   t.bytes) != 0)
            fail_msg("%zu elements of %zu bytes, seed %llu, inverse %d, way %d: %zu is elsewhere",
                     t.n, t.bytes, (unsigned long long)t.seed, t.inverse, (int)t.way, i);
    }
    case_memory_give(permute_context, dev_in);
    case_memory_give(permute_context, dev_out);
    free(in), free(out);
}

static void every_way_and_size_shuffles_alike(void **state)
{
    static const size_t lengths[] = {1, 2, 3, 63, 256, 257, 1000, 1025, 2600, 4096};
    uint64_t k = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 16; bytes *= 2)
        for (size_t x = 0; x < COUNT(lengths); x++)
            for (int way = CW_PERMUTE_AUTO; way <= CW_PERMUTE_PLACE; way++, k++)
                run((struct trial){permute_items(lengths[x]), bytes, cw_test_seed() + k,
                                   (int)(k / 2 % 2), (enum cw_permute_way)way});
}

static void rows_of_any_width_are_shuffled(void **state)
{
    static const size_t widths[] = {3, 5, 12, 24, 100, 1000, 4096, 7001};

    (void)state;
    for (size_t x = 0; x < COUNT(widths); x++)
        run((struct trial){widths[x] < 1000 ? 77 : 9, widths[x], cw_test_seed() + x, (int)x % 2,
                           CW_PERMUTE_AUTO});
}

static void what_goes_there_comes_back(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed());

    (void)state;
    for (uint64_t k = 0; k < 20000; k++) {
        const uint64_t n = (cw_random_next(&r) >> cw_random_below(&r, 64)) | 1;
        const uint64_t i = cw_random_next(&r) % n, seed = cw_random_next(&r);
        const uint64_t to = cw_shuffle_at(n, seed, i);

        if (to >= n || cw_shuffle_back(n, seed, to) != i)
            fail_msg("n %llu, seed %llu: %llu goes to %llu and does not come back",
                     (unsigned long long)n, (unsigned long long)seed, (unsigned long long)i,
                     (unsigned long long)to);
    }
}

/* What programs store must not change: seeds give the same order in every version. */
static void the_order_of_a_seed_is_fixed(void **state)
{
    static const uint64_t first[8] = {47489, 538580, 301328, 567980, 594690, 869054, 530267, 93510};

    (void)state;
    for (uint64_t i = 0; i < COUNT(first); i++)
        assert_int_equal(cw_shuffle_at(1000003, 42, i), first[i]);
}

static void misuse_is_refused(void **state)
{
    uint32_t a[64], b[64];
    const cw_shuffle_job right = {.n = 64, .bytes = 4, .in = a, .out = b};
    cw_shuffle_job job = right;

    (void)state;
    job.bytes = 0;
    assert_int_equal(cw_shuffle(permute_context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job.bytes = CW_ELEMENT_MAX + 1u;
    assert_int_equal(cw_shuffle(permute_context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right, job.out = a;
    assert_int_equal(cw_shuffle(permute_context, &job, NULL, 0, NULL), CW_ERR_OVERLAP);
    job = right, job.out = a + 1, job.n = 63;
    assert_int_equal(cw_shuffle(permute_context, &job, NULL, 0, NULL), CW_ERR_OVERLAP);
    job = right, job.in = NULL;
    assert_int_equal(cw_shuffle(permute_context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_shuffle(permute_context, NULL, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_shuffle(NULL, &right, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right, job.n = 0;
    assert_int_equal(cw_shuffle(permute_context, &job, NULL, 0, NULL), CW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_and_size_shuffles_alike),
        cmocka_unit_test(rows_of_any_width_are_shuffled),
        cmocka_unit_test(what_goes_there_comes_back),
        cmocka_unit_test(the_order_of_a_seed_is_fixed),
        cmocka_unit_test(misuse_is_refused),
    };

    return cmocka_run_group_tests(tests, permute_open, permute_close);
}
