/* transpose.c - cw_transpose on threads of the host: which way, and by whom.
 *
 * Out of place by tiles.  In place: small matrices by way of a copy, square ones by trading tiles,
 * all others by passes over rows and columns.  Threads share a large matrix, and take small ones
 * each for itself.
 */
#include "cpu/transpose/transpose.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "cpu/transpose/in_place.h"
#include "cpu/transpose/tiles.h"
#include "base/status.h"

#define SMALL     ((size_t)256 << 10) /* bytes of a matrix that one thread transposes */
#define PAST      ((size_t)8 << 20)   /* of one that is written past the caches, at least */
#define ALIGNMENT 256u

size_t cw_cpu_transpose_workspace(const cw_transpose_job *job)
{
    (void)job;
    return 0;
}

static size_t matrix_bytes(const cw_transpose_job *job)
{
    return job->rows * job->columns * job->bytes;
}

static struct cw_matrix matrix_of(const cw_transpose_job *job, size_t k)
{
    const size_t at = k * matrix_bytes(job);
    const struct cw_matrix m = {job->rows,
                                job->columns,
                                job->bytes,
                                (const char *)job->in + at,
                                (char *)job->out + at,
                                matrix_bytes(job) >= PAST};

    return m;
}

static size_t bands_of(const cw_transpose_job *job)
{
    const size_t side = cw_tile_side(job->bytes);

    return (job->rows + side - 1) / side;
}

/* ---- out of place --------------------------------------------------------------------------- */

static void by_tiles(const cw_transpose_job *job, size_t batch, unsigned threads)
{
    const size_t bands = bands_of(job), all = bands * batch;

    (void)threads;
    CW_OMP(omp parallel for num_threads((int)threads) if (threads > 1))
    for (size_t x = 0; x < all; x++) {
        const struct cw_matrix m = matrix_of(job, x / bands);

        cw_transpose_band(&m, x % bands);
    }
}

/* ---- in place ------------------------------------------------------------------------------- */

static void by_copies(const cw_transpose_job *job, size_t batch, char *const *buffer,
                      unsigned threads)
{
    (void)threads;
    CW_OMP(omp parallel for num_threads((int)threads) if (threads > 1))
    for (size_t k = 0; k < batch; k++) {
        struct cw_matrix m = matrix_of(job, k);
        char *const copy = buffer[threads > 1 ? cw_thread() : 0];

        memcpy(copy, m.in, matrix_bytes(job));
        m.in = copy;
        for (size_t b = 0; b < bands_of(job); b++)
            cw_transpose_band(&m, b);
    }
}

static void by_trades(const cw_transpose_job *job, size_t batch, unsigned threads)
{
    const size_t bands = bands_of(job), all = bands * batch;

    (void)threads;
    CW_OMP(omp parallel for schedule(dynamic) num_threads((int)threads) if (threads > 1))
    for (size_t x = 0; x < all; x++) {
        const struct cw_matrix m = matrix_of(job, x / bands);

        cw_transpose_square_band(&m, x % bands);
    }
}

static size_t buffer_bytes(const cw_transpose_job *job)
{
    if (matrix_bytes(job) <= SMALL)
        return matrix_bytes(job);
    return job->rows == job->columns ? 0 : cw_in_place_bytes(job->rows, job->columns, job->bytes);
}

static void in_place(const cw_transpose_job *job, size_t batch, char *const *buffer,
                     unsigned threads)
{
    if (matrix_bytes(job) <= SMALL)
        by_copies(job, batch, buffer, threads);
    else if (job->rows == job->columns)
        by_trades(job, batch, threads);
    else
        for (size_t k = 0; k < batch; k++)
            cw_transpose_in_place(job->rows, job->columns, job->bytes,
                                  (char *)job->out + k * matrix_bytes(job), buffer, threads);
}

static cw_status with_buffers(const cw_transpose_job *job, size_t batch, unsigned threads)
{
    const size_t each = (buffer_bytes(job) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t list = (threads * sizeof(char *) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *const memory = (char *)aligned_alloc(ALIGNMENT, list + threads * each);
    char **const buffer = (char **)memory;

    if (!memory)
        return cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", each, threads);
    for (unsigned t = 0; t < threads; t++)
        buffer[t] = memory + list + t * each;
    in_place(job, batch, buffer, threads);
    free(memory);
    return CW_OK;
}

/* ---- the call ------------------------------------------------------------------------------- */

cw_status cw_cpu_transpose(const cw_transpose_job *job, void *workspace, unsigned threads)
{
    const size_t batch = job->batch ? job->batch : 1, all = batch * matrix_bytes(job);

    (void)workspace;
    threads = all <= SMALL ? 1 : cw_threads(threads);
    if (!all)
        return CW_OK;
    if (job->rows == 1 || job->columns == 1) {
        if (job->in != job->out)
            memcpy(job->out, job->in, all);
        return CW_OK;
    }
    if (job->in == job->out)
        return with_buffers(job, batch, threads);
    by_tiles(job, batch, threads);
    return CW_OK;
}
