/* test_sort_adversary.c - keys made by somebody who has read the source do not mislead the samples of the GPU's sorts.
 *
 * The radix sort first.  The adversary knows where a seed has the sample taken, and gives these places keys that look even.  All others
 * crowd one bin.  With the seed known the sample is misled, so the adversary knows the source.  A context draws a seed
 * that he cannot foresee: then the same keys are seen through, and are split as evenly as any others.
 *
 * The sorts of the host and of files have test_cpu_adversary.c and test_external_adversary.c, the comparison sort
 * test_compare_adversary.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "inputs/random.h"
#include "sort/hybrid/job.h"
#include "sort/radix/job.h"
#include "test.h"

/* Of the emulator's kernels (tuning/sort_radix.h). */
#define SAMPLE 1024u
#define FEW    512u /* all that is sampled of pairs, at the places where neighbours are looked at */
#define N      30011u
#define PAIRS  60013u /* so many may be left to the LSD sort */
#define STAYS  19001u /* .. by the second pass, too: fewer than lists are worked off early for */
#define WIDE   30000u /* keys of 8 bytes with values: the hybrid sort */
#define DRAWS  256u   /* a round of its sample */

struct seen {
    unsigned samples;
    uint32_t sample[SAMPLE];
    uint32_t seen_through; /* splitters, digits of the sampled range, or left to another sort */
    uint32_t sample_left;  /* of these the last */
    uint32_t fullest;      /* items of the first pass's bin that has most */
    uint64_t requests;     /* of shared memory, all launches together */
    uint32_t rounds;       /* of the hybrid sort's sample */
    uint32_t left;         /* it was left to the LSD sort, by groups or by this pass (from 0 on) */
};

static struct seen seen;

static void look_at_sample(const struct radix_job *j)
{
    const int tree = j->tree && j->tree->used; /* pairs have none */

    seen.sample_left = j->gate && *j->gate;
    seen.seen_through = tree || j->buckets[0][0].open || seen.sample_left;
}

/* What the job says of bin b of the first pass's bucket. */
static uint64_t start_of(const struct radix_job *j, uint32_t b)
{
    return j->wide ? ((const uint64_t *)j->starts)[b] : ((const uint32_t *)j->starts)[b];
}

static void look_at_bins(const struct radix_job *j)
{
    const struct radix_bucket *const p = &j->buckets[0][0];

    for (uint32_t b = 0; j->pass == 0 && j->state->pass[0].buckets && b < p->bins; b++) {
        const uint64_t end = b + 1u < p->bins ? start_of(j, b + 1u) : j->n;

        if (end - start_of(j, b) > seen.fullest)
            seen.fullest = (uint32_t)(end - start_of(j, b));
    }
}

static void look_at_gate(const struct radix_job *j)
{
    if (j->gate && *j->gate && !seen.left)
        seen.left = j->pass;
}

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct cw_emu_place total;

    (void)user;
    cw_emu_total(e, &total);
    seen.requests += total.requests;
    switch (l->kernel) {
    case CW_KERNEL_cw_sort_radix_u32_begin:
    case CW_KERNEL_cw_sort_radix_p32_begin:
        memcpy(seen.sample, ((const struct radix_job *)l->arg)->tmp, sizeof seen.sample);
        seen.samples++;
        break;
    case CW_KERNEL_cw_sort_radix_u32_sample:
    case CW_KERNEL_cw_sort_radix_u64_sample:
    case CW_KERNEL_cw_sort_radix_p32_sample:
        look_at_sample((const struct radix_job *)l->arg);
        break;
    case CW_KERNEL_cw_sort_radix_u32_classify:
    case CW_KERNEL_cw_sort_radix_p32_classify:
        look_at_bins((const struct radix_job *)l->arg);
        look_at_gate((const struct radix_job *)l->arg);
        break;
    case CW_KERNEL_cw_sort_hybrid_sample:
        seen.rounds = ((const struct hybrid_job *)l->arg)->sample_rounds;
        seen.seen_through = *((const struct hybrid_job *)l->arg)->leave;
        seen.samples++;
        break;
    case CW_KERNEL_cw_sort_hybrid_groups:
        seen.left = *((const struct hybrid_job *)l->arg)->gate;
        break;
    default:
        break;
    }
}

