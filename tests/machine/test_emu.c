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

/* A 32 x 32 tile turned through shared memory with padded rows. */
static void transpose(struct cw_emu *s, const void *arg)
{
    uint32_t *out = *(uint32_t *const *)arg;
    const uint32_t i = THREAD_ID, row = WARP_ID, col = LANE_ID;

    (void)s;
    sh_st4(4 * (33 * row + col), i);
    block_sync();
    out[i] = sh_ld4(4 * (33 * col + row));
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

/* Leaves what it finds wrong behind the 129 words. */
static void mix_sizes(struct cw_emu *s, const void *arg)
{
    const uint32_t i = LANE_ID;
    const vec16 q = {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3};
    uint64_t pair;
    int wrong;

    (void)s;
    (void)arg;
    sh_st16(16 * i, q);
    warp_sync();
    wrong = sh_ld4(4 * (127 - i)) != 127 - i;
    pair = sh_ld8(8 * (63 - i));
    wrong |= pair != ((uint64_t)(127 - 2 * i) << 32 | (126 - 2 * i));
    wrong |= sh_ld16(16 * (31 - i)).z != 126 - 4 * i;
    warp_sync();
    sh_st8(8 * i, pair);
    if (i == 5)
        sh_st4(512, 31);
    warp_sync();
    wrong |= sh_add4(512, 10) != 31 + 10 * i; /* in lane order */
    sh_st4(516 + 4 * i, (uint32_t)wrong);
}

static void accesses_of_all_sizes_see_the_same_bytes(void **state)
{
    struct cw_emu *e = make(32, 656);
    uint32_t words[161];

    (void)state;
    assert_int_equal(((unsigned char *)cw_emu_shared(e))[655], CW_EMU_JUNK);
    assert_int_equal(cw_emu_run(e, mix_sizes, NULL), CW_OK);
    memcpy(words, cw_emu_shared(e), sizeof words);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], 126 - i / 2 * 2 + i % 2);
    assert_int_equal(words[128], 31 + 320);
    for (uint32_t i = 129; i < 161; i++)
        assert_int_equal(words[i], 0);
    cw_emu_destroy(e);
}

/* ---- which accesses form a request ---------------------------------------- */

/* Half of the lanes are late: they must be waited for at the last line. */
static void detour(struct cw_emu *s, const void *arg)
{
    const int late = (LANE_ID >= 16) == *(const int *)arg;

    (void)s;
    if (late) {
        (void)sh_ld4(4 * LANE_ID);
        (void)sh_ld4(4 * LANE_ID);
    }
    sh_st4(4 * LANE_ID, 1);
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
    const uint32_t i = LANE_ID;

    (void)s;
    (void)arg;
    sh_st4(4 * i, i < 16 ? 5 : sh_ld4(4 * (64 + i)));
}

