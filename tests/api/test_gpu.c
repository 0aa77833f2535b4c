/* test_gpu.c - the limits of GPUs, and launches that are held to them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/emulated/queue.h"
#include "support/test.h"

static void every_family_has_its_limits(void **state)
{
    static const struct {
        const char *name;
        uint32_t shared, threads;
        int clusters, reduce;
    } want[] = {
        {"sm_75", 65536, 1024, 0, 0},   {"sm_80", 166912, 1024, 0, 1},
        {"sm_86", 101376, 1024, 0, 1},  {"sm_89", 101376, 1024, 0, 1},
        {"sm_90", 232448, 1024, 1, 1},  {"sm_100", 232448, 1024, 1, 1},
        {"sm_120", 101376, 1024, 1, 1},
    };

    (void)state;
    for (size_t x = 0; x < COUNT(want); x++) {
        const struct cw_gpu *const gpu = cw_gpu_find(want[x].name);

        assert_non_null(gpu);
        assert_int_equal(gpu->shared, want[x].shared);
        assert_int_equal(gpu->threads, want[x].threads);
        assert_int_equal(gpu->clusters, want[x].clusters);
        assert_int_equal(gpu->warp_reduce, want[x].reduce);
        assert_int_equal(gpu->capability, strtoul(want[x].name + 3, NULL, 10));
        assert_true(gpu->shared <= gpu->processor_shared);
        assert_true(gpu->threads <= gpu->processor_threads);
    }
    assert_non_null(cw_gpu_find("tiny"));
    assert_ptr_equal(cw_gpu_find("emulator"), &cw_gpu_emulator);
    assert_null(cw_gpu_find("sm_7"));
    assert_null(cw_gpu_at(COUNT(want) + 1));
}

static void as_many_blocks_are_resident_as_fit(void **state)
{
    const struct cw_gpu *const h200 = cw_gpu_find("sm_90");

    (void)state;
    assert_int_equal(cw_gpu_resident(h200, 512, 0), 4 * 132);
    assert_int_equal(cw_gpu_resident(h200, 512, 115000), 2 * 132);
    assert_int_equal(cw_gpu_resident(h200, 512, 232448), 132);
    assert_int_equal(cw_gpu_resident(h200, 33, 0), 32 * 132);
    assert_int_equal(cw_gpu_resident(h200, 512, 232449), 0);
    assert_int_equal(cw_gpu_resident(h200, 1025, 0), 0);
    assert_int_equal(cw_gpu_resident(h200, 0, 0), 0);
}

/* Refused, and says so. */
static void refuses(struct cw_emulated_queue *q, const struct cw_launch *l, const char *why)
{
    assert_int_equal(q->queue.launch(&q->queue, l), CW_ERR_DEVICE);
    if (!strstr(cw_last_error(), why))
        fail_msg("'%s' does not say '%s'", cw_last_error(), why);
}

static void a_launch_that_does_not_fit_is_refused(void **state)
{
    struct cw_launch l = {CW_KERNEL_cw_sort_index_gather, 1, 256, 101392, NULL, 0};
    struct cw_emulated_queue q;
    uint32_t most;

    (void)state;
    cw_emulated_queue_begin(&q);
    cw_emulated_queue_gpu(&q, cw_gpu_find("sm_75"));
    refuses(&q, &l, "sm_75: kernels need compute capability 8.0");
    cw_emulated_queue_gpu(&q, cw_gpu_find("sm_86"));
    assert_int_equal(q.queue.processors, 84);
    refuses(&q, &l, "on sm_86 a block has 101376 at most");
    l.shared = 0;
    l.threads = 1056;
    refuses(&q, &l, "a block of 1056 threads");
    l.threads = 1024;
    l.blocks = UINT32_C(1) << 31;
    refuses(&q, &l, "at most 2^31 - 1");
    l.blocks = 85;
    l.cooperative = 1;
    refuses(&q, &l, "sm_86 runs 84 of them at a time");
    assert_int_equal(q.queue.resident(&q.queue, &l, &most), CW_OK);
    assert_int_equal(most, 84);
    cw_emulated_queue_gpu(&q, cw_gpu_find("tiny"));
    refuses(&q, &l, "a cooperative launch: tiny has none");
    assert_int_equal(q.queue.resident(&q.queue, &l, &most), CW_OK);
    assert_int_equal(most, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_its_limits),
        cmocka_unit_test(as_many_blocks_are_resident_as_fit),
        cmocka_unit_test(a_launch_that_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
