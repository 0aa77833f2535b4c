/* test_emu_tiles.c - small kernels that every GPU programmer knows cost what they are known to.
 *
 * A tile turned through shared memory plainly, padded and swizzled; a scan of a block; a bitonic
 * sort of a block of 4096 keys, which must emulate in less than a second.
 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "dev/kernel.h"

static struct cw_emu *make(uint32_t threads, uint32_t shared)
{
    const struct cw_emu_config config = {threads, shared};
    struct cw_emu *e;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    return e;
}

struct job {
    const uint32_t *in;
    uint32_t *out;
    uint32_t n;
    int how;
};

static void launch(struct cw_emu *e, cw_emu_kernel kernel, const struct job *job, uint32_t blocks)
{
    const struct cw_emu_buffer buffers[] = {{job->in, 4 * (size_t)job->n, 0},
                                            {job->out, 4 * (size_t)job->n, 1}};
    const struct cw_emu_launch l = {kernel, job, blocks, buffers, 2};
    const cw_status status = cw_emu_launch(e, &l);

    if (status)
        print_message("%s\n", cw_last_error());
    assert_int_equal(status, CW_OK);
}

static void fill(uint32_t *x, uint32_t n, uint32_t seed)
{
    for (uint32_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = seed ^ seed >> 15;
    }
}

/* ---- a tile, turned ----------------------------------------------------------- */

enum { PLAIN, PADDED, SWIZZLED };

DEV uint32_t word_of(uint32_t row, uint32_t col, int how)
{
    if (how == PADDED)
        return 4 * (33 * row + col);
    return 4 * (32 * row + (how == SWIZZLED ? row ^ col : col));
}

/* 8 warps, 4 rows each, of the block's own 32 x 32 tile. */
DEV void turn_tile(struct job job)
{
    const uint32_t tile = 1024 * BLOCK_ID;

    for (uint32_t row = WARP_ID; row < 32; row += 8)
        sh_st4(word_of(row, LANE_ID, job.how), gm_ld4(job.in + tile + 32 * row + LANE_ID));
    block_sync();
    for (uint32_t row = WARP_ID; row < 32; row += 8)
        gm_st4(job.out + tile + 32 * row + LANE_ID, sh_ld4(word_of(LANE_ID, row, job.how)));
}

static void run_turn_tile(struct cw_emu *s, const void *arg)
{
    (void)s;
    turn_tile(*(const struct job *)arg);
}

static void a_plain_tile_collides_a_padded_or_swizzled_one_does_not(void **state)
{
    enum { TILES = 5 };
    static uint32_t in[1024 * TILES], out[1024 * TILES];
    struct cw_emu *e = make(256, 33 * 32 * 4);

    (void)state;
    fill(in, 1024 * TILES, 1);
    for (int how = PLAIN; how <= SWIZZLED; how++) {
        const struct job job = {in, out, 1024 * TILES, how};
        const struct cw_emu_place *p;
        uint32_t count;

        memset(out, 0, sizeof out);
        launch(e, run_turn_tile, &job, TILES);
        for (uint32_t i = 0; i < 1024 * TILES; i++)
            assert_int_equal(out[i], in[i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32]);
        p = cw_emu_list(e, &count);
        assert_int_equal(count, 2);
        for (uint32_t x = 0; x < 2; x++) {
            const uint64_t degree = x == 1 && how == PLAIN ? 32 : 1;

            assert_int_equal(p[x].kind, x ? CW_EMU_READ : CW_EMU_WRITE);
            assert_int_equal(p[x].requests, 32 * TILES);
            assert_int_equal(p[x].ideal, 32 * TILES);
            assert_int_equal(p[x].wavefronts, 32 * TILES * degree);
            assert_int_equal(p[x].worst, degree);
        }
    }
    cw_emu_destroy(e);
}

/* ---- a scan ------------------------------------------------------------------- */

DEV uint32_t warp_scan(uint32_t x)
{
    for (uint32_t by = 1; by < 32; by *= 2) {
        const uint32_t y = shfl_up4(x, by);

        x += LANE_ID >= by ? y : 0;
    }
    return x;
}

