/* test_emu_races.c - two accesses that no barrier orders are found, others are not blamed. */
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

/* ---- two accesses ----------------------------------------------------------- */

enum sync { NOTHING, MEET_WARP, SHUFFLE, VOTE, MEET_BLOCK };

struct pair {
    enum cw_emu_kind kind[2];
    uint32_t thread[2];
    enum sync sync;
};

static int lines[2];

static void access_one(enum cw_emu_kind kind)
{
    if (kind == CW_EMU_READ) {
        lines[0] = __LINE__ + 1;
        (void)sh_ld4(8);
    } else if (kind == CW_EMU_ADD) {
        lines[0] = __LINE__ + 1;
        (void)sh_add4(8, 1);
    } else {
        lines[0] = __LINE__ + 1;
        sh_st4(8, 7);
    }
}

static void access_two(enum cw_emu_kind kind)
{
    if (kind == CW_EMU_READ) {
        lines[1] = __LINE__ + 1;
        (void)sh_ld4(8);
    } else if (kind == CW_EMU_ADD) {
        lines[1] = __LINE__ + 1;
        (void)sh_add4(8, 1);
    } else {
        lines[1] = __LINE__ + 1;
        sh_st8(8, 7); /* of another size */
    }
}

static void do_pair(struct cw_emu *s, const void *arg)
{
    const struct pair *p = (const struct pair *)arg;

    (void)s;
    if (THREAD_ID == p->thread[0])
        access_one(p->kind[0]);
    if (p->sync == MEET_WARP)
        warp_sync();
    else if (p->sync == SHUFFLE)
        (void)shfl_xor4(1, 1);
    else if (p->sync == VOTE)
        (void)any_of(1);
    else if (p->sync == MEET_BLOCK)
        block_sync();
    if (THREAD_ID == p->thread[1])
        access_two(p->kind[1]);
}

static int is_race(const struct pair *p)
{
    if (p->thread[0] == p->thread[1] || p->sync == MEET_BLOCK)
        return 0;
    if (p->kind[0] == p->kind[1] && p->kind[0] != CW_EMU_WRITE)
        return 0;
    return p->thread[0] / 32 != p->thread[1] / 32 || p->sync != MEET_WARP;
}

static void try_pair(struct cw_emu *e, const struct pair *p)
{
    static const char *const kinds[] = {"read", "atomic add", "write"};
    char expected[512];

    memset(cw_emu_shared(e), 0, 64);
    if (!is_race(p)) {
        assert_int_equal(cw_emu_run(e, do_pair, p), CW_OK);
        return;
    }
    assert_int_equal(cw_emu_run(e, do_pair, p), CW_ERR_RACE);
    snprintf(expected, sizeof expected,
             "data race on byte 8 of shared memory: %s by thread %u at %s:%d, then %s by thread %u "
             "at %s:%d, without a %s between them",
             kinds[p->kind[0]], p->thread[0], __FILE__, lines[0], kinds[p->kind[1]], p->thread[1],
             __FILE__, lines[1],
             p->thread[0] / 32 == p->thread[1] / 32 ? "warp_sync" : "block_sync");
    assert_string_equal(cw_last_error(), expected);
}

static void two_accesses_race_unless_a_barrier_of_both_stands_between(void **state)
{
    static const uint32_t threads[][2] = {{5, 5}, {5, 9}, {5, 40}, {31, 32}};
    struct cw_emu *e = make(64, 64);

    (void)state;
    for (size_t x = 0; x < sizeof threads / sizeof *threads; x++)
        for (int sync = NOTHING; sync <= MEET_BLOCK; sync++)
            for (int a = CW_EMU_READ; a <= CW_EMU_WRITE; a++)
                for (int b = CW_EMU_READ; b <= CW_EMU_WRITE; b++) {
                    const struct pair p = {{(enum cw_emu_kind)a, (enum cw_emu_kind)b},
                                           {threads[x][0], threads[x][1]},
                                           (enum sync)sync};

                    try_pair(e, &p);
                }
    cw_emu_destroy(e);
}

static void write_together(struct cw_emu *s, const void *arg)
{
    (void)s;
    lines[0] = __LINE__ + 1;
    sh_st4(4 * (LANE_ID / *(const uint32_t *)arg), 1);
}

static void lanes_that_write_one_word_in_one_request_race(void **state)
{
    static const uint32_t one = 1, two = 2;
    struct cw_emu *e = make(32, 128);
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_run(e, write_together, &one), CW_OK);
    assert_int_equal(cw_emu_run(e, write_together, &two), CW_ERR_RACE);
    snprintf(expected, sizeof expected,
             "data race on byte 0 of shared memory: write by thread 0 at %s:%d, then write by "
             "thread 1 at %s:%d, without a warp_sync between them",
             __FILE__, lines[0], __FILE__, lines[0]);
    assert_string_equal(cw_last_error(), expected);
    cw_emu_destroy(e);
}

static void write_by_block(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (THREAD_ID == BLOCK_ID)
        sh_st4(0, BLOCK_ID);
}

static void blocks_share_no_memory_and_do_not_race(void **state)
{
    struct cw_emu *e = make(64, 16);
    const struct cw_emu_launch launch = {write_by_block, NULL, 64, NULL, 0};

    (void)state;
    assert_int_equal(cw_emu_launch(e, &launch), CW_OK);
    cw_emu_destroy(e);
}

