/* permute.c - cw_permute on threads of the host: short arrays, wide elements, and the check.
 *
 * Elements that stay in cache, or fill lines of memory by themselves, are moved one by one, each
 * thread those of a stretch.  Others go by way of windows (permute/windows.c).
 */
#include "cpu/permute/permute.h"

#include "cpu/permute/work.h"
#include "base/threads.h"
#include "base/status.h"

#define LONG     ((size_t)6 << 20) /* bytes of an array that is permuted in passes, at least */
#define A_THREAD 16384u            /* elements for each, at least */
#define AHEAD    24u               /* elements that are asked for before they are needed */

static size_t bits_bytes(const cw_permute_job *job)
{
    return (job->n + 63) / 64 * 8;
}

/* How many entries the index has. */
static size_t entries_of(const cw_permute_job *job)
{
    uint64_t count = 0;

    if (!job->count)
        return job->n;
    memcpy(&count, job->count, job->count_bytes); /* the low bytes come first */
    return count < job->n ? (size_t)count : job->n;
}

/* ---- the check ------------------------------------------------------------------------------ */

cw_status cw_permute_out_of_range(const cw_permute_job *job, size_t i, uint64_t p)
{
    const long long value =
        job->index_bytes == 4 ? (long long)(int32_t)(uint32_t)p : (long long)(int64_t)p;

    if (job->index_signed && value < 0)
        return cw_fail(CW_ERR_LABEL, "index %zu is %lld: negative", i, value);
    return cw_fail(CW_ERR_LABEL, "index %zu is %llu: out of range, n is %zu", i,
                   (unsigned long long)p, job->n);
}

/* Name the first index that is out of range, or was there before; `bits`: n of them. */
static cw_status check(const cw_permute_job *job, uint64_t *bits)
{
    const size_t items = entries_of(job);

    memset(bits, 0, bits_bytes(job));
    for (size_t i = 0; i < items; i++) {
        const uint64_t p = cw_permute_index(job, i);

        if (p >= job->n)
            return cw_permute_out_of_range(job, i, p);
        if (bits[p / 64] >> p % 64 & 1)
            return cw_fail(CW_ERR_LABEL, "index %zu is %llu: there was one before", i,
                           (unsigned long long)p);
        bits[p / 64] |= UINT64_C(1) << p % 64;
    }
    return CW_OK;
}

/* ---- one by one ----------------------------------------------------------------------------- */

/* Elements i .. end - 1; `bytes` is a constant where that helps. */
CW_INLINE void scatter(const cw_permute_job *job, size_t i, size_t end, size_t bytes)
{
    const char *in = (const char *)job->in;
    char *out = (char *)job->out;

    for (; i < end; i++) {
        const uint64_t p = cw_permute_index(job, i);

        if (p < job->n)
            memcpy(out + p * bytes, in + i * bytes, bytes);
    }
}

CW_INLINE void gather(const cw_permute_job *job, size_t i, size_t end, size_t bytes)
{
    const char *in = (const char *)job->in;
    char *out = (char *)job->out;

    for (; i < end; i++) {
        const uint64_t p = cw_permute_index(job, i);

#if defined(__GNUC__)
        if (i + AHEAD < end)
            __builtin_prefetch(in + cw_permute_index(job, i + AHEAD) % job->n * bytes);
#endif
        if (p < job->n)
            memcpy(out + i * bytes, in + p * bytes, bytes);
    }
}

CW_INLINE void move(const cw_permute_job *job, size_t i, size_t end, size_t bytes)
{
    if (job->flags & CW_GATHER)
        gather(job, i, end, bytes);
    else
        scatter(job, i, end, bytes);
}

static void move_stretch(const cw_permute_job *job, size_t i, size_t end)
{
#define MOVE(width) move(job, i, end, width)
    CW_BY_WIDTH(job->bytes, MOVE, job->bytes)
#undef MOVE
}

static void move_share(void *user, size_t from, size_t end, unsigned thread)
{
    (void)thread;
    move_stretch((const cw_permute_job *)user, from, end);
}

static void move_all(const cw_permute_job *job, struct cw_team *team)
{
    const unsigned threads = cw_team_threads(team);
    const size_t items = entries_of(job);
    const unsigned most = items / A_THREAD < threads ? (unsigned)(items / A_THREAD) + 1 : threads;
    cw_permute_job copy = *job;

    cw_team_run(team, most, items, items / most + 1, move_share, &copy);
}

/* ---- the call ------------------------------------------------------------------------------- */

size_t cw_cpu_permute_workspace_by(const cw_permute_job *job, size_t least)
{
    const struct cw_windows w = cw_permute_windows(job, least);
    const size_t bits = job->flags & CW_CHECK ? bits_bytes(job) : 0;
    const size_t passes = w.count ? cw_permute_windows_bytes(job, &w) : 0;

    return bits > passes ? bits : passes;
}

cw_status cw_cpu_permute_by(const cw_permute_job *job, void *workspace, struct cw_team *team,
                            size_t least)
{
    const struct cw_windows w = cw_permute_windows(job, least);
    cw_status status = CW_OK;

    if (w.count) {
        status = cw_permute_by_windows(job, &w, workspace, team);
        if (status == CW_ERR_LABEL)
            return check(job, (uint64_t *)workspace); /* says which */
        return status;
    }
    if (job->flags & CW_CHECK)
        status = check(job, (uint64_t *)workspace);
    if (!status)
        move_all(job, team);
    return status;
}

size_t cw_cpu_permute_workspace(const cw_permute_job *job)
{
    return cw_cpu_permute_workspace_by(job, LONG);
}

cw_status cw_cpu_permute(const cw_permute_job *job, void *workspace, struct cw_team *team)
{
    return cw_cpu_permute_by(job, workspace, team, LONG);
}
