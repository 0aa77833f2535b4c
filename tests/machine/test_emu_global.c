/* test_emu_global.c - global memory is judged: what nothing orders is a race, whatever order blocks run in;
 * what nobody wrote is not read; who runs over an array's end does not come to the next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev/kernel.h"
#include "backend/emulated/memory.h"
#include "support/test.h"

#define WORDS 4096

static _Alignas(16) uint32_t memory[WORDS];

/* One kernel a mistake: where `right` it does what it should. */
struct job {
    uint32_t *m;
    int right;
};

typedef void (*kernel)(struct cw_emu *e, const void *arg);

struct how {
    uint32_t blocks, threads;
    int cooperative;
    enum cw_emu_order_by order;
    uint64_t seed;
};

static cw_status run(kernel k, int right, const struct how *h)
{
    const struct cw_emu_config config = {h->threads, 1024};
    const struct cw_emu_buffer buffer = {memory, sizeof memory, 1, NULL, 0};
    const struct job job = {memory, right};
    const struct cw_emu_launch l = {.kernel = k,
                                    .arg = &job,
                                    .blocks = h->blocks,
                                    .buffers = &buffer,
                                    .buffer_count = 1,
                                    .cooperative = h->cooperative,
                                    .order = h->order,
                                    .seed = h->seed};
    struct cw_emu *e;
    cw_status status;

    memset(memory, 0, sizeof memory);
    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    status = cw_emu_launch(e, &l);
    cw_emu_destroy(e);
    return status;
}

/* It is a race, in every order, and its message names this line and says that; done right it is
 * none. */
static void judge(kernel k, const struct how *how, int line, const char *why)
{
    const uint64_t seed = cw_test_seed();
    struct how h = *how;
    char place[64];

    snprintf(place, sizeof place, "test_emu_global.c:%d", line);
    for (int order = 0; order < CW_EMU_ORDERS; order++) {
        h.order = (enum cw_emu_order_by)order;
        for (h.seed = seed; h.seed < seed + 5; h.seed++) {
            if (run(k, 1, &h) != CW_OK)
                fail_msg("order %d, seed %llu: %s", order, (unsigned long long)h.seed,
                         cw_last_error());
            if (run(k, 0, &h) != CW_ERR_RACE)
                fail_msg("order %d, seed %llu: no race", order, (unsigned long long)h.seed);
            if (!strstr(cw_last_error(), place) || !strstr(cw_last_error(), why))
                fail_msg("'%s' names neither %s nor '%s'", cw_last_error(), place, why);
        }
    }
}

static const struct how blocks = {.blocks = 3, .threads = 64};
static const struct how together = {.blocks = 3, .threads = 64, .cooperative = 1};
static const struct how one_block = {.blocks = 1, .threads = 64};

#define BETWEEN_BLOCKS "no release and acquire order them"

/* ---- words that several threads touch ------------------------------------------- */

static const int store_line = __LINE__ + 4;
KERNEL(store_one_word, struct job, 64, 1)
{
    if (THREAD_ID == 0)
        gm_st4(arg->m + (arg->right ? BLOCK_ID : 5u), BLOCK_ID);
}

static const int count_line = __LINE__ + 7;
KERNEL(count_plainly, struct job, 64, 1)
{
    if (THREAD_ID == 0) {
        if (arg->right)
            (void)gm_add4(arg->m, 1u);
        else
            gm_st4(arg->m, gm_ld4(arg->m) + 1u);
    }
}

static const int mixed_line = __LINE__ + 7;
KERNEL(read_what_others_count, struct job, 64, 1)
{
    if (THREAD_ID == 0) {
        uint32_t x;

        (void)gm_add4(arg->m, 1u);
        x = arg->right ? gm_ld4_relaxed(arg->m) : gm_ld4(arg->m);
        gm_st4(arg->m + 1u + BLOCK_ID, x);
    }
}

