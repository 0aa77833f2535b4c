/* verify_move.c - arrays for cw_permute, cw_transpose and cw_partition that launch each of their
 * kernels.
 *
 * The emulator's kernels have smaller shapes than a GPU's, so their launches are not compared.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "verify.h"

/* Is a kernel asked for that is none of this family? */
static int left_out(const struct verify *v, const char *family)
{
    return v->only >= 0 &&
           strncmp(cw_kernel_name((enum cw_kernel)v->only), family, strlen(family)) != 0;
}

static cw_status fill(struct verify *v, struct verify_array *a, size_t bytes)
{
    uint64_t seed = ++v->salt;
    cw_status status = verify_array_make(v, a, bytes, 0);

    if (status)
        return status;
    for (size_t k = 0; k < bytes; k++)
        ((unsigned char *)a->host)[k] = (unsigned char)verify_random(&seed);
    return verify_send(v, a);
}

static void *there(const struct verify_array *a)
{
    return a->bytes ? a->there : NULL;
}

enum { IN, OUT, INDEX, ROOM, MORE, ARRAYS };

/* ---- permute -------------------------------------------------------------------------------- */

/* A permutation that has no structure: what has is left to plain kernels. */
static uint32_t target(uint32_t i, uint32_t n)
{
    return (uint32_t)cw_shuffle_at(n, 1, i);
}

/* count 0: all of them; else a word in memory says how many there are. */
static cw_status permute(struct verify *v, uint32_t n, uint32_t bytes, unsigned flags,
                         uint32_t count, struct verify_array *a)
{
    cw_permute_job job = {.flags = flags, .n = n, .bytes = bytes, .index_bytes = 4};
    size_t room = 0;
    cw_status status = cw_permute_workspace(&job, &room);

    if (!status)
        status = fill(v, &a[IN], (size_t)n * bytes);
    if (!status)
        status = fill(v, &a[OUT], (size_t)n * bytes);
    if (!status)
        status = verify_array_make(v, &a[INDEX], (size_t)n * 4, 0);
    if (!status)
        status = verify_array_make(v, &a[ROOM], room, 0);
    if (!status && count)
        status = verify_array_make(v, &a[MORE], 4, 0);
    if (status)
        return status;
    for (uint32_t i = 0; i < n; i++)
        ((uint32_t *)a[INDEX].host)[i] = target(i, n);
    status = verify_send(v, &a[INDEX]);
    if (!status && count) {
        memcpy(a[MORE].host, &count, 4);
        status = verify_send(v, &a[MORE]);
        job.count = a[MORE].there;
        job.count_bytes = 4;
    }
    job.in = a[IN].there;
    job.out = a[OUT].there;
    job.index = a[INDEX].there;
    if (!status)
        status = cw_permute(v->context, &job, there(&a[ROOM]), room, NULL);
    if (!status)
        status = cw_wait(v->context, NULL);
    return status ? status : verify_fetch(v, &a[OUT]);
}

static void permute_case_of(struct verify *v, uint32_t n, uint32_t bytes, unsigned flags,
                            uint32_t count)
{
    struct verify_array a[ARRAYS];
    const char *wrong = NULL;
    cw_status status;

    if (verify_skip(v, 2))
        return;
    memset(a, 0, sizeof a);
    verify_begin(v, "%s of %u items of %u bytes", flags & CW_GATHER ? "gather" : "scatter", n,
                 bytes);
    status = permute(v, n, bytes, flags, count, a);
    for (uint32_t i = 0; i < (count ? count : n) && !status && !wrong; i++) {
        const uint32_t p = target(i, n);
        const size_t from = flags & CW_GATHER ? p : i, to = flags & CW_GATHER ? i : p;

        if (memcmp((char *)a[OUT].host + to * bytes, (char *)a[IN].host + from * bytes, bytes))
            wrong = "an item is in the wrong place";
    }
    verify_end(v, status ? cw_last_error() : wrong);
    for (int x = 0; x < ARRAYS; x++)
        verify_array_free(v, &a[x]);
}

static void permute_case(struct verify *v, uint32_t n, uint32_t bytes, unsigned flags)
{
    permute_case_of(v, n, bytes, flags, 0);
}

