/* test_sort_fill.c - keys alone that take few values are counted and written, not moved (grid_fill.h,
 * grid_exact.h): which parts of an array are, looked at on the emulator, and what comes out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulated/queue.h"
#include "kernels/grid_job.h"
#include "kernels/grid_sort.h"
#include "test.h"

#define N     (CW_FULL_SHAPES ? 60013u : 30011u) /* lists are worked off after every level */
#define FEWER (CW_FULL_SHAPES ? 50000u : 15013u) /* and here at the end */
#define TALLY (CW_FULL_SHAPES ? 16384u : 512u)   /* values of a part that is counted, at most */
#define TILES 1u                                 /* ways to move of grid_count.h */
#define NONE  4u

/* A sort, and what was seen of it. */
struct sort {
    cw_type type;
    unsigned flags, first_bit, bits; /* bits 0: all */
    size_t n, shift;
    int in_place;
    uint64_t *keys; /* as they were given */

    uint64_t exact, tallied, single; /* items that were written from counts */
    uint32_t at;                     /* buffers that tallied parts stood in: 1 << AT_.. */
    uint32_t chunks, none, tiles; /* chunks of the tree's level, with nothing to move, by tiles */
    int launched, tree;
};

static size_t bytes_of(const struct sort *s)
{
    return cw_type_bytes(s->type);
}

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct sort *const s = (struct sort *)user;
    const struct grid_job *const j = (const struct grid_job *)l->arg;

    (void)e;
    if (l->kernel == CW_KERNEL_cw_grid_u32_count_tree ||
        l->kernel == CW_KERNEL_cw_grid_u64_count_tree) {
        s->tree = (int)j->tree->used;
        s->chunks = j->state->level[0].chunks;
        for (uint32_t c = 0; s->tree && c < s->chunks; c++) {
            s->none += j->chunk_way[c] == NONE;
            s->tiles += j->chunk_way[c] == TILES;
        }
    }
    if (l->kernel != CW_KERNEL_cw_grid_u32_fill && l->kernel != CW_KERNEL_cw_grid_u64_fill)
        return;
    s->launched = 1;
    for (uint32_t i = 0; i < j->state->fills && i < GRID_FILLS; i++) {
        const struct grid_fill *const f = &j->fills[i];
        uint64_t sum = 0;

        for (uint32_t v = 0; v < f->values; v++)
            sum += j->counters[f->counter + v];
        assert_true(sum == f->len);
        if (!f->counted)
            s->at |= 1u << f->at;
        *(f->counted ? f->values > 1 ? &s->exact : &s->single : &s->tallied) += f->len;
    }
}

/* ---- a sort and its reference ---------------------------------------------------------------- */

static int by_size(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return a < b ? -1 : a > b;
}

/* Keys as words in the order that is asked for. */
static void to_words(const struct sort *s, const void *keys, uint64_t *words)
{
    const struct cw_key_map map = cw_key_map_of(s->type, (s->flags & CW_DESCENDING) != 0);

    for (size_t i = 0; i < s->n; i++) {
        uint64_t x = 0;

        memcpy(&x, (const char *)keys + i * bytes_of(s), bytes_of(s));
        words[i] = CW_KEY_TO_WORD(&map, x);
    }
}

/* The sorted words must be those of the input, sorted; with some of the bits, in the order of these. */
static void compare(const struct sort *s, const void *in, const void *out)
{
    uint64_t *const want = (uint64_t *)malloc(s->n * 8), *const got = (uint64_t *)malloc(s->n * 8);

    assert_non_null(want);
    assert_non_null(got);
    to_words(s, in, want);
    to_words(s, out, got);
    if (s->bits) {
        const uint64_t mask = ((uint64_t)1 << s->bits) - 1u;

        for (size_t i = 1; i < s->n; i++)
            assert_true((got[i - 1] >> s->first_bit & mask) <= (got[i] >> s->first_bit & mask));
        qsort(got, s->n, 8, by_size);
    }
    qsort(want, s->n, 8, by_size);
    for (size_t i = 0; i < s->n; i++) {
        if (want[i] != got[i])
            fail_msg("%s, place %zu: %llx, not %llx (seed %llu)", cw_type_name(s->type), i,
                     (unsigned long long)got[i], (unsigned long long)want[i],
                     (unsigned long long)cw_test_seed());
    }
    free(want);
    free(got);
}

