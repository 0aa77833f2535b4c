/* test_emu.c - the emulator has the requests, barriers and memory of a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dev/dev_emu.h"

static struct cw_emu *make(uint32_t threads, uint32_t shared)
{
    const struct cw_emu_config config = {threads, shared};
    struct cw_emu *e;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    return e;
}

/* ---- what memory holds ---------------------------------------------------- */

/* A 32 x 32 tile turned through shared memory with padded rows; then each thread keeps
 * what it has read, in 8 and 16 byte pieces too. */
static void transpose(struct cw_emu *s, const void *arg)
{
    uint32_t *out = *(uint32_t *const *)arg;
    const int i = thread_id(s), row = i / 32, col = i % 32;

    assert_int_equal(lane_id(s), col);
    assert_int_equal(warp_id(s), row);
    assert_int_equal(block_threads(s), 1024);
    smem_write4(s, 4 * (33 * row + col), (uint32_t)i);
    block_sync(s);
    out[i] = smem_read4(s, 4 * (33 * col + row));
}

static void a_block_turns_a_tile_without_conflict(void **state)
{
    static uint32_t out[1024];
    uint32_t *const arg = out;
    struct cw_emu *e = make(1024, 33 * 32 * 4);
    struct cw_emu_place total;

    (void)state;
    assert_int_equal(cw_emu_run(e, transpose, &arg), CW_OK);
    for (uint32_t i = 0; i < 1024; i++)
        assert_int_equal(out[i], i % 32 * 32 + i / 32);
    cw_emu_total(e, &total);
    assert_int_equal(total.requests, 64);
    assert_int_equal(total.wavefronts, 64);
    assert_int_equal(total.ideal, 64);
    assert_int_equal(total.worst, 1);
    cw_emu_destroy(e);
}

static void mix_sizes(struct cw_emu *s, const void *arg)
{
    const int i = lane_id(s);
    const quad q = {4u * (unsigned)i, 4u * (unsigned)i + 1, 4u * (unsigned)i + 2,
                    4u * (unsigned)i + 3};
    uint64_t pair;

    (void)arg;
    smem_write16(s, 16 * i, q);
    warp_sync(s);
    assert_int_equal(smem_read4(s, 4 * (127 - i)), 127 - i);
    pair = smem_read8(s, 8 * (63 - i));
    assert_int_equal(pair, (uint64_t)(127 - 2 * i) << 32 | (unsigned)(126 - 2 * i));
    assert_int_equal(smem_read16(s, 16 * (31 - i)).z, 126 - 4 * i);
    warp_sync(s);
    smem_write8(s, 8 * i, pair);
    smem_write4(s, 512, (uint32_t)i); /* the highest lane's stays */
    assert_int_equal(smem_read4(s, 512), 31);
    assert_int_equal(smem_add4(s, 512, 10), 31 + 10 * i); /* in lane order */
}

static void accesses_of_all_sizes_see_the_same_bytes(void **state)
{
    struct cw_emu *e = make(32, 528);
    uint32_t words[129];

    (void)state;
    assert_int_equal(((unsigned char *)cw_emu_shared(e))[527], CW_EMU_JUNK);
    assert_int_equal(cw_emu_run(e, mix_sizes, NULL), CW_OK);
    memcpy(words, cw_emu_shared(e), sizeof words);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], 126 - i / 2 * 2 + i % 2);
    assert_int_equal(words[128], 31 + 320);
    cw_emu_destroy(e);
}

/* ---- which accesses form a request ---------------------------------------- */

/* Half of the lanes are late: they must be waited for at the last line. */
static void detour(struct cw_emu *s, const void *arg)
{
    const int late = (lane_id(s) >= 16) == *(const int *)arg;

    if (late) {
        (void)smem_read4(s, 4 * lane_id(s));
        (void)smem_read4(s, 4 * lane_id(s));
    }
    smem_write4(s, 4 * lane_id(s), 1);
}

static void lanes_inside_an_if_go_before_those_past_it(void **state)
{
    struct cw_emu *e = make(32, 128);
    const struct cw_emu_place *p;
    uint32_t count;

    (void)state;
    for (int upper = 0; upper < 2; upper++) {
        assert_int_equal(cw_emu_run(e, detour, &upper), CW_OK);
        p = cw_emu_list(e, &count);
        assert_int_equal(count, 3);
        for (uint32_t x = 0; x < count; x++)
            assert_int_equal(p[x].requests, 1);
    }
    cw_emu_destroy(e);
}

static void one_line(struct cw_emu *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    smem_write4(s, 4 * i, i < 16 ? 5 : smem_read4(s, 4 * (31 - i)));
}

