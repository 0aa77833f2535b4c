/* test_emu_masks.c - warp_sync_mask holds and orders the lanes of its mask, and no others. */
#include <stdio.h>
#include <string.h>

#include "test.h"

#include "dev/kernel.h"

static struct cw_emu *make(uint32_t threads, uint32_t shared)
{
    const struct cw_emu_config config = {threads, shared};
    struct cw_emu *e;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    memset(cw_emu_shared(e), 0, shared);
    return e;
}

static int line, other_line;

#define HERE  (line = __LINE__ + 1)
#define THERE (other_line = __LINE__ + 1)

/* ---- who waits ---------------------------------------------------------------- */

/* Groups of 4, 8 and 20 lanes pass a sum round, each as often as it has lanes; what a lane reads
 * is what its neighbour wrote in the round before. */
static void relay(struct cw_emu *s, const void *arg)
{
    const uint32_t i = LANE_ID;
    const uint32_t first = i < 4 ? 0 : i < 12 ? 4 : 12, n = i < 4 ? 4 : i < 12 ? 8 : 20;
    const uint32_t mask = ((1u << n) - 1) << first;
    uint32_t wrong = 0;

    (void)s;
    (void)arg;
    for (uint32_t k = 0; k < n; k++) {
        sh_st4(4 * i, 100 * k + i);
        warp_sync_mask(mask);
        wrong += sh_ld4(4 * (first + (i - first + 1) % n)) != 100 * k + first + (i - first + 1) % n;
        warp_sync_mask(mask);
    }
    sh_st4(128 + 4 * i, wrong);
}

static void groups_of_lanes_wait_for_each_other_and_for_nobody_else(void **state)
{
    struct cw_emu *e = make(32, 256);
    const uint32_t *const words = (const uint32_t *)cw_emu_shared(e);

    (void)state;
    if (cw_emu_run(e, relay, NULL))
        fail_msg("%s", cw_last_error());
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(words[32 + i], 0);
    cw_emu_destroy(e);
}

/* Lane 0 goes round with each other lane in turn, while all the others wait. */
static void visit(struct cw_emu *s, const void *arg)
{
    const uint32_t i = LANE_ID;

    (void)s;
    (void)arg;
    for (uint32_t k = 1; k < BLOCK_DIM % 32; k++) {
        if (i == 0)
            sh_st4(0, k);
        if (i == 0 || i == k)
            warp_sync_mask(1u | 1u << k);
        if (i == k)
            sh_st4(4 * k, sh_ld4(0));
        if (i == 0 || i == k)
            warp_sync_mask(1u | 1u << k);
    }
}

static void a_mask_may_be_of_two_lanes_and_the_warp_part_of_one(void **state)
{
    struct cw_emu *e = make(29, 256);
    const uint32_t *const words = (const uint32_t *)cw_emu_shared(e);

    (void)state;
    if (cw_emu_run(e, visit, NULL))
        fail_msg("%s", cw_last_error());
    for (uint32_t k = 1; k < 29; k++)
        assert_int_equal(words[k], k);
    cw_emu_destroy(e);
}

/* ---- who never comes ------------------------------------------------------------ */

static void ends(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (LANE_ID == 5)
        return;
    HERE;
    warp_sync_mask(LANE_ID < 8 ? 0xffu : 0xffffff00u);
}

static void other_mask(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    HERE;
    warp_sync_mask(LANE_ID == 3 ? 0x18u : LANE_ID < 8 ? 0xffu : 0xffffff00u);
}

static void other_place(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (LANE_ID == 9) {
        THERE;
        warp_sync_mask(0xff00u);
    } else if (LANE_ID >= 8 && LANE_ID < 16) {
        HERE;
        warp_sync_mask(0xff00u);
    }
}

static void whole_warp(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (LANE_ID < 2) {
        HERE;
        warp_sync_mask(0x7u);
    } else {
        THERE;
        warp_sync();
    }
}