static void *memory(size_t bytes)
{
    void *const p = aligned_alloc(256, bytes / 256 * 256 + 256);

    assert_non_null(p);
    return p;
}

static cw_context *context_with(uint64_t seed)
{
    cw_context *context;

    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    if (seed)
        assert_int_equal(cw_context_set_seed(context, seed), CW_OK);
    context->hook = look;
    return context;
}

/* Sort, and see what kernels did.  A seed of 0: the context's own. */
static void sort_seen(const cw_array *job, uint64_t seed)
{
    cw_context *const context = context_with(seed);
    void *workspace;
    size_t bytes;

    memset(&seen, 0, sizeof seen);
    assert_int_equal(cw_sort_workspace(job, &bytes), CW_OK);
    workspace = memory(bytes);
    if (cw_sort(context, job, workspace, bytes, NULL))
        fail_msg("%s", cw_last_error());
    cw_context_destroy(context);
    free(workspace);
}

/* Sort n keys, as pairs if asked for, and see what the sample said.  A seed of 0: the context's own. */
static void sort_keys(const uint32_t *keys, uint32_t n, int pairs, uint64_t seed)
{
    uint32_t *const out = (uint32_t *)memory(8 * (size_t)n), *const values = out + n;
    const cw_array job = {.type = CW_U32,
                          .n = n,
                          .keys_in = keys,
                          .keys_out = out,
                          .values_in = pairs ? keys : NULL,
                          .values_out = pairs ? values : NULL,
                          .value_bytes = pairs ? 4 : 0};

    sort_seen(&job, seed);
    assert_int_equal(seen.samples, 1);
    for (uint32_t i = 1; i < n; i++)
        assert_true(out[i - 1] <= out[i]);
    if (pairs)
        assert_memory_equal(out, values, 4 * (size_t)n);
    free(out);
}

/* ---- the adversary -------------------------------------------------------------------------- */

