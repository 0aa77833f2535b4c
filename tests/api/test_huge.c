/* test_huge.c - launches of matrices, batches and shuffles that no machine here can hold: each fits a GPU, or the
 * call is refused before the first of them.
 *
 * They go into a queue that runs nothing.  tests/api/test_gpus.c does the same with sorts, partitions and
 * permutations.
 */
#include <stdio.h>
#include <string.h>

#include "backend/dry.h"
#include "backend/rows.h"
#include "base/status.h"
#include "permute/plan.h"
#include "permute/sum_plan.h"
#include "test.h"
#include "transpose/plan.h"

#define POWER(k) ((size_t)1 << (k))

static const char *const names[] = {"sm_86", "sm_90"};
static char memory[4096]; /* arrays that nobody touches */

/* A workspace of so many bytes: a number, far from all arrays. */
static void *begin(struct cw_dry_queue *q, const char *name, uint64_t bytes)
{
    const struct cw_gpu *const gpu = cw_gpu_find(name);
    enum cw_shapes shapes;

    assert_non_null(gpu);
    assert_int_equal(cw_shapes_of(gpu, &shapes), CW_OK);
    cw_dry_queue_begin(q, gpu, shapes);
    q->room = (const void *)((uintptr_t)1 << 62);
    q->room_bytes = (size_t)bytes;
    return (void *)((uintptr_t)1 << 62);
}

static void fits(const char *name, const char *what, size_t n, size_t m, size_t bytes,
                 cw_status status)
{
    if (status)
        print_error("%s: %s of %zu, %zu of %zu bytes: %s\n", name, what, n, m, bytes,
                    cw_last_error());
    assert_int_equal(status, CW_OK);
}

/* ---- transpositions --------------------------------------------------------------------------- */

static const size_t sides[] = {
    2,        5, 33, 64, 70000, POWER(20) + 1, POWER(31), POWER(32) + 1, POWER(36), POWER(38) - 1,
    POWER(39)};

/* Matrices of more blocks than a launch has are refused, and so is what needs a workspace of its own. */
static void transposed(const char *name, const cw_transpose_job *job)
{
    struct cw_dry_queue q;
    void *const room = begin(&q, name, cw_transpose_bytes(job, job->in == job->out, 1));
    const cw_status status = cw_transpose_enqueue(&q.queue, job, 1, room, q.room_bytes);

    if (status == CW_ERR_SHAPE || status == CW_ERR_DEVICE)
        assert_true(q.launches == 0 && (strstr(cw_last_error(), "too large") ||
                                        strstr(cw_last_error(), "more than a launch") ||
                                        strstr(cw_last_error(), "workspace")));
    else
        fits(name, "a transposition", job->rows, job->columns, job->bytes, status);
}

