/* test_emu_words.c - every word of the vocabulary does what it does on a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dev/kernel.h"

static struct cw_emu *make(uint32_t threads, uint32_t shared)
{
    const struct cw_emu_config config = {threads, shared};
    struct cw_emu *e;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    return e;
}

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33 ^ *seed << 13;
}

/* ---- words of a warp --------------------------------------------------------- */

#define THREADS 72 /* two warps and a quarter of one */

struct lane {
    uint64_t x;
    uint32_t arg; /* a lane, a mask or a distance */
    uint32_t few; /* a value that others have too */
    int vote;
};

struct taken {
    uint32_t shfl4, xor4, up4, ballot, match;
    uint64_t shfl8, xor8, up8;
    int all, any;
};

struct warp_job {
    struct lane in[THREADS];
    struct taken *out;
};

static void take_all(struct cw_emu *s, const void *arg)
{
    const struct warp_job *job = (const struct warp_job *)arg;
    const struct lane me = job->in[THREAD_ID];
    struct taken *const t = &job->out[THREAD_ID];

    (void)s;
    t->shfl4 = shfl4(me.x, me.arg);
    t->shfl8 = shfl8(me.x, me.arg);
    t->xor4 = shfl_xor4(me.x, me.arg % 8);
    t->xor8 = shfl_xor8(me.x, me.arg % 8);
    t->up4 = shfl_up4(me.x, me.arg);
    t->up8 = shfl_up8(me.x, me.arg);
    t->ballot = ballot(me.vote);
    t->all = all_of(me.vote);
    t->any = any_of(me.vote);
    t->match = match_any4(me.few);
}

/* The same, seen from outside: lanes first .. first + n - 1 are a warp, i one of them. */
static void check_lane(const struct warp_job *job, uint32_t first, uint32_t n, uint32_t i)
{
    const struct lane *const in = job->in + first;
    const struct taken *const t = &job->out[first + i];
    const uint32_t arg = in[i].arg, up = i >= arg ? i - arg : i;
    uint32_t ballot_is = 0, match_is = 0, count = 0;

    for (uint32_t j = 0; j < n; j++) {
        if (in[j].vote) {
            ballot_is |= 1u << j;
            count++;
        }
        if (in[j].few == in[i].few)
            match_is |= 1u << j;
    }
    assert_int_equal(t->shfl4, (uint32_t)in[arg].x);
    assert_true(t->shfl8 == in[arg].x);
    assert_int_equal(t->xor4, (uint32_t)in[i ^ arg % 8].x);
    assert_true(t->xor8 == in[i ^ arg % 8].x);
    assert_int_equal(t->up4, (uint32_t)in[up].x);
    assert_true(t->up8 == in[up].x);
    assert_int_equal(t->ballot, ballot_is);
    assert_int_equal(t->match, match_is);
    assert_int_equal(t->all != 0, count == n);
    assert_int_equal(t->any != 0, count > 0);
}

static void shuffles_votes_and_match_are_those_of_their_warp(void **state)
{
    static struct warp_job job;
    static struct taken out[THREADS];
    struct cw_emu *e = make(THREADS, 16);

    (void)state;
    job.out = out;
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint64_t r = seed;
        const uint32_t odds = (uint32_t)(draw(&r) % 4); /* 0: no votes, 3: all */

        for (uint32_t i = 0; i < THREADS; i++) {
            const uint32_t n = i < 64 ? 32 : 8;

            job.in[i].x = draw(&r) << 32 ^ draw(&r);
            job.in[i].arg = (uint32_t)(draw(&r) % n);
            job.in[i].few = (uint32_t)(draw(&r) % (1 + seed % 7));
            job.in[i].vote = odds == 3 ? -1 : odds ? (int)(draw(&r) % (16 * odds)) : 0;
        }
        assert_int_equal(cw_emu_run(e, take_all, &job), CW_OK);
        for (uint32_t i = 0; i < THREADS; i++)
            check_lane(&job, i / 32 * 32, i < 64 ? 32 : 8, i % 32);
    }
    cw_emu_destroy(e);
}

/* ---- a grid ------------------------------------------------------------------ */

struct radix_job {
    const uint32_t *in;
    uint32_t *out, *calls;
    uint64_t *sum;
    uint32_t n;
};