/* Sort s->keys, `shift` items off the alignment. */
static void run(struct sort *s)
{
    const size_t b = bytes_of(s), all = (s->n + s->shift) * b;
    char *const in = (char *)aligned_alloc(256, (all + 255) / 256 * 256);
    char *const to = (char *)aligned_alloc(256, (all + 255) / 256 * 256);
    char *const keep = (char *)malloc(all);
    cw_array job = {.type = s->type, .flags = s->flags, .n = s->n, .first_bit = s->first_bit};
    struct cw_emulated_queue q;
    void *workspace;
    size_t bytes;

    assert_true(in && to && keep);
    for (size_t i = 0; i < s->n; i++)
        memcpy(in + (s->shift + i) * b, &s->keys[i], b);
    memcpy(keep, in + s->shift * b, s->n * b);
    job.bits = s->bits ? s->bits : 8u * (unsigned)b;
    job.keys_in = in + s->shift * b;
    job.keys_out = (s->in_place ? in : to) + s->shift * b;
    bytes = cw_grid_workspace(&job, CW_GRID_SMALL);
    workspace = aligned_alloc(256, (bytes + 255) / 256 * 256);
    assert_non_null(workspace);
    memset(workspace, 0xa5, bytes);
    cw_emulated_queue_begin(&q);
    q.hook = look;
    q.user = s;
    cw_queue_buffer(&q.queue, job.keys_in, s->n * b, s->in_place);
    if (!s->in_place)
        cw_queue_buffer(&q.queue, job.keys_out, s->n * b, 1);
    cw_queue_buffer(&q.queue, workspace, bytes, 1);
    assert_int_equal(cw_grid_sort(&q.queue, &job, CW_GRID_SMALL, workspace), CW_OK);
    compare(s, keep, job.keys_out);
    free(workspace);
    free(keep);
    free(to);
    free(in);
}

static struct sort begin(cw_type type, size_t n)
{
    struct sort s = {.type = type, .n = n};

    s.keys = (uint64_t *)malloc(n * sizeof *s.keys);
    assert_non_null(s.keys);
    return s;
}

static uint64_t zipf(uint64_t r, double top)
{
    return (uint64_t)exp((double)(r >> 11) / 9007199254740992.0 * log(top));
}

/* ---- claims --------------------------------------------------------------------------------- */

/* All chunks are left where they are if no key has another bin. */
static void few_values_are_counted_and_never_moved(void **state)
{
    static const cw_type types[] = {CW_U32, CW_I32, CW_U64, CW_F64, CW_F32, CW_F32};
    static const uint64_t bases[] = {3, 0x70000000u, 3, 0x70000000u, 0x80000000u, 0xff800001u};

    (void)state;
    for (unsigned x = 0; x < (CW_SANITIZED ? 6u : 12u); x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + x);
        struct sort s = begin(types[x % 6], x & 1 ? FEWER : N - x);
        const unsigned values = x % 3 ? 2 : x & 1 ? 3 : 5; /* such that each crowds a bin */
        /* signs differ, for some types; of floats: -0 and below, NaNs */
        const uint64_t base = bases[x % 6],
                       wide = CW_FULL_SHAPES && x % 6 < 4 ? 1u << 31 : 1u << 20;
        uint64_t some[5];

        for (unsigned v = 0; v < values; v++)
            some[v] = base + cw_random_next(&r) % wide;
        for (size_t i = 0; i < s.n; i++)
            s.keys[i] = some[cw_random_next(&r) % values];
        s.flags = x & 1 ? CW_DESCENDING : 0;
        s.in_place = x / 2 % 2;
        s.shift = x % 4;
        run(&s);
        assert_int_equal(s.tree, 1);
        assert_true(s.exact + s.single == s.n);
        assert_true(s.none == s.chunks && s.none > 1);
        free(s.keys);
    }
}

static void equal_keys_are_written_and_not_copied(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 4; x++) {
        struct sort s = begin(x & 1 ? CW_F64 : CW_F32, x & 1 ? FEWER : N);

        for (size_t i = 0; i < s.n; i++)
            s.keys[i] = x & 1 ? 0xfff8000000001234u : 0x80000000u; /* a NaN, -0 */
        s.in_place = x / 2;
        run(&s);
        assert_true(s.single == s.n);
        free(s.keys);
    }
}

