/* test_permute_survey.c - before a gather some of the index is looked at, on the emulator: what the kernel counts.
 *
 * It decides how tiles are moved, not what comes out, so tests of that would not notice.
 */
#include <stdlib.h>
#include <string.h>

#include "launched.h"
#include "permute/job.h"
#include "test.h"

#define N 4000u

static uint32_t seen[PERMUTE_REGIONS], fresh[PERMUTE_REGIONS], window;

static void note_survey(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    const struct permute_survey *const arg = (const struct permute_survey *)l->arg;

    launched_note(user, l, e);
    if (l->kernel != CW_KERNEL_cw_permute_survey)
        return;
    window = arg->window;
    for (uint32_t r = 0; r < PERMUTE_REGIONS; r++) {
        seen[r] = arg->counts[2u * r];
        fresh[r] = arg->counts[2u * r + 1u];
    }
}

/* Gather by places, as indices of so many bytes. */
static void gather(const uint64_t *place, size_t index_bytes)
{
    uint32_t *in, *out;
    unsigned char *index;
    void *workspace;
    size_t need;
    cw_permute_job job = {.flags = CW_GATHER, .n = N, .bytes = 4, .index_bytes = index_bytes};

    assert_int_equal(cw_memory_alloc(context, N * 4, (void **)&in), CW_OK);
    assert_int_equal(cw_memory_alloc(context, N * 4, (void **)&out), CW_OK);
    assert_int_equal(cw_memory_alloc(context, N * index_bytes, (void **)&index), CW_OK);
    for (uint32_t i = 0; i < N; i++) {
        in[i] = 7u * i;
        memcpy(index + i * index_bytes, &place[i], index_bytes); /* the low bytes come first */
    }
    job.in = in;
    job.out = out;
    job.index = index;
    assert_int_equal(cw_permute_workspace(&job, &need), CW_OK);
    assert_int_equal(cw_memory_alloc(context, need, &workspace), CW_OK);
    launched[CW_KERNEL_cw_permute_survey] = 0;
    context->hook = note_survey;
    assert_int_equal(cw_permute(context, &job, workspace, need, NULL), CW_OK);
    assert_int_equal(cw_wait(context, NULL), CW_OK);
    assert_int_equal(launched[CW_KERNEL_cw_permute_survey], 1);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(out[i], 7u * place[i]);
    cw_memory_free(context, in);
    cw_memory_free(context, out);
    cw_memory_free(context, index);
    cw_memory_free(context, workspace);
}

/* The first line is watched. */
static void a_line_that_all_ask_for_is_fresh_once_a_region(void **state)
{
    uint64_t *const place = (uint64_t *)calloc(N, sizeof *place);

    (void)state;
    assert_non_null(place);
    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        gather(place, bytes);
        assert_true(window > 0);
        for (uint32_t r = 0; r < PERMUTE_REGIONS; r++) {
            assert_int_equal(seen[r], window);
            assert_int_equal(fresh[r], 1);
        }
    }
    free(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_all_ask_for_is_fresh_once_a_region),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