/* The same of four words at once. */
static const int four_line = __LINE__ + 7;
KERNEL(read_four_words_that_others_count, struct job, 64, 1)
{
    if (THREAD_ID == 0) {
        vec16 x;

        (void)gm_add4(arg->m + BLOCK_ID % 4u, 1u);
        x = arg->right ? gm_ld16_relaxed(arg->m) : gm_ld16(arg->m);
        gm_st4(arg->m + 4u + BLOCK_ID, x.x + x.y + x.z + x.w);
    }
}

static const int neighbour_line = __LINE__ + 6;
KERNEL(read_the_next_block, struct job, 64, 1)
{
    const uint32_t next = arg->right ? BLOCK_ID : (BLOCK_ID + 1u) % GRID_DIM;

    gm_st4(arg->m + 64u * BLOCK_ID + THREAD_ID, 1u);
    gm_st4(arg->m + 1024u + 64u * BLOCK_ID + THREAD_ID, gm_ld4(arg->m + 64u * next + THREAD_ID));
}

/* Bytes of one word are nobody's business but their own. */
static const int byte_line = __LINE__ + 6;
KERNEL(store_bytes, struct job, 64, 1)
{
    uint8_t *const bytes = (uint8_t *)arg->m;
    const uint32_t far = !arg->right && THREAD_ID == 63; /* one too far */

    gm_st1(bytes + 64u * BLOCK_ID + THREAD_ID + far, 1u);
    gm_st2(bytes + 512u + 2u * (64u * BLOCK_ID + THREAD_ID), 1u);
    gm_st8(bytes + 1024u + 8u * (64u * BLOCK_ID + THREAD_ID), 1u);
}

static void words_of_several_threads_race(void **state)
{
    (void)state;
    judge(store_one_word_emulated, &blocks, store_line, BETWEEN_BLOCKS);
    judge(count_plainly_emulated, &blocks, count_line, BETWEEN_BLOCKS);
    judge(read_what_others_count_emulated, &blocks, mixed_line, BETWEEN_BLOCKS);
    judge(read_four_words_that_others_count_emulated, &blocks, four_line, BETWEEN_BLOCKS);
    judge(read_the_next_block_emulated, &blocks, neighbour_line, BETWEEN_BLOCKS);
    judge(store_bytes_emulated, &blocks, byte_line, "data race");
}

static const int warp_line = __LINE__ + 7;
KERNEL(pass_in_a_block, struct job, 64, 1)
{
    gm_st4(arg->m + THREAD_ID, THREAD_ID);
    if (arg->right)
        block_sync();
    warp_sync();
    gm_st4(arg->m + 100u + THREAD_ID, gm_ld4(arg->m + 63u - THREAD_ID));
}

static const int lane_line = __LINE__ + 6;
KERNEL(pass_in_a_warp, struct job, 64, 1)
{
    gm_st4(arg->m + THREAD_ID, THREAD_ID);
    if (arg->right)
        warp_sync();
    gm_st4(arg->m + 100u + THREAD_ID, gm_ld4(arg->m + (THREAD_ID ^ 1u)));
}

static const int vote_line = __LINE__ + 7;
KERNEL(pass_by_a_vote, struct job, 64, 1)
{
    gm_st4(arg->m + THREAD_ID, THREAD_ID);
    if (arg->right)
        warp_sync();
    if (all_of(1) && shfl4(1u, 0) && ballot(1) && match_any4(7u)) /* none of which is a barrier */
        gm_st4(arg->m + 100u + THREAD_ID, gm_ld4(arg->m + (THREAD_ID ^ 1u)));
}

static void words_of_one_block_race_too(void **state)
{
    (void)state;
    judge(pass_in_a_block_emulated, &one_block, warp_line, "without a block_sync");
    judge(pass_in_a_warp_emulated, &one_block, lane_line, "without a warp_sync");
    judge(pass_by_a_vote_emulated, &one_block, vote_line, "without a warp_sync");
}

/* ---- order from block to block --------------------------------------------------- */