/* As splitters/sample.h has it. */
static uint64_t drawn(uint64_t seed, uint32_t i)
{
    uint64_t x = (seed + i) * UINT64_C(0xbf58476d1ce4e5b9);

    x = (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
    return x >> 32;
}

enum { DENSE, STEEP, ONE, KINDS, AGAIN = KINDS, LATE, MIXED };

#define CROWD 0x58000000u /* the first key of a bin of the first pass, which has 64 */

static uint32_t crowding(int kind, uint64_t r)
{
    switch (kind) {
    case DENSE:
        return 0x5a000000u | (uint32_t)(r >> 48);
    case STEEP: /* as many in each range of 2^k from 4096 on */
        return (uint32_t)exp(8.3 + (double)(r >> 11) / 9007199254740992.0 * 8.0);
    case AGAIN: /* the second digit crowds one bin, too; a few keep its range wide */
        return CROWD | (uint32_t)(r % 64u ? r >> 54 : r >> 38);
    case LATE: /* the second pass narrows the range, and the third digit crowds one bin */
        return CROWD | (uint32_t)(r % 64u ? r >> 54 : r >> 44);
    case MIXED: /* the same, and a bin that the second pass splits */
        return r % 8u ? crowding(LATE, r / 8u) : (CROWD ^ 1u << 30) | (uint32_t)(r >> 38);
    default:
        return 12345u;
    }
}

/* Keys for a context whose seed is set to `set`: what its first call looks at is even, all else crowds one bin. */
static void craft(uint32_t *keys, uint32_t n, int kind, uint64_t set)
{
    struct cw_random r = cw_random_from(cw_test_seed() + (unsigned)kind);
    const uint64_t seed = cw_drawn(&set);

    for (uint32_t i = 0; i < n; i++)
        keys[i] = crowding(kind, cw_random_next(&r));
    for (uint32_t i = 0; i < SAMPLE; i++)
        keys[n / SAMPLE * i + (n / SAMPLE * drawn(seed, i) >> 32)] = (uint32_t)cw_random_next(&r);
    for (uint32_t i = 0; i < FEW; i++) { /* where it looks at neighbours */
        const uint32_t at = n / FEW * i + (uint32_t)(n / FEW * drawn(seed, i) >> 32);

        keys[at] = (uint32_t)cw_random_next(&r);
        keys[at + 1 < n ? at + 1 : at - 1] = (uint32_t)cw_random_next(&r);
    }
}

/* ---- claims --------------------------------------------------------------------------------- */

static void a_known_seed_misleads_the_sample(void **state)
{
    const uint64_t set = cw_test_seed() | 1;
    uint32_t *const keys = (uint32_t *)memory(4 * (size_t)PAIRS);

    (void)state;
    printf("seed %llu\n", (unsigned long long)cw_test_seed());
    for (int kind = 0; kind < KINDS; kind++) {
        const int pairs = kind == STEEP;
        const uint32_t n = pairs ? PAIRS : N;

        craft(keys, n, kind, set);
        sort_keys(keys, n, pairs, set);
        assert_int_equal(seen.seen_through, 0);
        assert_true(seen.fullest > n / 2);
    }
    free(keys);
}

/* What the sample did not see, a pass does: it moves nothing, and the LSD sort begins with the input; in place from the
 * third pass on with the output, to which what is not yet there is copied. */
static void leaves_in_pass(int kind, uint32_t expected, int pairs, int in_place)
{
    const uint64_t set = cw_test_seed() | 1;
    uint32_t *const keys = (uint32_t *)memory(16 * (size_t)STAYS), *const out = keys + STAYS;
    const cw_array job = {.type = CW_U32,
                          .n = STAYS,
                          .keys_in = in_place ? out : keys,
                          .keys_out = out,
                          .values_in = !pairs     ? NULL
                                       : in_place ? out + STAYS
                                                  : keys,
                          .values_out = pairs ? out + STAYS : NULL,
                          .value_bytes = pairs ? 4 : 0};
    uint64_t sum = 0;

    craft(keys, STAYS, kind, set);
    for (uint32_t i = 0; i < STAYS; i++) {
        if (kind == STEEP) /* evenly */
            keys[i] = keys[i] * 0x9e3779b9u + i * 0x85ebca6bu;
        if (kind >= LATE && (keys[i] ^ CROWD) >> 20 && (keys[i] ^ CROWD) >> 28 == 0)
            keys[i] ^= 1u << 31; /* no sampled key stands in the way */
        sum += keys[i] ^ (uint64_t)keys[i] << 20;
    }
    memcpy(out, keys, 4 * (size_t)STAYS);
    memcpy(out + STAYS, keys, 4 * (size_t)STAYS);
    sort_seen(&job, set);
    assert_int_equal(seen.left, expected);
    for (uint32_t i = 0; i < STAYS; i++) {
        assert_true(i == 0 || out[i - 1] <= out[i]);
        sum -= out[i] ^ (uint64_t)out[i] << 20;
    }
    assert_int_equal(sum, 0);
    if (pairs)
        assert_memory_equal(out, out + STAYS, 4 * (size_t)STAYS);
    free(keys);
}

static void what_passes_do_not_split_is_left(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const int pairs = k % 2, in_place = k / 2;

        leaves_in_pass(AGAIN, 1, pairs, in_place);
        leaves_in_pass(LATE, 2, pairs, in_place);
        leaves_in_pass(MIXED, 2, pairs, in_place);
        leaves_in_pass(STEEP, 0, pairs, in_place);
    }
}

/* Linear digits part one or two values, but not a heavy value from others around it: that takes a pass for each digit.  Nor
 * two values that are close together: these get bins of their own by splitters. */
