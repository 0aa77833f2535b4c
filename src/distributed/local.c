/* local.c - copies, and a rank's sorted keys as words. */
#include "distributed/local.h"

#include <string.h>

#include "api/checks.h"
#include "api/context.h"
#include "distributed/sort/lookup_job.h"

cw_status cw_local_copy(cw_context *context, cw_stream stream, void *to, const void *from,
                        size_t bytes)
{
    union cw_any_queue q;

    if (!bytes || to == from)
        return CW_OK;
    if (context->backend == CW_CPU) {
        memcpy(to, from, bytes);
        return CW_OK;
    }
    cw_context_queue(context, stream, &q);
    cw_queue_buffer(&q.queue, from, bytes, 0);
    cw_queue_buffer(&q.queue, to, bytes, 1);
    return q.queue.copy(&q.queue, to, from, bytes);
}

void cw_local_written(cw_context *context, void *at, size_t bytes)
{
    if (context->memory && bytes)
        cw_emulated_wrote(context->memory, at, bytes);
}

cw_status cw_local_count(cw_context *context, cw_stream stream, const void **count, size_t *bytes,
                         size_t *n)
{
    cw_status status = cw_check_count(*count, *bytes);
    uint64_t said = 0;

    if (!status && *count) /* the low bytes come first */
        status = context->on->read_on(stream, &said, *count, *bytes);
    if (!status && *count && said < *n)
        *n = (size_t)said;
    *count = NULL;
    *bytes = 0;
    return status;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_here(void *numbers, uint64_t n, size_t bytes, uint64_t by)
{
    uint32_t *const narrow = (uint32_t *)numbers;
    uint64_t *const wide = (uint64_t *)numbers;

    for (uint64_t i = 0; i < n && bytes == 4; i++)
        narrow[i] += (uint32_t)by;
    for (uint64_t i = 0; i < n && bytes == 8; i++)
        wide[i] += by;
}

static cw_status launch(struct cw_queue *q, enum cw_kernel kernel, uint64_t count, const void *arg)
{
    const uint64_t blocks = (count + LOOKUP_THREADS - 1u) / LOOKUP_THREADS;
    const struct cw_launch l = {kernel, (uint32_t)blocks, LOOKUP_THREADS, 0, arg, 0};

    return q->launch(q, &l);
}

static cw_status add_there(cw_context *context, cw_stream stream, void *numbers, uint64_t n,
                           size_t bytes, uint64_t by)
{
    const struct lookup_add arg = {numbers, n, by, (uint32_t)bytes};
    union cw_any_queue q;
    uint64_t most;

    cw_context_queue(context, stream, &q);
    cw_queue_buffer(&q.queue, numbers, n * bytes, 1);
    most = 16u * LOOKUP_THREADS * (uint64_t)q.queue.processors;
    return launch(&q.queue, CW_KERNEL_cw_lookup_add, n < most ? n : most, &arg);
}

cw_status cw_local_add(cw_context *context, cw_stream stream, void *numbers, uint64_t n,
                       size_t bytes, uint64_t by)
{
    if (!by || !n)
        return CW_OK;
    if (context->backend != CW_CPU)
        return add_there(context, stream, numbers, n, bytes, by);
    add_here(numbers, n, bytes, by);
    return CW_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

static uint64_t key_at(const struct cw_local_keys *k, uint64_t at)
{
    const char *const from = (const char *)k->keys + at * k->bytes;
    uint64_t wide = 0;
    uint32_t narrow = 0;
    uint16_t half = 0;

    switch (k->bytes) {
    case 8:
        memcpy(&wide, from, 8);
        return wide;
    case 4:
        memcpy(&narrow, from, 4);
        return narrow;
    case 2:
        memcpy(&half, from, 2);
        return half;
    default:
        return *(const unsigned char *)from;
    }
}

static uint64_t word_at(const struct cw_local_keys *k, uint64_t at)
{
    const uint64_t key = key_at(k, at), word = CW_KEY_TO_WORD(&k->map, key);

    return CW_WORD_TO_RANK(&k->map, word) >> k->first & k->range;
}

static cw_status words(void *self, const uint64_t *at, size_t count, uint64_t *out)
{
    const struct cw_local_keys *const k = (const struct cw_local_keys *)self;

    for (size_t i = 0; i < count; i++)
        out[i] = word_at(k, at[i]);
    return CW_OK;
}

static cw_status probe(void *self, struct cw_probe *probes, size_t count)
{
    const struct cw_local_keys *const k = (const struct cw_local_keys *)self;

    for (size_t i = 0; i < count; i++) {
        struct cw_probe *const p = &probes[i];

        while (p->lo < p->hi) {
            const uint64_t middle = p->lo + (p->hi - p->lo) / 2, word = word_at(k, middle);

            if (word < p->word || (p->upper && word == p->word))
                p->lo = middle + 1;
            else
                p->hi = middle;
        }
    }
    return CW_OK;
}

/* ---- words that kernels look up -------------------------------------------------------------- */

static struct lookup_keys lookup_of(const struct cw_local_keys *k)
{
    const struct lookup_keys l = {k->keys, (uint32_t)k->bytes, k->first, k->range, k->map};

    return l;
}

/* A list goes to the scratch memory, a kernel changes it there, and it comes back. */
static cw_status there(const struct cw_local_keys *k, uint64_t *list, size_t bytes,
                       enum cw_kernel kernel, uint64_t count, const void *arg)
{
    const struct cw_backend_table *const on = k->context->on;
    union cw_any_queue q;
    cw_status status = on->write_later(k->stream, k->scratch, list, bytes);

    cw_local_written(k->context, k->scratch, bytes);
    cw_context_queue(k->context, k->stream, &q);
    cw_queue_buffer(&q.queue, k->keys, k->n * k->bytes, 0);
    cw_queue_buffer(&q.queue, k->scratch, bytes, 1);
    if (!status)
        status = launch(&q.queue, kernel, count, arg);
    return status ? status : on->read_on(k->stream, list, k->scratch, bytes);
}

static cw_status words_there(void *self, const uint64_t *at, size_t count, uint64_t *out)
{
    const struct cw_local_keys *const k = (const struct cw_local_keys *)self;
    const size_t most = CW_LOCAL_SCRATCH / sizeof *out;
    cw_status status = CW_OK;

    memmove(out, at, count * sizeof *out);
    for (size_t x = 0; x < count && !status; x += most) {
        const size_t now = count - x < most ? count - x : most;
        const struct lookup_words arg = {lookup_of(k), (uint64_t *)k->scratch, now};

        status = there(k, out + x, now * sizeof *out, CW_KERNEL_cw_lookup_words, now, &arg);
    }
    return status;
}

/* As many probes as fit on the stack at a time. */
static cw_status probe_there(void *self, struct cw_probe *probes, size_t count)
{
    enum { MOST = 128 };
    const struct cw_local_keys *const k = (const struct cw_local_keys *)self;
    uint64_t list[MOST][4];
    cw_status status = CW_OK;

    for (size_t x = 0; x < count && !status; x += MOST) {
        const size_t now = count - x < MOST ? count - x : MOST;
        const struct lookup_probes arg = {lookup_of(k), (uint64_t *)k->scratch, now};

        for (size_t i = 0; i < now; i++) {
            list[i][0] = probes[x + i].word;
            list[i][1] = probes[x + i].lo;
            list[i][2] = probes[x + i].hi;
            list[i][3] = probes[x + i].upper != 0;
        }
        status = there(k, list[0], now * sizeof *list, CW_KERNEL_cw_lookup_probes, now, &arg);
        for (size_t i = 0; i < now; i++)
            probes[x + i].lo = list[i][1];
    }
    return status;
}

struct cw_sorted cw_local_sorted(struct cw_local_keys *keys)
{
    const struct cw_sorted here = {keys->n, keys->range, keys, words, probe};
    const struct cw_sorted kernels = {keys->n, keys->range, keys, words_there, probe_there};

    return keys->context->backend == CW_CPU ? here : kernels;
}