void verify_permute(struct verify *v)
{
    if (left_out(v, "cw_permute_"))
        return;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        for (unsigned flags = 0; flags <= CW_GATHER; flags += CW_GATHER) {
            permute_case(v, 200, bytes, flags);
            permute_case(v, 2003, bytes, flags | CW_CHECK);
        }
    }
    permute_case(v, 500, 7, 0);
    permute_case(v, 500, 6, 0);
    permute_case(v, 500, 12, CW_GATHER);
    permute_case(v, 500, 24, CW_GATHER);
    permute_case(v, 50, 1008, 0);
    permute_case(v, 50, 101, CW_GATHER);
    permute_case_of(v, 500, 4, 0, 321);
    permute_case_of(v, 500, 24, CW_GATHER, 321);
}

/* ---- transpose ------------------------------------------------------------------------------ */

static cw_status transpose(struct verify *v, cw_transpose_job *job, int in_place,
                           struct verify_array *a)
{
    const size_t all = job->rows * job->columns * job->bytes;
    size_t room = 0;
    cw_status status = fill(v, &a[IN], all);

    if (!status)
        status = fill(v, &a[OUT], all);
    if (status)
        return status;
    job->in = a[IN].there;
    job->out = in_place ? a[IN].there : a[OUT].there;
    status = cw_transpose_workspace(job, &room);
    if (!status)
        status = verify_array_make(v, &a[ROOM], room, 0);
    if (!status)
        status = cw_transpose(v->context, job, there(&a[ROOM]), room, NULL);
    if (!status)
        status = cw_wait(v->context, NULL);
    if (!status) /* into the host's array of the output, wherever it is */
        status = cw_memory_read(v->context, a[OUT].host, job->out, all);
    return status;
}

static void transpose_case(struct verify *v, size_t rows, size_t columns, size_t bytes,
                           int in_place)
{
    cw_transpose_job job = {.rows = rows, .columns = columns, .batch = 1, .bytes = bytes};
    struct verify_array a[ARRAYS];
    const char *wrong = NULL;
    cw_status status;

    if (verify_skip(v, 2))
        return;
    memset(a, 0, sizeof a);
    verify_begin(v, "transpose of %zu x %zu items of %zu bytes%s", rows, columns, bytes,
                 in_place ? ", in place" : "");
    status = transpose(v, &job, in_place, a);
    for (size_t i = 0; i < rows * columns && !status && !wrong; i++) {
        const size_t to = i % columns * rows + i / columns;

        if (memcmp((char *)a[OUT].host + to * bytes, (char *)a[IN].host + i * bytes, bytes))
            wrong = "an item is in the wrong place";
    }
    verify_end(v, status ? cw_last_error() : wrong);
    for (int x = 0; x < ARRAYS; x++)
        verify_array_free(v, &a[x]);
}

void verify_transpose(struct verify *v)
{
    if (left_out(v, "cw_transpose_"))
        return;
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        transpose_case(v, 71, 83, bytes, 0);
        transpose_case(v, 96, 83, bytes, 0);
        transpose_case(v, 96, 140, bytes, 0);
        transpose_case(v, 65, 65, bytes, 1);
        transpose_case(v, 32, 45, bytes, 0);
        transpose_case(v, 41, 45, bytes, 0);
        transpose_case(v, 264, 150, bytes, 1);
        transpose_case(v, (bytes > 4 ? 4800 : 2400) / bytes, 65, bytes, 1);
        transpose_case(v, 192, bytes == 1 ? 160 : 96, bytes, 1);
        transpose_case(v, 3, 700, bytes, 0);
        transpose_case(v, 3, 5001, bytes, 0);
        transpose_case(v, 2100, 8, bytes, 0);
        transpose_case(v, 40, 30, 3 * bytes, 0);
        transpose_case(v, 150, 61, 3 * bytes, 0);
    }
}

/* ---- partition ------------------------------------------------------------------------------ */

struct split_case {
    cw_type type;
    cw_rule rule;
    unsigned flags;
    uint32_t n, buckets;
    int moved; /* bytes of a payload; 0: keys alone */
    int index; /* an index and its inverse, and blocks */
};