static void heavy_values_among_others_are_left(void **state)
{
    enum { FAR, NEAR, OTHERS, CASES };
    static const uint64_t values[] = {UINT64_C(0x5555555555555555), UINT64_C(0xaaaaaaaaaaaaaaaa),
                                      UINT64_C(0x5555556555555555), UINT64_C(0x1111111111111111)};
    uint64_t *const keys = (uint64_t *)memory(16 * (size_t)STAYS), *const out = keys + STAYS;
    const cw_array job = {.type = CW_U64, .n = STAYS, .keys_in = keys, .keys_out = out};
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (int kind = 0; kind < CASES; kind++) {
        uint64_t sum = 0;

        for (uint32_t i = 0; i < STAYS; i++) {
            const uint64_t r = cw_random_next(&random);

            keys[i] = kind == FAR    ? values[r % 2u]
                      : kind == NEAR ? values[r % 4u]
                      : r % 20u      ? values[0]
                                     : r * UINT64_C(0x9e3779b97f4a7c15);
            sum += keys[i];
        }
        sort_seen(&job, 0);
        assert_int_equal(seen.seen_through, kind != FAR);
        assert_int_equal(seen.sample_left, kind == OTHERS);
        assert_int_equal(seen.left, 0);
        for (uint32_t i = 0; i < STAYS; i++) {
            assert_true(i == 0 || out[i - 1] <= out[i]);
            sum -= out[i];
        }
        assert_int_equal(sum, 0);
    }
    free(keys);
}

/* As even as splitters make the first pass's buckets: where nearly all keys of each are close together, the sample tells that
 * the next digit will crowd bins.  Where keys are skewed, but even within a bucket, it does not. */
static void what_the_second_digit_would_crowd_is_left_by_the_sample(void **state)
{
    enum { DUST, SCATTERED, STEEP, EVEN_SIZES, GROWING, SMALL, CASES };
    uint64_t *const keys = (uint64_t *)memory(16 * (size_t)STAYS), *const out = keys + STAYS;
    const cw_array job = {.type = CW_U64, .n = STAYS, .keys_in = keys, .keys_out = out};
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (int kind = 0; kind < CASES; kind++) {
        uint64_t sum = 0;

        for (uint32_t i = 0; i < STAYS; i++) {
            const uint64_t r = cw_random_next(&random), s = cw_random_next(&random);
            const double u = (double)(r >> 11) / 9007199254740992.0;
            uint64_t x = 0;

            if (kind == DUST) /* groups of four bits are all ones or all zeros */
                for (unsigned b = 0; b < 64; b += 4)
                    x |= (r >> b & 1u) * UINT64_C(15) << b;
            else if (kind == SCATTERED) /* 97 clusters, most of them in a small part of the range */
                x = (uint64_t)(pow((double)(r % 97u), 6.0) * 65536.0) + (s & 0xffff);
            else if (kind == STEEP) /* of half of them splitters see no bit */
                x = s >> r % 64u;
            else if (kind == EVEN_SIZES)
                x = (uint64_t)exp(20.0 + u * 24.0);
            else if (kind == GROWING)
                x = (uint64_t)(u * u * u * 1.8e19);
            else
                x = (uint64_t)fmin(pow(u + 1e-9, -5.0), 1e9);
            keys[i] = x;
            sum += x;
        }
        sort_seen(&job, 0);
        if (seen.sample_left != (kind <= STEEP))
            fail_msg("kind %d, seed %llu", kind, (unsigned long long)cw_test_seed());
        for (uint32_t i = 0; i < STAYS; i++) {
            assert_true(i == 0 || out[i - 1] <= out[i]);
            sum -= out[i];
        }
        assert_int_equal(sum, 0);
    }
    free(keys);
}

