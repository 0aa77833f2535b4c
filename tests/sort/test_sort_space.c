/* test_sort_space.c - how much workspace cw_sort asks for: another array of all that is moved, and
 * 64 MiB at most; of long arrays a twentieth at most, and that of distributed sorts.  Sizes are asked for, nothing is
 * sorted; those of a GPU's kernels too, in every build. */
#include <string.h>

#include "clearway_distributed.h"
#include "sort/radix/space.h"
#include "sort/radix/table.h"
#include "sort/sample_sort/table.h"
#include "sort/sample_sort/passes.h"
#include "sort/radix/plan.h"
#include "sort/sort.h"
#include "test.h"

#define MIB ((uint64_t)1 << 20)

static const uint64_t lengths[] = {0,
                                   1,
                                   1000,
                                   1000000,
                                   (uint64_t)1 << 24,
                                   (uint64_t)1 << 28,
                                   (uint64_t)1 << 30,
                                   (uint64_t)1 << 31,
                                   (uint64_t)1 << 32,
                                   ((uint64_t)1 << 32) + 1,
                                   (uint64_t)1 << 33,
                                   (uint64_t)1 << 36};

static struct radix_table gpu[3];

static int fill_tables(void **state)
{
    (void)state;
    memset(gpu, 0, sizeof gpu);
    cw_sort_radix_u32_passes_large(&gpu[0]);
    cw_sort_radix_u64_passes_large(&gpu[1]);
    cw_sort_radix_p32_passes_large(&gpu[2]);
    return 0;
}

/* ---- every combination ---------------------------------------------------------------------- */

struct all {
    cw_type type;
    size_t value_bytes, index_bytes;
    int keys; /* wanted */
    unsigned flags, first_bit, bits;
    int in_place;
};

/* Pointers are looked at only for being NULL. */
static cw_array job_of(const struct all *a, uint64_t n)
{
    static char in[16], out[16], index[16];
    cw_array job;

    memset(&job, 0, sizeof job);
    job.type = a->type;
    job.flags = a->flags;
    job.n = (size_t)n;
    job.keys_in = in;
    job.keys_out = !a->keys ? NULL : a->in_place ? in : out;
    job.value_bytes = a->value_bytes;
    job.values_in = a->value_bytes ? in + 1 : NULL;
    job.values_out = !a->value_bytes ? NULL : a->in_place ? in + 1 : out + 1;
    job.index_bytes = a->index_bytes;
    job.index_out = a->index_bytes ? index : NULL;
    job.first_bit = a->first_bit;
    job.bits = a->bits;
    return job;
}

/* Calls `claim` with each. */
static void for_each(void (*claim)(const struct all *a))
{
    static const cw_type types[] = {CW_U8, CW_F16, CW_I32, CW_U64};
    static const size_t values[] = {0, 1, 2, 4, 8, 16}, indices[] = {0, 4, 8};
    struct all a;

    memset(&a, 0, sizeof a);
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t v = 0; v < COUNT(values); v++) {
            for (size_t x = 0; x < COUNT(indices); x++) {
                for (unsigned bit = 0; bit < 16; bit++) {
                    a.type = types[t];
                    a.value_bytes = values[v];
                    a.index_bytes = indices[x];
                    a.keys = !(bit & 1);
                    a.flags = bit & 2 ? CW_STABLE : 0;
                    a.in_place = (bit & 4) != 0;
                    a.first_bit = bit & 8 ? 1 : 0;
                    a.bits = bit & 8 ? 8u * (unsigned)cw_type_bytes(a.type) - 2u : 0;
                    if (a.keys || a.index_bytes)
                        claim(&a);
                }
            }
        }
    }
}

static int taken(const struct all *a, uint64_t n)
{
    return !(a->index_bytes == 4 && n > (uint64_t)1 << 32) && n <= SIZE_MAX / 64u;
}

