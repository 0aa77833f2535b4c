/* verify_tiles.c - kernels that scan tiles and that transpose them, on ragged batches.
 *
 * Where a launch may have fewer blocks than tiles need, it has one less: blocks take turns.
 */
#include <string.h>

#include "tiles/tiles.h"
#include "verify.h"

static uint32_t blocks_of(struct cw_tiles_shape s, uint64_t count)
{
    const uint64_t blocks = cw_tiles_blocks(s, count);

    return (uint32_t)(blocks > 1 ? blocks - 1 : 1);
}

static void fill_words(struct verify_array *a, uint64_t seed)
{
    uint32_t *const x = (uint32_t *)a->host;

    for (size_t i = 0; i < a->bytes / sizeof *x; i++)
        x[i] = (uint32_t)verify_random(&seed);
}

/* ---- scan ----------------------------------------------------------------------------------- */

struct scan {
    enum cw_kernel kernel;
    uint32_t k;
    int wide;
};

static const char *scan_check(const struct cw_tiles_scan *a, const uint32_t *in,
                              const uint32_t *out, const uint32_t *totals)
{
    for (uint64_t tile = 0; tile < a->count; tile++) {
        uint32_t sum = 0;

        for (uint32_t i = 0; i < a->length; i++) {
            const size_t at = (size_t)tile * a->length + i;

            if (out[at] != sum + (a->inclusive ? in[at] : 0))
                return "a sum is wrong";
            sum += in[at];
        }
        if (totals[tile] != sum)
            return "a total is wrong";
    }
    return NULL;
}

static void scan_one(struct verify *v, const struct scan *s, uint32_t length, uint32_t inclusive)
{
    const struct cw_tiles_shape shape = cw_tiles_scan_shape(s->k, length, s->wide);
    const uint64_t count = s->wide ? 3 : 7;
    const size_t bytes = (size_t)count * length * sizeof(uint32_t);
    const size_t shift = inclusive * sizeof(uint32_t); /* off 16 bytes */
    struct cw_tiles_scan a = {NULL, NULL, NULL, count, length, inclusive};
    const struct cw_launch l = {s->kernel, blocks_of(shape, count), shape.threads, shape.shared,
                                &a};
    struct verify_array in, out, totals, *const all[] = {&in, &out, &totals};
    const size_t size[] = {bytes, bytes, (size_t)count * sizeof(uint32_t)};
    cw_status status = CW_OK;

    verify_begin(v, "%u tiles of %u", (unsigned)count, length);
    for (int x = 0; x < 3; x++) {
        memset(all[x], 0, sizeof *all[x]);
        if (!status)
            status = verify_array_make(v, all[x], size[x], x < 2 ? shift : 0);
    }
    if (!status) {
        a.in = (const uint32_t *)in.there;
        a.out = (uint32_t *)out.there;
        a.totals = (uint32_t *)totals.there;
        fill_words(&in, v->salt++);
        status = verify_launch(v, &l, all, 3, 1);
    }
    verify_end(v, status ? cw_last_error()
                         : scan_check(&a, (const uint32_t *)in.host, (const uint32_t *)out.host,
                                      (const uint32_t *)totals.host));
    for (int x = 0; x < 3; x++)
        verify_array_free(v, all[x]);
}

static void scans(struct verify *v)
{
    static const struct scan list[] = {
        {CW_KERNEL_cw_tiles_scan_warp_1, 1, 0},   {CW_KERNEL_cw_tiles_scan_warp_4, 4, 0},
        {CW_KERNEL_cw_tiles_scan_warp_16, 16, 0}, {CW_KERNEL_cw_tiles_scan_block_1, 1, 1},
        {CW_KERNEL_cw_tiles_scan_block_4, 4, 1},  {CW_KERNEL_cw_tiles_scan_block_16, 16, 1},
    };

    for (size_t x = 0; x < sizeof list / sizeof *list; x++) {
        const uint32_t most = list[x].k * (list[x].wide ? 1024 : 32);
        const uint32_t lengths[] = {1, 31, most / 3, most - 1, most};

        if (v->only >= 0 && v->only != (int)list[x].kernel)
            continue;
        for (uint32_t i = 0; i < 5; i++)
            scan_one(v, &list[x], lengths[i], i % 2);
    }
}

/* ---- transpose ------------------------------------------------------------------------------ */

struct turn { /* a transposition */
    enum cw_kernel kernel;
    uint32_t bytes;
    int wide;
};

static const char *turn_check(uint32_t rows, uint32_t columns, uint32_t bytes, uint64_t count,
                              const char *in, const char *out)
{
    const size_t n = (size_t)rows * columns;

    for (size_t x = 0; x < count * n; x++) {
        const size_t i = x % n / columns, j = x % n % columns;

        if (memcmp(out + (x / n * n + j * rows + i) * bytes, in + x * bytes, bytes) != 0)
            return "a word is in the wrong place";
    }
    return NULL;
}

static void turn_one(struct verify *v, const struct turn *t, uint32_t rows, uint32_t columns)
{
    const struct cw_tiles_shape shape = cw_tiles_transpose_shape(rows, columns, t->bytes, t->wide);
    const uint64_t count = t->wide ? 2 : 6;
    const size_t bytes = (size_t)count * rows * columns * t->bytes;
    struct verify_array in, out, *const all[] = {&in, &out};
    cw_status status;

    memset(&out, 0, sizeof out);
    verify_begin(v, "%u tiles of %u x %u words of %u bytes", (unsigned)count, rows, columns,
                 t->bytes);
    status = verify_array_make(v, &in, bytes, 0);
    if (!status)
        status = verify_array_make(v, &out, bytes, 0);
    if (!status) {
        const struct cw_tiles_transpose a = {in.there, out.there, count, rows, columns};
        const struct cw_launch l = {t->kernel, blocks_of(shape, count), shape.threads, shape.shared,
                                    &a};

        fill_words(&in, v->salt++);
        status = verify_launch(v, &l, all, 2, 1);
    }
    verify_end(v, status ? cw_last_error()
                         : turn_check(rows, columns, t->bytes, count, (const char *)in.host,
                                      (const char *)out.host));
    verify_array_free(v, &in);
    verify_array_free(v, &out);
}

static void turns(struct verify *v)
{
    static const struct turn list[] = {
        {CW_KERNEL_cw_tiles_transpose_warp_4, 4, 0},
        {CW_KERNEL_cw_tiles_transpose_warp_8, 8, 0},
        {CW_KERNEL_cw_tiles_transpose_block_4, 4, 1},
        {CW_KERNEL_cw_tiles_transpose_block_8, 8, 1},
    };
    static const uint32_t shapes[2][7][2] = {
        {{32, 32}, {31, 33}, {1, 1000}, {5, 63}, {16, 64}, {24, 36}, {2, 2}},
        {{32, 32}, {33, 65}, {1000, 1}, {36, 100}, {96, 128}, {64, 200}, {169, 171}},
    };

    for (size_t x = 0; x < sizeof list / sizeof *list; x++) {
        if (v->only >= 0 && v->only != (int)list[x].kernel)
            continue;
        for (int i = 0; i < 7; i++)
            turn_one(v, &list[x], shapes[list[x].wide][i][0], shapes[list[x].wide][i][1]);
    }
}

void verify_tiles(struct verify *v)
{
    scans(v);
    turns(v);
}
