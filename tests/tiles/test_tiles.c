/* test_tiles.c - the tile kernels scan and transpose on the emulator as obvious loops do, with no
 * bank asked twice, and by one trace for all contents. */
#include "tile_run.h"

#include "tiles/transpose.h"

/* ---- scan ----------------------------------------------------------------------------------- */

static const struct {
    uint32_t k;
    int wide;
    cw_emu_kernel kernel;
} scans[] = {
    {1, 0, cw_tiles_scan_warp_1_emulated},   {4, 0, cw_tiles_scan_warp_4_emulated},
    {16, 0, cw_tiles_scan_warp_16_emulated}, {1, 1, cw_tiles_scan_block_1_emulated},
    {4, 1, cw_tiles_scan_block_4_emulated},  {16, 1, cw_tiles_scan_block_16_emulated},
};

static void scan_check(const struct cw_tiles_scan *a)
{
    for (uint64_t tile = 0; tile < a->count; tile++) {
        uint32_t sum = 0;

        for (uint32_t i = 0; i < a->length; i++) {
            const size_t at = (size_t)tile * a->length + i;

            assert_int_equal(a->out[at], a->inclusive ? sum + a->in[at] : sum);
            sum += a->in[at];
        }
        assert_int_equal(a->totals[tile], sum);
    }
}

/* Two random inputs, `shift` words off 16 bytes. */
static void scan_one(size_t which, uint32_t length, uint32_t inclusive, uint32_t shift)
{
    const uint64_t seed = cw_test_seed() + length;
    const uint64_t count = scans[which].wide ? TILES : 7;
    const size_t n = (size_t)count * length;
    uint32_t *const in = (uint32_t *)need(4 * (n + 4)), *const out = (uint32_t *)need(4 * (n + 4));
    uint32_t totals[7];
    const struct cw_tiles_scan a = {in + shift, out + shift, totals, count, length, inclusive};
    uint64_t trace = 0;
    struct run r;

    memset(&r, 0, sizeof r);
    r.shape = cw_tiles_scan_shape(scans[which].k, length, scans[which].wide);
    buffer(&r, 0, a.in, 4 * n, 0);
    buffer(&r, 1, a.out, 4 * n, 1);
    buffer(&r, 2, totals, sizeof totals, 1);
    for (int turn = 0; turn < 2; turn++) {
        if (turn)
            memset(in, 0xff, 4 * (n + 4)); /* sums wrap */
        else
            random_words(in, n + 4, seed);
        launch(&r, scans[which].kernel, &a, count);
        scan_check(&a);
        assert_true(turn == 0 || r.trace == trace);
        trace = r.trace;
    }
    free(in);
    free(out);
}

static void scans_of_any_length_are_sums_without_conflicts_by_one_trace(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT(scans); x++) {
        const uint32_t most = scans[x].k * (scans[x].wide ? 1024 : 32);
        const uint32_t lengths[] = {1, 2, 31, 32, most / 3, most - 5, most - 1, most};

        for (uint32_t i = 0; i < COUNT(lengths); i++)
            if (lengths[i] < 5000 || i == COUNT(lengths) - 2)
                scan_one(x, lengths[i], i & 1, i / 2 % 4);
        scan_one(x, most / 2, 1, 0);
    }
}

/* ---- transpose ------------------------------------------------------------------------------ */

/* One shape: the result is right, free of conflicts and the same trace for two contents. */
static void transpose_one(uint32_t rows, uint32_t columns, uint32_t bytes, int wide, struct run *r)
{
    static const cw_emu_kernel kernels[] = {
        cw_tiles_transpose_warp_4_emulated, cw_tiles_transpose_warp_8_emulated,
        cw_tiles_transpose_block_4_emulated, cw_tiles_transpose_block_8_emulated};
    const uint64_t count = !wide && rows == columns ? 6 : 2; /* 6: warps take turns */
    const size_t n = (size_t)rows * columns, all = (size_t)count * n * bytes;
    char *const in = (char *)need(all), *const out = (char *)need(all);
    const struct cw_tiles_transpose a = {in, out, count, rows, columns};
    uint64_t trace = 0;

    memset(r, 0, sizeof *r);
    r->shape = cw_tiles_transpose_shape(rows, columns, bytes, wide);
    if (!wide)
        r->shape.shared = CW_TILES_WARPS * CW_TILES_SMALL * 8; /* one machine for all */
    buffer(r, 0, in, all, 0);
    buffer(r, 1, out, all, 1);
    for (int turn = 0; turn < 2; turn++) {
        random_words((uint32_t *)in, all / 4, cw_test_seed() + (uint64_t)turn);
        launch(r, kernels[2 * wide + (bytes == 8)], &a, count);
        for (size_t x = 0; x < count * n; x++) {
            const size_t i = x % n / columns, j = x % n % columns;

            if (memcmp(out + (x / n * n + j * rows + i) * bytes, in + x * bytes, bytes) != 0)
                fail_msg("%u x %u, %u bytes: word %zu is wrong", rows, columns, bytes, x);
        }
        assert_true(turn == 0 || r->trace == trace);
        trace = r->trace;
    }
    free(in);
    free(out);
}

