/* test_plan_api.c - cw_plan executes the permutation it was made from, on the host's threads and in
 * whichever context CW_TEST_BACKEND names (emulator, unless told). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/context.h"
#include "offline/plan.h"
#include "rows_case.h"
#include "test.h"

#define GUARD 64u /* bytes around the output that must stay as they are */

static cw_context *context[2];
static uint64_t excess; /* wavefronts above the ideal, of kernels that have none */

static void count(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct cw_emu_place total;

    (void)user;
    cw_emu_total(e, &total);
    if (cw_kernel_free(l->kernel) && total.wavefronts != total.ideal) {
        excess += total.wavefronts - total.ideal;
        fprintf(stderr, "%s: %llu wavefronts, ideal %llu\n", cw_kernel_name(l->kernel),
                (unsigned long long)total.wavefronts, (unsigned long long)total.ideal);
    }
}

static int open_contexts(void **state)
{
    (void)state;
    if (cw_context_create(CW_CPU, &context[0]) ||
        cw_context_create(rows_test_backend(), &context[1])) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    context[1]->hook = count;
    return 0;
}

static int close_contexts(void **state)
{
    (void)state;
    cw_context_destroy(context[0]);
    cw_context_destroy(context[1]);
    return 0;
}

/* ---- a case --------------------------------------------------------------------------------- */

enum map {
    RANDOM,
    IDENTITY,
    ROTATION,
    REVERSAL,
    TRANSPOSE,
    BIT_REVERSAL,
    AFFINE,
    BLOCKS, /* whole tiles change places: one run a tile */
    SPREAD, /* neighbours go far apart: as many runs as can be */
    MAPS
};

struct plan_case {
    enum map map;
    size_t n, bytes;
    size_t index_bytes;
    unsigned flags;
    size_t shift; /* items that arrays begin after 256 bytes */
    struct cw_plan_wish wish;
    int wished;
    const char *kind; /* that it must be, or NULL */
    uint64_t seed;
};

static size_t bits_of(size_t n)
{
    size_t bits = 0;

    while ((size_t)1 << bits < n)
        bits++;
    return bits;
}

static uint64_t reversed(uint64_t x, size_t bits)
{
    uint64_t r = 0;

    for (size_t k = 0; k < bits; k++)
        r |= (x >> k & 1u) << (bits - 1 - k);
    return r;
}

static uint64_t mapped(const struct plan_case *c, uint64_t i)
{
    const size_t n = c->n, bits = bits_of(n);
    size_t rows = 37;

    switch (c->map) {
    case ROTATION:
        return (i + c->seed % n) % n;
    case REVERSAL:
        return (c->seed % n + n - i) % n;
    case TRANSPOSE:
        while (n % rows)
            rows++;
        return i % (n / rows) * rows + i / (n / rows);
    case BIT_REVERSAL:
        return reversed(i, bits);
    case AFFINE:
        return (reversed(i ^ i >> 3, bits) ^ reversed(i, bits) << 2 ^ c->seed) % n;
    case BLOCKS:
        return (i + n / 3) % n ^ 0;
    case SPREAD:
        return i % 61 * (n / 61) + i / 61;
    default:
        return i;
    }
}

/* Whether the map is one at this n is the test's care. */
static uint64_t *make_index(const struct plan_case *c)
{
    struct cw_random r = cw_random_from(c->seed);
    uint64_t *const p = (uint64_t *)malloc((c->n + 1) * sizeof *p);

    for (size_t i = 0; i < c->n; i++)
        p[i] = mapped(c, i);
    for (size_t i = c->n; c->map == RANDOM && i > 1; i--) {
        const size_t j = cw_random_below(&r, i);
        const uint64_t x = p[i - 1];

        p[i - 1] = p[j];
        p[j] = x;
    }
    return p;
}

