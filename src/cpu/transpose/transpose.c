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
#define SHARES    8u /* of a loop, for each thread: no one waits long for the last */

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

/* What all threads share. */
struct all {
    const cw_transpose_job *job;
    char *const *buffer;
    struct cw_team *team;
    unsigned threads;
};

/* Do x of n in shares, about SHARES of them for each thread. */
static void run(struct all *all, size_t n, cw_share *body)
{
    cw_team_run(all->team, all->threads, n, n / (SHARES * all->threads) + 1, body, all);
}

static void some_tiles(void *user, size_t x, size_t end, unsigned thread)
{
    const cw_transpose_job *job = ((const struct all *)user)->job;
    const size_t bands = bands_of(job);

    (void)thread;
    while (x < end) {
        const struct cw_matrix m = matrix_of(job, x / bands);
        const size_t b = x % bands, some = bands - b < end - x ? bands - b : end - x;

        cw_transpose_bands(&m, b, b + some);
        x += some;
    }
}

/* ---- in place ------------------------------------------------------------------------------- */

static void some_copies(void *user, size_t k, size_t end, unsigned thread)
{
    const struct all *all = (const struct all *)user;
    const cw_transpose_job *job = all->job;

    for (; k < end; k++) {
        struct cw_matrix m = matrix_of(job, k);
        char *const copy = all->buffer[thread];

        memcpy(copy, m.in, matrix_bytes(job));
        m.in = copy;
        cw_transpose_bands(&m, 0, bands_of(job));
    }
}

static void some_trades(void *user, size_t x, size_t end, unsigned thread)
{
    const cw_transpose_job *job = ((const struct all *)user)->job;
    const size_t bands = bands_of(job);

    (void)thread;
    for (; x < end; x++) {
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

static void in_place(struct all *all, size_t batch)
{
    const cw_transpose_job *job = all->job;

    if (matrix_bytes(job) <= SMALL)
        run(all, batch, some_copies);
    else if (job->rows == job->columns) /* bands get shorter, so each is a share */
        cw_team_run(all->team, all->threads, bands_of(job) * batch, 1, some_trades, all);
    else
        for (size_t k = 0; k < batch; k++)
            cw_transpose_in_place(job->rows, job->columns, job->bytes,
                                  (char *)job->out + k * matrix_bytes(job), all->buffer, all->team,
                                  all->threads);
}

static cw_status with_buffers(struct all *all, size_t batch)
{
    const cw_transpose_job *job = all->job;
    const unsigned threads = all->threads;
    const size_t each = (buffer_bytes(job) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t list = (threads * sizeof(char *) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *const memory = (char *)cw_team_buffers(all->team, list + threads * each);
    char **const buffer = (char **)memory;

    if (!memory)
        return cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", each, threads);
    for (unsigned t = 0; t < threads; t++)
        buffer[t] = memory + list + t * each;
    all->buffer = buffer;
    in_place(all, batch);
    cw_team_buffers_done(all->team, memory);
    return CW_OK;
}

/* ---- the call ------------------------------------------------------------------------------- */

cw_status cw_cpu_transpose(const cw_transpose_job *job, void *workspace, struct cw_team *team)
{
    const size_t batch = job->batch ? job->batch : 1, bytes = batch * matrix_bytes(job);
    struct all all = {job, NULL, team, bytes <= SMALL ? 1 : cw_team_threads(team)};

    (void)workspace;
    if (!bytes)
        return CW_OK;
    if (job->rows == 1 || job->columns == 1) {
        if (job->in != job->out)
            memcpy(job->out, job->in, bytes);
        return CW_OK;
    }
    if (job->in == job->out)
        return with_buffers(&all, batch);
    run(&all, bands_of(job) * batch, some_tiles);
    return CW_OK;
}