/* The last block to come sums what all have written: fences before and after the count. */
#define LAST_BLOCK(name, before, after)                              \
    KERNEL(name, struct job, 64, 1)                                  \
    {                                                                \
        gm_st4(arg->m + 64u * BLOCK_ID + THREAD_ID, THREAD_ID);      \
        block_sync();                                                \
        if (THREAD_ID == 0) {                                        \
            if (arg->right || (before))                              \
                gm_fence();                                          \
            sh_st4(0, gm_add4(arg->m + 2000u, 1u) + 1u == GRID_DIM); \
            if (arg->right || (after))                               \
                gm_fence();                                          \
        }                                                            \
        block_sync();                                                \
        if (sh_ld4(0)) {                                             \
            uint32_t sum = 0;                                        \
            for (uint32_t b = 0; b < GRID_DIM; b++)                  \
                sum += gm_ld4(arg->m + 64u * b + THREAD_ID);         \
            gm_st4(arg->m + 1000u + THREAD_ID, sum);                 \
        }                                                            \
    }

static const int last_line = __LINE__ + 1;
LAST_BLOCK(sum_without_fences, 0, 0)
static const int before_line = __LINE__ + 1;
LAST_BLOCK(sum_without_the_first_fence, 0, 1)
static const int after_line = __LINE__ + 1;
LAST_BLOCK(sum_without_the_second_fence, 1, 0)

static void sums_of_the_last_block_need_both_fences(void **state)
{
    (void)state;
    judge(sum_without_fences_emulated, &blocks, last_line, BETWEEN_BLOCKS);
    judge(sum_without_the_first_fence_emulated, &blocks, before_line, BETWEEN_BLOCKS);
    judge(sum_without_the_second_fence_emulated, &blocks, after_line, BETWEEN_BLOCKS);
    for (uint32_t i = 0; i < 64; i++)
        assert_true(run(sum_without_fences_emulated, 1, &blocks) || memory[1000 + i] == 3 * i);
}

/* Tile by tile: the data of the tile before, behind a flag. */
static const int look_line = __LINE__ + 14;
KERNEL(look_back, struct job, 64, 1)
{
    uint32_t *const flags = arg->m + 2000u;
    uint32_t x = 1;

    if (THREAD_ID == 0)
        sh_st4(0, gm_add4(arg->m + 3000u, 1u));
    block_sync();
    if (THREAD_ID == 0) {
        const uint32_t tile = sh_ld4(0);

        if (tile) {
            SPIN_UNTIL(gm_ld4_acquire(flags + tile - 1u));
            x += gm_ld4(arg->m + tile - 1u);
        }
        gm_st4(arg->m + tile, x);
        if (arg->right)
            gm_st4_release(flags + tile, 1u);
        else
            gm_st4_relaxed(flags + tile, 1u);
    }
}

/* Who writes and who releases are two threads: the barrier between them counts. */
static const int chain_line = __LINE__ + 9;
KERNEL(pass_on, struct job, 64, 1)
{
    if (BLOCK_ID) {
        if (THREAD_ID == 32)
            gm_wait4(arg->m + 2000u + BLOCK_ID - 1u, ~0u, 1u);
        block_sync();
    }
    for (uint32_t b = 0; b < BLOCK_ID; b++) /* of all blocks before: order is handed on */
        (void)gm_ld4(arg->m + 64u * b + 63u - THREAD_ID);
    if (arg->right || THREAD_ID != 5)
        gm_st4(arg->m + 64u * BLOCK_ID + THREAD_ID, 1u);
    block_sync();
    if (!arg->right && THREAD_ID == 5)
        gm_st4(arg->m + 64u * BLOCK_ID + THREAD_ID, 1u);
    if (THREAD_ID == 0)
        gm_st4_release(arg->m + 2000u + BLOCK_ID, 1u);
}

KERNEL(two_rounds, struct job, 64, 1)
{
    for (uint32_t k = 0; k < 2; k++) {
        gm_st4(arg->m + 64u * BLOCK_ID + THREAD_ID, k);
        grid_sync(arg->m + 2000u, (2u * k + 1u) * GRID_DIM);
        (void)gm_ld4(arg->m + 64u * ((BLOCK_ID + 1u) % GRID_DIM) + THREAD_ID);
        if (arg->right)
            grid_sync(arg->m + 2000u, (2u * k + 2u) * GRID_DIM);
        else if (THREAD_ID == 0)
            gm_add4_release(arg->m + 2000u, 1u);
    }
}