/* Every block sums its share by a shared atomic and adds it to the sum; out says who did it. */
DEV void sum_up(struct radix_job job)
{
    const uint32_t i = BLOCK_ID * BLOCK_DIM + THREAD_ID;

    if (THREAD_ID == 0)
        sh_st4(0, 0);
    block_sync();
    if (i < job.n) {
        (void)sh_add4(0, gm_ld4(job.in + i));
        gm_st4(job.out + i, GRID_DIM << 24 | BLOCK_ID << 16 | WARP_ID << 8 | LANE_ID);
    }
    block_sync();
    if (THREAD_ID == 0) {
        (void)gm_add8(job.sum, (uint64_t)sh_ld4(0) << 20);
        gm_st4(job.calls + 1 + BLOCK_ID, gm_add4(job.calls, 1));
    }
}

static void run_sum_up(struct cw_emu *s, const void *arg)
{
    (void)s;
    sum_up(*(const struct radix_job *)arg);
}

static void a_grid_runs_block_by_block_with_all_that_atomics_add(void **state)
{
    enum { N = 1000, BLOCKS = 11, BLOCK = 96 };
    static uint32_t in[N], out[N], calls[1 + BLOCKS];
    uint64_t sum = 5, expected = 5;
    const struct radix_job job = {in, out, calls, &sum, N};
    const struct cw_emu_buffer buffers[] = {
        {in, sizeof in, 0}, {out, sizeof out, 1}, {calls, sizeof calls, 1}, {&sum, sizeof sum, 1}};
    const struct cw_emu_launch launch = {run_sum_up, &job, BLOCKS, buffers, 4};
    struct cw_emu *e = make(BLOCK, 16);

    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        in[i] = i * i;
        expected += (uint64_t)in[i] << 20;
    }
    assert_int_equal(cw_emu_launch(e, &launch), CW_OK);
    assert_true(sum == expected);
    assert_int_equal(calls[0], BLOCKS);
    for (uint32_t b = 0; b < BLOCKS; b++)
        assert_int_equal(calls[1 + b], b);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(out[i], (uint32_t)BLOCKS << 24 | i / BLOCK << 16 | i % BLOCK / 32 << 8 |
                                     i % BLOCK % 32);
    cw_emu_destroy(e);
}

/* ---- global memory ------------------------------------------------------------ */

static void copy_all_sizes(struct cw_emu *s, const void *arg)
{
    uint32_t *const *p = (uint32_t *const *)arg;
    const uint32_t i = THREAD_ID;
    const vec16 q = gm_ld16(p[0] + 8 * i);

    (void)s;
    gm_st16(p[1] + 8 * i, q);
    gm_st8(p[1] + 8 * i + 4, gm_ld8(p[0] + 8 * i + 4));
    gm_st4(p[1] + 8 * i + 6, gm_ld4(p[0] + 8 * i + 6));
    gm_st4(p[1] + 8 * i + 7, mad4(gm_ld4(p[0] + 8 * i + 7), 3, 1));
}

static void global_accesses_of_all_sizes_move_the_same_bytes(void **state)
{
    static _Alignas(16) uint32_t in[8 * 40], out[8 * 40];
    uint32_t *const p[] = {in, out};
    const struct cw_emu_buffer buffers[] = {{in, sizeof in, 0}, {out, sizeof out, 1}};
    const struct cw_emu_launch launch = {copy_all_sizes, p, 1, buffers, 2};
    struct cw_emu *e = make(40, 0);
    uint64_t seed = 1;

    (void)state;
    for (uint32_t i = 0; i < 8 * 40; i++)
        in[i] = (uint32_t)draw(&seed);
    assert_int_equal(cw_emu_launch(e, &launch), CW_OK);
    for (uint32_t i = 0; i < 8 * 40; i++)
        assert_int_equal(out[i], i % 8 == 7 ? 3 * in[i] + 1 : in[i]);
    cw_emu_destroy(e);
}

/* A kernel that works in place is handed its buffer once to read and once to write. */
static void buffers_may_overlap(void **state)
{
    static _Alignas(16) uint32_t both[8 * 40];
    uint32_t *const p[] = {both, both};
    const struct cw_emu_buffer buffers[] = {{both, sizeof both, 0}, {both, sizeof both, 1}};
    const struct cw_emu_launch launch = {copy_all_sizes, p, 1, buffers, 2};
    struct cw_emu *e = make(40, 0);

    (void)state;
    assert_int_equal(cw_emu_launch(e, &launch), CW_OK);
    assert_int_equal(both[15], 1);
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffles_votes_and_match_are_those_of_their_warp),
        cmocka_unit_test(a_grid_runs_block_by_block_with_all_that_atomics_add),
        cmocka_unit_test(global_accesses_of_all_sizes_move_the_same_bytes),
        cmocka_unit_test(buffers_may_overlap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
