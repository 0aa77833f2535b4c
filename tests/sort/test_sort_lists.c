/* test_sort_lists.c - sorts of arrays so long that lists of rows and buckets are worked off after every
 * pass (sort/radix/space.c), looked at on the emulator, for whose kernels 20001 keys are long. */
#include <stdlib.h>

#include "array_case.h"
#include "backend/emulated/queue.h"
#include "sort/radix/job.h"
#include "sort/sort.h"
#include "test.h"

struct seen {
    uint32_t drains; /* launches in which lists were worked off */
    uint32_t waits;  /* launches after which a bucket waited for room */
    uint32_t full;   /* launches after which a list had more rows than room */
    uint32_t left;   /* buckets that still waited after a last round */
};

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct seen *const s = (struct seen *)user;
    const struct radix_job *const j = (const struct radix_job *)l->arg;
    uint32_t waiting = 0;

    (void)e;
    if (l->kernel != CW_KERNEL_cw_sort_radix_u32_medium)
        return;
    s->drains += j->drains;
    for (uint32_t b = 0; b < RADIX_MEDIUM_BLOCKS; b++)
        waiting += j->state->waiting[b] != 0;
    s->waits += waiting != 0;
    s->left += j->forced ? waiting : 0u;
    for (int c = 0; c < RADIX_ROWS; c++)
        s->full += j->state->rows[j->half][c] > j->row_room[c];
}

/* Keys are random in the bits of a mask. */
static struct seen sorted(uint32_t n, uint32_t mask)
{
    struct cw_random r = cw_random_from(cw_test_seed());
    struct seen s = {0};
    uint32_t *const keys = (uint32_t *)malloc(n * sizeof *keys);
    uint32_t *const out = (uint32_t *)malloc(n * sizeof *out);
    cw_array job = {.type = CW_U32, .n = n, .bits = 32, .keys_in = keys, .keys_out = out};
    const size_t bytes = cw_sort_bytes(&job, CW_SHAPES_TINY);
    void *const workspace = aligned_alloc(256, (bytes + 255u) / 256u * 256u);
    struct cw_emulated_queue q;
    uint64_t sum = 0;

    assert_true(keys && out && workspace);
    for (uint32_t i = 0; i < n; i++)
        sum += keys[i] = (uint32_t)cw_random_next(&r) & mask;
    cw_emulated_queue_begin(&q);
    q.hook = look;
    q.user = &s;
    cw_queue_buffer(&q.queue, keys, n * 4u, 0);
    cw_queue_buffer(&q.queue, out, n * 4u, 1);
    cw_queue_buffer(&q.queue, workspace, bytes, 1);
    assert_int_equal(cw_sort_enqueue(&q.queue, &job, CW_SHAPES_TINY, workspace), CW_OK);
    for (uint32_t i = 0; i < n; i++) {
        sum -= out[i];
        assert_true(!i || out[i - 1] <= out[i]);
    }
    assert_true(sum == 0);
    free(workspace);
    free(out);
    free(keys);
    return s;
}

/* ---- claims --------------------------------------------------------------------------------- */

static void short_arrays_have_lists_for_all_rows(void **state)
{
    (void)state;
    assert_int_equal(sorted(20000, UINT32_MAX).drains, 0);
}

static void parts_wait_until_there_is_room_for_their_rows(void **state)
{
    const struct seen s = sorted(270011, 0xfc00ffff); /* 64 clusters */

    (void)state;
    assert_true(s.drains > 0);
#if !CW_FULL_SHAPES /* which have more room */
    assert_true(s.waits > 0);
#endif
    assert_int_equal(s.full, 0);
    assert_int_equal(s.left, 0);
}

static void every_input_is_sorted(void **state)
{
    cw_context *context;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    for (int p = 0; p < ARRAY_PATTERNS; p += CW_SANITIZED ? 4 : 1) {
        struct array_case c = {.type = p % 3 == 1 ? CW_I64 : CW_U32,
                               .n = 20001u + 997u * (unsigned)p,
                               .keys = 1,
                               .value_bytes = p % 3 == 2 ? 4 : 0,
                               .flags = p % 2 ? CW_STABLE : 0,
                               .in_place = p % 4 == 3,
                               .pattern = (enum array_pattern)p,
                               .seed = cw_test_seed() + (unsigned)p};

        failed += array_case_run(context, &c);
    }
    cw_context_destroy(context);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_arrays_have_lists_for_all_rows),
        cmocka_unit_test(parts_wait_until_there_is_room_for_their_rows),
        cmocka_unit_test(every_input_is_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
