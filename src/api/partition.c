/* partition.c - cw_partition: what may be asked, and who does it. */
#include <stdlib.h>
#include <string.h>

#include "api/checks.h"
#include "api/context.h"
#include "api/needs.h"
#include "cpu/partition/partition.h"
#include "prim/key_map.h"
#include "partition/request.h"
#include "base/status.h"

#define ALL_FLAGS (CW_UNSTABLE | CW_CHECK | CW_DROP | CW_ORDERS)
#define ARRAYS    10 /* besides those of payloads */
#define ON_STACK  24 /* arrays that need no memory to be listed */

/* ---- sizes ---------------------------------------------------------------------------------- */

static cw_status check_rule(const cw_partition_job *job)
{
    const unsigned all = 8u * (unsigned)cw_type_bytes(job->type);
    const uint32_t buckets = job->buckets;

    switch (job->rule) {
    case CW_BY_LABEL:
        if (cw_key_map_of(job->type, 0, 0).flip)
            return cw_fail(CW_ERR_TYPE, "labels of type %s: only whole numbers",
                           cw_type_name(job->type));
        return CW_OK;
    case CW_BY_BITS:
        if (buckets & (buckets - 1u))
            return cw_fail(CW_ERR_ARGUMENT, "%u buckets: by bits, a power of two only", buckets);
        if (job->first_bit >= all ||
            (all - job->first_bit < 32u && (buckets - 1u) >> (all - job->first_bit)))
            return cw_fail(CW_ERR_ARGUMENT, "%u buckets by bits from %u on: keys have %u", buckets,
                           job->first_bit, all);
        return CW_OK;
    case CW_BY_SPLITTER:
        return CW_OK;
    case CW_BY_HASH:
        if (job->multiplier && job->multiplier % 2u == 0)
            return cw_fail(CW_ERR_ARGUMENT, "a multiplier that is even loses bits");
        return CW_OK;
    }
    return cw_fail(CW_ERR_ARGUMENT, "rule %d: there is no such", (int)job->rule);
}

/* Dropped labels, blocks, choices and a count on the device. */
static cw_status check_routing(const cw_partition_job *job)
{
    if (job->flags & CW_DROP && (job->rule != CW_BY_LABEL || job->buckets == CW_BUCKETS_MAX))
        return cw_fail(CW_ERR_ARGUMENT, "CW_DROP: only by labels, to up to %u buckets",
                       CW_BUCKETS_MAX - 1u);
    if (job->choices > 1 && (job->n % job->choices || job->choices > UINT32_MAX))
        return cw_fail(CW_ERR_ARGUMENT, "%zu items are no multiple of %zu choices", job->n,
                       job->choices);
    if (!job->block_buckets != !job->block_count)
        return cw_fail(CW_ERR_ARGUMENT, "block_count is %zu, but block_buckets is %s",
                       job->block_count, job->block_buckets ? "not NULL" : "NULL");
    if (job->block_buckets && (!job->pad_to || job->block_count > SIZE_MAX / 16u ||
                               job->block_count > SIZE_MAX / job->pad_to))
        return cw_fail(CW_ERR_ARGUMENT, "%zu blocks of %zu places", job->block_count, job->pad_to);
    return cw_check_count(job->count, job->count_bytes);
}

static cw_status check_payload_sizes(const cw_partition_job *job)
{
    if (job->payload_count && !job->payloads)
        return cw_fail(CW_ERR_ARGUMENT, "%zu payloads, but payloads is NULL", job->payload_count);
    if (job->payload_count > SIZE_MAX / 4u / sizeof(struct cw_given))
        return cw_fail(CW_ERR_ARGUMENT, "%zu payloads: too many", job->payload_count);
    for (size_t x = 0; x < job->payload_count; x++) {
        if (!job->payloads[x].bytes)
            return cw_fail(CW_ERR_ARGUMENT, "payload %zu has rows of 0 bytes", x);
        if (job->payloads[x].bytes > SIZE_MAX / 64u / (job->n + 1u))
            return cw_fail(CW_ERR_ARGUMENT, "payload %zu, %zu rows of %zu bytes: too many", x,
                           job->n, job->payloads[x].bytes);
    }
    return CW_OK;
}