static void on_one_line_reads_go_before_writes(void **state)
{
    struct cw_emu *e = make(32, 512);
    const struct cw_emu_place *p;
    uint32_t count, words[32];

    (void)state;
    memset(cw_emu_shared(e), 0, 512);
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
    const uint32_t i = LANE_ID;

    (void)s;
    (void)arg;
    if (i % 2)
        (void)sh_ld4(128 * i);
    else
        (void)sh_ld4(4);
    for (uint32_t k = 0; k < i; k++)
        (void)sh_ld4(8);
    warp_sync(); /* the last line writes what others have read */
    sh_st4(4 * i, sh_ld4(4 * i));
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
    (void)s;
    (void)arg;
    (void)sh_ld8(8 * LANE_ID);
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

/* One thread a warp carries a sum from warp to warp, barrier by barrier; another looks at it and
 * counts what is wrong in the last word. */
static void relay(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    for (uint32_t k = 0; k < BLOCK_DIM / 32; k++) {
        if (WARP_ID == k && LANE_ID == 5)
            sh_st4(4 * (k + 1), 1 + sh_ld4(4 * k));
        block_sync();
        if (LANE_ID == 7 && sh_ld4(4 * (k + 1)) != k + 1)
            (void)sh_add4(60, 1);
        warp_sync();
    }
    if (LANE_ID == 7)
        (void)sh_add4(60, 1u << 16);
}

static void barriers_hold_the_whole_block(void **state)
{
    struct cw_emu *e = make(256, 64);
    uint32_t words[16];

    (void)state;
    memset(cw_emu_shared(e), 0, 64);
    assert_int_equal(cw_emu_run(e, relay, NULL), CW_OK);
    memcpy(words, cw_emu_shared(e), sizeof words);
    assert_int_equal(words[8], 8);
    assert_int_equal(words[15], 8u << 16);
    cw_emu_destroy(e);
}

/* ---- what a run tells ------------------------------------------------------ */

static void costly(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    sh_st4(4 * LANE_ID + 4096, 1);
    (void)sh_ld8(16 * LANE_ID);
    (void)sh_ld4(128 * LANE_ID);
    sh_st4(4 * LANE_ID + 4224, 1);
}

static void the_report_has_the_costliest_place_first_then_by_line(void **state)
{
    static const uint64_t excess[] = {31, 2, 0, 0};
    struct cw_emu *e = make(32, 8192);
    const char *const here = "test_emu.c:";
    char line[512];
    struct cw_emu_place *p;
    FILE *out = tmpfile();
    uint32_t count;

    (void)state;
    assert_non_null(out);
    assert_int_equal(cw_emu_run(e, costly, NULL), CW_OK);
    p = cw_emu_sorted(e, &count);
    assert_non_null(p);
    assert_int_equal(count, 4);
    for (uint32_t x = 0; x < count; x++)
        assert_int_equal(p[x].wavefronts - p[x].ideal, excess[x]);
    assert_true(strcmp(p[2].site, p[3].site) < 0); /* line numbers of one length */
    assert_int_equal(cw_emu_report(e, out), CW_OK);
    rewind(out);
    for (uint32_t x = 0; x < count + 2; x++) {
        assert_non_null(fgets(line, sizeof line, out));
        assert_int_equal(strstr(line, here) != NULL, x > 0 && x <= count);
        assert_true(x != 1 || strstr(line, "read 4") == line);
        assert_true(x <= count || strstr(line, "in all") == line);
    }
    assert_null(fgets(line, sizeof line, out));
    fclose(out);
    free(p);
    cw_emu_destroy(e);
}

static void reach_backwards(struct cw_emu *s, const void *arg)
{
    for (int x = 4; x >= 0; x--)
        (void)cw_emu_read4(s, 0, ((const char *const *)arg)[x]);
}

static void places_are_sorted_by_file_and_number(void **state)
{
    static const char *const order[] = {"a.h:9", "a.h:10", "a.hh:2", "b.h:1", "no line"};
    struct cw_emu *e = make(1, 16);
    struct cw_emu_place *p;
    uint32_t count;

    (void)state;
    assert_int_equal(cw_emu_run(e, reach_backwards, order), CW_OK);
    p = cw_emu_sorted(e, &count);
    assert_non_null(p);
    assert_int_equal(count, 5);
    for (uint32_t x = 0; x < count; x++)
        assert_string_equal(p[x].site, order[x]);
    free(p);
    cw_emu_destroy(e);
}

/* Reads words 0 .. 31 of shared memory and one of its buffer in the order that arg says. */
struct route {
    uint32_t flip;
    const uint32_t *in;
};

static void walk(struct cw_emu *s, const void *arg)
{
    const struct route *r = (const struct route *)arg;

    (void)s;
    sh_st4(4 * LANE_ID, gm_ld4(r->in + LANE_ID));
    warp_sync();
    (void)sh_ld4(4 * (LANE_ID ^ r->flip));
}

static uint64_t trace_of(struct cw_emu *e, const uint32_t *in, uint32_t first, uint32_t flip)
{
    const struct route r = {flip, in + first};
    const struct cw_emu_buffer buffer = {in, 64 * sizeof *in, 0};
    const struct cw_emu_launch launch = {walk, &r, 2, &buffer, 1};

    assert_int_equal(cw_emu_launch(e, &launch), CW_OK);
    return cw_emu_trace(e);
}

static void the_trace_tells_addresses_and_nothing_else(void **state)
{
    static uint32_t in[64], other[64];
    struct cw_emu *e = make(32, 128);
    const uint64_t plain = trace_of(e, in, 0, 0);

    (void)state;
    for (uint32_t i = 0; i < 64; i++)
        other[i] = 77 * i;
    assert_true(trace_of(e, other, 0, 0) == plain);
    assert_true(trace_of(e, in, 0, 1) != plain);
    assert_true(trace_of(e, in, 1, 0) != plain);
    assert_true(trace_of(e, in, 0, 0) == plain);
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
        cmocka_unit_test(the_report_has_the_costliest_place_first_then_by_line),
        cmocka_unit_test(places_are_sorted_by_file_and_number),
        cmocka_unit_test(the_trace_tells_addresses_and_nothing_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