static cw_plan *make_plan(const struct plan_case *c, const uint64_t *p)
{
    uint32_t *const narrow = (uint32_t *)malloc((c->n + 1) * sizeof *narrow);
    const void *const given = c->index_bytes == 8 ? (const void *)p : narrow;
    cw_plan *plan = NULL;
    cw_status status;

    for (size_t i = 0; i < c->n; i++)
        narrow[i] = (uint32_t)p[i];
    if (c->wished)
        status = cw_plan_make(given, c->index_bytes, c->n, c->bytes, c->flags, 0, &c->wish, &plan);
    else
        status = cw_plan_create(given, c->index_bytes, c->n, c->bytes, c->flags, 3, &plan);
    if (status)
        fprintf(stderr, "create: %s: %s\n", cw_status_name(status), cw_last_error());
    free(narrow);
    return plan;
}

static int as_it_must_be(const struct plan_case *c, const uint64_t *p, const unsigned char *in,
                         const unsigned char *out)
{
    for (size_t i = 0; i < c->n; i++) {
        const size_t from = c->flags & CW_GATHER ? p[i] : i, to = c->flags & CW_GATHER ? i : p[i];

        if (memcmp(in + from * c->bytes, out + to * c->bytes, c->bytes)) {
            fprintf(stderr, "item %zu is not at %zu\n", from, to);
            return 0;
        }
    }
    return 1;
}

/* Execute in one context, between guards. */
static int execute(cw_context *x, const struct plan_case *c, const uint64_t *p, const cw_plan *plan)
{
    const size_t size = c->n * c->bytes, skip = 256 + c->shift * c->bytes;
    const size_t whole = skip + size + GUARD, table_bytes = cw_plan_table_bytes(plan);
    unsigned char *const a = (unsigned char *)malloc(whole), *const b =
                                                                 (unsigned char *)malloc(whole);
    void *in = NULL, *out = NULL, *table = NULL, *room = NULL;
    struct cw_random r = cw_random_from(c->seed + 1);
    size_t need = 0;
    int good;

    for (size_t k = 0; k < whole; k++)
        a[k] = (unsigned char)cw_random_next(&r);
    memset(b, 0xa5, whole);
    good =
        !cw_plan_workspace(plan, &need) && !cw_memory_alloc(x, whole, &in) &&
        !cw_memory_alloc(x, whole, &out) && !cw_memory_alloc(x, table_bytes, &table) &&
        !cw_memory_alloc(x, need, &room) && !cw_memory_write(x, in, a, whole) &&
        !cw_memory_write(x, out, b, whole) && !cw_plan_write_table(x, plan, table) &&
        !cw_plan_execute(x, plan, table, (char *)in + skip, (char *)out + skip, room, need, NULL) &&
        !cw_wait(x, NULL) && !cw_memory_read(x, b, out, whole);
    if (!good)
        fprintf(stderr, "%s\n", cw_last_error());
    good = good && as_it_must_be(c, p, a + skip, b + skip);
    for (size_t k = 0; good && k < whole; k++)
        good = (k >= skip && k < skip + size) || b[k] == 0xa5;
    cw_memory_free(x, in);
    cw_memory_free(x, out);
    cw_memory_free(x, table);
    cw_memory_free(x, room);
    free(a);
    free(b);
    return good;
}

/* 0 if both contexts are right; otherwise prints the case. */
static int run(struct plan_case c)
{
    uint64_t *p;
    cw_plan *plan;
    int good;

    if (!c.bytes)
        c.bytes = 4;
    if (!c.index_bytes)
        c.index_bytes = 4;
    p = make_index(&c);
    plan = make_plan(&c, p);
    good = plan && execute(context[0], &c, p, plan) && execute(context[1], &c, p, plan);
    if (good && c.kind && strcmp(c.kind, cw_plan_kind(plan)) != 0)
        good = 0;
    if (!good)
        fprintf(stderr,
                "map %d n %zu bytes %zu index %zu flags %u shift %zu tile %u: %s, not %s; "
                "CW_SEED=%llu\n",
                (int)c.map, c.n, c.bytes, c.index_bytes, c.flags, c.shift, c.wish.tile,
                cw_plan_kind(plan), c.kind ? c.kind : "this", (unsigned long long)cw_test_seed());
    cw_plan_destroy(plan);
    free(p);
    return !good;
}

