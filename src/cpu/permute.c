/* permute.c - cw_permute on threads of the host: each takes a share of i.
 *
 * Needs no workspace.  Indices out of range are left out.
 */
#include "cpu/permute.h"

#include <string.h>

#include "cpu/threads.h"

size_t cw_cpu_permute_workspace(const cw_permute_job *job)
{
    (void)job;
    return 0;
}

static void move(void *out, size_t to, const void *in, size_t from, size_t bytes)
{
    switch (bytes) {
    case 4:
        ((uint32_t *)out)[to] = ((const uint32_t *)in)[from];
        break;
    case 8:
        ((uint64_t *)out)[to] = ((const uint64_t *)in)[from];
        break;
    default:
        memcpy((uint8_t *)out + to * bytes, (const uint8_t *)in + from * bytes, bytes);
    }
}

cw_status cw_cpu_permute(const cw_permute_job *job, void *workspace, unsigned threads)
{
    const unsigned all = job->n < 65536u ? 1u : cw_threads(threads);
    const int64_t n = (int64_t)job->n;

    (void)workspace;
    (void)all;
    CW_OMP(omp parallel for num_threads(all) schedule(static))
    for (int64_t i = 0; i < n; i++) {
        const uint64_t p = job->index_bytes == 8 ? ((const uint64_t *)job->index)[i]
                                                 : ((const uint32_t *)job->index)[i];

        if (p < job->n)
            move(job->out, job->flags & CW_GATHER ? (size_t)i : (size_t)p, job->in,
                 job->flags & CW_GATHER ? (size_t)p : (size_t)i, job->bytes);
    }
    return CW_OK;
}
