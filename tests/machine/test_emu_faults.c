/* test_emu_faults.c - a mistake in a shipped kernel is found by running it: every atomic on global memory
 * that is made plain, and (CW_LONG=1) every barrier that is left out.
 *
 * The emulator makes the mistake at one place of the source; what runs are the ordinary jobs that come to
 * that place, with blocks in a random order, several at a time.  A mistake is found if the emulator
 * refuses a launch or an outcome is wrong.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/context.h"
#include "array_case.h"
#include "partition_case.h"
#include "permute_case.h"
#include "rows_case.h"

/* ---- jobs ----------------------------------------------------------------------------------- */

enum { JOBS = 17, MORE = 14, SEEDS = 3 }; /* MORE: long ones, with CW_LONG=1 */

static const struct array_case arrays[] = {
    {.type = CW_U32, .n = 6007, .keys = 1},
    {.type = CW_U32, .n = 9001, .keys = 1, .pattern = ARRAY_ZIPF},
    {.type = CW_U32, .n = 9001, .keys = 1, .value_bytes = 4, .pattern = ARRAY_HEAVY},
    {.type = CW_U32, .n = 9001, .keys = 1, .value_bytes = 4, .flags = CW_STABLE},
    {.type = CW_U64, .n = 9001, .keys = 1, .pattern = ARRAY_TWO},
    {.type = CW_U16, .n = 20001, .keys = 1},
    {.type = CW_U32, .n = 9001, .keys = 1, .flags = CW_CONFLICT_FREE},
    {.type = CW_U32, .n = 40009, .keys = 1, .pattern = ARRAY_NESTED},
    {.type = CW_U32, .n = 40009, .keys = 1, .value_bytes = 4, .pattern = ARRAY_ZIPF},
    {.type = CW_U32, .n = 40009, .keys = 1, .pattern = ARRAY_SPECIAL},
};

/* Long enough that blocks come to a second round of their loops. */
static const struct array_case long_arrays[] = {
    {.type = CW_U32, .n = 200003, .keys = 1, .in_place = 1, .pattern = ARRAY_ZIPF},
    {.type = CW_U32, .n = 40009, .keys = 1, .flags = CW_STABLE, .pattern = ARRAY_LOW_EQUAL},
    {.type = CW_F32, .n = 40009, .keys = 1, .flags = CW_CONFLICT_FREE, .pattern = ARRAY_SORTED},
    {.type = CW_I64, .n = 9001, .keys = 1, .flags = CW_STABLE, .value_bytes = 8, .index_bytes = 4},
    {.type = CW_U64, .n = 26003, .keys = 1, .value_bytes = 8},
    {.type = CW_U32, .n = 19001, .keys = 1, .flags = CW_STABLE, .value_bytes = 4, .in_place = 1},
};

/* More rows than blocks, with long runs of equal upper bits; values that several warps gather in place. */
static const struct rows_case long_rows[] = {
    {.type = CW_F32, .rows = 40, .length = 1500, .keys = 1, .index = 1, .pattern = ROWS_CROWDS},
    {.type = CW_F64,
     .rows = 20,
     .length = 1000,
     .keys = 1,
     .value_bytes = 8,
     .flags = CW_STABLE,
     .in_place = 1},
    {.type = CW_U32, .rows = 3, .length = 33000, .keys = 1, .mixed = 3},
};

static int run_long_job(size_t x)
{
    static const uint64_t partitions[] = {8, 34};
    struct array_case c;
    struct partition_case p = {.type = CW_U32,
                               .rule = CW_BY_BITS,
                               .flags = CW_UNSTABLE,
                               .n = 150001,
                               .buckets = 1024,
                               .keys = 1,
                               .offsets = 1,
                               .payload = {4, 0, 0, 0},
                               .pattern = PARTITION_SORTED,
                               .seed = 6};

    if (x < COUNT(long_arrays)) {
        c = long_arrays[x];
        c.seed = x + 1;
        return array_case_run(permute_context, &c);
    }
    x -= COUNT(long_arrays);
    if (x < COUNT(long_rows)) {
        struct rows_case r = long_rows[x];

        r.seed = x + 1;
        return rows_case_run(permute_context, &r);
    }
    x -= COUNT(long_rows);
    if (x < 2) { /* more tiles than blocks */
        struct permute_case t = permute_case_of(12000, 4, x + 1);

        t.flags = x ? CW_GATHER : 0;
        t.way = x ? CW_PERMUTE_ROUTE : CW_PERMUTE_PLACE;
        return permute_run(t);
    }
    x -= 2;
    if (x < COUNT(partitions))
        p = partition_case_random(partitions[x], 40000);
    return partition_case_run(permute_context, &p);
}

static size_t jobs(void)
{
    return cw_long_run() ? JOBS + MORE : JOBS;
}