static void huge_matrices_fit_or_are_refused(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT(sides) * COUNT(sides) * 18 * 2 * 2; x++) {
        cw_transpose_job job;

        memset(&job, 0, sizeof job);
        job.rows = sides[x % COUNT(sides)];
        job.columns = sides[x / COUNT(sides) % COUNT(sides)];
        job.bytes = x / COUNT(sides) / COUNT(sides) % 18 + 1;
        job.batch = x / 2 % 3 ? 1 : 7;
        job.in = memory;
        job.out = x % 2 ? memory : memory + 256;
        if (job.rows <= POWER(46) / job.columns)
            transposed(names[x / COUNT(sides) / COUNT(sides) / 18 % 2], &job);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct batch {
    size_t rows, length;
};

static const struct batch batches[] = {
    {1, UINT32_MAX},      {7, POWER(31) + 1}, {300, POWER(31)},    {POWER(20), POWER(20)},
    {POWER(32) - 1, 100}, {POWER(32) - 1, 1}, {POWER(31) + 1, 9},  {POWER(24) + 1, 32768},
    {POWER(36), 3},       {POWER(40), 1},     {POWER(33) + 5, 40}, {POWER(26), 16385},
};

static void sorted(const char *name, const cw_rows *job)
{
    struct cw_dry_queue q;
    void *const room = begin(&q, name, cw_rows_workspace(job));

    fits(name, "rows", job->rows, job->length, cw_type_bytes(job->type),
         cw_rows_enqueue(&q.queue, job, room));
}

static void huge_batches_fit(void **state)
{
    static const cw_type types[] = {CW_U8, CW_F16, CW_U32, CW_I64};

    (void)state;
    for (size_t x = 0; x < COUNT(batches) * COUNT(types) * 3 * 2 * 2; x++) {
        const struct batch b = batches[x % COUNT(batches)];
        const size_t with = x / COUNT(batches) / COUNT(types) % 3;
        cw_rows job;

        memset(&job, 0, sizeof job);
        job.rows = b.rows;
        job.length = b.length;
        job.type = types[x / COUNT(batches) % COUNT(types)];
        job.keys_in = memory;
        job.keys_out = memory + 256;
        job.value_bytes = with == 1 ? 4 : 0;
        job.values_in = with == 1 ? memory + 512 : NULL;
        job.values_out = with == 1 ? memory + 768 : NULL;
        job.index_out = with == 2 ? memory + 1024 : NULL;
        job.offsets = x / COUNT(batches) / COUNT(types) / 3 % 2 ? memory + 2048 : NULL;
        job.items = job.offsets ? b.rows * b.length : 0;
        if (!job.offsets || b.rows <= UINT32_MAX)
            sorted(names[x / COUNT(batches) / COUNT(types) / 6 % 2], &job);
    }
}

/* ---- shuffles, sums --------------------------------------------------------------------------- */

static const size_t lengths[] = {POWER(31) - 2048, POWER(31) + 1, POWER(32) - 2, POWER(32) - 1,
                                 POWER(32),        POWER(32) + 1, POWER(36) - 3, POWER(40)};
static const size_t rows_bytes[] = {1, 2, 3, 4, 8, 12, 16, 100, 4096, 1048575, 1048576};

/* Of as many rows as the call takes. */
static void shuffled(const char *name, const cw_shuffle_job *job)
{
    struct cw_dry_queue q;
    void *const room = begin(&q, name, cw_shuffle_bytes(job, CW_PERMUTE_AUTO, 1));
    const cw_status status = cw_shuffle_enqueue(&q.queue, job, CW_PERMUTE_AUTO, 1, room);

    if (status == CW_ERR_LENGTH)
        assert_true(q.launches == 0 && job->n > POWER(41) / job->bytes);
    else
        fits(name, "a shuffle", job->n, 1, job->bytes, status);
}

static void huge_shuffles_fit_or_are_refused(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT(lengths) * COUNT(rows_bytes) * 2; x++) {
        cw_shuffle_job job;
        size_t bytes;

        memset(&job, 0, sizeof job);
        job.n = lengths[x / 2 % COUNT(lengths)];
        job.bytes = rows_bytes[x / 2 / COUNT(lengths)];
        job.in = memory;
        job.out = memory + 256;
        if (!cw_shuffle_workspace(&job, &bytes))
            shuffled(names[x % 2], &job);
    }
}

static void huge_sums_fit(void **state)
{
    static const size_t columns[] = {1, 3, 4096, 262144};

    (void)state;
    for (size_t x = 0; x < COUNT(lengths) * COUNT(columns) * 2; x++) {
        cw_gather_job job;
        struct cw_dry_queue q;
        size_t bytes;

        memset(&job, 0, sizeof job);
        job.type = x % 2 ? CW_F32 : CW_F16;
        job.n = job.rows = lengths[x / 2 % COUNT(lengths)];
        job.columns = columns[x / 2 / COUNT(lengths)];
        job.per = 8;
        job.in = memory;
        job.out = memory + 256;
        job.index = memory + 512;
        job.index_bytes = 8;
        if (cw_gather_sum_workspace(&job, &bytes))
            continue;
        (void)begin(&q, names[x % 2], 0);
        fits(names[x % 2], "a sum", job.n, job.columns, 0, cw_gather_sum_enqueue(&q.queue, &job));
        fits(names[x % 2], "a check", job.n, job.columns, 0,
             cw_gather_sum_enqueue_check(&q.queue, &job, memory + 768));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(huge_matrices_fit_or_are_refused),
        cmocka_unit_test(huge_batches_fit),
        cmocka_unit_test(huge_shuffles_fit_or_are_refused),
        cmocka_unit_test(huge_sums_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
