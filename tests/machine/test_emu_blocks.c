/* test_emu_blocks.c - blocks that wait for each other: all of a cooperative launch, or those that took an
 * earlier ticket; and waits that never end, which are named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev/kernel.h"
#include "support/test.h"

#define MOST (16 + 132 * 512)

static uint32_t memory[MOST], result[MOST];

struct run {
    cw_emu_kernel kernel;
    uint32_t blocks, threads;
    int cooperative;
    enum cw_emu_order_by order;
    uint64_t seed;
    uint32_t resident;
    uint64_t steps;
};

/* A launch on both arrays, which are 0 before. */
static cw_status launch(const struct run *r)
{
    const struct cw_emu_config config = {r->threads, 1024};
    const struct cw_emu_buffer buffers[] = {{memory, sizeof memory, 1}, {result, sizeof result, 1}};
    const struct cw_emu_launch l = {.kernel = r->kernel,
                                    .arg = NULL,
                                    .blocks = r->blocks,
                                    .buffers = buffers,
                                    .buffer_count = 2,
                                    .cooperative = r->cooperative,
                                    .order = r->order,
                                    .seed = r->seed,
                                    .resident = r->resident,
                                    .steps = r->steps};
    struct cw_emu *e;
    cw_status status;

    memset(memory, 0, sizeof memory);
    memset(result, 0, sizeof result);
    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    status = cw_emu_launch(e, &l);
    cw_emu_destroy(e);
    return status;
}

static void works(const struct run *r)
{
    if (launch(r) != CW_OK)
        fail_msg("order %d, seed %llu: %s", (int)r->order, (unsigned long long)r->seed,
                 cw_last_error());
}

/* It fails so, and says where. */
static void fails(const struct run *r, cw_status status, int line, const char *why)
{
    char place[64];

    snprintf(place, sizeof place, "test_emu_blocks.c:%d", line);
    assert_int_equal(launch(r), status);
    if (!strstr(cw_last_error(), place) || !strstr(cw_last_error(), why))
        fail_msg("'%s' names neither %s nor '%s'", cw_last_error(), place, why);
}

/* ---- a grid barrier ----------------------------------------------------------- */

enum { ROUNDS = 5 };

/* Each thread writes a word a round, and adds that of its like in the next block; memory[0] counts. */
static void pass_round(struct cw_emu *s, const void *arg)
{
    const uint32_t all = GRID_DIM * BLOCK_DIM, i = BLOCK_ID * BLOCK_DIM + THREAD_ID;
    uint32_t sum = 0;

    (void)s;
    (void)arg;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        gm_st4(memory + 16 + i, 1000u * k + i);
        grid_sync(memory, (2u * k + 1u) * GRID_DIM);
        sum += gm_ld4(memory + 16 + (i + BLOCK_DIM) % all);
        grid_sync(memory, (2u * k + 2u) * GRID_DIM);
    }
    gm_st4(result + i, sum);
}

static void a_grid_barrier_orders_what_blocks_write(void **state)
{
    struct run r = {.kernel = pass_round, .blocks = 5, .threads = 96, .cooperative = 1};
    const uint64_t seed = cw_test_seed();

    (void)state;
    for (int order = 0; order < CW_EMU_ORDERS; order++) {
        r.order = (enum cw_emu_order_by)order;
        for (r.seed = seed; r.seed < seed + 10; r.seed++) {
            works(&r);
            for (uint32_t i = 0; i < 480; i++)
                assert_int_equal(result[i], 1000u * 10u + ROUNDS * ((i + 96) % 480));
        }
    }
}

static void a_cooperative_launch_may_be_as_large_as_a_gpu(void **state)
{
    struct run r = {.kernel = pass_round, .blocks = 132, .threads = 512, .cooperative = 1};

    (void)state;
    if (CW_FEW)
        r.threads = 32;
    works(&r);
    assert_int_equal(result[5], 1000u * 10u + ROUNDS * (5u + r.threads));
}

/* ---- look-back ------------------------------------------------------------------ */

enum { TILES = 40 };

/* Each block takes tiles by tickets and writes the sum of all tiles before; tile x adds x + 1.  A word
 * says what it is in its upper bits: 1 a sum of a tile, 2 of all up to it. */
static void look_back(struct cw_emu *s, const void *arg)
{
    uint32_t *const words = memory + 16;

    (void)s;
    (void)arg;
    for (;;) {
        uint32_t tile, sum = 0;

        if (THREAD_ID == 0)
            sh_st4(0, gm_add4(memory, 1u));
        block_sync();
        tile = sh_ld4(0);
        block_sync();
        if (tile >= TILES)
            return;
        if (THREAD_ID != 0)
            continue;
        gm_st4_relaxed(words + tile, 1u << 30 | (tile + 1u));
        for (uint32_t before = tile, x = 0; before && x >> 30 != 2u; before--) {
            SPIN_UNTIL((x = gm_ld4_relaxed(words + before - 1u)) >> 30);
            sum += x & 0x3fffffffu;
        }
        gm_st4_relaxed(words + tile, 2u << 30 | (sum + tile + 1u));
        gm_st4(result + tile, sum);
    }
}

static void blocks_that_took_a_later_ticket_wait_for_earlier_ones(void **state)
{
    struct run r = {.kernel = look_back, .blocks = 7, .threads = 64};
    const uint64_t seed = cw_test_seed();

    (void)state;
    for (int order = 0; order < CW_EMU_ORDERS; order++) {
        r.order = (enum cw_emu_order_by)order;
        for (r.resident = 1; r.resident <= 7; r.resident += 3) {
            for (r.seed = seed; r.seed < seed + 10; r.seed++) {
                works(&r);
                for (uint32_t x = 0; x < TILES; x++)
                    assert_int_equal(result[x], x * (x + 1) / 2);
            }
        }
    }
}