static cw_status check_sizes(const cw_partition_job *job)
{
    cw_status status;

    if (CW_CHECK_JOB(job))
        return CW_ERR_ARGUMENT;
    if (!cw_type_bytes(job->type))
        return cw_fail(CW_ERR_TYPE, "type %d: there is no such", (int)job->type);
    if (job->flags & ~(unsigned)ALL_FLAGS)
        return cw_fail(CW_ERR_ARGUMENT, "flags 0x%x: not taken here", job->flags);
    status = cw_check_order(job->flags);
    if (status)
        return status;
    if (!job->buckets || job->buckets > CW_BUCKETS_MAX)
        return cw_fail(CW_ERR_ARGUMENT, "%u buckets: only 1 .. %u", job->buckets, CW_BUCKETS_MAX);
    if (job->n > SIZE_MAX / 64u)
        return cw_fail(CW_ERR_ARGUMENT, "%zu items: more than memory can hold", job->n);
    if (job->index_bytes && job->index_bytes != 4 && job->index_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "an index of %zu bytes: only 4 or 8", job->index_bytes);
    if (job->index_bytes == 4 && (uint64_t)job->n > (uint64_t)1 << 32)
        return cw_fail(CW_ERR_ARGUMENT, "%zu items: an index of 4 bytes has 2^32 places", job->n);
    if (job->padded && !job->pad_to)
        return cw_fail(CW_ERR_ARGUMENT, "padded offsets, but pad_to is 0");
    if ((job->padded || job->block_buckets) && job->pad_to > SIZE_MAX / 2u / CW_BUCKETS_MAX)
        return cw_fail(CW_ERR_ARGUMENT, "buckets padded to %zu: too many", job->pad_to);
    status = check_rule(job);
    if (!status)
        status = check_routing(job);
    return status ? status : check_payload_sizes(job);
}

/* ---- arrays --------------------------------------------------------------------------------- */

static cw_status check_pointers(const cw_partition_job *job)
{
    if (!job->index_bytes != !(job->index_out || job->inverse_out))
        return cw_fail(CW_ERR_ARGUMENT, "index_bytes is %zu, but index_out and inverse_out are %s",
                       job->index_bytes, job->index_bytes ? "NULL" : "not both NULL");
    if (!job->keys_out && !job->payload_count && !job->offsets && !job->padded && !job->index_out &&
        !job->inverse_out && !job->block_buckets)
        return cw_fail(CW_ERR_ARGUMENT, "no output is given: nothing to write");
    if (!job->n)
        return CW_OK;
    if (!job->keys_in)
        return cw_fail(CW_ERR_ARGUMENT, "keys_in is NULL");
    if (job->rule == CW_BY_SPLITTER && !job->splitters && job->buckets > 1)
        return cw_fail(CW_ERR_ARGUMENT, "splitters is NULL");
    for (size_t x = 0; x < job->payload_count; x++) {
        if (!job->payloads[x].in || !job->payloads[x].out)
            return cw_fail(CW_ERR_ARGUMENT, "payload %zu: %s is NULL", x,
                           job->payloads[x].in ? "out" : "in");
    }
    return CW_OK;
}

/* The workspace last. */
static void list_arrays(const cw_partition_job *job, void *workspace, size_t bytes,
                        struct cw_given *all)
{
    const size_t n = job->n, key = cw_type_bytes(job->type), index = job->index_bytes;
    const size_t cuts = job->rule == CW_BY_SPLITTER ? job->buckets - 1u : 0;
    const size_t starts = sizeof(uint64_t) * (job->buckets + 1u);
    const struct cw_given list[ARRAYS - 1] = {
        {"keys_in", job->keys_in, n * key, key, 0},
        {"splitters", cuts ? job->splitters : NULL, cuts * key, key, 0},
        {"keys_out", job->keys_out, n * key, key, 1},
        {"index_out", job->index_out, n * index, index ? index : 1, 1},
        {"inverse_out", job->inverse_out, n * index, index ? index : 1, 1},
        {"offsets", job->offsets, starts, sizeof(uint64_t), 1},
        {"padded", job->padded, starts, sizeof(uint64_t), 1},
        {"count", job->count, job->count_bytes, job->count_bytes ? job->count_bytes : 1, 0},
        {"block_buckets", job->block_buckets, job->block_count * sizeof(uint32_t), sizeof(uint32_t),
         1},
    };
    const struct cw_given last = {"workspace", workspace, bytes, 256, 1};