static void order_comes_by_release_and_acquire_alone(void **state)
{
    (void)state;
    judge(look_back_emulated, &together, look_line, BETWEEN_BLOCKS);
    judge(pass_on_emulated, &together, chain_line, BETWEEN_BLOCKS);
}

/* Who does not wait here may happen to be acquired later: not every order shows the race. */
static void a_missing_grid_barrier_is_found_in_some_order(void **state)
{
    struct how h = together;
    unsigned found = 0;

    (void)state;
    for (int order = 0; order < CW_EMU_ORDERS; order++) {
        h.order = (enum cw_emu_order_by)order;
        for (h.seed = 0; h.seed < 20; h.seed++) {
            assert_int_equal(run(two_rounds_emulated, 1, &h), CW_OK);
            found += run(two_rounds_emulated, 0, &h) == CW_ERR_RACE;
        }
    }
    assert_true(found >= 5);
}

/* ---- late stores -------------------------------------------------------------------- */

/* Block 1 finds the flag, but perhaps not yet the word that was stored before it. */
KERNEL(send_a_word, struct job, 64, 1)
{
    if (THREAD_ID == 0 && BLOCK_ID == 0) {
        gm_st4_relaxed(arg->m, 7u);
        if (arg->right)
            gm_fence();
        gm_st4_relaxed(arg->m + 1, 1u);
    }
    if (THREAD_ID == 0 && BLOCK_ID == 1) {
        SPIN_UNTIL(gm_ld4_relaxed(arg->m + 1));
        gm_fence();
        gm_st4(arg->m + 2, gm_ld4_relaxed(arg->m));
    }
}

static void relaxed_stores_may_be_seen_in_another_order(void **state)
{
    struct how h = {2, 64, 1, CW_EMU_ADVERSARIAL, 0};
    unsigned late = 0;

    (void)state;
    for (h.seed = 0; h.seed < 200; h.seed++) {
        assert_int_equal(run(send_a_word_emulated, 1, &h), CW_OK);
        assert_int_equal(memory[2], 7);
        assert_int_equal(run(send_a_word_emulated, 0, &h), CW_OK);
        late += memory[2] == 0;
    }
    assert_in_range(late, 10, 190);
}

/* ---- the trace ------------------------------------------------------------------------ */

KERNEL(one_of_two_stores, struct job, 64, 1)
{
    if (THREAD_ID == (arg->right ? 7u : 40u))
        gm_st4(arg->m, 1u);
}

static uint64_t trace_of(int right)
{
    static const struct cw_emu_config config = {64, 1024};
    const struct cw_emu_buffer buffer = {memory, sizeof memory, 1, NULL, 0};
    const struct job job = {memory, right};
    const struct cw_emu_launch l = {one_of_two_stores_emulated, &job, 1, &buffer, 1};
    struct cw_emu *e;
    uint64_t trace;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    assert_int_equal(cw_emu_launch(e, &l), CW_OK);
    trace = cw_emu_trace(e);
    cw_emu_destroy(e);
    return trace;
}

/* The same store by another thread: what is oblivious must not differ in that either. */
static void the_trace_tells_who_asked(void **state)
{
    (void)state;
    assert_true(trace_of(1) == trace_of(1));
    assert_true(trace_of(0) != trace_of(1));
}

/* ---- what nobody wrote, and ends of arrays --------------------------------------------- */

struct pair {
    uint32_t *a, *b;
    uint32_t from, count;
};

static const int copy_line = __LINE__ + 4;
KERNEL(copy_words, struct pair, 64, 1)
{
    for (uint32_t i = arg->from + THREAD_ID; i < arg->from + arg->count; i += BLOCK_DIM)
        gm_st4(arg->b + i, gm_ld4(arg->a + i));
}

enum { N = 1000 };