/* The odds of a sample with as few crowding keys as the sample must have are far below 10^-100. */
static void an_unknown_seed_is_not_misled(void **state)
{
    const uint64_t set = cw_test_seed() | 1;
    uint32_t *const keys = (uint32_t *)memory(4 * (size_t)PAIRS);
    uint64_t random[2];

    (void)state;
    for (int pairs = 0; pairs < 2; pairs++) {
        struct cw_random r = cw_random_from(cw_test_seed());

        for (uint32_t i = 0; i < PAIRS; i++)
            keys[i] = (uint32_t)cw_random_next(&r);
        sort_keys(keys, pairs ? PAIRS : N, pairs, 0);
        assert_int_equal(seen.seen_through, 0);
        random[pairs] = seen.requests;
    }
    for (int k = 0; k < 2 * KINDS; k++) {
        const int kind = k % KINDS, pairs = k % 2;
        const uint32_t n = pairs ? PAIRS : N;

        craft(keys, n, kind, set);
        sort_keys(keys, n, pairs, 0);
        assert_int_equal(seen.seen_through, 1);
        if (kind != ONE && seen.fullest > n / 8u)
            fail_msg("kind %d: %u of %u items in a bin, seed %llu", kind, seen.fullest, n,
                     (unsigned long long)cw_test_seed());
        if (seen.requests > 3u * random[pairs])
            fail_msg("kind %d: %llu requests, random keys %llu, seed %llu", kind,
                     (unsigned long long)seen.requests, (unsigned long long)random[pairs],
                     (unsigned long long)cw_test_seed());
    }
    free(keys);
}

/* Sort words, and count what kernels ask for. */
static void sort_words(const uint64_t *keys, uint64_t *out, uint32_t n)
{
    const cw_array job = {.type = CW_U64, .n = n, .keys_in = keys, .keys_out = out};

    sort_seen(&job, 0);
    for (uint32_t i = 1; i < n; i++)
        assert_true(out[i - 1] <= out[i]);
}

/* ---- crowds at every level ------------------------------------------------------------------- */

#define LEVELS 300007u

/* As many keys in each of 64 ranges, so that samples find them even.  In a range nearly all are close together, and a few
 * keep every level of 6 bits from being left out: nobody has to know a seed for that. */
static uint64_t on_levels(struct cw_random *r)
{
    const uint64_t a = cw_random_next(r), b = cw_random_next(r);

    return a >> 58 << 58 | (a % 64 ? b & 0xfff : b >> 6 >> 6 * (a % 1024 / 64 % 9));
}

static void crowds_at_every_level_are_seen_through(void **state)
{
    uint64_t *const keys = (uint64_t *)memory(8 * (size_t)LEVELS), *const out = (uint64_t *)memory(
                                                                       8 * (size_t)LEVELS);
    struct cw_random r = cw_random_from(cw_test_seed());
    uint64_t requests[2];

    (void)state;
    for (int levels = 0; levels < 2; levels++) {
        for (uint32_t i = 0; i < LEVELS; i++)
            keys[i] = levels ? on_levels(&r) : cw_random_next(&r);
        sort_words(keys, out, LEVELS);
        requests[levels] = seen.requests;
    }
    print_message("%llu requests, of random keys %llu\n", (unsigned long long)requests[1],
                  (unsigned long long)requests[0]);
    assert_true(requests[1] <= 3u * requests[0]); /* 6 times, before blocks looked for a digit */
    free(keys);
    free(out);
}

/* ---- the hybrid sort ------------------------------------------------------------------------ */

static void sort_wide(const uint64_t *keys, uint32_t n, uint64_t seed)
{
    uint64_t *const out = (uint64_t *)memory(16 * (size_t)n), *const values = out + n;
    const cw_array job = {.type = CW_U64,
                          .n = n,
                          .keys_in = keys,
                          .keys_out = out,
                          .values_in = keys,
                          .values_out = values,
                          .value_bytes = 8};

    sort_seen(&job, seed);
    assert_int_equal(seen.samples, 1);
    for (uint32_t i = 1; i < n; i++)
        assert_true(out[i - 1] <= out[i]);
    assert_memory_equal(out, values, 8 * (size_t)n);
    free(out);
}

/* As hybrid/sample.h has it. */
static uint32_t drawn_wide(uint64_t seed, uint32_t i)
{
    uint32_t x = (uint32_t)seed ^ (i + 1u) * 0x9e3779b9u;

    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13 ^ (uint32_t)(seed >> 32)) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* A sample that was misled is found out when buckets are put into groups: the LSD sort goes on from there. */