/* Most of what is frequent, in bins of one or a few values; the rest is moved as ever. */
static void the_narrow_bins_of_skewed_keys_are_exact(void **state)
{
    static const cw_type types[] = {CW_U32, CW_U64, CW_I32, CW_I64};

    (void)state;
    for (unsigned x = 0; x < (CW_SANITIZED ? 2u : 8u); x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 100 + x);
        struct sort s = begin(types[x % 4], x & 2 ? FEWER : N);
        uint64_t narrow = 0;

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t y = cw_random_next(&r);

            s.keys[i] = x < 4 ? zipf(y, 1e7) : y & 1 ? y >> 34 : 0x5a000u + (y >> 57);
            narrow += x < 4 ? s.keys[i] < 32 : (y & 1) == 0;
        }
        s.flags = x & 4 ? CW_DESCENDING : 0;
        s.in_place = x & 1;
        run(&s);
        assert_int_equal(s.tree, 1);
        assert_true(s.exact + s.single > narrow / 4 * 3 && s.exact + s.single < s.n);
        assert_true(s.none == 0);
        free(s.keys);
    }
}

/* Runs of 2000 in order: tiles, which move all keys of a chunk. */
static void chunks_that_go_by_tiles_may_have_exact_bins(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 2; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 150 + x);
        struct sort s = begin(x ? CW_U64 : CW_U32, N);

        for (size_t i = 0; i < s.n; i++)
            s.keys[i] = zipf(cw_random_next(&r), 1e7);
        for (size_t i = 0; i + 2000 <= s.n; i += 2000)
            qsort(s.keys + i, 2000, sizeof *s.keys, by_size);
        s.in_place = (int)x;
        run(&s);
        assert_int_equal(s.tree, 1);
        assert_true(s.tiles > s.chunks / 2 && s.exact > 0);
        free(s.keys);
    }
}

/* The widest range of values that is counted, at both ends and in the middle of what keys can be, and
 * one value more. */
static void a_narrow_range_is_counted_up_to_its_limit(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 6; x++) {
        const cw_type type = x % 2 ? CW_U64 : CW_U32;
        const uint64_t top = x % 2 ? UINT64_MAX : UINT32_MAX;
        const uint64_t lo = x / 2 == 0 ? 0 : x / 2 == 1 ? top - TALLY + 1u : top / 3u;

        for (unsigned more = 0; more < 2; more++) {
            struct cw_random r = cw_random_from(cw_test_seed() + 200 + x);
            struct sort s = begin(type, CW_FULL_SHAPES ? 4u * TALLY + 3u : x % 2 ? FEWER : N);

            for (size_t i = 0; i < s.n; i++)
                s.keys[i] = lo + cw_random_next(&r) % TALLY;
            s.keys[s.n / 3] = lo;
            s.keys[s.n / 2] = lo + TALLY - 1u;
            if (more && x / 2 != 1)
                s.keys[s.n / 2]++;
            else if (more)
                s.keys[s.n / 3]--;
            s.in_place = x / 2 % 2;
            s.shift = x % 3;
            run(&s);
            assert_int_equal(s.tree, 0);
            assert_true(s.tallied == (more ? 0 : s.n));
            free(s.keys);
        }
    }
}

/* Whole numbers kept as floats; multiples of a power of two, with something in the bits below that is the same in
 * all, at the limit and one value beyond. */
static void values_a_power_of_two_apart_are_counted(void **state)
{
    (void)state;
    for (unsigned x = 0; x < (CW_SANITIZED ? 4u : 8u); x++) {
        static const cw_type types[] = {CW_F32, CW_F64, CW_U32, CW_I64};
        const cw_type type = types[x % 4];
        const uint64_t many = x % 4 < 2 ? 100u : TALLY + x / 4;
        struct cw_random r = cw_random_from(cw_test_seed() + 250 + x);
        struct sort s = begin(type, CW_FULL_SHAPES ? 4u * TALLY + 7u : x % 2 ? FEWER : N);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t v = i < many ? i : cw_random_next(&r) % many;
            const float f = 128.0f + (float)v;
            const double d = -5000.0 - (double)v;

            s.keys[i] = 0;
            if (type == CW_F32)
                memcpy(&s.keys[i], &f, sizeof f);
            else if (type == CW_F64)
                memcpy(&s.keys[i], &d, sizeof d);
            else
                s.keys[i] = type == CW_U32 ? 0x555u + (v << 12) : (v << 33) + 77u;
        }
        s.flags = x & 1 ? CW_DESCENDING : 0;
        s.in_place = x / 2 % 2;
        s.shift = x % 3;
        run(&s);
        assert_true(s.tallied == (many > TALLY ? 0 : s.n));
        free(s.keys);
    }
}