    for (size_t x = 0; x < ARRAYS - 1; x++)
        all[x] = list[x];
    for (size_t x = 0; x < job->payload_count; x++) {
        const cw_payload *const p = &job->payloads[x];
        const size_t align = p->bytes == 4 ? 4 : 1;
        const size_t rows = job->choices > 1 ? n / job->choices : n;
        const struct cw_given in = {"a payload's in", p->in, rows * p->bytes, align, 0};
        const struct cw_given out = {"a payload's out", p->out, n * p->bytes, align, 1};

        all[ARRAYS - 1 + 2 * x] = in;
        all[ARRAYS + 2 * x] = out;
    }
    all[ARRAYS - 1 + 2 * job->payload_count] = last;
}

static cw_status check_arrays(const cw_context *context, const cw_partition_job *job,
                              void *workspace, size_t bytes)
{
    const size_t count = ARRAYS + 2 * job->payload_count;
    struct cw_given some[ON_STACK], *all = some;
    cw_status status;

    if (count > ON_STACK)
        all = (struct cw_given *)malloc(count * sizeof *all);
    if (!all)
        return cw_fail(CW_ERR_MEMORY, "a list of %zu arrays", count);
    list_arrays(job, workspace, bytes, all);
    status = cw_check_given(context, all, count);
    if (all != some)
        free(all);
    return status;
}

/* ---- CW_CHECK ------------------------------------------------------------------------------- */

static uint64_t word_of(const struct cw_key_map *map, const void *keys, size_t x, size_t bytes)
{
    uint16_t x2;
    uint32_t x4;
    uint64_t key = ((const uint8_t *)keys)[x * bytes];

    if (bytes == 2)
        memcpy(&x2, (const char *)keys + 2 * x, 2), key = x2;
    else if (bytes == 4)
        memcpy(&x4, (const char *)keys + 4 * x, 4), key = x4;
    else if (bytes == 8)
        memcpy(&key, (const char *)keys + 8 * x, 8);
    key = CW_KEY_TO_WORD(map, key);
    return CW_WORD_TO_RANK(map, key);
}

static cw_status splitters_ascend(const cw_partition_job *job, const void *splitters)
{
    const struct cw_key_map map = cw_key_map_of(job->type, job->flags, 1);
    const size_t bytes = cw_type_bytes(job->type);

    for (uint32_t x = 1; x + 1 < job->buckets; x++) {
        if (word_of(&map, splitters, x, bytes) < word_of(&map, splitters, x - 1, bytes))
            return cw_fail(CW_ERR_ARGUMENT, "splitter %u is less than splitter %u", x, x - 1);
    }
    return CW_OK;
}

/* Before anything is queued. */
static cw_status check_splitters(const cw_context *context, const cw_partition_job *job,
                                 cw_stream stream)
{
    const void *splitters = job->splitters;
    void *copy = NULL;
    cw_status status = CW_OK;

    if (job->rule != CW_BY_SPLITTER || !(job->flags & CW_CHECK) || job->buckets < 3)
        return CW_OK;
    (void)stream;
#if defined(CW_HAVE_CUDA)
    if (context->backend == CW_CUDA) {
        const size_t bytes = (job->buckets - 1u) * cw_type_bytes(job->type);

        copy = malloc(bytes);
        if (!copy)
            return cw_fail(CW_ERR_MEMORY, "%zu bytes to check splitters", bytes);
        splitters = copy;
        status = cw_cuda_read_on(stream, copy, job->splitters, bytes);
    }
#else
    (void)context;
#endif
    if (!status)
        status = splitters_ascend(job, splitters);
    free(copy);
    return status;
}

/* ---- the calls ------------------------------------------------------------------------------ */

