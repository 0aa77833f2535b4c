/* test_emu_errors.c - what a kernel must not do is refused, and the message names the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static int line;

#define HERE (line = __LINE__ + 1)

/* ---- outside --------------------------------------------------------------- */

static void reach_out(struct cw_emu *s, const void *arg)
{
    const int *at = (const int *)arg;

    (void)s;
    if (THREAD_ID == 35) {
        HERE;
        (void)sh_ld8((uint32_t)at[0]);
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

/* Word 5 of a block is read by thread 40 if the block is not the first, or by an atomic. */
static void read_early(struct cw_emu *s, const void *arg)
{
    (void)s;
    if (THREAD_ID == 3 && BLOCK_ID == 0)
        sh_st4(20, 1);
    block_sync();
    if (THREAD_ID == 40) {
        HERE;
        (void)(arg ? sh_ld4(20) : sh_add4(20, 1));
    }
}

static void a_read_of_what_nobody_wrote_is_an_error_in_every_block_anew(void **state)
{
    struct cw_emu *e = make(64, 32);
    struct cw_emu_launch launch = {read_early, e, 1, NULL, 0};
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_launch(e, &launch), CW_OK);
    launch.blocks = 2;
    for (int add = 0; add < 2; add++) {
        launch.arg = add ? NULL : e;
        assert_int_equal(cw_emu_launch(e, &launch), CW_ERR_UNWRITTEN);
        snprintf(expected, sizeof expected,
                 "block 1: thread 40: %s of byte 20 of shared memory, which nobody wrote, at %s:%d",
                 add ? "atomic add" : "read", __FILE__, line);
        assert_string_equal(cw_last_error(), expected);
    }
    cw_emu_destroy(e);
}

static void read_wide(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    sh_st8(16 * THREAD_ID, 1);
    HERE;
    (void)sh_ld16(16 * THREAD_ID);
}

static void every_word_of_a_wide_read_must_have_been_written(void **state)
{
    struct cw_emu *e = make(2, 32);
    const struct cw_emu_launch launch = {read_wide, NULL, 1, NULL, 0};
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_launch(e, &launch), CW_ERR_UNWRITTEN);
    snprintf(expected, sizeof expected,
             "thread 0: read of byte 8 of shared memory, which nobody wrote, at %s:%d", __FILE__,
             line);
    assert_string_equal(cw_last_error(), expected);
    cw_emu_destroy(e);
}

/* ---- global memory --------------------------------------------------------- */

struct reach {
    unsigned char *at;
    enum cw_emu_kind kind;
    unsigned bytes;
};

static void touch_small(const struct reach *r)
{
    if (r->kind == CW_EMU_READ) {
        HERE;
        (void)gm_ld4(r->at);
    } else if (r->kind == CW_EMU_ADD) {
        HERE;
        (void)gm_add4(r->at, 1);
    } else {
        HERE;
        gm_st4(r->at, 1);
    }
}

static void touch_large(const struct reach *r)
{
    const vec16 q = {1, 2, 3, 4};

    if (r->kind == CW_EMU_READ) {
        HERE;
        (void)gm_ld16(r->at);
    } else {
        HERE;
        gm_st16(r->at, q);
    }
}

static void touch(struct cw_emu *s, const void *arg)
{
    const struct reach *r = (const struct reach *)arg;

    (void)s;
    if (THREAD_ID != 33)
        return;
    if (r->bytes == 4) {
        touch_small(r);
    } else if (r->bytes == 16) {
        touch_large(r);
    } else if (r->kind == CW_EMU_READ) {
        HERE;
        (void)gm_ld8(r->at);
    } else if (r->kind == CW_EMU_ADD) {
        HERE;
        (void)gm_add8(r->at, 1);
    } else {
        HERE;
        gm_st8(r->at, 1);
    }
}

/* Two buffers of 64 and 32 bytes with a gap between them; the first is to be read only. */
static _Alignas(16) unsigned char global[160];