static struct plan_case case_of(enum map map, size_t n, uint64_t salt)
{
    const struct plan_case c = {.map = map, .n = n, .seed = cw_test_seed() + salt};

    return c;
}

/* Tables of so many passes with such tiles. */
static struct plan_case passes_of(enum map map, size_t n, uint32_t passes, uint32_t tile)
{
    struct plan_case c = case_of(map, n, n + passes);

    c.wished = 1;
    c.wish =
        (struct cw_plan_wish){.table = 1, .gather = passes ? -1 : 1, .tile = tile, .parts = passes};
    return c;
}

/* ---- claims --------------------------------------------------------------------------------- */

static void plans_of_any_length_permute(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 3, 5, 31, 32, 33, 100, 1000, 1024, 4095, 4097, 10007};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        struct plan_case c = case_of(RANDOM, lengths[x], x);

        failed += run(c);
        c.flags = CW_GATHER;
        c.index_bytes = 8;
        failed += run(c);
    }
    assert_int_equal(failed, 0);
}

static void passes_permute(void **state)
{
    static const size_t lengths[] = {33, 64, 97, 1000, 3000, 4096, 8191};
    int failed = 0;

    (void)state;
    for (uint32_t passes = 2; passes <= 3; passes++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            struct plan_case c;

            if (passes == 3 && lengths[x] < 97)
                continue;
            c = passes_of(RANDOM, lengths[x], passes, lengths[x] < 1000 ? 32 : 224);
            c.kind = passes == 2 ? "two passes" : "three passes";
            failed += run(c);
            c.flags = CW_GATHER;
            c.shift = 1; /* no longer on 16 bytes */
            failed += run(c);
        }
        failed += run(passes_of(BLOCKS, 4096, passes, 256));
        failed += run(passes_of(SPREAD, 61 * 64, passes, 256));
        failed += run(passes_of(IDENTITY, 4000, passes, 256));
    }
    failed += run(passes_of(RANDOM, 4096, 1, 4096));
    failed += run(passes_of(RANDOM, 4000, 1, 4096));
    assert_int_equal(failed, 0);
}

static void items_of_any_size_are_moved(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 16; bytes++) {
        struct plan_case c = passes_of(RANDOM, 900, 2 + bytes % 2, 128);

        c.bytes = bytes;
        failed += run(c);
        c.shift = 1;
        failed += run(c);
        c = passes_of(RANDOM, 700, 0, 0);
        c.bytes = bytes;
        c.kind = "gather";
        failed += run(c);
        if (bytes % 4 && bytes % 5 != 1)
            continue;
        c = case_of(BIT_REVERSAL, 4096, bytes);
        c.bytes = bytes;
        c.kind = "bit reversal";
        failed += run(c);
        c = case_of(ROTATION, 999, 1);
        c.bytes = bytes;
        failed += run(c);
        c = case_of(TRANSPOSE, 37 * 70, 1);
        c.bytes = bytes;
        c.kind = "transpose";
        c.shift = 1;
        failed += run(c);
    }
    assert_int_equal(failed, 0);
}

