/* test_sort_state.c - one state serves all launches of the LSD radix sort (sort/lsd/pass.h): after each, no word says what the next
 * launch's words will say.  Looked at on the emulator, where a launch has five tiles at most. */
#include <stdlib.h>

#include "backend/emulated/queue.h"
#include "prim/look_back.h"
#include "sort/lsd/job.h"
#include "sort/sort.h"
#include "test.h"

struct seen {
    uint32_t launches[2]; /* that say LOOK_ALL, LOOK_ALL_TOO */
    uint32_t none;        /* whose pass does not run */
    uint32_t wrong;       /* words that have another flag than their launch */
};

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct seen *const s = (struct seen *)user;
    const struct lsd_job *const j = (const struct lsd_job *)l->arg;
    const struct lsd_route *r;
    uint32_t too;

    (void)e;
    if (l->kernel != CW_KERNEL_cw_sort_lsd_k4_pass)
        return;
    r = j->routes + j->pass;
    too = (r->before * j->portions + j->portion) % 2u;
    s->none += !r->run;
    s->launches[too] += r->run;
    for (uint32_t i = 0; r->run && i < LSD_BUCKETS * j->rows; i++) {
        const uint32_t flag = j->state[i] >> 30 << 30;

        s->wrong += flag != 0 && flag != (too ? LOOK_ALL_TOO : LOOK_ALL);
    }
}

/* Sort n keys, random in the bits of a mask, of room for `most`, by their lowest 31 bits. */
static struct seen sorted(uint32_t n, uint32_t most, uint32_t mask)
{
    struct cw_random r = cw_random_from(cw_test_seed() + n);
    struct seen s = {{0, 0}, 0, 0};
    uint32_t *const keys = (uint32_t *)malloc(most * sizeof *keys);
    uint32_t *const out = (uint32_t *)malloc(most * sizeof *out);
    cw_array job = {.type = CW_U32, .n = most, .bits = 31, .keys_in = keys, .keys_out = out};
    const size_t bytes = cw_sort_bytes(&job, CW_SHAPES_TINY);
    void *const workspace = aligned_alloc(256, (bytes + 255u) / 256u * 256u);
    struct cw_emulated_queue q;

    assert_true(keys && out && workspace);
    for (uint32_t i = 0; i < most; i++)
        keys[i] = (uint32_t)cw_random_next(&r) & mask;
    if (n < most) {
        job.count = &n;
        job.count_bytes = 4;
    }
    cw_emulated_queue_begin(&q);
    q.hook = look;
    q.user = &s;
    cw_queue_buffer(&q.queue, keys, most * 4u, 0);
    cw_queue_buffer(&q.queue, out, most * 4u, 1);
    cw_queue_buffer(&q.queue, &n, sizeof n, 0);
    cw_queue_buffer(&q.queue, workspace, bytes, 1);
    assert_int_equal(cw_sort_enqueue(&q.queue, &job, CW_SHAPES_TINY, workspace), CW_OK);
    for (uint32_t i = 1; i < n; i++)
        assert_true(out[i - 1] <= out[i]);
    free(workspace);
    free(out);
    free(keys);
    return s;
}

static void launches_leave_no_word_that_the_next_one_could_take_for_its_own(void **state)
{
    /* tiles of 1024: one portion, two, three; the last portion full, or of one tile */
    static const uint32_t lengths[] = {5000, 5121, 9000, 10240, 11000, 15360};

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        for (int less = 0; less < 3; less++) { /* as many as the count on the device says */
            const uint32_t n = lengths[x] - (less == 1 ? 3000u : less == 2 ? lengths[x] - 7u : 0u);

            for (int few = 0; few < 2; few++) {
                const struct seen s = sorted(n, lengths[x], few ? 0x7f00ff00u : 0x7fffffffu);

                assert_int_equal(s.wrong, 0);
                assert_true(s.launches[0] && s.launches[1]);
                assert_true(few ? s.none != 0 : s.none == 0);
            }
        }
    }
    print_message("seed %llu\n", (unsigned long long)cw_test_seed());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_leave_no_word_that_the_next_one_could_take_for_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
