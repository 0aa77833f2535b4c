/* test_apart.c - no kernel leaves its piece of the workspace, or reads what nobody wrote there, in the shapes of GPUs.
 *
 * Random cases of every call whose workspace has pieces, as one GPU after another, at lengths where methods change and
 * at any others.  Two programs are made of this one: with the library's thresholds, and with those that come early
 * (SHAPES_EARLY), where short arrays are sorted like long ones.  By hand:
 *
 *      test_apart sort|rows|partition|permute|shuffle|transpose GPU CASES MOST
 *
 * MOST is the longest array.  CW_SEED and CW_EMU_ORDER as elsewhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "array_case.h"
#include "move_case.h"
#include "partition_case.h"
#include "permute_case.h"
#include "rows_case.h"

static const char *const gpus[] = {"emulator", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"};

static cw_context *context;

/* ---- lengths -------------------------------------------------------------------------------- */

/* Where methods change: blocks and slices of 512 to 16384 items, by so many multiprocessors; src/sort/sort.c,
 * src/tuning. */
static const size_t borders[] = {
    32,      64,      300,     512,     700,     800,     1024,    1536,    1600,    2000,
    2048,    3600,    4000,    4096,    5000,    5500,    6000,    7168,    8192,    9000,
    10240,   12000,   14336,   16000,   16384,   19000,   20000,   30000,   32768,   40000,
    50000,   65536,   67584,   72704,   87040,   131072,  135168,  250000,  262144,  270336,
    435200,  500000,  524288,  540672,  581632,  600000,  696320,  811008,  872448,  1000000,
    1044480, 1048576, 1081344, 1392640, 2097152, 2162688, 2326528, 2785280, 4000000, 4194304};

static size_t length_of(struct cw_random *r, size_t most)
{
    size_t count = 0;

    while (count < COUNT(borders) && borders[count] < most)
        count++;
    if (count && cw_random_below(r, 2)) {
        const size_t last = cw_random_below(r, 2) ? count : 1 + (size_t)cw_random_below(r, count);

        return borders[last - 1 - (size_t)cw_random_below(r, last < 9 ? last : 9)] - 1 +
               (size_t)cw_random_below(r, 3);
    }
    return (size_t)cw_random_below(r, 2 + (most >> cw_random_below(r, 10)));
}

/* ---- calls ---------------------------------------------------------------------------------- */

static int sort_fails(struct cw_random *r, size_t most)
{
    static const size_t values[] = {0, 0, 1, 2, 4, 4, 8, 16}, indices[] = {0, 0, 4, 8};
    static const cw_type types[] = {CW_U32, CW_U64, CW_F32, CW_F64, CW_I32, CW_I64};
    struct array_case c = {.keys = 1};

    c.type = cw_random_below(r, 2) ? types[cw_random_below(r, COUNT(types))]
                                   : (cw_type)cw_random_below(r, CW_TYPE_COUNT);
    c.seed = cw_random_next(r);
    c.n = length_of(r, most);
    c.flags = (unsigned)cw_random_below(r, 4) | (cw_random_below(r, 5) ? 0 : CW_CONFLICT_FREE);
    if (!cw_random_below(r, 4))
        c.flags |= CW_TOTAL_ORDER << cw_random_below(r, 3);
    c.value_bytes = values[cw_random_below(r, COUNT(values))];
    c.index_bytes = indices[cw_random_below(r, COUNT(indices))];
    c.keys = !c.index_bytes || cw_random_below(r, 3);
    c.in_place = c.keys && cw_random_below(r, 2);
    c.shift = (size_t)(cw_random_below(r, 2) * cw_random_below(r, 4));
    c.pattern = (enum array_pattern)(cw_random_below(r, 2) * cw_random_below(r, ARRAY_PATTERNS));
    if (c.type <= CW_I64 && cw_random_below(r, 6) == 0) {
        const unsigned bits = 8u * (unsigned)cw_type_bytes(c.type);

        c.first_bit = (unsigned)cw_random_below(r, bits);
        c.bits = (unsigned)cw_random_below(r, bits - c.first_bit + 1);
    }
    if (!(c.flags & CW_CONFLICT_FREE) && cw_random_below(r, 6) == 0) {
        c.count_bytes = 4 << cw_random_below(r, 2);
        c.missing = (size_t)(cw_random_below(r, 2) * cw_random_below(r, c.n + 1));
    }
    return array_case_run(context, &c);
}