/* A map, a length, the kind it must be recognised as. */
static void maps_are_recognised(void **state)
{
    static const struct {
        enum map map;
        size_t n;
        const char *kind;
    } cases[] = {
        {IDENTITY, 1, "identity"},
        {IDENTITY, 1000, "identity"},
        {ROTATION, 1001, "rotation"},
        {REVERSAL, 4096, "reversal"},
        {REVERSAL, 999, "reversal"},
        {TRANSPOSE, 37 * 41, "transpose"},
        {TRANSPOSE, 64 * 128, "transpose"},
        {BIT_REVERSAL, 8192, "bit reversal"},
        {AFFINE, 16384, "affine map of bits"},
        {RANDOM, 4096, "gather"},
        {TRANSPOSE, 64 * 101, "transpose"},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(cases); x++) {
        struct plan_case c = case_of(cases[x].map, cases[x].n, 1);

        c.seed = 1 + (cw_test_seed() + x) % 900; /* a rotation by 0 is the identity */
        c.kind = cases[x].kind;
        failed += run(c);
        c.flags = CW_GATHER;
        failed += run(c);
        c.bytes = 8;
        c.index_bytes = 8;
        failed += run(c);
        c.bytes = 16;
        failed += run(c);
    }
    assert_int_equal(failed, 0);
}

/* One value away from a map is another permutation, and is executed as such. */
static void near_maps_are_not_recognised(void **state)
{
    static const enum map maps[] = {IDENTITY, ROTATION, REVERSAL, BIT_REVERSAL, AFFINE};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(maps); x++) {
        struct plan_case c = case_of(maps[x], 4096, 1);
        uint64_t *p;
        cw_plan *plan;

        c.bytes = c.index_bytes = 4;
        p = make_index(&c);
        p[4094] = p[4094] ^ p[4095];
        p[4095] = p[4094] ^ p[4095];
        p[4094] = p[4094] ^ p[4095];
        plan = make_plan(&c, p);
        failed += !plan || strcmp(cw_plan_kind(plan), "gather") != 0 ||
                  !execute(context[0], &c, p, plan) || !execute(context[1], &c, p, plan);
        cw_plan_destroy(plan);
        free(p);
    }
    assert_int_equal(failed, 0);
}

/* As large as the host's threads do quickly: tiles, levels and gathers as they are chosen. */
static void large_plans_permute_on_the_host(void **state)
{
    static const size_t lengths[] = {1000003, 1u << 20, 3000017};
    cw_context *const other = context[1];
    int failed = 0;

    (void)state;
    context[1] = rows_test_backend() == CW_CUDA ? other : context[0];
    for (size_t x = 0; x < COUNT(lengths) - (CW_SANITIZED ? 2 : 0); x++) {
        struct plan_case c = case_of(RANDOM, lengths[x], x);

        failed += run(c);
        c.flags = CW_GATHER;
        c.bytes = 12;
        failed += run(c);
        c = passes_of(RANDOM, lengths[x], 3, 0);
        failed += run(c);
    }
    failed += run(case_of(AFFINE, 1u << 20, 3));
    context[1] = other;
    assert_int_equal(failed, 0);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void what_is_no_permutation_is_refused(void **state)
{
    (void)state;
    for (uint32_t passes = 0; passes <= 3; passes++) {
        for (unsigned flags = 0; flags <= CW_GATHER; flags += CW_GATHER) {
            struct plan_case c = passes_of(RANDOM, 1500, passes, 256);
            uint64_t *const p = make_index(&c);
            const uint64_t kept = p[700];
            cw_plan *plan = (cw_plan *)&c;

            c.wish.tile = passes == 1 ? 4096 : c.wish.tile;
            p[700] = p[3];
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_ERR_LABEL);
            assert_null(plan);
            assert_non_null(strstr(cw_last_error(), "index 700"));
            p[700] = 1500;
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_ERR_LABEL);
            assert_non_null(strstr(cw_last_error(), "index 700 is 1500"));
            p[700] = kept + ((uint64_t)1 << 32); /* not to be taken for its lower half */
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_ERR_LABEL);
            p[700] = kept;
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_OK);
            cw_plan_destroy(plan);
            free(p);
        }
    }
}