/* Two lanes read, one of them reads again and writes: the other one's read is not forgotten. */
static void read_both_write_one(struct cw_emu *s, const void *arg)
{
    const uint32_t writer = *(const uint32_t *)arg;

    (void)s;
    for (uint32_t k = 0; k < 2; k++) {
        if (LANE_ID == writer || (LANE_ID == 7 - writer && k == 0)) {
            lines[0] = __LINE__ + 1;
            (void)sh_ld4(8);
        }
    }
    if (LANE_ID == writer) {
        lines[1] = __LINE__ + 1;
        sh_st4(8, 1);
    }
}

static void a_writer_races_with_every_other_reader(void **state)
{
    struct cw_emu *e = make(32, 16);
    char expected[512];

    (void)state;
    for (uint32_t writer = 3; writer <= 4; writer++) {
        assert_int_equal(cw_emu_run(e, read_both_write_one, &writer), CW_ERR_RACE);
        snprintf(expected, sizeof expected,
                 "data race on byte 8 of shared memory: read by thread %u at %s:%d, then write by "
                 "thread %u at %s:%d, without a warp_sync between them",
                 7 - writer, __FILE__, lines[0], writer, __FILE__, lines[1]);
        assert_string_equal(cw_last_error(), expected);
    }
    cw_emu_destroy(e);
}

/* ---- any program ------------------------------------------------------------ */

#define THREADS 96
#define PHASES  2 /* between barriers of the block */
#define TURNS   3 /* between those of a warp */
#define ROUNDS  2

struct op {
    int kind; /* -1: none */
    uint32_t word;
};

struct program {
    struct op ops[PHASES][TURNS][THREADS][ROUNDS];
};

static void follow(struct cw_emu *s, const void *arg)
{
    const struct program *p = (const struct program *)arg;

    (void)s;
    for (int a = 0; a < PHASES; a++) {
        for (int b = 0; b < TURNS; b++) {
            for (int k = 0; k < ROUNDS; k++) {
                const struct op *o = &p->ops[a][b][THREAD_ID][k];

                if (o->kind == CW_EMU_READ)
                    (void)sh_ld4(4 * o->word);
                else if (o->kind == CW_EMU_ADD)
                    (void)sh_add4(4 * o->word, 1);
                else if (o->kind == CW_EMU_WRITE)
                    sh_st4(4 * o->word, 1);
            }
            warp_sync();
        }
        block_sync();
    }
}

static int conflict(const struct op *x, const struct op *y)
{
    return x->kind >= 0 && y->kind >= 0 && x->word == y->word &&
           (x->kind != y->kind || x->kind == CW_EMU_WRITE);
}

/* Every pair of accesses between two barriers of the block. */
static int has_race(const struct program *p)
{
    const int n = TURNS * THREADS * ROUNDS;

    for (int a = 0; a < PHASES; a++) {
        const struct op *const ops = &p->ops[a][0][0][0];

        for (int x = 0; x < n; x++) {
            if (ops[x].kind < 0)
                continue;
            for (int y = x + 1; y < n; y++) {
                const int t = x / ROUNDS % THREADS, u = y / ROUNDS % THREADS;
                const int turn = x / ROUNDS / THREADS, other = y / ROUNDS / THREADS;

                if (t != u && (t / 32 != u / 32 || turn == other) && conflict(&ops[x], &ops[y]))
                    return 1;
            }
        }
    }
    return 0;
}

static unsigned draw(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static void make_program(struct program *p, unsigned seed)
{
    const unsigned range = 2u << draw(&seed, 9), gap = 1u << (1 + draw(&seed, 6));
    const unsigned kinds = 1 + draw(&seed, 16);            /* the larger, the fewer writes */
    const unsigned threads = 2 + draw(&seed, THREADS - 1); /* those that do anything */
    struct op *ops = &p->ops[0][0][0][0];

    for (int x = 0; x < PHASES * TURNS * THREADS * ROUNDS; x++) {
        ops[x].kind = -1;
        ops[x].word = draw(&seed, range);
        if (!draw(&seed, gap) && (unsigned)x / ROUNDS % THREADS < threads)
            ops[x].kind =
                draw(&seed, 8) < 6 && draw(&seed, kinds) ? CW_EMU_READ : (int)draw(&seed, 3);
    }
}

static void a_race_is_found_just_where_some_pair_is_unordered(void **state)
{
    static struct program p;
    struct cw_emu *e = make(THREADS, 4096);
    unsigned found = 0;
    const unsigned programs = 3000;

    (void)state;
    for (unsigned seed = 0; seed < programs; seed++) {
        cw_status status;

        make_program(&p, seed);
        status = cw_emu_run(e, follow, &p);
        found += has_race(&p);
        if (status != (has_race(&p) ? CW_ERR_RACE : CW_OK))
            print_message("seed %u: %s\n", seed, status ? cw_last_error() : "no race found");
        assert_int_equal(status, has_race(&p) ? CW_ERR_RACE : CW_OK);
    }
    assert_in_range(found, programs / 5, 4 * programs / 5); /* both kinds were tried */
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_accesses_race_unless_a_barrier_of_both_stands_between),
        cmocka_unit_test(lanes_that_write_one_word_in_one_request_race),
        cmocka_unit_test(a_writer_races_with_every_other_reader),
        cmocka_unit_test(blocks_share_no_memory_and_do_not_race),
        cmocka_unit_test(a_race_is_found_just_where_some_pair_is_unordered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