/* 0 if job x went well. */
static int run_job(size_t x)
{
    const uint64_t seed = 17 + x;

    if (x >= JOBS)
        return run_long_job(x - JOBS);
    if (x < COUNT(arrays)) {
        struct array_case c = arrays[x];

        c.seed = seed;
        return array_case_run(permute_context, &c);
    }
    switch (x - COUNT(arrays)) {
    case 0:
    case 1:
        return partition_case_run(permute_context,
                                  &(struct partition_case){.type = CW_U32,
                                                           .rule = CW_BY_BITS,
                                                           .flags = x % 2 ? CW_UNSTABLE : 0,
                                                           .n = 5003,
                                                           .buckets = 256,
                                                           .keys = 1,
                                                           .offsets = 1,
                                                           .payload = {4, 0, 0, 0},
                                                           .seed = seed});
    case 2:
        return partition_case_run(permute_context, &(struct partition_case){.type = CW_U32,
                                                                            .rule = CW_BY_BITS,
                                                                            .flags = CW_UNSTABLE,
                                                                            .n = 5003,
                                                                            .buckets = 2,
                                                                            .keys = 1,
                                                                            .offsets = 1,
                                                                            .seed = seed});
    case 3:
    case 4:
    case 5: {
        struct permute_case t = permute_case_of(x % 3 ? 4001 : 3000, 4, seed);

        t.flags = x % 3 == 2 ? CW_GATHER : 0;
        t.way = x % 3 == 2 ? CW_PERMUTE_ROUTE : CW_PERMUTE_PLACE;
        return permute_run(t);
    }
    default:
        return rows_case_run(
            permute_context,
            &(struct rows_case){
                .type = CW_U32, .rows = 200, .length = 300, .mixed = 1, .keys = 1, .seed = seed});
    }
}

/* ---- places ----------------------------------------------------------------------------------- */

enum { MOST = 600 };

struct place {
    const char *site;
    enum cw_emu_fault_kind kind;
    uint32_t jobs; /* a bit each: those that come there */
    unsigned hits;
};

static struct place places[MOST];
static size_t count, job;
static const struct place *faulty; /* NULL: places are written down */

static int applies(void *user, enum cw_emu_fault_kind kind, const char *site)
{
    size_t x = 0;

    (void)user;
    if (faulty)
        return faulty->kind == kind && (faulty->site == site || strcmp(faulty->site, site) == 0);
    while (x < count && (places[x].kind != kind ||
                         (places[x].site != site && strcmp(places[x].site, site) != 0)))
        x++;
    assert_true(x < MOST);
    if (x == count)
        places[count++] = (struct place){site, kind, 0, 0};
    places[x].jobs |= 1u << job;
    places[x].hits++;
    return 0;
}

static const struct cw_emu_fault fault = {applies, NULL};

static void find_places(void)
{
    faulty = NULL;
    count = 0;
    for (job = 0; job < jobs(); job++)
        assert_int_equal(run_job(job), 0);
}

/* Jobs that go wrong say so at length, which nobody wants to read here. */
static int silence(int on, int before)
{
    int now = -1;

    fflush(stdout);
    if (on) {
        const int null = open("/dev/null", O_WRONLY);

        now = dup(1);
        dup2(null, 1);
        close(null);
    } else {
        dup2(before, 1);
        close(before);
    }
    return now;
}

static int is_found(const struct place *p)
{
    const int out = silence(1, -1);
    int found = 0;

    faulty = p;
    for (int seed = 1; seed <= SEEDS && !found; seed++) {
        char text[12];

        snprintf(text, sizeof text, "%d", seed);
        setenv("CW_EMU_SEED", text, 1);
        for (size_t x = 0; x < (seed == 1 ? jobs() : JOBS) && !found; x++)
            found = (p->jobs >> x & 1) && run_job(x);
    }
    faulty = NULL;
    silence(0, out);
    return found;
}

/* How many of these are not found, each printed. */
static unsigned missed(enum cw_emu_fault_kind kind, unsigned *all)
{
    unsigned n = 0;

    *all = 0;
    for (size_t x = 0; x < count; x++) {
        if (places[x].kind != kind)
            continue;
        ++*all;
        if (!is_found(&places[x])) {
            print_message("not found: %s, passed %u times\n", places[x].site, places[x].hits);
            n++;
        }
    }
    return n;
}

/* ---- claims ------------------------------------------------------------------------------------ */

/* Atomics that a job comes to. */
static unsigned atomics_of(size_t x)
{
    unsigned n = 0;

    for (size_t y = 0; y < count; y++)
        n += places[y].kind == CW_EMU_FAULT_ATOMIC && places[y].jobs >> x & 1;
    return n;
}

static void every_atomic_made_plain_is_found(void **state)
{
    unsigned all;

    (void)state;
    find_places();
    assert_true(atomics_of(1) > 3);
    for (size_t x = COUNT(arrays) + 3; x < COUNT(arrays) + 6; x++) /* permutations */
        assert_true(atomics_of(x) > 0);
    assert_int_equal(missed(CW_EMU_FAULT_ATOMIC, &all), 0);
    print_message("%u atomics\n", all);
    assert_true(all >= 20);
}

/* Not all: some order only what these jobs do not do, or are followed by another one. */
static void most_barriers_left_out_are_found(void **state)
{
    unsigned all, bad;

    (void)state;
    if (!cw_long_run())
        skip();
    find_places();
    bad = missed(CW_EMU_FAULT_BLOCK_SYNC, &all);
    print_message("%u of %u block_sync left out are not found\n", bad, all);
    assert_true(4 * bad <= all);
    bad = missed(CW_EMU_FAULT_WARP_SYNC, &all);
    print_message("%u of %u warp_sync left out are not found\n", bad, all);
    assert_true(3 * bad <= all); /* many only keep lanes together, so that requests meet */
}

static int open_faulty(void **state)
{
    const int failed = permute_open(state);

    setenv("CW_EMU_ORDER", "random", 1);
    if (!failed)
        permute_context->fault = &fault;
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_atomic_made_plain_is_found),
        cmocka_unit_test(most_barriers_left_out_are_found),
    };

    return cmocka_run_group_tests(tests, open_faulty, permute_close);
}