static void misuse_is_refused(void **state)
{
    static uint32_t index[8] = {1, 0, 3, 2, 5, 4, 7, 6};
    static uint32_t data[24];
    cw_plan *plan = NULL;
    size_t bytes;

    (void)state;
    assert_int_equal(cw_plan_create(index, 3, 8, 4, 0, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, 0, 0, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, 17, 0, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, 4, CW_STABLE, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(NULL, 4, 8, 4, 0, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, 4, 0, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, ((size_t)1 << 31) + 1, 4, 0, 0, &plan),
                     CW_ERR_LENGTH);
    assert_null(plan);
    assert_int_equal(cw_plan_create(index, 4, 8, 4, 0, 0, &plan), CW_OK);
    assert_int_equal(cw_plan_workspace(plan, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_workspace(NULL, &bytes), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_execute(context[0], plan, NULL, data, data + 8, NULL, 0, NULL),
                     CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_write_table(context[0], plan, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_save(NULL, "x"), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_load(NULL, &plan), CW_ERR_ARGUMENT);
    cw_plan_destroy(plan);
    cw_plan_destroy(NULL);
}

static void overlap_and_workspace_are_checked(void **state)
{
    struct plan_case c = passes_of(RANDOM, 1500, 2, 256);
    uint64_t *const p = make_index(&c);
    cw_context *const x = context[0];
    cw_plan *plan = NULL;
    void *table, *room;
    char *data;
    size_t need;

    (void)state;
    assert_int_equal(cw_plan_make(p, 8, c.n, 4, 0, 0, &c.wish, &plan), CW_OK);
    assert_int_equal(cw_plan_workspace(plan, &need), CW_OK);
    assert_true(need >= 6000);
    assert_int_equal(cw_memory_alloc(x, cw_plan_table_bytes(plan), &table), CW_OK);
    assert_int_equal(cw_memory_alloc(x, 2 * need + 512, &room), CW_OK);
    assert_int_equal(cw_memory_alloc(x, 12000, (void **)&data), CW_OK);
    assert_int_equal(cw_plan_write_table(x, plan, table), CW_OK);
    memset(data, 0, 12000);
#define EXECUTE(in, out, room, need) cw_plan_execute(x, plan, table, in, out, room, need, NULL)
    assert_int_equal(EXECUTE(data, data, room, need), CW_ERR_OVERLAP);
    assert_int_equal(EXECUTE(data, data + 5996, room, need), CW_ERR_OVERLAP);
    assert_int_equal(EXECUTE(data, data + 6000, data, need), CW_ERR_OVERLAP);
    assert_int_equal(EXECUTE(data, data + 6000, room, need - 1), CW_ERR_WORKSPACE);
    assert_int_equal(EXECUTE(data, data + 6000, NULL, need), CW_ERR_WORKSPACE);
    assert_int_equal(EXECUTE(data, data + 6000, (char *)room + 4, need), CW_ERR_WORKSPACE);
    assert_int_equal(EXECUTE(data + 1, data + 6004, room, need), CW_ERR_ARGUMENT);
    assert_int_equal(EXECUTE(data, data + 6000, room, need), CW_OK);
    cw_memory_free(x, table);
    cw_memory_free(x, room);
    cw_memory_free(x, data);
    cw_plan_destroy(plan);
    free(p);
}

/* Maps of bits and transpositions, of all tests above. */
static void maps_have_no_conflict(void **state)
{
    (void)state;
    assert_int_equal(excess, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_of_any_length_permute),
        cmocka_unit_test(passes_permute),
        cmocka_unit_test(items_of_any_size_are_moved),
        cmocka_unit_test(maps_are_recognised),
        cmocka_unit_test(near_maps_are_not_recognised),
        cmocka_unit_test(large_plans_permute_on_the_host),
        cmocka_unit_test(what_is_no_permutation_is_refused),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(overlap_and_workspace_are_checked),
        cmocka_unit_test(maps_have_no_conflict),
    };

    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
