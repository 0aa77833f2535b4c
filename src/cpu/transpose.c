/* transpose.c - cw_transpose on threads of the host: each takes blocks of 32 x 32 elements.
 *
 * In place, a matrix is copied to the workspace first; it has room for one.
 */
#include "cpu/transpose.h"

#include <string.h>

#include "cpu/threads.h"

#define SIDE 32u

size_t cw_cpu_transpose_workspace(const cw_transpose_job *job, int in_place)
{
    return in_place && job->rows > 1 && job->columns > 1 && job->batch
               ? (job->rows * job->columns * job->bytes + 255u) / 256u * 256u
               : 0;
}

static void block(const cw_transpose_job *job, const uint8_t *in, uint8_t *out, size_t i, size_t j)
{
    const size_t down = job->rows - i < SIDE ? job->rows : i + SIDE;
    const size_t across = job->columns - j < SIDE ? job->columns : j + SIDE;
    const size_t bytes = job->bytes;

    for (size_t y = j; y < across; y++) {
        for (size_t x = i; x < down; x++)
            memcpy(out + (y * job->rows + x) * bytes, in + (x * job->columns + y) * bytes, bytes);
    }
}

static void matrix(const cw_transpose_job *job, const uint8_t *in, uint8_t *out, unsigned threads)
{
    const unsigned all = job->rows * job->columns < 65536u ? 1u : cw_threads(threads);
    const size_t across = (job->columns + SIDE - 1) / SIDE;
    const int64_t blocks = (int64_t)((job->rows + SIDE - 1) / SIDE * across);

    (void)all;
    CW_OMP(omp parallel for num_threads(all) schedule(static))
    for (int64_t b = 0; b < blocks; b++)
        block(job, in, out, (size_t)b / across * SIDE, (size_t)b % across * SIDE);
}

cw_status cw_cpu_transpose(const cw_transpose_job *job, void *workspace, unsigned threads)
{
    const size_t bytes = job->rows * job->columns * job->bytes;

    for (size_t k = 0; k < job->batch; k++) {
        const uint8_t *in = (const uint8_t *)job->in + k * bytes;
        uint8_t *const out = (uint8_t *)job->out + k * bytes;

        if (job->in == job->out && (job->rows <= 1 || job->columns <= 1))
            continue;
        if (job->in == job->out) {
            memcpy(workspace, in, bytes);
            in = (const uint8_t *)workspace;
        }
        matrix(job, in, out, threads);
    }
    return CW_OK;
}
