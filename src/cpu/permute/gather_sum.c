/* gather_sum.c - cw_gather_sum on threads of the host: a thread takes rows of the output.
 *
 * A row is made in pieces that stay in the first cache as f32, so each step of a sum rounds as on a
 * GPU (permute/gather_sum.h).
 */
#include "cpu/permute/gather_sum.h"

#include "base/status.h"
#include "base/threads.h"
#include "prim/float16.h"

#define PIECE    1024u /* elements of a row at a time */
#define A_THREAD 16384u

static uint64_t index_of(const cw_gather_job *job, size_t at)
{
    return job->index_bytes == 8 ? ((const uint64_t *)job->index)[at]
                                 : ((const uint32_t *)job->index)[at];
}

static float load(cw_type type, const void *from, size_t at)
{
    if (type == CW_F32)
        return ((const float *)from)[at];
    return type == CW_F16 ? f32_of_f16(((const uint16_t *)from)[at])
                          : f32_of_bf16(((const uint16_t *)from)[at]);
}

static void store(cw_type type, void *to, size_t at, float x)
{
    if (type == CW_F32)
        ((float *)to)[at] = x;
    else
        ((uint16_t *)to)[at] = (uint16_t)(type == CW_F16 ? f16_of_f32(x) : bf16_of_f32(x));
}

static void piece(const cw_gather_job *job, size_t i, size_t first, size_t count)
{
    float sum[PIECE] = {0};

    for (size_t k = 0; k < job->per; k++) {
        const size_t at = i * job->per + k;
        const uint64_t p = index_of(job, at);
        const float weight =
            job->weights && p < job->rows ? load(job->weight_type, job->weights, at) : 1.0f;

        for (size_t c = 0; p < job->rows && c < count; c++)
            sum[c] = fmaf(weight, load(job->type, job->in, p * job->columns + first + c), sum[c]);
    }
    for (size_t c = 0; c < count; c++)
        store(job->type, job->out, i * job->columns + first + c, sum[c]);
}

static cw_status check(const cw_gather_job *job)
{
    for (size_t at = 0; at < job->n * job->per; at++) {
        const uint64_t p = index_of(job, at);
        const long long value =
            job->index_bytes == 4 ? (long long)(int32_t)(uint32_t)p : (long long)(int64_t)p;

        if (p >= job->rows && job->index_signed && value < 0)
            return cw_fail(CW_ERR_LABEL, "index %zu is %lld: negative", at, value);
        if (p >= job->rows)
            return cw_fail(CW_ERR_LABEL, "index %zu is %llu: out of range, there are %zu rows", at,
                           (unsigned long long)p, job->rows);
    }
    return CW_OK;
}

static void rows(void *user, size_t i, size_t end, unsigned thread)
{
    const cw_gather_job *const job = (const cw_gather_job *)user;

    (void)thread;
    for (; i < end; i++) {
        for (size_t first = 0; first < job->columns; first += PIECE)
            piece(job, i, first, job->columns - first < PIECE ? job->columns - first : PIECE);
    }
}

cw_status cw_cpu_gather_sum(const cw_gather_job *job, struct cw_team *team)
{
    const size_t grain = A_THREAD / (job->columns + 1u) + 1u;
    const cw_status status = job->flags & CW_CHECK ? check(job) : CW_OK;
    cw_gather_job copy = *job;

    if (!status)
        cw_team_run(team, cw_team_threads(team), job->n, grain, rows, &copy);
    return status;
}
