/* permute_case.c - elements made, permuted by a context, and held against what the index says. */
#include "permute_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_memory.h"
#include "rows_case.h"

cw_context *permute_context;

int permute_open(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &permute_context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    return 0;
}

int permute_close(void **state)
{
    (void)state;
    cw_context_destroy(permute_context);
    return 0;
}

int permute_emulated(void)
{
    return rows_test_backend() == CW_EMULATOR;
}

int permute_on_gpu(void)
{
    return rows_test_backend() == CW_CUDA;
}

int permute_small(void)
{
    return !permute_on_gpu() && !(permute_emulated() && CW_FULL_SHAPES);
}

size_t permute_items(size_t n)
{
    return permute_small() ? n : permute_emulated() || cw_quick_run() ? 40 * n : 1000 * n + 1;
}

/* ---- inputs --------------------------------------------------------------------------------- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* Random, of items first .. first + count - 1. */
static void shuffle(uint64_t *p, size_t first, size_t count, struct cw_random *r)
{
    for (size_t i = count; i-- > 1;) {
        const size_t j = (size_t)cw_random_below(r, i + 1);
        const uint64_t x = p[first + i];

        p[first + i] = p[first + j];
        p[first + j] = x;
    }
}

/* Blocks of 16 change places; what is left behind them stays. */
static void shuffle_blocks(uint64_t *p, size_t n, struct cw_random *r)
{
    for (size_t b = n / 16; b-- > 1;) {
        const size_t j = (size_t)cw_random_below(r, b + 1);

        for (size_t k = 0; k < 16; k++) {
            const uint64_t x = p[16 * b + k];

            p[16 * b + k] = p[16 * j + k];
            p[16 * j + k] = x;
        }
    }
}

static void trade(uint64_t *p, size_t i, size_t j)
{
    const uint64_t x = p[i];

    p[i] = p[j];
    p[j] = x;
}

static void fill_index(const struct permute_case *t, uint64_t *p, struct cw_random *r)
{
    const size_t half = (t->n + 1) / 2;
    uint64_t stride = t->n / 3 + 1;

    while (gcd(stride, t->n) != 1)
        stride++;
    for (size_t i = 0; i < t->n; i++) {
        switch (t->pattern) {
        case REVERSE:
            p[i] = t->n - 1 - i;
            break;
        case ROTATED:
            p[i] = (i + t->n / 3) % t->n;
            break;
        case STRIDED:
            p[i] = i * stride % t->n;
            break;
        case MIXED:
            p[i] = i < half ? 2 * i : 2 * (i - half) + 1;
            break;
        default:
            p[i] = i;
        }
    }
    if (t->pattern == RANDOM)
        shuffle(p, 0, t->n, r);
    if (t->pattern == HALVES || t->pattern == MIXED)
        shuffle(p, half, t->n - half, r);
    if (t->pattern == BLOCKS)
        shuffle_blocks(p, t->n, r);
    for (size_t i = 0; t->pattern == TRADES && t->n >= 1000 && i < 200; i++)
        trade(p, i, 256 + i * ((t->n - 256) / 200));
    for (int k = 0; k < t->out_of_range; k++)
        p[cw_random_below(r, t->n)] =
            k % 2 || t->index_bytes == 4 ? t->n + cw_random_below(r, 1000) : UINT64_MAX - 5;
    for (int k = 0; k < t->twice; k++)
        p[cw_random_below(r, t->n)] = p[cw_random_below(r, t->n)];
}

void permute_set_index(const struct permute_case *t, struct permute_arrays *a)
{
    for (size_t i = 0; i < t->n; i++) {
        const uint32_t narrow = (uint32_t)a->p[i];

        memcpy(a->index + i * t->index_bytes,
               t->index_bytes == 8 ? (const void *)&a->p[i] : &narrow, t->index_bytes);
    }
}

void permute_good(cw_status status)
{
    if (status)
        fail_msg("%s", cw_last_error());
}

static cw_permute_job job_of(const struct permute_case *t, const struct permute_arrays *a)
{
    const cw_permute_job job = {.flags = t->flags,
                                .n = t->n,
                                .bytes = t->bytes,
                                .in = (const uint8_t *)a->dev_in + t->shift * t->bytes,
                                .out = (uint8_t *)a->dev_out + t->shift * t->bytes,
                                .index = (const uint8_t *)a->dev_index + t->shift * t->index_bytes,
                                .index_bytes = t->index_bytes};

    return job;
}