static uint64_t bound(const struct all *a, uint64_t n)
{
    const uint64_t keys = a->keys ? 1u : 2u;

    return n * (keys * cw_type_bytes(a->type) + a->value_bytes + a->index_bytes) + 64u * MIB;
}

static uint64_t on_gpu(const struct all *a, uint64_t n)
{
    cw_array job = job_of(a, n);

    if (!job.bits)
        job.bits = 8u * (unsigned)cw_type_bytes(a->type);
    assert_null(cw_sort_refuses(&job));
    return n ? cw_sort_bytes_of(&job, &gpu[cw_sort_engine(&job)]) : 0;
}

static uint64_t asked(const struct all *a, uint64_t n)
{
    const cw_array job = job_of(a, n);
    size_t bytes = 1;

    assert_int_equal(cw_sort_workspace(&job, &bytes), CW_OK);
    return bytes;
}

static void hold(const struct all *a, uint64_t n, uint64_t bytes)
{
    if (bytes > bound(a, n))
        print_error("%s, values of %zu, index of %zu, %s, flags %u, bits %u, n %llu: %llu over\n",
                    cw_type_name(a->type), a->value_bytes, a->index_bytes,
                    a->keys ? "keys" : "no keys", a->flags, a->bits, (unsigned long long)n,
                    (unsigned long long)(bytes - bound(a, n)));
    assert_true(bytes <= bound(a, n));
}

static void is_bounded(const struct all *a)
{
    for (size_t x = 0; x < COUNT(lengths); x++) {
        if (!taken(a, lengths[x]))
            continue;
        hold(a, lengths[x], on_gpu(a, lengths[x]));
        hold(a, lengths[x], asked(a, lengths[x]));
    }
}

static void grows(const struct all *a)
{
    uint64_t n = 1, before = 0;

    for (; n < (uint64_t)1 << 35 && taken(a, n); n += n / 7u + 1u) {
        const uint64_t bytes = on_gpu(a, n);

        assert_true(bytes >= before);
        before = bytes;
    }
}

/* ---- sorts by comparing -------------------------------------------------------------------- */

static void hold_by_comparing(const struct all *a)
{
    struct all b = *a;

    b.flags |= CW_CONFLICT_FREE;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        if (taken(&b, lengths[x]))
            assert_true(asked(&b, lengths[x]) <= bound(&b, lengths[x]) + 24u * lengths[x]);
    }
}

/* Every segment is a row of samples that can be sorted, and every bucket of the last pass a tile. */
static void hold_bounds(const struct sample_sort_table *t)
{
    for (uint64_t x = 1; x < t->most + x / 3001u + 1u; x += x / 3001u + 1u) {
        const uint64_t n = x < t->most ? x : t->most;
        struct sample_sort_cuts c;

        cw_sample_sort_cuts(t, n, &c);
        assert_true(c.pass[c.count].longest <=
                    (uint64_t)1 << (c.brief ? t->log_b + (uint32_t)c.merges : t->log_a));
        assert_true(!c.merges || (c.merges <= 3 && !c.count)); /* tile_merge.h has 8 tiles */
        for (int l = 0; l < c.count; l++) {
            assert_true(l || c.pass[l].every > 1u);
            assert_true(!l || c.pass[l].longest / c.pass[l].every <= CW_ROWS_MAX);
        }
    }
}

/* ---- claims --------------------------------------------------------------------------------- */

static void workspace_is_another_array_and_64_mib_at_most(void **state)
{
    (void)state;
    for_each(is_bounded);
}

static void workspace_grows_with_the_array(void **state)
{
    (void)state;
    for_each(grows);
}

/* Also where longer arrays are divided into fewer tickets or bins. */
static void workspace_of_the_radix_sort_never_shrinks(void **state)
{
    (void)state;
    for (int e = 0; e < 3; e++) {
        uint64_t before = 0;

        for (uint64_t n = 1; n < (uint64_t)1 << 40; n += n / 4001u + 1u) {
            const uint64_t bytes = cw_radix_bytes(&gpu[e], n);

            assert_true(bytes >= before);
            before = bytes;
        }
    }
}