/* Sums up to each thread's key, of the block's own BLOCK_DIM keys. */
DEV void block_scan(struct job job)
{
    const uint32_t i = BLOCK_ID * BLOCK_DIM + THREAD_ID;
    const uint32_t warps = BLOCK_DIM / 32;
    const uint32_t mine = warp_scan(gm_ld4(job.in + i));

    if (LANE_ID == 31)
        sh_st4(4 * WARP_ID, mine);
    block_sync();
    if (WARP_ID == 0) {
        const uint32_t sums = warp_scan(LANE_ID < warps ? sh_ld4(4 * LANE_ID) : 0);

        if (LANE_ID < warps)
            sh_st4(4 * LANE_ID, sums);
    }
    block_sync();
    gm_st4(job.out + i, mine + (WARP_ID ? sh_ld4(4 * (WARP_ID - 1)) : 0));
}

static void run_block_scan(struct cw_emu *s, const void *arg)
{
    (void)s;
    block_scan(*(const struct job *)arg);
}

static void a_block_scan_sums_and_shares_its_words(void **state)
{
    static uint32_t in[4096], out[4096];
    const struct job job = {in, out, 4096, 0};
    struct cw_emu_place total;

    (void)state;
    fill(in, 4096, 2);
    for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
        struct cw_emu *e = make(threads, 128);
        uint32_t sum = 0;

        launch(e, run_block_scan, &job, 4096 / threads);
        for (uint32_t i = 0; i < 4096; i++) {
            sum = i % threads ? sum + in[i] : in[i];
            assert_int_equal(out[i], sum);
        }
        cw_emu_total(e, &total);
        assert_int_equal(total.wavefronts, total.ideal);
        /* a warp writes its sum and all but the first read one; two more of the first */
        assert_int_equal(total.requests, 4096 / threads * (threads / 16 + 1));
        cw_emu_destroy(e);
    }
}

/* ---- a bitonic sort ------------------------------------------------------------ */

#define KEYS 4096u

DEV void bitonic_step(uint32_t size, uint32_t d)
{
    for (uint32_t p = THREAD_ID; p < KEYS / 2; p += BLOCK_DIM) {
        const uint32_t a = 2 * p - (p & (d - 1)), b = a + d;
        const uint32_t x = sh_ld4(4 * a);
        const uint32_t y = sh_ld4(4 * b);
        const int up = !(a & size);

        sh_st4(4 * a, (x < y) == up ? x : y);
        sh_st4(4 * b, (x < y) == up ? y : x);
    }
}

DEV void bitonic_sort(struct job job)
{
    for (uint32_t i = THREAD_ID; i < KEYS; i += BLOCK_DIM)
        sh_st4(4 * i, gm_ld4(job.in + i));
    for (uint32_t size = 2; size <= KEYS; size *= 2) {
        for (uint32_t d = size / 2; d > 0; d /= 2) {
            block_sync();
            bitonic_step(size, d);
        }
    }
    block_sync();
    for (uint32_t i = THREAD_ID; i < KEYS; i += BLOCK_DIM)
        gm_st4(job.out + i, sh_ld4(4 * i));
}

static void run_bitonic(struct cw_emu *s, const void *arg)
{
    (void)s;
    bitonic_sort(*(const struct job *)arg);
}

static int by_key(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void a_block_sort_of_4096_keys_takes_less_than_a_second(void **state)
{
    static uint32_t in[KEYS], out[KEYS];
    const struct job job = {in, out, KEYS, 0};
    struct cw_emu *e = make(512, 4 * KEYS);
    struct cw_emu_place total;
    uint64_t trace = 0;
    double start;

    (void)state;
    for (uint32_t seed = 0; seed < 3; seed++) {
        fill(in, KEYS, seed);
        start = seconds();
        launch(e, run_bitonic, &job, 1);
        print_message("4096 keys: %.3f s\n", seconds() - start);
        assert_true(seconds() - start < 1.0);
        qsort(in, KEYS, sizeof *in, by_key);
        assert_memory_equal(in, out, sizeof in);
        assert_true(seed == 0 || cw_emu_trace(e) == trace); /* a network */
        trace = cw_emu_trace(e);
    }
    cw_emu_total(e, &total);
    /* 78 steps of 4 accesses for 64 warps of pairs, 128 requests in and 128 out.  With pairs less
     * than 32 apart, two lanes ask each bank: 12 steps have d = 1, 11 have 2, .. 8 have 16. */
    assert_int_equal(total.requests, 78 * 4 * 64 + 2 * 128);
    assert_int_equal(total.wavefronts - total.ideal, (12 + 11 + 10 + 9 + 8) * 4 * 64);
    assert_int_equal(total.worst, 2);
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_tile_collides_a_padded_or_swizzled_one_does_not),
        cmocka_unit_test(a_block_scan_sums_and_shares_its_words),
        cmocka_unit_test(a_block_sort_of_4096_keys_takes_less_than_a_second),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
