/* test_tiles_items.c - the tile kernels partition and permute on the emulator as obvious loops do,
 * with no bank asked twice and at one cost on any input; those by a network with one trace. */
#include "tile_run.h"

struct items {
    uint32_t log_n, n, ways;
    uint64_t count, seed;
    uint32_t *in, *by, *out, *offsets, *want, *want_offsets;
};

static void items_begin(struct items *t, uint32_t log_n)
{
    size_t most;

    t->log_n = log_n;
    t->n = 1u << log_n;
    t->count = log_n < 7 ? 37 : log_n < 10 ? 9 : 2; /* not whole blocks, nor whole warps */
    most = (size_t)t->count * t->n;
    t->in = (uint32_t *)need(4 * most);
    t->by = (uint32_t *)need(4 * most);
    t->out = (uint32_t *)need(4 * most);
    t->want = (uint32_t *)need(4 * most);
    t->offsets = (uint32_t *)need(4 * (size_t)t->count * CW_TILES_OFFSETS);
    t->want_offsets = (uint32_t *)need(4 * (size_t)t->count * CW_TILES_OFFSETS);
}

static void items_end(struct items *t)
{
    free(t->in);
    free(t->by);
    free(t->out);
    free(t->want);
    free(t->offsets);
    free(t->want_offsets);
}

enum { SPLITS_LABEL, SPLITS_PLACE, NETWORK };

/* Of the patterns of inputs, long tiles see some; all with CW_LONG=1. */
static int step_of(uint32_t log_n)
{
    return log_n < 11 || cw_long_run() ? 1 : log_n < 13 ? 2 : 4;
}

static cw_emu_kernel kernel_of(int way, uint32_t log_n)
{
    static const cw_emu_kernel networks[] = {
        cw_tiles_order_5_emulated,  cw_tiles_order_6_emulated,  cw_tiles_order_7_emulated,
        cw_tiles_order_8_emulated,  cw_tiles_order_9_emulated,  cw_tiles_order_10_emulated,
        cw_tiles_order_11_emulated, cw_tiles_order_12_emulated, cw_tiles_order_13_emulated};

    if (way == NETWORK)
        return networks[log_n - 5];
    if (way == SPLITS_LABEL)
        return log_n > 9 ? cw_tiles_partition_block_emulated : cw_tiles_partition_warp_emulated;
    return log_n > 9 ? cw_tiles_permute_block_emulated : cw_tiles_permute_warp_emulated;
}

/* Requests that the splits cost: a write and a read of 16 rounds for each bit; tiles of several
 * warps also add up ones, or labels, and look labels up. */
static uint64_t split_requests(const struct items *t, int way)
{
    const uint64_t warps = t->log_n > 9 ? t->n >> 9 : 0;
    const uint64_t parts = (t->count * t->n + 511) / 512;
    uint64_t bits = 0;

    if (way == SPLITS_PLACE)
        return parts * (32 * (t->log_n - 5) + (warps ? 2 * (t->log_n - 9) : 0));
    while (1u << bits < t->ways)
        bits++;
    return parts * (32 * bits + (warps ? 1 + warps + 1 + 16 : 0));
}

/* Launch on t->by.  The cost is that of the run before. */
static void items_run(struct items *t, int way, int offsets, struct run *r)
{
    const size_t bytes = 4 * (size_t)t->count * t->n;
    const struct cw_tiles_items a = {t->in,    t->by,    t->out, offsets ? t->offsets : NULL,
                                     t->count, t->log_n, t->ways};
    const struct run before = *r;

    r->shape = cw_tiles_items_shape(t->log_n, way == NETWORK);
    buffer(r, 0, t->in, bytes, 0);
    buffer(r, 1, t->by, bytes, 0);
    buffer(r, 2, t->out, bytes, 1);
    buffer(r, 3, t->offsets, offsets ? 4 * (size_t)t->count * CW_TILES_OFFSETS : 0, 1);
    random_words(t->in, bytes / 4, t->seed);
    for (size_t x = 0; x < bytes / 4; x++) /* an item tells its tile, and is not 0 */
        t->in[x] = (t->in[x] & 0xffffffu) | (uint32_t)(x / t->n + 1) << 24;
    memset(t->out, 0, bytes);
    launch(r, kernel_of(way, t->log_n), &a, t->count);
    assert_true(way == NETWORK || r->total.requests == split_requests(t, way));
    assert_true(before.trace == 0 || r->total.requests == before.total.requests);
    assert_true(before.trace == 0 || r->total.wavefronts == before.total.wavefronts);
    assert_true(before.trace == 0 || way != NETWORK || r->trace == before.trace);
}

/* ---- partition ------------------------------------------------------------------------------ */

