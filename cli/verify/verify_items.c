/* verify_items.c - kernels that partition tiles and that permute them.
 *
 * Each tile of a batch has labels, or places, of another pattern: random ones, such as leave
 * everything where it is, and such as would send a whole warp to one bank.
 */
#include <string.h>

#include "tiles/tiles.h"
#include "verify.h"

#define PATTERNS 8u

enum way { BY_LABEL, BY_PLACE };

struct items_case {
    enum cw_kernel kernel;
    enum way way;
    int network; /* padded shared memory, and offsets on request */
    uint32_t log_n, ways;
};

/* ---- labels and places ---------------------------------------------------------------------- */

static uint32_t label_of(uint32_t pattern, uint32_t i, uint32_t n, uint32_t random)
{
    switch (pattern) {
    case 0:
        return random; /* bits above the label's do not count */
    case 1:
        return i;
    case 2:
        return i / (n / 32); /* in order already */
    case 3:
        return ~i / (n / 32); /* against the order */
    case 4:
        return 31;
    case 5:
        return random % 16 ? 0 : 31;
    case 6:
        return i / 32 * 5; /* a warp has one label */
    default:
        return i % 2 * 31 ^ i / 64;
    }
}

static uint32_t place_of(uint32_t pattern, uint32_t i, uint32_t log_n)
{
    const uint32_t n = 1u << log_n;
    uint32_t x = 0;

    switch (pattern) {
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
    case 7:
        return i * 2654435761u & (n - 1);
    default:
        return i;
    }
}

static void fill_by(const struct items_case *c, uint64_t tiles, uint32_t *by, uint64_t seed)
{
    const uint32_t n = 1u << c->log_n;

    for (uint64_t tile = 0; tile < tiles; tile++, by += n) {
        const uint32_t pattern = (uint32_t)(tile + seed) % PATTERNS;

        for (uint32_t i = 0; i < n; i++)
            by[i] = c->way == BY_LABEL ? label_of(pattern, i, n, (uint32_t)verify_random(&seed))
                                       : place_of(pattern, i, c->log_n);
        for (uint32_t i = n; c->way == BY_PLACE && pattern == 0 && i > 1; i--) { /* any order */
            const uint32_t j = (uint32_t)(verify_random(&seed) % i), x = by[j];

            by[j] = by[i - 1];
            by[i - 1] = x;
        }
    }
}

/* ---- the outcome ---------------------------------------------------------------------------- */

static uint32_t mask_of(uint32_t ways)
{
    uint32_t mask = 1;

    while (mask < ways)
        mask *= 2;
    return mask - 1;
}

/* Items by label, each as they came; offsets say where labels begin. */
static const char *partition_check(const struct cw_tiles_items *a, const uint32_t *in,
                                   const uint32_t *by, const uint32_t *out, const uint32_t *offsets)
{
    const uint32_t n = 1u << a->log_n, mask = mask_of(a->ways);
    uint32_t at = 0;

    for (uint32_t label = 0; label < 32; label++) {
        if (offsets[label] != at)
            return "an offset is wrong";
        for (uint32_t i = 0; i < n; i++) {
            if ((by[i] & mask) == label && out[at++] != in[i])
                return "an item is in the wrong place";
        }
    }
    return offsets[32] == n && at == n ? NULL : "the last offset is wrong";
}

static const char *permute_check(const struct cw_tiles_items *a, const uint32_t *in,
                                 const uint32_t *by, const uint32_t *out)
{
    for (uint32_t i = 0; i < 1u << a->log_n; i++) {
        if (out[by[i]] != in[i])
            return "an item is in the wrong place";
    }
    return NULL;
}

enum { IN, BY, OUT, OFFSETS, ARRAYS };

static const char *check(const struct items_case *c, const struct cw_tiles_items *a,
                         const struct verify_array *all)
{
    const uint32_t *const in = (const uint32_t *)all[IN].host;
    const uint32_t *const by = (const uint32_t *)all[BY].host;
    const uint32_t *const out = (const uint32_t *)all[OUT].host;
    const uint32_t *const offsets = (const uint32_t *)all[OFFSETS].host;
    const char *wrong = NULL;

    for (uint64_t tile = 0; tile < a->count && !wrong; tile++) {
        const size_t at = (size_t)tile << a->log_n;

        wrong = c->way == BY_LABEL ? partition_check(a, in + at, by + at, out + at,
                                                     offsets + tile * CW_TILES_OFFSETS)
                                   : permute_check(a, in + at, by + at, out + at);
    }
    return wrong;
}