static void not_of_it(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    HERE;
    warp_sync_mask(LANE_ID == 1 ? 0x5u : 1u << LANE_ID);
}

static void not_there(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    HERE;
    warp_sync_mask(0x1ffu);
}

static void refuse(uint32_t threads, cw_emu_kernel kernel, const char *format)
{
    struct cw_emu *e = make(threads, 16);
    char here[64], there[64], expected[512];

    if (cw_emu_run(e, kernel, NULL) != CW_ERR_BARRIER)
        fail_msg("not refused: %s", format);
    snprintf(here, sizeof here, "%s:%d", __FILE__, line);
    snprintf(there, sizeof there, "%s:%d", __FILE__, other_line);
    snprintf(expected, sizeof expected, format, here, there);
    assert_string_equal(cw_last_error(), expected);
    cw_emu_destroy(e);
}

static void lanes_that_do_not_meet_are_an_error_with_mask_and_place(void **state)
{
    (void)state;
    refuse(
        32, ends,
        "thread 0 waits for lanes 000000ff of its warp in warp_sync_mask at %s, thread 5 of that "
        "warp has ended (last seen at its beginning)");
    other_line = -1;
    refuse(
        32, other_place,
        "thread 8 waits for lanes 0000ff00 of its warp in warp_sync_mask at %s, thread 9 of that "
        "warp waits for lanes 0000ff00 in warp_sync_mask at %s");
    refuse(
        32, whole_warp,
        "thread 0 waits for lanes 00000007 of its warp in warp_sync_mask at %s, thread 2 of that "
        "warp waits in warp_sync at %s");
    refuse(32, not_of_it,
           "thread 1 waits for lanes 00000005 of its warp, of which it is none, in warp_sync_mask "
           "at %s");
    refuse(8, not_there,
           "thread 0 waits for lanes 000001ff of its warp, which has 8, in warp_sync_mask at %s");
    other_line = line = 0;
    refuse(32, other_mask,
           "thread 0 waits for lanes 000000ff of its warp in warp_sync_mask at %1$s, thread 3 of "
           "that warp waits for lanes 00000018 in warp_sync_mask at %1$s");
}

/* ---- what is ordered -------------------------------------------------------------- */

#define THREADS 64
#define STEPS   5
#define PHASES  2

struct op {
    int kind; /* -1: none */
    uint32_t word;
};

/* In each step every thread may ask once, and then some lanes of each warp meet. */
struct program {
    struct op ops[PHASES][STEPS][THREADS];
    uint32_t masks[PHASES][STEPS][THREADS / 32];
};

static void follow(struct cw_emu *s, const void *arg)
{
    const struct program *p = (const struct program *)arg;

    (void)s;
    for (int a = 0; a < PHASES; a++) {
        for (int k = 0; k < STEPS; k++) {
            const struct op *o = &p->ops[a][k][THREAD_ID];
            const uint32_t mask = p->masks[a][k][WARP_ID];

            if (o->kind == CW_EMU_READ)
                (void)sh_ld4(4 * o->word);
            else if (o->kind == CW_EMU_ADD)
                (void)sh_add4(4 * o->word, 1);
            else if (o->kind == CW_EMU_WRITE)
                sh_st4(4 * o->word, 1);
            else if (o->kind == CW_EMU_COUNT)
                sh_inc4(4 * o->word);
            if (mask >> LANE_ID & 1)
                warp_sync_mask(mask);
        }
        block_sync();
    }
}

static int is_atomic(const struct op *o)
{
    return o->kind == CW_EMU_ADD || o->kind == CW_EMU_COUNT;
}

static int conflict(const struct op *x, const struct op *y)
{
    return x->kind >= 0 && y->kind >= 0 && x->word == y->word &&
           !(x->kind == CW_EMU_READ && y->kind == CW_EMU_READ) && !(is_atomic(x) && is_atomic(y));
}