static uint32_t label_of(const struct split_case *c, const void *keys, uint32_t i)
{
    const uint64_t key = c->type == CW_U8    ? ((const uint8_t *)keys)[i]
                         : c->type == CW_U16 ? ((const uint16_t *)keys)[i]
                         : c->type == CW_U32 ? ((const uint32_t *)keys)[i]
                                             : ((const uint64_t *)keys)[i];

    if (c->rule == CW_BY_HASH) {
        const uint64_t hashed = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;

        return (uint32_t)(hashed * c->buckets >> 32);
    }
    return (uint32_t)(c->rule == CW_BY_LABEL ? key : key & (c->buckets - 1u));
}

/* Offsets say where buckets begin, and each key is in its own. */
static const char *check_split(const struct split_case *c, const struct verify_array *in,
                               const struct verify_array *out, const uint64_t *offsets)
{
    uint32_t *const count = (uint32_t *)calloc(c->buckets + 1u, sizeof *count);
    const char *wrong = count ? NULL : "no memory";
    uint64_t sum = 0;

    for (uint32_t i = 0; i < c->n && count; i++)
        count[label_of(c, in->host, i)]++;
    for (uint32_t b = 0; b < c->buckets && !wrong; b++) {
        if (offsets[b] != sum)
            wrong = "an offset is wrong";
        for (uint64_t i = sum; i < sum + count[b] && !wrong; i++) {
            if (label_of(c, out->host, (uint32_t)i) != b)
                wrong = "a key is in the wrong bucket";
        }
        sum += count[b];
    }
    free(count);
    return wrong;
}

enum { KEYS, SPLIT, OFFSETS, SPACE, FROM, TO, PLACES, PLACED, PADDED, BLOCKS, PARTITION_ARRAYS };

static cw_status split(struct verify *v, const struct split_case *c, struct verify_array *a)
{
    const size_t key = cw_type_bytes(c->type), all = c->n * key, places = c->index ? 8 : 0;
    const size_t moved = (size_t)c->moved * c->n, ends = (c->buckets + 1u) * sizeof(uint64_t);
    const size_t blocks = c->index ? c->n / 8u : 0;
    const size_t bytes[] = {all,   all,           ends,          0,    moved,
                            moved, places * c->n, places * c->n, ends, 4u * blocks};
    cw_payload payload = {NULL, NULL, (size_t)c->moved};
    cw_partition_job job = {.type = c->type,
                            .rule = c->rule,
                            .flags = c->flags,
                            .n = c->n,
                            .buckets = c->buckets,
                            .payloads = &payload,
                            .payload_count = c->moved != 0,
                            .pad_to = 8,
                            .block_count = blocks,
                            .index_bytes = places};
    size_t room = 0;
    cw_status status = CW_OK;

    for (int x = 0; x < PARTITION_ARRAYS && !status; x++)
        status = fill(v, &a[x], bytes[x]);
    if (status)
        return status;
    for (uint32_t i = 0; c->rule == CW_BY_LABEL && i < c->n; i++) { /* in range */
        if (key == 1)
            ((uint8_t *)a[KEYS].host)[i] %= (uint8_t)c->buckets;
        else if (key == 2)
            ((uint16_t *)a[KEYS].host)[i] %= (uint16_t)c->buckets;
        else if (key == 4)
            ((uint32_t *)a[KEYS].host)[i] %= c->buckets;
        else
            ((uint64_t *)a[KEYS].host)[i] %= c->buckets;
    }
    status = verify_send(v, &a[KEYS]);
    job.keys_in = a[KEYS].there;
    job.keys_out = a[SPLIT].there;
    job.offsets = (uint64_t *)a[OFFSETS].there;
    job.padded = (uint64_t *)a[PADDED].there;
    payload.in = there(&a[FROM]);
    payload.out = there(&a[TO]);
    job.index_out = there(&a[PLACES]);
    job.inverse_out = there(&a[PLACED]);
    job.block_buckets = (uint32_t *)there(&a[BLOCKS]);
    if (!status)
        status = cw_partition_workspace(&job, &room);
    verify_array_free(v, &a[SPACE]);
    if (!status)
        status = verify_array_make(v, &a[SPACE], room, 0);
    if (!status)
        status = cw_partition(v->context, &job, there(&a[SPACE]), room, NULL);
    if (!status)
        status = cw_wait(v->context, NULL);
    if (!status)
        status = verify_fetch(v, &a[OFFSETS]);
    return status ? status : verify_fetch(v, &a[SPLIT]);
}

