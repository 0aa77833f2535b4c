/* test_emu_order.c - lanes that a branch or a loop has parted come together again, as on a GPU:
 * told by how many requests a kernel makes. */
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "dev/kernel.h"

#define ROUNDS 40u

/* A bit for lane i in round k. */
static uint32_t coin(uint64_t seed, uint32_t i, uint32_t k)
{
    const uint64_t x = (seed * 8191 + i * 131 + k + 1) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)((x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 60);
}

/* A kernel on one warp; requests by place, in the order of the lines. */
static void run(cw_emu_kernel kernel, uint64_t seed, uint64_t *requests, uint32_t places)
{
    const struct cw_emu_config config = {32, 65536};
    struct cw_emu *e;
    struct cw_emu_place *list, total;
    uint32_t count;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    memset(cw_emu_shared(e), 0, config.shared);
    if (cw_emu_run(e, kernel, &seed))
        fail_msg("seed %llu: %s", (unsigned long long)seed, cw_last_error());
    cw_emu_total(e, &total);
    assert_int_equal(total.wavefronts, total.ideal); /* then sorted by line */
    list = cw_emu_sorted(e, &count);
    assert_non_null(list);
    assert_int_equal(count, places);
    for (uint32_t x = 0; x < count; x++)
        requests[x] = list[x].requests;
    free(list);
    cw_emu_destroy(e);
}

/* ---- branches in a loop ---------------------------------------------------------- */

static void either(struct cw_emu *s, const void *arg)
{
    const uint64_t seed = *(const uint64_t *)arg;

    (void)s;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        sh_st4(4 * LANE_ID, k);
        if (coin(seed, LANE_ID, k) & 1)
            (void)sh_ld4(128 + 4 * LANE_ID);
        else
            (void)sh_ld4(256 + 4 * LANE_ID);
    }
    sh_st4(4 * LANE_ID, 0);
}

static void lanes_of_both_branches_come_together_in_every_round(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t requests[4];

        run(either, seed, requests, 4);
        for (int x = 0; x < 3; x++)
            assert_int_equal(requests[x], ROUNDS);
        assert_int_equal(requests[3], 1);
    }
}

/* The last lane always reads, so a read is made in every round. */
static void or_not(struct cw_emu *s, const void *arg)
{
    const uint64_t seed = *(const uint64_t *)arg;

    (void)s;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        sh_st4(4 * LANE_ID, k);
        if (LANE_ID == 31 || coin(seed, LANE_ID, k) > 1)
            (void)sh_ld4(128 + 4 * LANE_ID);
    }
    sh_st4(4 * LANE_ID, 0);
}

/* Before a lane has been seen to go back from the read, who reads might have left the loop: until
 * then lanes may run ahead, as long as they do not read. */
static void lanes_that_leave_an_access_out_wait_for_those_that_make_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t requests[3];

        run(or_not, seed, requests, 3);
        assert_in_range(requests[0], ROUNDS, ROUNDS + 3);
        assert_in_range(requests[1], ROUNDS, ROUNDS + 3);
        assert_int_equal(requests[2], 1);
    }
}

/* ---- loops in a loop --------------------------------------------------------------- */

static void nested(struct cw_emu *s, const void *arg)
{
    const uint64_t seed = *(const uint64_t *)arg;

    (void)s;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        sh_st4(4 * LANE_ID, k);
        for (uint32_t j = 0; j < coin(seed, LANE_ID, k); j++)
            (void)sh_ld4(128 + 4 * LANE_ID);
        for (uint32_t j = 0; j < coin(seed + 1, LANE_ID, k); j++) {
            (void)sh_ld4(256 + 4 * LANE_ID);
            sh_st4(256 + 4 * LANE_ID, j);
        }
        sh_st4(384 + 4 * LANE_ID, k);
    }
}

static uint64_t longest(uint64_t seed)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < ROUNDS; k++) {
        uint32_t most = 0;

        for (uint32_t i = 0; i < 32; i++)
            most = coin(seed, i, k) > most ? coin(seed, i, k) : most;
        sum += most;
    }
    return sum;
}