/* Do the ops of thread t in step k race with any other of their phase?  Those that come after are
 * the steps of whoever has met t since, or has met somebody who had. */
static int races(const struct program *p, int a, int k, int t)
{
    const struct op *const x = &p->ops[a][k][t];
    uint32_t after = 1u << t % 32;

    for (int j = k; j < STEPS; j++) {
        for (int u = 0; u < THREADS; u++)
            if ((u != t || j != k) && (u / 32 != t / 32 || !(after >> u % 32 & 1)) &&
                conflict(x, &p->ops[a][j][u]))
                return 1;
        if (after & p->masks[a][j][t / 32])
            after |= p->masks[a][j][t / 32];
    }
    return 0;
}

static int has_race(const struct program *p)
{
    for (int a = 0; a < PHASES; a++)
        for (int k = 0; k < STEPS; k++)
            for (int t = 0; t < THREADS; t++)
                if (p->ops[a][k][t].kind >= 0 && races(p, a, k, t))
                    return 1;
    return 0;
}

static uint32_t random_mask(struct cw_random *r)
{
    switch (cw_random_below(r, 4)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return (uint32_t)cw_random_next(r);
    case 2: /* most lanes */
        return (uint32_t)(cw_random_next(r) | cw_random_next(r) | cw_random_next(r));
    default:
        return 0xffffu << cw_random_below(r, 17);
    }
}

static void make_program(struct program *p, uint64_t seed)
{
    struct cw_random r = cw_random_from(seed);
    const uint64_t range = 1 + cw_random_below(&r, 24), gap = 2u << cw_random_below(&r, 6);
    const uint64_t writes = 1 + cw_random_below(&r, 12); /* the larger, the fewer */
    const uint64_t threads = 2 + cw_random_below(&r, THREADS - 1);

    for (int a = 0; a < PHASES; a++)
        for (int k = 0; k < STEPS; k++) {
            for (int w = 0; w < THREADS / 32; w++)
                p->masks[a][k][w] = random_mask(&r);
            for (uint64_t t = 0; t < THREADS; t++) {
                struct op *const o = &p->ops[a][k][t];

                o->word = (uint32_t)cw_random_below(&r, range) + (threads > 32 ? 24 * (t / 32) : 0);
                o->kind = -1;
                if (t < threads && !cw_random_below(&r, gap))
                    o->kind =
                        cw_random_below(&r, writes) ? CW_EMU_READ : (int)cw_random_below(&r, 4);
            }
        }
}

static void a_race_is_found_just_where_no_chain_of_meetings_orders_two_accesses(void **state)
{
    static struct program p;
    struct cw_emu *e = make(THREADS, 256);
    const uint64_t programs = CW_SANITIZED ? 1500 : 6000;
    uint64_t found = 0;

    (void)state;
    for (uint64_t k = 0; k < programs; k++) {
        const uint64_t seed = cw_test_seed() + k;
        cw_status status;
        int race;

        make_program(&p, seed);
        race = has_race(&p);
        status = cw_emu_run(e, follow, &p);
        found += (uint64_t)race;
        if (status != (race ? CW_ERR_RACE : CW_OK))
            print_message("seed %llu: %s\n", (unsigned long long)seed,
                          status ? cw_last_error() : "no race found");
        assert_int_equal(status, race ? CW_ERR_RACE : CW_OK);
    }
    print_message("%llu of %llu programs race\n", (unsigned long long)found,
                  (unsigned long long)programs);
    assert_in_range(found, programs / 5, 4 * programs / 5); /* both kinds were tried */
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_lanes_wait_for_each_other_and_for_nobody_else),
        cmocka_unit_test(a_mask_may_be_of_two_lanes_and_the_warp_part_of_one),
        cmocka_unit_test(lanes_that_do_not_meet_are_an_error_with_mask_and_place),
        cmocka_unit_test(a_race_is_found_just_where_no_chain_of_meetings_orders_two_accesses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
