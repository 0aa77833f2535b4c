/* thin.c - which matrices of few rows or few columns are transposed as such (transpose/thin.h,
 * transpose/thin_words.h), and the launch. */
#include "transpose/thin_plan.h"

#include "transpose/job.h"

#define NARROW      16u
#define MOST_BLOCKS (uint64_t) INT32_MAX

static unsigned log_of(size_t bytes)
{
    unsigned log = 0;

    while (log < 5u && bytes > (size_t)1 << log)
        log++;
    return bytes == (size_t)1 << log ? log : 5u;
}

/* Few rows or few columns, and many of the others.  (Few rows of 16 bytes are left to rectangles.) */
static int is_thin(const cw_transpose_job *job, const void *in, const void *out)
{
    const int flat = job->rows < job->columns;
    const size_t few = flat ? job->rows : job->columns, many = flat ? job->columns : job->rows;

    return log_of(job->bytes) <= (flat ? 3u : 4u) && few < NARROW &&
           many >= TRANSPOSE_THIN_LENGTH && !(((uintptr_t)in | (uintptr_t)out) % job->bytes);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* 2^32 / d, rounded up. */
static uint32_t reciprocal(uint32_t d)
{
    return (uint32_t)((((uint64_t)1 << 32) + d - 1u) / d);
}

/* By elements: places that a block takes, and bytes of shared memory. */
static uint32_t by_elements(struct transpose_thin *a, unsigned log)
{
    uint32_t room;

    a->span = TRANSPOSE_THIN(log) / a->few;
    if (a->span >= TRANSPOSE_THIN_ROUND) /* so that no round of loads is short */
        a->span = a->span / TRANSPOSE_THIN_ROUND * TRANSPOSE_THIN_ROUND;
    else if (a->span >= TRANSPOSE_THREADS)
        a->span = a->span / TRANSPOSE_THREADS * TRANSPOSE_THREADS;
    room = a->span * a->few;
    return (room + room / 32u + 1u) * TRANSPOSE_WORD(log);
}

/* By words: the same.  Runs are lines of 128 bytes, and there are words between them. */
static uint32_t by_words(struct transpose_thin *a, unsigned log)
{
    const uint32_t gap = (32u + a->few - 1u) / a->few + 1u;
    const uint32_t words = (TRANSPOSE_THIN_WORDS / a->few - gap) / 32u * 32u; /* of a run */
    uint32_t room;

    a->span = words * (4u >> log);
    a->pitch = a->flat ? words + gap : words * a->few + 2u;
    a->by_few = reciprocal(a->few);
    a->by_pitch = reciprocal(a->pitch);
    room = a->flat ? a->pitch * a->few : a->pitch;
    return (room + room / 32u + 1u) * 4u;
}

int cw_transpose_thin(struct cw_queue *q, const cw_transpose_job *job, const void *in, void *out,
                      uint64_t batch, cw_status *status)
{
    static const enum cw_kernel kernel[] = {
        CW_KERNEL_cw_transpose_b1_thin, CW_KERNEL_cw_transpose_b2_thin,
        CW_KERNEL_cw_transpose_b4_thin, CW_KERNEL_cw_transpose_b8_thin,
        CW_KERNEL_cw_transpose_b16_thin};
    const unsigned log = log_of(job->bytes);
    const int flat = job->rows < job->columns;
    struct transpose_thin a = {.length = flat ? job->columns : job->rows,
                               .in = in,
                               .out = out,
                               .few = (uint32_t)(flat ? job->rows : job->columns),
                               .flat = (uint32_t)flat};
    struct cw_launch l = {kernel[least(log, 4u)], 0, TRANSPOSE_THREADS, 0, &a, 0};

    if (!is_thin(job, in, out))
        return 0;
    a.total = a.length * a.few * batch * job->bytes;
    l.shared = !log ? by_words(&a, log) : by_elements(&a, log);
    a.blocks = (a.length + a.span - 1u) / a.span;
    if (a.blocks > MOST_BLOCKS / batch)
        return 0;
    l.blocks = (uint32_t)(a.blocks * batch);
    *status = q->launch(q, &l);
    return 1;
}