/* Of any length; or some long ones among short ones. */
static int rows_fail(struct cw_random *r, size_t most)
{
    static const size_t values[] = {0, 0, 1, 2, 4, 4, 8},
                        lengths[] = {32, 1024, 8192, 40000, 70000};
    struct rows_case c = {.keys = 1};
    size_t items = 1 + (size_t)cw_random_below(r, most >> cw_random_below(r, 4));

    c.type = (cw_type)cw_random_below(r, CW_TYPE_COUNT);
    c.seed = cw_random_next(r);
    c.flags = (unsigned)cw_random_below(r, 4) | (cw_random_below(r, 4) ? 0 : CW_CONFLICT_FREE);
    if (!cw_random_below(r, 4))
        c.flags |= CW_TOTAL_ORDER << cw_random_below(r, 3);
    c.length = 1 + (size_t)cw_random_below(r, lengths[cw_random_below(r, COUNT(lengths))]);
    if (cw_random_below(r, 4) == 0)
        c.length = (size_t)1 << cw_random_below(r, 18);
    if (c.length > most)
        c.length = most;
    c.mixed = (int)cw_random_below(r, 4);
    items *= c.mixed == 1 ? 4 : 1; /* most rows are shorter */
    c.rows = 1 + items / c.length;
    c.narrow = (int)cw_random_below(r, 2);
    c.gaps = c.mixed && cw_random_below(r, 3) == 0;
    c.wide_index = (int)cw_random_below(r, 2);
    c.counted = cw_random_below(r, 4) == 0;
    c.missing = c.counted ? (size_t)(cw_random_below(r, 2) * cw_random_below(r, c.rows + 1)) : 0;
    c.value_bytes = values[cw_random_below(r, COUNT(values))];
    c.index = cw_random_below(r, 3) == 0;
    c.keys = !c.index || cw_random_below(r, 3);
    c.in_place = c.keys && cw_random_below(r, 2);
    c.shift = (size_t)(cw_random_below(r, 2) * cw_random_below(r, 4));
    c.pattern = (enum rows_pattern)(cw_random_below(r, 2) * cw_random_below(r, ROWS_PATTERNS));
    return rows_case_run(context, &c);
}

static int partition_fails(struct cw_random *r, size_t most)
{
    struct partition_case c = partition_case_random(cw_random_next(r), 3000);

    c.n = length_of(r, most);
    if (c.n > 60000) /* wide rows of long arrays take long */
        for (int p = 0; p < PARTITION_PAYLOADS; p++)
            c.payload[p] = c.payload[p] > 24 ? 12 : c.payload[p];
    if (cw_random_below(r, 2)) { /* words, alone or with one payload of a word */
        c.type = c.rule == CW_BY_LABEL && c.buckets > 128 ? CW_U32 : CW_I32;
        c.index = c.inverse = 0;
        memset(c.payload, 0, sizeof c.payload);
        c.payload[0] = 4 * (size_t)cw_random_below(r, 2);
        if (c.rule == CW_BY_BITS)
            c.first_bit = (unsigned)cw_random_below(r, 17);
    }
    c.bad = c.n ? c.bad : 0;
    return partition_case_run(context, &c);
}

static int permute_fails(struct cw_random *r, size_t most)
{
    static const size_t bytes[] = {1, 2, 4, 4, 8, 16};
    struct permute_case t = {.n = 1 + length_of(r, most), .index_bytes = 4};

    t.seed = cw_random_next(r);
    t.bytes = cw_random_below(r, 4) ? bytes[cw_random_below(r, COUNT(bytes))]
                                    : 1 + (size_t)cw_random_below(r, t.n > 60000 ? 40 : 300);
    t.index_bytes <<= cw_random_below(r, 2);
    t.shift = (size_t)(cw_random_below(r, 2) * cw_random_below(r, 4));
    t.flags = (cw_random_below(r, 2) ? CW_GATHER : 0u) | (cw_random_below(r, 4) ? 0u : CW_CHECK);
    t.pattern = (enum permute_pattern)(cw_random_below(r, 2) * cw_random_below(r, PATTERNS));
    if (!(t.flags & CW_CHECK) && !cw_random_below(r, 6))
        t.out_of_range = 3;
    permute_context = context;
    return permute_run(t);
}