void permute_make(const struct permute_case *t, struct permute_arrays *a)
{
    struct cw_random r = cw_random_from(t->seed);
    const size_t data = t->n * t->bytes, index = t->n * t->index_bytes;

    a->p = (uint64_t *)malloc((t->n + 1) * sizeof *a->p);
    a->in = (uint8_t *)malloc(data + 1);
    a->out = (uint8_t *)malloc(data + 1);
    a->index = (uint8_t *)malloc(index + 1);
    assert_true(a->p && a->in && a->out && a->index);
    fill_index(t, a->p, &r);
    permute_set_index(t, a);
    for (size_t i = 0; i < data; i += 8) {
        const uint64_t x = cw_random_next(&r);

        memcpy(a->in + i, &x, data - i < 8 ? data - i : 8);
    }
    memset(a->out, 0x5a, data);
    permute_good(case_memory_take(permute_context, data + t->shift * t->bytes, &a->dev_in));
    permute_good(case_memory_take(permute_context, data + t->shift * t->bytes, &a->dev_out));
    permute_good(
        case_memory_take(permute_context, index + t->shift * t->index_bytes, &a->dev_index));
    permute_good(
        cw_memory_write(permute_context, (uint8_t *)a->dev_in + t->shift * t->bytes, a->in, data));
    permute_good(cw_memory_write(permute_context, (uint8_t *)a->dev_out + t->shift * t->bytes,
                                 a->out, data));
    permute_good(cw_memory_write(
        permute_context, (uint8_t *)a->dev_index + t->shift * t->index_bytes, a->index, index));
}

void permute_drop(struct permute_arrays *a)
{
    free(a->p);
    free(a->in);
    free(a->out);
    free(a->index);
    case_memory_give(permute_context, a->dev_in);
    case_memory_give(permute_context, a->dev_out);
    case_memory_give(permute_context, a->dev_index);
    case_memory_give(permute_context, a->work);
}

/* ---- a trial -------------------------------------------------------------------------------- */

/* By the way that is asked for: launches as cw_permute sends them. */
static cw_status by_launches(const struct permute_case *t, struct permute_arrays *a)
{
    const int cuda = permute_context->backend == CW_CUDA;
    const cw_permute_job job = job_of(t, a);
    union cw_any_queue q;

    a->work_bytes = (size_t)cw_permute_bytes(&job, t->way, cuda);
    permute_good(case_memory_take(permute_context, a->work_bytes, &a->work));
    cw_context_queue(permute_context, NULL, &q);
    cw_queue_buffer(&q.queue, job.in, t->n * t->bytes, 0);
    cw_queue_buffer(&q.queue, job.out, t->n * t->bytes, 1);
    cw_queue_buffer(&q.queue, job.index, t->n * t->index_bytes, 0);
    cw_queue_buffer(&q.queue, a->work, a->work_bytes, 1);
    return cw_permute_enqueue(&q.queue, &job, t->way, cuda, a->work);
}

cw_status permute_by_call(const struct permute_case *t, struct permute_arrays *a)
{
    const cw_permute_job job = job_of(t, a);

    permute_good(cw_permute_workspace(&job, &a->work_bytes));
    permute_good(case_memory_take(permute_context, a->work_bytes, &a->work));
    return cw_permute(permute_context, &job, a->work, a->work_bytes, NULL);
}

/* Elements that are not where they belong; if places are named twice, no scatter says where. */
static size_t wrong(const struct permute_case *t, const struct permute_arrays *a)
{
    size_t count = 0;

    for (size_t i = 0; i < t->n; i++) {
        const uint64_t p = a->p[i];
        const int gather = (t->flags & CW_GATHER) != 0;

        if (p < t->n && (gather || !t->twice))
            count += memcmp(a->out + (gather ? i : p) * t->bytes,
                            a->in + (gather ? p : i) * t->bytes, t->bytes) != 0;
    }
    return count;
}

size_t permute_untouched(const struct permute_case *t, const struct permute_arrays *a)
{
    size_t count = 0;

    for (size_t i = 0; i < t->n * t->bytes; i++)
        count += a->out[i] == 0x5a;
    return count == t->n * t->bytes;
}

int permute_run(struct permute_case t)
{
    struct permute_arrays a = {0};
    cw_status status;
    size_t bad = 0;

    permute_make(&t, &a);
    status = t.way && rows_test_backend() != CW_CPU ? by_launches(&t, &a) : permute_by_call(&t, &a);
    if (!status)
        status = cw_wait(permute_context, NULL);
    permute_good(cw_memory_read(permute_context, a.out, (uint8_t *)a.dev_out + t.shift * t.bytes,
                                t.n * t.bytes));
    if (status == t.want)
        bad = status ? !permute_untouched(&t, &a) : wrong(&t, &a);
    if (bad || status != t.want)
        print_message("n %zu bytes %zu index %zu shift %zu flags %u pattern %d way %d seed %llu: "
                      "%s, %zu wrong (%s)\n",
                      t.n, t.bytes, t.index_bytes, t.shift, t.flags, (int)t.pattern, (int)t.way,
                      (unsigned long long)t.seed, cw_status_name(status), bad, cw_last_error());
    permute_drop(&a);
    return bad || status != t.want;
}

struct permute_case permute_case_of(size_t n, size_t bytes, uint64_t salt)
{
    const struct permute_case t = {
        .n = n, .bytes = bytes, .index_bytes = salt % 3 ? 4 : 8, .seed = cw_test_seed() + salt};

    return t;
}

int permute_both(struct permute_case t)
{
    const int failed = permute_run(t);

    t.flags ^= CW_GATHER;
    t.index_bytes = 12 - t.index_bytes;
    t.shift = t.shift ? 0 : 3;
    return failed + permute_run(t);
}