static void the_hybrid_sort_is_not_misled_either(void **state)
{
    uint64_t *const keys = (uint64_t *)memory(8 * (size_t)WIDE);
    struct cw_random r = cw_random_from(cw_test_seed());
    uint64_t set = cw_test_seed() | 1, known = set;
    const uint64_t seed = cw_drawn(&set);
    uint32_t count, stride;

    (void)state;
    for (uint32_t i = 0; i < WIDE; i++)
        keys[i] = cw_random_next(&r);
    sort_wide(keys, WIDE, known);
    assert_int_equal(seen.seen_through + seen.left, 0);
    count = DRAWS * seen.rounds;
    stride = WIDE / count;
    for (uint32_t i = 0; i < WIDE; i++)
        keys[i] = UINT64_C(0x5a00000000000000) | cw_random_next(&r) >> 48;
    for (uint32_t i = 0; i < count; i++)
        keys[i * stride + (uint32_t)((uint64_t)stride * drawn_wide(seed, i) >> 32)] =
            cw_random_next(&r);
    sort_wide(keys, WIDE, known);
    assert_int_equal(seen.seen_through, 0);
    assert_int_equal(seen.left, 1);
    sort_wide(keys, WIDE, 0);
    assert_int_equal(seen.seen_through, 1);
    free(keys);
}

/* Steps of equal keys beside each other, in no order.  Of a long array each has a sample or none. */
static void long_runs_are_left_by_the_sample(void **state)
{
    enum { LONG = 250000, STEPS = 1250, PART = 577 };
    static const uint32_t steps[] = {400, 200}; /* a bucket may have 320 items */
    uint64_t *const keys = (uint64_t *)memory(8 * (size_t)LONG);

    (void)state;
    for (uint32_t k = 0; k < COUNT(steps); k++) {
        for (uint32_t i = 0; i < LONG; i++)
            keys[i] = (uint64_t)(i / steps[k] * PART % STEPS * 52) << 48;
        sort_wide(keys, LONG, 0);
        assert_int_equal(seen.seen_through, k == 0);
        assert_int_equal(seen.left, k == 0);
    }
    for (uint32_t i = 0; i < LONG; i++) /* equal keys all the time, but not in runs */
        keys[i] = (uint64_t)(i % STEPS * 52) << 48;
    sort_wide(keys, LONG, 0);
    assert_int_equal(seen.seen_through + seen.left, 0);
    free(keys);
}

/* Keys are their own places, so the sample tells where it was taken. */
static void a_seed_that_is_set_repeats_the_places(void **state)
{
    static uint32_t first[SAMPLE];
    uint32_t *const keys = (uint32_t *)memory(4 * (size_t)N);
    uint32_t same = 0;

    (void)state;
    for (uint32_t i = 0; i < N; i++)
        keys[i] = i;
    sort_keys(keys, N, 0, 77);
    memcpy(first, seen.sample, sizeof first);
    for (uint32_t i = 0; i < SAMPLE; i++)
        assert_true(first[i] >= N / SAMPLE * i && first[i] < N / SAMPLE * (i + 1u));
    sort_keys(keys, N, 0, 77);
    assert_memory_equal(seen.sample, first, sizeof first);
    sort_keys(keys, N, 0, 0);
    for (uint32_t i = 0; i < SAMPLE; i++)
        same += seen.sample[i] == first[i];
    assert_true(same < SAMPLE / 8u); /* one of 29 by chance */
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_seed_misleads_the_sample),
        cmocka_unit_test(what_passes_do_not_split_is_left),
        cmocka_unit_test(heavy_values_among_others_are_left),
        cmocka_unit_test(what_the_second_digit_would_crowd_is_left_by_the_sample),
        cmocka_unit_test(an_unknown_seed_is_not_misled),
        cmocka_unit_test(a_seed_that_is_set_repeats_the_places),
        cmocka_unit_test(crowds_at_every_level_are_seen_through),
        cmocka_unit_test(the_hybrid_sort_is_not_misled_either),
        cmocka_unit_test(long_runs_are_left_by_the_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