static uint32_t label_of(int pattern, uint32_t i, uint32_t n, struct cw_random *r)
{
    const uint32_t x = (uint32_t)cw_random_next(r);

    switch (pattern) {
    case 0:
        return x; /* bits above the label's are ignored */
    case 1:
        return i; /* every bank, in order */
    case 2:
        return i / (n / 32);
    case 3:
        return ~i / (n / 32); /* against the order */
    case 4:
        return 31;
    case 5:
        return x % 16 ? 0 : 31; /* rare ones */
    case 6:
        return i / 32 * 5; /* rounds of one label */
    default:
        return i % 2 * 31 ^ i / 64;
    }
}

#define LABELS 8

static void partition_expect(struct items *t, uint32_t mask)
{
    for (uint64_t tile = 0; tile < t->count; tile++) {
        const size_t start = (size_t)tile * t->n;
        uint32_t at = 0;

        for (uint32_t label = 0; label < 32; label++) {
            t->want_offsets[tile * CW_TILES_OFFSETS + label] = at;
            for (uint32_t i = 0; i < t->n; i++)
                if ((t->by[start + i] & mask) == label)
                    t->want[start + at++] = t->in[start + i];
        }
        t->want_offsets[tile * CW_TILES_OFFSETS + 32] = at;
    }
}

static void partition_all(struct items *t, int way, uint32_t ways, uint32_t mask)
{
    struct run r;

    memset(&r, 0, sizeof r);
    t->ways = ways;
    for (int pattern = 0; pattern < LABELS; pattern += step_of(t->log_n)) {
        struct cw_random random = cw_random_from(cw_test_seed() + (uint64_t)pattern);

        t->seed = cw_test_seed() + (uint64_t)pattern;
        for (size_t x = 0; x < t->count * t->n; x++)
            t->by[x] = label_of(pattern, (uint32_t)(x % t->n), t->n, &random);
        items_run(t, way, 1, &r);
        partition_expect(t, mask);
        if (memcmp(t->out, t->want, 4 * t->count * t->n) != 0 ||
            memcmp(t->offsets, t->want_offsets, 4 * t->count * CW_TILES_OFFSETS) != 0)
            fail_msg("2^%u items, pattern %d, ways %u, way %d, seed %llu", t->log_n, pattern, ways,
                     way, (unsigned long long)cw_test_seed());
    }
}

static void partitions_are_stable_with_offsets_and_cost_the_same_on_any_labels(void **state)
{
    (void)state;
    for (uint32_t log_n = 5; log_n <= (CW_SANITIZED ? 10 : 13); log_n++) {
        struct items t;

        items_begin(&t, log_n);
        partition_all(&t, SPLITS_LABEL, 32, 31);
        if (step_of(log_n) == 1) {
            partition_all(&t, SPLITS_LABEL, log_n, log_n > 8 ? 15 : 7);
            partition_all(&t, SPLITS_LABEL, 2, 1);
        }
        items_end(&t);
    }
}

static void partitions_by_a_network_are_the_same_by_one_trace(void **state)
{
    (void)state;
    for (uint32_t log_n = 5; log_n <= (CW_SANITIZED ? 10 : 13); log_n++) {
        struct items t;

        items_begin(&t, log_n);
        partition_all(&t, NETWORK, 19, 31);
        items_end(&t);
    }
}

/* ---- permute -------------------------------------------------------------------------------- */

#define PLACES 8

static uint32_t place_of(int pattern, uint32_t i, uint32_t log_n)
{
    const uint32_t n = 1u << log_n;
    uint32_t x = 0;

    switch (pattern) {
    case 1:
        return i;
    case 2: /* bits reversed */
        for (uint32_t b = 0; b < log_n; b++)
            x |= (i >> b & 1) << (log_n - 1 - b);
        return x;
    case 3:
        return n - 1 - i;
    case 4: /* all of a warp to one bank, where there are places enough */
        return (i << (log_n - 5) | i >> 5) & (n - 1);
    case 5:
        return (i + n / 2 + 1) & (n - 1);
    case 6:
        return i * 33 & (n - 1);
    default: /* by an odd factor, and bits above the tile's */
        return i * 2654435761u;
    }
}

static void places_fill(struct items *t, int pattern)
{
    struct cw_random random = cw_random_from(t->seed);

    for (uint64_t tile = 0; tile < t->count; tile++) {
        uint32_t *const p = t->by + tile * t->n;

        for (uint32_t i = 0; i < t->n; i++)
            p[i] = pattern ? place_of(pattern, i, t->log_n) : i;
        for (uint32_t i = t->n; pattern == 0 && i > 1; i--) { /* a random order */
            const uint32_t j = (uint32_t)cw_random_below(&random, i), x = p[j];

            p[j] = p[i - 1];
            p[i - 1] = x;
        }
    }
}