static void expect_touch(struct cw_emu *e, struct reach r, const char *why, const char *where)
{
    static const char *const kinds[] = {"read", "atomic add", "write"};
    const struct cw_emu_buffer buffers[] = {{global + 16, 64, 0}, {global + 112, 32, 1}};
    const struct cw_emu_launch launch = {touch, &r, 1, buffers, 2};
    const cw_status status = cw_emu_launch(e, &launch);
    char expected[512];

    if (!why) {
        assert_int_equal(status, CW_OK);
        return;
    }
    assert_int_equal(status, CW_ERR_BOUNDS);
    snprintf(expected, sizeof expected,
             "thread 33: %s of %u bytes of global memory %s (%s), at %s:%d", kinds[r.kind], r.bytes,
             why, where, __FILE__, line);
    assert_string_equal(cw_last_error(), expected);
}

static void global_memory_is_the_buffers_and_no_more(void **state)
{
    static const char *const out = "outside the buffers of the kernel";
    static const char *const odd = "at an address that is not a multiple of its size";
    struct cw_emu *e = make(64, 16);

    (void)state;
    for (unsigned bytes = 4; bytes <= 16; bytes *= 2) {
        for (int kind = CW_EMU_READ; kind <= CW_EMU_WRITE; kind++) {
            struct reach r = {global + 112, (enum cw_emu_kind)kind, bytes};

            if (kind == CW_EMU_ADD && bytes == 16)
                continue;
            expect_touch(e, r, NULL, NULL);
            r.at = global + 144 - bytes;
            expect_touch(e, r, NULL, NULL);
            r.at = global + 144;
            expect_touch(e, r, out, "byte 32 of buffer 1, which has 32");
            r.at = global + 142;
            expect_touch(e, r, out, "byte 30 of buffer 1, which has 32");
            r.at = global + 114;
            expect_touch(e, r, odd, "byte 2 of buffer 1, which has 32");
            r.at = global + 96;
            expect_touch(e, r, out, "byte 80 of buffer 0, which has 64");
            r.at = global;
            expect_touch(e, r, out, "before all buffers");
            r.at = global + 32;
            expect_touch(e, r, kind == CW_EMU_READ ? NULL : "in a buffer that is not writable",
                         "byte 16 of buffer 0, which has 64");
        }
    }
    cw_emu_destroy(e);
}

/* ---- what cannot be -------------------------------------------------------- */

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

static void a_buffer_without_memory_is_refused(void **state)
{
    static const struct cw_emu_buffer none = {NULL, 0, 1}, bad = {NULL, 4, 1};
    struct cw_emu *e = make(64, 16);
    struct cw_emu_launch launch = {reach_out, NULL, 0, &none, 1};

    (void)state;
    assert_int_equal(cw_emu_launch(e, &launch),
                     CW_OK); /* and no block at all is an ordinary grid */
    launch.buffers = &bad;
    assert_int_equal(cw_emu_launch(e, &launch), CW_ERR_ARGUMENT);
    assert_string_equal(cw_last_error(), "buffer 0 has 4 bytes and no memory");
    cw_emu_destroy(e);
}

static void sink(int depth)
{
    volatile char room[500];

    room[depth % 500] = 1;
    (void)sh_ld4(0);
    if (depth < 1000000)
        sink(depth + room[depth % 500]);
    room[0] = 2;
}

static void dive(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    sink(0);
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
        cmocka_unit_test(an_access_outside_or_across_is_refused_with_its_place),
        cmocka_unit_test(a_read_of_what_nobody_wrote_is_an_error_in_every_block_anew),
        cmocka_unit_test(every_word_of_a_wide_read_must_have_been_written),
        cmocka_unit_test(global_memory_is_the_buffers_and_no_more),
        cmocka_unit_test(a_block_that_cannot_be_is_refused),
        cmocka_unit_test(a_buffer_without_memory_is_refused),
        cmocka_unit_test(stacks_and_places_run_out_with_a_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