/* Four digits of 8 bits tell all keys of 4 bytes apart, and long arrays have another for buckets that are left. */
static void long_arrays_have_as_many_passes_as_keys_need(void **state)
{
    static const struct {
        uint64_t n; /* so many, and the next length */
        uint32_t most[2][2];
    } borders[] = {
        {(uint64_t)1 << 22, {{2, 3}, {2, 3}}},
        {(uint64_t)1 << 25, {{3, 4}, {3, 6}}},
        {(uint64_t)1 << 26, {{4, 5}, {6, 6}}},
        {((uint64_t)1 << 31) - 1, {{5, 5}, {6, RADIX_PASSES}}},
    };
    struct radix_run r;

    (void)state;
    memset(&r, 0, sizeof r);
    for (int e = 0; e < 3; e++) {
        r.t = &gpu[e];
        for (size_t x = 0; x < COUNT(borders); x++) {
            for (uint32_t past = 0; past < 2; past++) {
                cw_radix_sizes(&r, borders[x].n + past);
                assert_int_equal(r.job.passes, borders[x].most[gpu[e].key_bytes == 8][past]);
            }
        }
    }
}

/* Of pairs, with what a stable sort counts. */
static void lists_are_as_short_as_documented(void **state)
{
    static const uint64_t most[3][3] = {{14, 22, 49}, {15, 23, 53}, {39, 50, 58}};

    (void)state;
    for (int e = 0; e < 3; e++) {
        const uint64_t item = gpu[e].key_bytes + gpu[e].value_bytes;

        for (uint64_t n = (uint64_t)1 << 20; n <= (uint64_t)1 << 40; n *= 2) {
            const uint64_t rest = cw_radix_bytes(&gpu[e], n) - n * item;

            assert_true(rest <= most[e][(n > (uint64_t)1 << 28) + (n > (uint64_t)1 << 30)] * MIB);
        }
    }
}

/* ---- a twentieth ---------------------------------------------------------------------------- */

/* From here on, and up to 2^31 items. */
struct light {
    struct all a;
    uint64_t least;
};

static const struct light lights[] = {
    {{.type = CW_U32, .keys = 1}, 1u << 24},
    {{.type = CW_U64, .keys = 1}, 1u << 24},
    {{.type = CW_U32, .keys = 1, .value_bytes = 4}, 1u << 24},
    {{.type = CW_U64, .keys = 1, .value_bytes = 4}, 1u << 20},
    {{.type = CW_U64, .keys = 1, .value_bytes = 8}, 1u << 20},
    {{.type = CW_U32, .keys = 1, .value_bytes = 8}, 1u << 24},
    {{.type = CW_U32, .keys = 1, .index_bytes = 4}, 1u << 24},
    {{.type = CW_U32, .keys = 1, .index_bytes = 8}, 1u << 24},
    {{.type = CW_U64, .keys = 1, .index_bytes = 4}, 1u << 24},
    {{.type = CW_U64, .keys = 1, .index_bytes = 8}, 1u << 24},
    {{.type = CW_F32, .keys = 1}, 1u << 24},
    {{.type = CW_F64, .keys = 1, .value_bytes = 4}, 1u << 24},
};

static void hold_light(const struct all *a, uint64_t n, uint64_t bytes, uint32_t ranks)
{
    const uint64_t item = cw_type_bytes(a->type) + a->value_bytes + a->index_bytes;

    if (bytes > n * item + n * item / 20u)
        print_error("%s, values of %zu, index of %zu, flags %u, n %llu, %u ranks: %.2f %%\n",
                    cw_type_name(a->type), a->value_bytes, a->index_bytes, a->flags,
                    (unsigned long long)n, ranks,
                    100.0 * (double)(bytes - n * item) / (double)(n * item));
    assert_true(bytes <= n * item + n * item / 20u);
}