static void permute_all(uint32_t log_n, int way)
{
    struct items t;
    struct run r;

    memset(&r, 0, sizeof r);
    items_begin(&t, log_n);
    t.ways = t.n;
    for (int pattern = 0; pattern < PLACES; pattern += step_of(log_n)) {
        t.seed = cw_test_seed() + (uint64_t)pattern;
        places_fill(&t, pattern);
        items_run(&t, way, 0, &r);
        for (size_t x = 0; x < t.count * t.n; x++)
            t.want[x / t.n * t.n + (t.by[x] & (t.n - 1))] = t.in[x];
        if (memcmp(t.out, t.want, 4 * t.count * t.n) != 0)
            fail_msg("2^%u items, pattern %d, way %d, seed %llu", log_n, pattern, way,
                     (unsigned long long)cw_test_seed());
    }
    items_end(&t);
}

static void permutations_arrive_and_cost_the_same_whatever_they_are(void **state)
{
    (void)state;
    for (uint32_t log_n = 5; log_n <= (CW_SANITIZED ? 10 : 13); log_n++)
        permute_all(log_n, SPLITS_PLACE);
}

static void permutations_by_a_network_are_the_same_by_one_trace(void **state)
{
    (void)state;
    for (uint32_t log_n = 5; log_n <= (CW_SANITIZED ? 10 : 13); log_n++)
        permute_all(log_n, NETWORK);
}

/* Places that are no permutation: all of them one, a few, any number. */
static void what_is_no_permutation_does_no_harm(void **state)
{
    (void)state;
    for (uint32_t log_n = 5; log_n <= 12; log_n++) {
        struct items t;
        struct run r;

        memset(&r, 0, sizeof r);
        items_begin(&t, log_n);
        t.ways = t.n;
        for (uint32_t kind = 0; kind < 4; kind++) {
            random_words(t.by, t.count * t.n, cw_test_seed());
            for (size_t x = 0; kind < 3 && x < t.count * t.n; x++)
                t.by[x] = kind == 0 ? 5 : kind == 1 ? t.n - 1 : t.by[x] & t.by[x] >> 7;
            t.seed = cw_test_seed() + kind;
            items_run(&t, SPLITS_PLACE, 0, &r); /* the emulator lets nothing out of the buffers */
            for (uint64_t x = 0; x < t.count * t.n; x++) /* nor may one tile write to another */
                assert_true(t.out[x] == 0 || t.out[x] >> 24 == x / t.n + 1);
        }
        items_end(&t);
    }
}

/* What these kernels are for: words put to their places in shared memory at once. */
static void run_scatter(struct cw_emu *e, const void *arg)
{
    const struct cw_tiles_items *const a = (const struct cw_tiles_items *)arg;

    (void)e;
    for (uint32_t i = THREAD_ID; i < 1u << a->log_n; i += BLOCK_DIM)
        sh_st4(4 * (gm_ld4(a->by + i) & 1023u), gm_ld4(a->in + i));
}

static void a_plain_scatter_collides_on_these_permutations(void **state)
{
    struct items t;

    (void)state;
    items_begin(&t, 10);
    for (int pattern = 0; pattern < 3; pattern++) {
        const struct cw_tiles_items a = {t.in, t.by, t.out, NULL, 1, 10, t.n};
        struct run r;

        memset(&r, 0, sizeof r);
        r.shape = cw_tiles_items_shape(10, 0);
        t.seed = cw_test_seed();
        random_words(t.in, t.n, t.seed);
        places_fill(&t, pattern);
        buffer(&r, 0, t.in, 4 * t.n, 0);
        buffer(&r, 1, t.by, 4 * t.n, 0);
        launch_any(&r, run_scatter, &a, 1);
        assert_int_equal(r.total.ideal, 32);
        if (pattern == 0)
            assert_in_range(r.total.wavefronts, 64, 320); /* 3.5 on average */
        else
            assert_int_equal(r.total.wavefronts, pattern == 1 ? 32 : 1024);
    }
    items_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_are_stable_with_offsets_and_cost_the_same_on_any_labels),
        cmocka_unit_test(partitions_by_a_network_are_the_same_by_one_trace),
        cmocka_unit_test(permutations_arrive_and_cost_the_same_whatever_they_are),
        cmocka_unit_test(permutations_by_a_network_are_the_same_by_one_trace),
        cmocka_unit_test(what_is_no_permutation_does_no_harm),
        cmocka_unit_test(a_plain_scatter_collides_on_these_permutations),
    };

    return cmocka_run_group_tests(tests, NULL, end_machine);
}