static int shuffle_fails(struct cw_random *r, size_t most)
{
    cw_shuffle_job job = {.n = 1 + length_of(r, most), .bytes = 1u << cw_random_below(r, 5)};

    job.bytes += cw_random_below(r, 5) ? 0 : 2;
    job.seed = cw_random_next(r);
    job.inverse = (int)cw_random_below(r, 2);
    return shuffle_case_run(context, &job);
}

/* Long and short sides, and those of whole tiles. */
static int transpose_fails(struct cw_random *r, size_t most)
{
    cw_transpose_job job = {.bytes = (size_t)1 << cw_random_below(r, 5)};
    const uint64_t unit = cw_random_below(r, 3) ? 1 : 32u << cw_random_below(r, 2);

    if (cw_random_below(r, 4) == 0)
        job.bytes = 1 + (size_t)cw_random_below(r, 64);
    job.rows =
        (size_t)(unit * (1 + cw_random_below(r, 1 + (most / unit >> cw_random_below(r, 14)))));
    job.columns = (size_t)(unit * (1 + cw_random_below(r, 1 + most / unit / unit / job.rows)));
    job.batch = (size_t)cw_random_below(r, 2 + most / 4 / (job.rows * job.columns + 1) % 9);
    return transpose_case_run(context, &job, (int)cw_random_below(r, 2), (int)cw_random_below(r, 4),
                              cw_random_next(r));
}

/* ---- claims --------------------------------------------------------------------------------- */

static const struct call {
    const char *name;
    int (*fails)(struct cw_random *r, size_t most);
    size_t most; /* the longest array of the usual run */
    unsigned cases;
} calls[] = {
    {"sort", sort_fails, CW_FULL_SHAPES ? 60000 : 12000, 40},
    {"rows", rows_fail, 30000, 20},
    {"partition", partition_fails, CW_FULL_SHAPES ? 25000 : 12000, 30},
    {"permute", permute_fails, 20000, 15},
    {"shuffle", shuffle_fails, CW_FULL_SHAPES ? 100000 : 10000, 6},
    {"transpose", transpose_fails, 40000, 15},
};

/* One case, as a GPU. */
static int fails(const struct call *call, const char *gpu, uint64_t seed, size_t most)
{
    struct cw_random r = cw_random_from(seed);
    int failed;

    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    assert_int_equal(cw_context_as(context, cw_gpu_find(gpu)), CW_OK);
    assert_int_equal(cw_context_set_seed(context, seed), CW_OK);
    apart_begin(context);
    failed = call->fails(&r, most);
    if (failed)
        print_message("again: CW_SEED=%llu test_apart%s %s %s 1 %zu\n", (unsigned long long)seed,
                      CW_FULL_SHAPES ? "_early" : "", call->name, gpu, most);
    cw_context_destroy(context);
    return failed;
}

static void no_kernel_leaves_its_piece(void **state)
{
    unsigned failed = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(calls); k++) {
        const unsigned cases = cw_test_cases(calls[k].cases * (cw_long_run() ? 20 : 1));

        for (unsigned x = 0; x < cases; x++)
            failed +=
                (unsigned)fails(&calls[k], gpus[x % COUNT(gpus)], cw_test_seed() + x,
                                x % 40 == 39 && cw_long_run() ? 30 * calls[k].most : calls[k].most);
    }
    print_message("%zu pieces, CW_SEED=%llu\n", apart_pieces(), (unsigned long long)cw_test_seed());
    assert_int_equal(failed, 0);
    assert_true(apart_pieces() > 100);
}

static char **argv;

static void by_hand(void **state)
{
    unsigned failed = 0, cases = (unsigned)atoi(argv[3]);

    (void)state;
    for (size_t k = 0; k < COUNT(calls); k++)
        for (unsigned x = 0; x < cases && !strcmp(calls[k].name, argv[1]); x++)
            failed +=
                (unsigned)fails(&calls[k], argv[2], cw_test_seed() + x, (size_t)atoll(argv[4]));
    printf("%s %s: %u cases, %u failed, %zu pieces, from seed %llu\n", argv[1], argv[2], cases,
           failed, apart_pieces(), (unsigned long long)cw_test_seed());
    assert_int_equal(failed, 0);
}

int main(int argc, char **args)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_kernel_leaves_its_piece)};
    const struct CMUnitTest one[] = {cmocka_unit_test(by_hand)};

    argv = args;
    return argc == 5 ? cmocka_run_group_tests(one, NULL, NULL)
                     : cmocka_run_group_tests(tests, NULL, NULL);
}