static void hold_lights(const struct light *l, unsigned flags, uint64_t n)
{
    static const uint32_t ranks[] = {2, 3, 8, 32, 100};
    struct all a = l->a;
    cw_array job;

    a.flags = flags;
    hold_light(&a, n, on_gpu(&a, n), 1);
    hold_light(&a, n, asked(&a, n), 1);
    job = job_of(&a, n);
    for (size_t x = 0; x < COUNT(ranks); x++) {
        size_t bytes = 0;

        assert_int_equal(cw_group_sort_workspace(NULL, &job, n, 1, &bytes), CW_OK);
        hold_light(&a, n, bytes, 1);
        if (a.index_bytes == 4 && n * ranks[x] > (uint64_t)1 << 32)
            continue;
        assert_int_equal(cw_group_sort_workspace(NULL, &job, n * ranks[x], ranks[x], &bytes),
                         CW_OK);
        hold_light(&a, n, bytes, ranks[x]);
    }
}

static void long_arrays_need_a_twentieth_more_at_most(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT(lights); x++) {
        for (unsigned stable = 0; stable < 2; stable++) {
            for (uint64_t n = lights[x].least; n <= (uint64_t)1 << 31; n += n / 301u)
                hold_lights(&lights[x], stable ? CW_STABLE : 0, n);
            for (unsigned log = 20; log <= 31; log++) { /* where methods change */
                for (uint64_t n = ((uint64_t)1 << log) - 1u; n <= ((uint64_t)1 << log) + 1u; n++)
                    if (n >= lights[x].least)
                        hold_lights(&lights[x], stable ? CW_STABLE : 0, n);
            }
        }
    }
}

/* With the emulator's tiles, and many keys, there was once no end of samples of samples. */
static void workspace_of_any_length_is_known_with_conflict_free(void **state)
{
    (void)state;
    for_each(hold_by_comparing);
}

static void cuts_are_bounded_as_far_as_a_table_goes(void **state)
{
    struct sample_sort_table t;

    (void)state;
#define BOTH(type)                           \
    memset(&t, 0, sizeof t);                 \
    cw_sample_sort_##type##_table_tiny(&t);  \
    hold_bounds(&t);                         \
    cw_sample_sort_##type##_table_large(&t); \
    assert_int_equal(t.most, 1u << 31);      \
    hold_bounds(&t);
    CW_SAMPLE_SORT_ENGINES(BOTH)
#undef BOTH
    cw_sample_sort_p64_table_small(&t);
    assert_int_equal(t.most, 1u << 30);
    hold_bounds(&t);
}

/* One more than the emulator's kernels sort, with the least memory: nothing is looked at. */
static void the_emulator_refuses_what_it_cannot_cut(void **state)
{
    static char memory[16];
    cw_context *context;
    cw_array job;

    (void)state;
    memset(&job, 0, sizeof job);
    job.type = CW_U32;
    job.flags = CW_CONFLICT_FREE;
    job.n = 400000009u;
    job.keys_in = job.keys_out = memory;
    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    assert_int_equal(cw_sort(context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "more than the emulator sorts"));
    cw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workspace_is_another_array_and_64_mib_at_most),
        cmocka_unit_test(workspace_grows_with_the_array),
        cmocka_unit_test(workspace_of_the_radix_sort_never_shrinks),
        cmocka_unit_test(long_arrays_have_as_many_passes_as_keys_need),
        cmocka_unit_test(lists_are_as_short_as_documented),
        cmocka_unit_test(long_arrays_need_a_twentieth_more_at_most),
        cmocka_unit_test(workspace_of_any_length_is_known_with_conflict_free),
        cmocka_unit_test(cuts_are_bounded_as_far_as_a_table_goes),
        cmocka_unit_test(the_emulator_refuses_what_it_cannot_cut),
    };

    return cmocka_run_group_tests(tests, fill_tables, NULL);
}