/* ---- a case --------------------------------------------------------------------------------- */

/* Not whole blocks, nor whole warps; all patterns, but of the longest tiles only some. */
static uint64_t tiles_of(uint32_t log_n)
{
    if (log_n > 9)
        return VERIFY_SMALL ? 1 : log_n < 12 ? 4 : 2;
    return log_n < 7 ? 37 : 9;
}

static cw_status run(struct verify *v, const struct items_case *c, struct verify_array *all,
                     const char **wrong)
{
    const struct cw_tiles_shape shape = cw_tiles_items_shape(c->log_n, c->network);
    const uint64_t count = tiles_of(c->log_n), blocks = cw_tiles_blocks(shape, count);
    const size_t words = (size_t)count << c->log_n;
    const size_t bytes[ARRAYS] = {4 * words, 4 * words, 4 * words,
                                  c->way == BY_LABEL ? 4 * (size_t)count * CW_TILES_OFFSETS : 0};
    struct verify_array *const list[ARRAYS] = {&all[IN], &all[BY], &all[OUT], &all[OFFSETS]};
    struct cw_tiles_items a = {NULL, NULL, NULL, NULL, count, c->log_n, c->ways};
    const struct cw_launch l = {c->kernel, (uint32_t)(blocks > 1 ? blocks - 1 : 1), shape.threads,
                                shape.shared, &a};
    cw_status status = CW_OK;

    for (int x = 0; x < ARRAYS && !status; x++)
        status = verify_array_make(v, &all[x], bytes[x], 0);
    if (status)
        return status;
    a.in = (const uint32_t *)all[IN].there;
    a.by = (const uint32_t *)all[BY].there;
    a.out = (uint32_t *)all[OUT].there;
    a.offsets = c->way == BY_LABEL ? (uint32_t *)all[OFFSETS].there : NULL;
    for (size_t x = 0; x < words; x++) /* all items are different */
        ((uint32_t *)all[IN].host)[x] = (uint32_t)x * 2654435761u + 1;
    fill_by(c, count, (uint32_t *)all[BY].host, v->salt++);
    status = verify_launch(v, &l, list, ARRAYS, 2);
    if (!status)
        *wrong = check(c, &a, all);
    return status;
}

static void one(struct verify *v, enum cw_kernel kernel, enum way way, int network, uint32_t log_n,
                uint32_t ways)
{
    const struct items_case c = {kernel, way, network, log_n, ways};
    struct verify_array all[ARRAYS];
    const char *wrong = NULL;

    if (v->only >= 0 && v->only != (int)kernel)
        return;
    memset(all, 0, sizeof all);
    if (way == BY_LABEL)
        verify_begin(v, "%u tiles of %u items, %u ways", (unsigned)tiles_of(log_n), 1u << log_n,
                     ways);
    else
        verify_begin(v, "%u permutations of %u items", (unsigned)tiles_of(log_n), 1u << log_n);
    if (run(v, &c, all, &wrong))
        wrong = cw_last_error();
    verify_end(v, wrong);
    for (int x = 0; x < ARRAYS; x++)
        verify_array_free(v, &all[x]);
}

_Static_assert(CW_KERNEL_cw_tiles_order_13 - CW_KERNEL_cw_tiles_order_5 == 8,
               "the kernels for 2^5 .. 2^13 items follow each other in the list");

void verify_items(struct verify *v)
{
    for (uint32_t log_n = 5; log_n <= 13; log_n++) {
        const int wide = log_n > 9;
        const enum cw_kernel partition =
            wide ? CW_KERNEL_cw_tiles_partition_block : CW_KERNEL_cw_tiles_partition_warp;
        const enum cw_kernel permute =
            wide ? CW_KERNEL_cw_tiles_permute_block : CW_KERNEL_cw_tiles_permute_warp;
        const enum cw_kernel order = (enum cw_kernel)(CW_KERNEL_cw_tiles_order_5 + (log_n - 5));

        one(v, partition, BY_LABEL, 0, log_n, 32);
        if (log_n % 2)
            one(v, partition, BY_LABEL, 0, log_n, log_n % 4 == 1 ? 5 : 2);
        one(v, permute, BY_PLACE, 0, log_n, 1u << log_n);
        one(v, order, BY_LABEL, 1, log_n, 19);
        one(v, order, BY_PLACE, 1, log_n, 1u << log_n);
    }
}