static void split_case(struct verify *v, const struct split_case *c)
{
    struct verify_array a[PARTITION_ARRAYS];
    const char *wrong = NULL;
    cw_status status;

    if (verify_skip(v, PARTITION_ARRAYS))
        return;
    memset(a, 0, sizeof a);
    verify_begin(v, "partition of %u %s into %u%s", c->n, cw_type_name(c->type), c->buckets,
                 c->flags & CW_UNSTABLE ? ", unstable" : "");
    status = split(v, c, a);
    if (!status)
        wrong = check_split(c, &a[KEYS], &a[SPLIT], (const uint64_t *)a[OFFSETS].host);
    verify_end(v, status ? cw_last_error() : wrong);
    for (int x = 0; x < PARTITION_ARRAYS; x++)
        verify_array_free(v, &a[x]);
}

/* Keys and payloads of every width, in passes and in one launch. */
static void split_passes(struct verify *v)
{
    static const cw_type types[] = {CW_U32, CW_U64, CW_U8, CW_U16};
    static const int payloads[] = {0, 4, 8, 16};

    for (int t = 0; t < 4; t++) {
        for (int p = 0; p < 4; p++) {
            const struct split_case passes = {types[t], CW_BY_BITS,  0,     5003,
                                              64,       payloads[p], p == 0};
            const struct split_case two = {types[t], CW_BY_HASH,  0,     2003,
                                           2000,     payloads[p], p == 1};

            if (t < 2 || p < 2)
                split_case(v, &passes);
            if (t < 2)
                split_case(v, &two);
        }
        for (uint32_t buckets = 250; buckets <= 1000 && t < 2; buckets *= 4) {
            split_case(v, &(struct split_case){types[t], CW_BY_LABEL, 0, 250, buckets, 0, 1});
            split_case(v, &(struct split_case){types[t], CW_BY_LABEL, 0, 5003, buckets, 12, 0});
            split_case(v, &(struct split_case){types[t], CW_BY_LABEL, 0, 2500, buckets, 4, 1});
        }
    }
}

void verify_split(struct verify *v)
{
    static const cw_rule rules[] = {CW_BY_BITS, CW_BY_HASH, CW_BY_LABEL};
    static const uint32_t buckets[] = {2, 16, 32, 64, 256, 1024};

    if (left_out(v, "cw_partition_"))
        return;
    for (int rule = 0; rule < 3; rule++) {
        for (int b = 0; b < 6; b++) {
            for (int moved = 0; moved <= 8; moved += 4) {
                for (unsigned flags = 0; flags <= CW_UNSTABLE; flags += CW_UNSTABLE) {
                    const struct split_case c = {CW_U32,     rules[rule], flags,     3001,
                                                 buckets[b], moved,       moved == 8};

                    if (moved < 8 || b % 3 == 0)
                        split_case(v, &c);
                }
            }
        }
    }
    split_case(v, &(struct split_case){CW_U8, CW_BY_LABEL, 0, 2000, 100, 8, 1});
    split_case(v, &(struct split_case){CW_U16, CW_BY_LABEL, CW_UNSTABLE, 2000, 1000, 0, 0});
    split_passes(v);
}

/* In small shapes: pairs. */
void verify_small_split(struct verify *v)
{
    static const uint32_t buckets[] = {2, 16, 64, 256};

    if (left_out(v, "cw_partition_"))
        return;
    for (int b = 0; b < 4; b++) {
        for (unsigned x = 0; x < 4; x++) {
            const struct split_case c = {CW_U32,
                                         x / 2 ? CW_BY_HASH : CW_BY_BITS,
                                         x % 2 ? CW_UNSTABLE : 0,
                                         6001,
                                         buckets[b],
                                         4,
                                         0};

            split_case(v, &c);
        }
    }
}