static void all_small_tiles_are_transposed_without_conflicts(void **state)
{
    const uint32_t side = CW_SANITIZED ? 9 : 34;
    struct run r;

    (void)state;
    for (uint32_t rows = 1; rows <= side; rows++) {
        for (uint32_t columns = 1; columns <= side && rows * columns <= CW_TILES_SMALL; columns++)
            transpose_one(rows, columns, (rows + columns) % 2 ? 4 : 8, 0, &r);
    }
}

static void tiles_up_to_all_of_shared_memory_are_transposed_without_conflicts(void **state)
{
    static const uint32_t shapes[][2] = {{1, 1000}, {1000, 1}, {3, 700},   {100, 64}, {33, 65},
                                         {36, 100}, {124, 52}, {31, 97},   {5, 1},    {56, 56},
                                         {48, 80},  {96, 128}, {241, 241}, {240, 242}};
    struct run r;

    (void)state;
    for (size_t x = 0; x < COUNT(shapes); x++) {
        transpose_one(shapes[x][0], shapes[x][1], 4, 1, &r);
        if (shapes[x][0] * shapes[x][1] * 8 <= CW_EMU_SHARED)
            transpose_one(shapes[x][0], shapes[x][1], 8, 1, &r);
    }
    transpose_one(170, 170, 8, 1, &r);
}

/* One request to write 32 words and one to read them; or two, where runs of the other side end. */
static void a_long_side_costs_three_requests_at_most_and_a_multiple_of_32_two(void **state)
{
    static const uint32_t shapes[][3] = {{32, 32, 2}, {64, 33, 2}, {100, 96, 2}, {33, 33, 3},
                                         {47, 50, 3}, {5, 63, 3},  {1000, 7, 3}};
    struct run r;

    (void)state;
    for (size_t x = 0; x < COUNT(shapes); x++) {
        const uint64_t groups = 2 * ((shapes[x][0] * shapes[x][1] + 31) / 32); /* of two tiles */

        transpose_one(shapes[x][0], shapes[x][1], 4, 1, &r);
        assert_in_range(r.total.requests, 2 * groups, shapes[x][2] * groups);
    }
}

/* The plan of the kernel, but lines are not turned. */
static void run_unturned(struct cw_emu *e, const void *arg)
{
    const struct cw_tiles_transpose *const a = (const struct cw_tiles_transpose *)arg;
    struct transpose_plan p = transpose_plan_of(a->rows, a->columns);

    (void)e;
    p.g = 1;
    transpose_tiles(a, p, 1, 1);
}

static void without_turned_lines_the_counter_finds_conflicts(void **state)
{
    static uint32_t in[2 * 64 * 64], out[2 * 64 * 64];
    struct run r;

    (void)state;
    for (uint32_t columns = 1; columns <= 64; columns++) {
        const struct cw_tiles_transpose a = {in, out, 2, 64, columns};
        const uint32_t even = columns & (0u - columns);
        const uint64_t groups = 2 * 64 * columns / 32;

        memset(&r, 0, sizeof r);
        r.shape = cw_tiles_transpose_shape(64, 64, 4, 1);
        buffer(&r, 0, in, sizeof in, 0);
        buffer(&r, 1, out, sizeof out, 1);
        launch_any(&r, run_unturned, &a, 2);
        /* 32 rows of a column are in 32 / gcd(columns, 32) banks */
        assert_int_equal(r.total.ideal, 2 * groups);
        assert_int_equal(r.total.wavefronts, groups + groups * (even > 32 ? 32 : even));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_of_any_length_are_sums_without_conflicts_by_one_trace),
        cmocka_unit_test(all_small_tiles_are_transposed_without_conflicts),
        cmocka_unit_test(tiles_up_to_all_of_shared_memory_are_transposed_without_conflicts),
        cmocka_unit_test(a_long_side_costs_three_requests_at_most_and_a_multiple_of_32_two),
        cmocka_unit_test(without_turned_lines_the_counter_finds_conflicts),
    };

    return cmocka_run_group_tests(tests, NULL, end_machine);
}