static void a_loop_in_a_loop_runs_as_often_as_the_longest_of_each_round(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t requests[5];

        run(nested, seed, requests, 5);
        assert_int_equal(requests[0], ROUNDS);
        assert_int_equal(requests[1], longest(seed));
        assert_int_equal(requests[2], longest(seed + 1));
        assert_int_equal(requests[3], longest(seed + 1));
        assert_int_equal(requests[4], ROUNDS);
    }
}

/* ---- requests that a lane lets pass ------------------------------------------------- */

/* In step k lane i writes to bank i + k, or lets the step pass.  Only lanes in the same step ask
 * different banks: run() sees to it that no two collide. */
static void rotate(struct cw_emu *s, const void *arg)
{
    const uint64_t seed = *(const uint64_t *)arg;

    (void)s;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        if (coin(seed, LANE_ID, k) > 5 || LANE_ID == k % 32)
            sh_st4(128 * (LANE_ID + 32 * (k % 8)) + 4 * ((LANE_ID + k) % 32), k);
        else
            sh_skip();
    }
}

static void lanes_that_let_a_request_pass_stay_at_the_same_step(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t requests;

        run(rotate, seed, &requests, 1);
        assert_int_equal(requests, ROUNDS);
    }
}

/* A step is one request in one branch and two in the other, of which one may pass. */
static void uneven(struct cw_emu *s, const void *arg)
{
    const uint64_t seed = *(const uint64_t *)arg;

    (void)s;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        const uint32_t at = 4 * ((LANE_ID + k) % 32);

        if (LANE_ID == 0 || coin(seed, LANE_ID, k) > 7) {
            (void)sh_ld4(128 * LANE_ID + at);
            (void)sh_ld4(128 * LANE_ID + 4096 + at);
        } else {
            sh_skip();
            (void)sh_ld4(128 * LANE_ID + 8192 + at);
        }
    }
}

static void steps_are_counted_in_requests(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t requests[3];

        run(uneven, seed, requests, 3);
        assert_int_equal(requests[0], ROUNDS);
        assert_int_equal(requests[1], ROUNDS);
        assert_in_range(requests[2], ROUNDS - 2, ROUNDS); /* rounds in which nobody does */
    }
}

/* ---- a u64 in two planes -------------------------------------------------------------- */

static void planes(struct cw_emu *s, const void *arg)
{
    const uint64_t x = UINT64_C(0x100000002) * LANE_ID + 7;

    (void)s;
    (void)arg;
    sh_st4x2(4 * LANE_ID, 128, x);
    warp_sync();
    sh_st4(256 + 4 * LANE_ID,
           sh_ld4x2(4 * (31 - LANE_ID), 128) != UINT64_C(0x100000002) * (31 - LANE_ID) + 7);
}

static void a_pair_of_words_is_two_requests_with_a_place_each(void **state)
{
    const struct cw_emu_config config = {32, 384};
    const struct cw_emu_place *p;
    struct cw_emu *e;
    uint32_t count, words[96];

    (void)state;
    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    assert_int_equal(cw_emu_run(e, planes, NULL), CW_OK);
    memcpy(words, cw_emu_shared(e), sizeof words);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(words[i], 2 * i + 7);
        assert_int_equal(words[32 + i], i);
        assert_int_equal(words[64 + i], 0);
    }
    p = cw_emu_list(e, &count);
    assert_int_equal(count, 5);
    for (uint32_t x = 0; x < count; x++)
        assert_int_equal(p[x].requests, 1);
    assert_non_null(strstr(p[1].site, " high"));
    assert_non_null(strstr(p[3].site, " high"));
    assert_null(strstr(p[0].site, " high"));
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_both_branches_come_together_in_every_round),
        cmocka_unit_test(lanes_that_leave_an_access_out_wait_for_those_that_make_it),
        cmocka_unit_test(a_loop_in_a_loop_runs_as_often_as_the_longest_of_each_round),
        cmocka_unit_test(lanes_that_let_a_request_pass_stay_at_the_same_step),
        cmocka_unit_test(steps_are_counted_in_requests),
        cmocka_unit_test(a_pair_of_words_is_two_requests_with_a_place_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