static cw_status copy(struct cw_emulated_memory *m, uint32_t *a, uint32_t *b, uint32_t from,
                      uint32_t count)
{
    static const struct cw_emu_config config = {64, 0};
    const struct pair arg = {a, b, from, count};
    struct cw_emu_buffer both[] = {{a, 4 * N, 1, NULL, 0}, {b, 4 * N, 1, NULL, 0}};
    const struct cw_emu_launch l = {copy_words_emulated, &arg, 1, both, 2};
    struct cw_emu *e;
    cw_status status;

    cw_emulated_marks(m, &both[0]);
    cw_emulated_marks(m, &both[1]);
    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    status = cw_emu_launch(e, &l);
    cw_emu_destroy(e);
    return status;
}

static void says(int line, const char *what)
{
    char place[64];

    snprintf(place, sizeof place, "test_emu_global.c:%d", line);
    if (!strstr(cw_last_error(), place) || !strstr(cw_last_error(), what))
        fail_msg("'%s' names neither %s nor '%s'", cw_last_error(), place, what);
}

static void words_that_nobody_wrote_are_not_read(void **state)
{
    struct cw_emulated_memory m = {NULL};
    uint32_t *const a = (uint32_t *)cw_emulated_alloc(&m, 4 * N);
    uint32_t *const b = (uint32_t *)cw_emulated_alloc(&m, 4 * N);

    (void)state;
    assert_int_equal(copy(&m, a, b, 0, N), CW_ERR_UNWRITTEN);
    says(copy_line, "which nobody wrote");
    memset(a, 1, 4 * 500);
    cw_emulated_wrote(&m, a, 4 * 500);
    assert_int_equal(copy(&m, a, b, 0, 500), CW_OK);
    assert_int_equal(copy(&m, a, b, 437, 64), CW_ERR_UNWRITTEN);
    says(copy_line, "byte 2000 of buffer 0");
    assert_int_equal(copy(&m, b, a, 0, 500), CW_OK); /* a kernel wrote them */
    assert_int_equal(copy(&m, b, a, 500, 1), CW_ERR_UNWRITTEN);
    cw_emulated_copied(&m, b + 300, a + 400, 4 * 200); /* half of these were */
    memcpy(b + 300, a + 400, 4 * 200);
    assert_int_equal(copy(&m, b, a, 300, 100), CW_OK);
    assert_int_equal(copy(&m, b, a, 400, 1), CW_ERR_UNWRITTEN);
    cw_emulated_free(&m, a);
    cw_emulated_free(&m, b);
    assert_null(m.first);
}

/* Arrays side by side: the word behind each is of none. */
static void an_end_of_an_array_is_not_the_next_one(void **state)
{
    struct cw_emulated_memory m = {NULL};
    uint32_t *all[8];

    (void)state;
    for (uint32_t x = 0; x < COUNT(all); x++) {
        all[x] = (uint32_t *)cw_emulated_alloc(&m, 4 * N);
        cw_emulated_wrote(&m, all[x], 4 * N);
    }
    for (uint32_t x = 0; x + 1 < COUNT(all); x++) {
        assert_int_equal(copy(&m, all[x], all[x + 1], 0, N), CW_OK);
        assert_int_equal(copy(&m, all[x], all[x + 1], 1, N), CW_ERR_BOUNDS);
        says(copy_line, "byte 4000 of buffer");
        assert_int_equal(copy(&m, all[x + 1], all[x], 1, N), CW_ERR_BOUNDS);
    }
    for (uint32_t x = 0; x < COUNT(all); x++)
        cw_emulated_free(&m, all[x]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_several_threads_race),
        cmocka_unit_test(words_of_one_block_race_too),
        cmocka_unit_test(sums_of_the_last_block_need_both_fences),
        cmocka_unit_test(order_comes_by_release_and_acquire_alone),
        cmocka_unit_test(a_missing_grid_barrier_is_found_in_some_order),
        cmocka_unit_test(relaxed_stores_may_be_seen_in_another_order),
        cmocka_unit_test(the_trace_tells_who_asked),
        cmocka_unit_test(words_that_nobody_wrote_are_not_read),
        cmocka_unit_test(an_end_of_an_array_is_not_the_next_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