/* 6667 of 100003 keys in 200 values: it takes a split to find these, or two, where others are around. */
static void narrow_parts_are_counted_wherever_they_stand(void **state)
{
    (void)state;
    if (CW_FULL_SHAPES)
        return;
    for (unsigned x = 0; x < 2; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 300 + x);
        struct sort s = begin(CW_U32, 100003);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t y = cw_random_next(&r), far = (uint32_t)y;

            if (x == 0)
                s.keys[i] = far >= 0x20000000u && far < 0x60000000u ? far ^ 0x80000000u : far;
            else
                s.keys[i] = 0x40000000u + far % 80000u;
            if (i % 15 == 0)
                s.keys[i] = 0x40000000u + (y >> 40) % 200u;
        }
        s.in_place = 1;
        run(&s);
        assert_int_equal(s.tree, 0);
        assert_true(s.tallied >= s.n / 15);
        assert_int_equal(s.at, x ? 1u << AT_OUT : 1u << AT_TMP);
        free(s.keys);
    }
}

/* Two such parts: one is found by the second level, the other one, among others in 1500 values, by the
 * third.  Lists are worked off in between. */
static void narrow_parts_are_counted_after_every_level(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed() + 350);
    struct sort s = begin(CW_U32, 120011);

    (void)state;
    for (size_t i = 0; i < s.n && !CW_FULL_SHAPES; i++) {
        const uint64_t y = cw_random_next(&r);

        s.keys[i] = i % 19 == 0    ? 0x20000000u + y % 200u
                    : i % 19 == 1  ? 0xa0000000u + 600u + y % 200u
                    : i % 300 == 2 ? 0xa0000000u + y % 1500u
                                   : (uint32_t)y | 0x40000000u;
    }
    if (!CW_FULL_SHAPES) {
        run(&s);
        assert_int_equal(s.tree, 0);
        assert_true(s.tallied >= s.n / 19 * 2);
        assert_int_equal(s.at, 1u << AT_OUT | 1u << AT_TMP);
    }
    free(s.keys);
}

/* A part of the range is counted in the first level, more of it in bins of the tree. */
static void narrow_bins_that_are_not_exact_are_counted_later(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed() + 400);
    struct sort s = begin(CW_U32, 520003);

    (void)state;
    if (CW_FULL_SHAPES || CW_SANITIZED) {
        free(s.keys);
        return;
    }
    for (size_t i = 0; i < s.n; i++) {
        const uint64_t y = cw_random_next(&r);

        s.keys[i] = y & 1 ? (uint32_t)(y >> 8) : 0x5a000000u + (uint32_t)(y >> 8) % 1500u;
    }
    run(&s);
    assert_int_equal(s.tree, 1);
    assert_true(s.exact > 0 && s.tallied > s.n / 8);
    free(s.keys);
}

/* Both zeros, NaNs and infinities, each as often as the other. */
static void special_floats_keep_their_bits(void **state)
{
    static const uint32_t bits[] = {0,           0x80000000u, 0x7f800000u, 0xff800000u,
                                    0x7fc00000u, 0xffc00001u, 0x7f800001u, 0xffffffffu,
                                    1,           0x80000001u};

    (void)state;
    for (unsigned x = 0; x < 4; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 500 + x);
        struct sort s = begin(x / 2 ? CW_F64 : CW_F32, N);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t b = bits[cw_random_next(&r) % 10];

            s.keys[i] = x / 2 ? b << 32 | b >> 31 : b;
        }
        s.flags = x & 1 ? CW_DESCENDING : 0;
        run(&s);
        free(s.keys);
    }
}

/* Where only some bits count, keys that agree in these are not the same. */
static void a_range_of_bits_counts_no_values(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 3; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 600 + x);
        struct sort s = begin(x == 2 ? CW_U64 : CW_U32, N);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t y = cw_random_next(&r);

            s.keys[i] = x ? y & 0xff000003u : (y & 0x30u) | y << 56 >> 32;
        }
        s.first_bit = x == 1 ? 0 : 4;
        s.bits = x == 1 ? 16 : 8;
        run(&s);
        assert_int_equal(s.launched, 0);
        free(s.keys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_are_counted_and_never_moved),
        cmocka_unit_test(equal_keys_are_written_and_not_copied),
        cmocka_unit_test(the_narrow_bins_of_skewed_keys_are_exact),
        cmocka_unit_test(chunks_that_go_by_tiles_may_have_exact_bins),
        cmocka_unit_test(a_narrow_range_is_counted_up_to_its_limit),
        cmocka_unit_test(values_a_power_of_two_apart_are_counted),
        cmocka_unit_test(narrow_parts_are_counted_wherever_they_stand),
        cmocka_unit_test(narrow_parts_are_counted_after_every_level),
        cmocka_unit_test(narrow_bins_that_are_not_exact_are_counted_later),
        cmocka_unit_test(special_floats_keep_their_bits),
        cmocka_unit_test(a_range_of_bits_counts_no_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