static const int wait_line = __LINE__ + 7;
static void wait_for_the_block_before(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (THREAD_ID == 0) {
        if (BLOCK_ID)
            gm_wait4(memory + BLOCK_ID - 1u, ~0u, 1u);
        gm_st4_release(memory + BLOCK_ID, 1u);
    }
    block_sync();
}

/* Blocks need not begin by number: one that waits for another that has not begun waits for ever. */
static void a_block_that_waits_for_one_that_cannot_begin_is_found(void **state)
{
    struct run r = {.kernel = wait_for_the_block_before, .blocks = 6, .threads = 64};

    (void)state;
    works(&r);
    r.order = CW_EMU_REVERSED;
    fails(&r, CW_ERR_STUCK, wait_line, "5 cannot begin");
    r.resident = 5;
    fails(&r, CW_ERR_STUCK, wait_line, "1 cannot begin");
    r.cooperative = 1;
    works(&r);
}

/* ---- waits without end ----------------------------------------------------------- */

static const int barrier_line = __LINE__ + 6;
static void miss_the_barrier(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (BLOCK_ID != 2)
        grid_sync(memory, GRID_DIM);
}

static const int spin_line = __LINE__ + 6;
static void wait_for_nobody(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (THREAD_ID == 33)
        SPIN_UNTIL(gm_ld4_relaxed(memory + 5));
    block_sync();
}

static const int loop_line = __LINE__ + 6;
static void loop_over_a_barrier(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    for (;;)
        block_sync();
}

static const int poll_line = __LINE__ + 5;
static void poll(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    while (gm_ld4(memory) == 0)
        ;
}

static const int write_line = __LINE__ + 7;
static void write_for_ever(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    for (uint32_t i = 0;; i++) {
        gm_st4(memory + THREAD_ID, i);
        warp_sync();
    }
}

static void a_wait_without_end_is_named(void **state)
{
    struct run r = {.kernel = miss_the_barrier, .blocks = 4, .threads = 64, .cooperative = 1};

    (void)state;
    for (int order = 0; order < CW_EMU_ORDERS; order++) {
        r.order = (enum cw_emu_order_by)order;
        fails(&r, CW_ERR_STUCK, barrier_line, "3 blocks wait, 1 have ended");
    }
    r = (struct run){.kernel = wait_for_nobody, .blocks = 1, .threads = 64};
    fails(&r, CW_ERR_STUCK, spin_line, "thread 33 waits");
    r.kernel = loop_over_a_barrier;
    fails(&r, CW_ERR_STUCK, loop_line, "no word was written");
    r.kernel = poll;
    fails(&r, CW_ERR_STUCK, poll_line, "without a stop");
    r.kernel = write_for_ever;
    r.steps = 100000;
    fails(&r, CW_ERR_STUCK, write_line, "after 100000 stops");
}

/* A block that waits in a loop of barriers, or of reads, does not say so, but lets others go on. */
static void ask_without_a_word(struct cw_emu *s, const void *arg)
{
    uint32_t come = 0;

    (void)s;
    (void)arg;
    if (BLOCK_ID == 1 && THREAD_ID == 0) {
        while (!gm_ld4_relaxed(memory + 1))
            ;
        gm_st4_relaxed(memory, 1u);
    }
    if (BLOCK_ID == 0 && THREAD_ID == 0)
        gm_st4_relaxed(memory + 1, 1u);
    while (BLOCK_ID == 0 && !come) {
        if (THREAD_ID == 0)
            sh_st4(0, gm_ld4_relaxed(memory));
        block_sync();
        come = sh_ld4(0);
        block_sync();
    }
}

static void blocks_take_turns_also_where_no_word_says_that_they_wait(void **state)
{
    struct run r = {.kernel = ask_without_a_word, .blocks = 3, .threads = 64, .cooperative = 1};

    (void)state;
    for (int order = 0; order < CW_EMU_ORDERS; order++) {
        r.order = (enum cw_emu_order_by)order;
        works(&r);
    }
}

/* ---- two words of one line --------------------------------------------------------- */

/* clang-format off */
static const int branch_line = __LINE__ + 4;
static void shuffle_in_two_branches(struct cw_emu *s, const void *arg)
{
    (void)s; (void)arg;
    if (THREAD_ID < 9) (void)shfl4(1, 0); else (void)shfl4(2, 0);
}

static const int sync_line = __LINE__ + 3;
static void sync_in_two_branches(struct cw_emu *s, const void *arg)
{
    if (THREAD_ID < 9) block_sync(); else block_sync();
    (void)s; (void)arg;
}
/* clang-format on */

static void two_words_of_one_line_are_two_places(void **state)
{
    struct run r = {.kernel = shuffle_in_two_branches, .blocks = 1, .threads = 32};

    (void)state;
    fails(&r, CW_ERR_BARRIER, branch_line, "another one on that line");
    r.kernel = sync_in_two_branches;
    fails(&r, CW_ERR_BARRIER, sync_line, "another one on that line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_barrier_orders_what_blocks_write),
        cmocka_unit_test(a_cooperative_launch_may_be_as_large_as_a_gpu),
        cmocka_unit_test(blocks_that_took_a_later_ticket_wait_for_earlier_ones),
        cmocka_unit_test(a_block_that_waits_for_one_that_cannot_begin_is_found),
        cmocka_unit_test(a_wait_without_end_is_named),
        cmocka_unit_test(blocks_take_turns_also_where_no_word_says_that_they_wait),
        cmocka_unit_test(two_words_of_one_line_are_two_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