static void on_one_line_reads_go_before_writes(void **state)
{
    struct cw_emu *e = make(32, 128);
    const struct cw_emu_place *p;
    uint32_t count, words[32];

    (void)state;
    memset(cw_emu_shared(e), 0, 128);
    assert_int_equal(cw_emu_run(e, one_line, NULL), CW_OK);
    p = cw_emu_list(e, &count);
    assert_int_equal(count, 2);
    assert_int_equal(p[0].requests, 1);
    assert_int_equal(p[1].requests, 1);
    memcpy(words, cw_emu_shared(e), sizeof words);
    assert_int_equal(words[3], 5);
    assert_int_equal(words[28], 0);
    cw_emu_destroy(e);
}

static void branch(struct cw_emu *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    if (i % 2)
        (void)smem_read4(s, 128 * i);
    else
        (void)smem_read4(s, 4);
    for (int k = 0; k < i; k++)
        (void)smem_read4(s, 8);
    smem_write4(s, 4 * i, smem_read4(s, 4 * i));
}

static void branches_are_requests_of_their_own_and_loops_run_to_the_longest(void **state)
{
    /* as first reached: the else, the if, the loop, the last line's read and its write */
    static const uint64_t requests[] = {1, 1, 31, 1, 1}, wavefronts[] = {1, 16, 31, 1, 1};
    struct cw_emu *e = make(32, 4096);
    const struct cw_emu_place *p;
    uint32_t count;

    (void)state;
    assert_int_equal(cw_emu_run(e, branch, NULL), CW_OK);
    p = cw_emu_list(e, &count);
    assert_int_equal(count, 5);
    for (uint32_t x = 0; x < count; x++) {
        assert_int_equal(p[x].requests, requests[x]);
        assert_int_equal(p[x].wavefronts, wavefronts[x]);
        assert_int_equal(p[x].ideal, requests[x]);
    }
    assert_int_equal(p[3].kind, CW_EMU_READ);
    assert_int_equal(p[4].kind, CW_EMU_WRITE);
    assert_string_equal(p[3].site, p[4].site);
    cw_emu_destroy(e);
}

static void read_pairs(struct cw_emu *s, const void *arg)
{
    (void)arg;
    (void)smem_read8(s, 8 * lane_id(s));
}

static void every_warp_makes_its_own_requests(void **state)
{
    struct cw_emu *e = make(32 + 32 + 8, 256);
    struct cw_emu_place total;

    (void)state;
    assert_int_equal(cw_emu_run(e, read_pairs, NULL), CW_OK);
    cw_emu_total(e, &total);
    assert_int_equal(total.requests, 3);
    assert_int_equal(total.wavefronts, 2 + 2 + 1); /* the last warp is a quarter of one */
    assert_int_equal(total.ideal, 2 + 2 + 1);
    assert_int_equal(total.worst, 2);
    cw_emu_destroy(e);
}

/* One thread a warp carries a sum from warp to warp, barrier by barrier. */
static void relay(struct cw_emu *s, const void *arg)
{
    (void)arg;
    for (int k = 0; k < block_threads(s) / 32; k++) {
        if (warp_id(s) == k && lane_id(s) == 5)
            smem_write4(s, 4 * (k + 1), 1 + smem_read4(s, 4 * k));
        block_sync(s);
        if (lane_id(s) == 7) /* this lane has ended once it has seen it */
            assert_int_equal(smem_read4(s, 4 * (k + 1)), k + 1);
        warp_sync(s);
    }
    if (lane_id(s) > 20)
        return;
    warp_sync(s); /* of those that are left */
    (void)smem_read4(s, 0);
}

static void barriers_hold_the_whole_block(void **state)
{
    struct cw_emu *e = make(256, 64);

    (void)state;
    memset(cw_emu_shared(e), 0, 64);
    assert_int_equal(cw_emu_run(e, relay, NULL), CW_OK);
    cw_emu_destroy(e);
}

/* ---- errors --------------------------------------------------------------- */

static int line, other_line;

static void reach_out(struct cw_emu *s, const void *arg)
{
    const int *at = (const int *)arg;

    if (thread_id(s) == 35) {
        line = __LINE__ + 1;
        (void)smem_read8(s, at[0]);
    }
}

static void an_access_outside_or_across_is_refused_with_its_place(void **state)
{
    static const int outside[] = {256, 264, -8, 1 << 30}, across[] = {4, 252, 1, -1};
    struct cw_emu *e = make(64, 256);
    char expected[512];

    (void)state;
    for (size_t x = 0; x < 4; x++) {
        assert_int_equal(cw_emu_run(e, reach_out, &outside[x]), CW_ERR_BOUNDS);
        snprintf(expected, sizeof expected,
                 "thread 35: read of 8 bytes at byte %u, outside the 256 bytes of shared memory, "
                 "at %s:%d",
                 (unsigned)outside[x], __FILE__, line);
        assert_string_equal(cw_last_error(), expected);
        assert_int_equal(cw_emu_run(e, reach_out, &across[x]), CW_ERR_BOUNDS);
        snprintf(expected, sizeof expected,
                 "thread 35: read of 8 bytes at byte %u of shared memory, which is not a multiple "
                 "of its size, at %s:%d",
                 (unsigned)across[x], __FILE__, line);
        assert_string_equal(cw_last_error(), expected);
    }
    cw_emu_destroy(e);
}