static size_t kernels_need(const void *job, enum cw_shapes shapes)
{
    return cw_partition_request_bytes((const cw_partition_job *)job, shapes);
}

/* What the context needs; NULL: any of them. */
size_t cw_partition_need(const cw_context *context, const cw_partition_job *job)
{
    size_t host = 0, kernels = 0;

    if (!job->n)
        return 0;
    if (!context || context->backend == CW_CPU)
        host = cw_cpu_partition_workspace(job);
    if (!cw_partition_request_refuses(job))
        kernels = cw_context_need(context, job, kernels_need);
    return host > kernels ? host : kernels;
}

cw_status cw_partition_workspace(const cw_partition_job *job, size_t *bytes)
{
    const cw_status status = cw_check_bytes(bytes) ? CW_ERR_ARGUMENT : check_sizes(job);

    if (!status)
        *bytes = cw_partition_need(NULL, job);
    return status;
}

/* A queue that may touch the arrays of the job, with those of one payload. */
static void open_queue(const cw_context *context, const cw_partition_job *job,
                       const cw_payload *payload, void *workspace, size_t bytes, cw_stream stream,
                       union cw_any_queue *q)
{
    cw_partition_job one = *job;
    struct cw_given all[ARRAYS + 2];

    one.payloads = payload;
    one.payload_count = payload != NULL;
    list_arrays(&one, workspace, bytes, all);
    cw_context_queue(context, stream, q);
    for (size_t x = 0; x < ARRAYS + 2 * one.payload_count; x++)
        cw_queue_buffer(&q->queue, all[x].data, all[x].bytes, all[x].written);
}

static cw_status enqueue(const cw_context *context, const cw_partition_job *job, void *workspace,
                         size_t bytes, cw_stream stream)
{
    const int mark = context->backend == CW_CUDA && !(job->flags & CW_CHECK);
    union cw_any_queue q;
    cw_status status;

    open_queue(context, job, job->payload_count ? job->payloads : NULL, workspace, bytes, stream,
               &q);
    status = cw_partition_request(&q.queue, job, context->shapes, workspace, mark);
    for (size_t x = cw_partition_request_moves(job, context->shapes);
         x < job->payload_count && job->n && !status; x++) {
        open_queue(context, job, &job->payloads[x], workspace, bytes, stream, &q);
        status = cw_partition_request_payload(&q.queue, job, context->shapes, workspace,
                                              &job->payloads[x]);
    }
    return status;
}

/* What the kernels found, which they wrote to the workspace. */
static cw_status labels_hold(const cw_context *context, const cw_partition_job *job,
                             const void *workspace, cw_stream stream)
{
    uint32_t bad = 0;
    cw_status status = CW_OK;

    if (job->rule != CW_BY_LABEL || !job->n || job->flags & CW_DROP)
        return CW_OK;
    if (context->backend == CW_EMULATOR || job->flags & CW_CHECK)
        status = context->on->read_on(stream, &bad, workspace, sizeof bad);
    if (!status && bad)
        return cw_fail(CW_ERR_LABEL, "%s%u of %zu labels are no number below %u",
                       bad == UINT32_MAX ? "at least " : "", bad, job->n, job->buckets);
    return status;
}

cw_status cw_partition(cw_context *context, const cw_partition_job *job, void *workspace,
                       size_t workspace_bytes, cw_stream stream)
{
    size_t need;
    cw_status status;

    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    status = check_sizes(job);
    if (!status)
        status = check_pointers(job);
    if (status)
        return status;
    if (context->backend != CW_CPU && cw_partition_request_refuses(job))
        return cw_fail(CW_ERR_ARGUMENT, "%zu items: %s", job->n, cw_partition_request_refuses(job));
    need = cw_partition_need(context, job);
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (!status)
        status = check_arrays(context, job, need ? workspace : NULL, need);
    if (!status)
        status = check_splitters(context, job, stream);
    if (status)
        return status;
    if (context->backend == CW_CPU)
        return cw_cpu_partition(job, workspace, &context->team);
    status = enqueue(context, job, workspace, need, stream);
    return status ? status : labels_hold(context, job, workspace, stream);
}