static void leave_early(struct cw_emu *s, const void *arg)
{
    (void)arg;
    if (thread_id(s) == 40)
        return;
    line = __LINE__ + 1;
    block_sync(s);
}

static void two_barriers(struct cw_emu *s, const void *arg)
{
    (void)arg;
    if (thread_id(s) < 32) {
        line = __LINE__ + 1;
        block_sync(s);
    } else {
        other_line = __LINE__ + 1;
        block_sync(s);
    }
}

static void warp_or_block(struct cw_emu *s, const void *arg)
{
    (void)arg;
    if (thread_id(s) % 32 > 3) {
        line = __LINE__ + 1;
        warp_sync(s);
    } else {
        other_line = __LINE__ + 1;
        block_sync(s);
    }
}

static void a_barrier_that_not_all_reach_is_an_error(void **state)
{
    struct cw_emu *e = make(64, 256);
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_run(e, leave_early, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected,
             "barrier at %s:%d: 63 of 64 threads came (the first is 0), thread 40 has ended",
             __FILE__, line);
    assert_string_equal(cw_last_error(), expected);
    assert_int_equal(cw_emu_run(e, two_barriers, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected, "thread 0 waits for the block at %s:%d, thread 32 at %s:%d",
             __FILE__, line, __FILE__, other_line);
    assert_string_equal(cw_last_error(), expected);
    assert_int_equal(cw_emu_run(e, warp_or_block, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected,
             "thread 4 waits for its warp at %s:%d, thread 0 of that warp for the block at %s:%d",
             __FILE__, line, __FILE__, other_line);
    assert_string_equal(cw_last_error(), expected);
    assert_int_equal(cw_emu_run(e, read_pairs, NULL), CW_OK);
    cw_emu_destroy(e);
}

static void a_block_that_cannot_be_is_refused(void **state)
{
    static const struct cw_emu_config bad[] = {{0, 16}, {1025, 16}, {32, 8}, {32, 227 * 1024 + 16}};
    struct cw_emu *e;

    (void)state;
    for (size_t x = 0; x < sizeof bad / sizeof *bad; x++) {
        assert_int_equal(cw_emu_create(&bad[x], &e), CW_ERR_ARGUMENT);
        assert_null(e);
        assert_non_null(strstr(cw_last_error(), x < 2 ? "1 to 1024 threads" : "multiple of 16"));
    }
    cw_emu_destroy(NULL);
}

static void sink(struct cw_emu *s, int depth)
{
    volatile char room[500];

    room[depth % 500] = 1;
    (void)smem_read4(s, 0);
    if (depth < 1000000)
        sink(s, depth + room[depth % 500]);
    room[0] = 2;
}

static void dive(struct cw_emu *s, const void *arg)
{
    (void)arg;
    sink(s, 0);
}

#define TEXTS 5000
static char texts[TEXTS][16];

static void many_places(struct cw_emu *s, const void *arg)
{
    const int most = *(const int *)arg;

    for (int k = 0; k < most; k++)
        (void)cw_emu_read4(s, 0, texts[k]);
}

static void stacks_and_places_run_out_with_a_message(void **state)
{
    const int some = 4000, all = TEXTS;
    struct cw_emu *e = make(2, 16);
    const struct cw_emu_place *p;
    uint32_t count;

    (void)state;
    assert_int_equal(cw_emu_run(e, dive, NULL), CW_ERR_INTERNAL);
    assert_non_null(strstr(cw_last_error(), "thread 0 has used up its stack at "));
    for (int k = 0; k < TEXTS; k++)
        snprintf(texts[k], sizeof texts[k], "k.h:%d", k);
    assert_int_equal(cw_emu_run(e, many_places, &some), CW_OK);
    p = cw_emu_list(e, &count);
    assert_int_equal(count, 4000);
    assert_string_equal(p[3999].site, "k.h:3999");
    assert_int_equal(p[3999].requests, 1);
    assert_int_equal(cw_emu_run(e, many_places, &all), CW_ERR_MEMORY);
    assert_non_null(strstr(cw_last_error(), "no room for another source place, k.h:4"));
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_turns_a_tile_without_conflict),
        cmocka_unit_test(accesses_of_all_sizes_see_the_same_bytes),
        cmocka_unit_test(lanes_inside_an_if_go_before_those_past_it),
        cmocka_unit_test(on_one_line_reads_go_before_writes),
        cmocka_unit_test(branches_are_requests_of_their_own_and_loops_run_to_the_longest),
        cmocka_unit_test(every_warp_makes_its_own_requests),
        cmocka_unit_test(barriers_hold_the_whole_block),
        cmocka_unit_test(an_access_outside_or_across_is_refused_with_its_place),
        cmocka_unit_test(a_barrier_that_not_all_reach_is_an_error),
        cmocka_unit_test(a_block_that_cannot_be_is_refused),
        cmocka_unit_test(stacks_and_places_run_out_with_a_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
