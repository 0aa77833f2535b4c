/* permute.c - cw_permute on threads of the host: short arrays, wide elements, and the check.
 *
 * Elements that stay in cache, or fill lines of memory by themselves, are moved one by one, each
 * thread those of a stretch.  Others go by way of windows (permute/windows.c).
 */
#include "cpu/permute/permute.h"

#include "cpu/permute/work.h"
#include "base/threads.h"
#include "base/status.h"

/* From how many bytes on an array is permuted in passes; and from how many elements, if they are
 * checked, since the marks of a window stay in cache. */
#define LONG     ((size_t)192 << 20)
#define CHECKED  ((size_t)12 << 20)
#define A_THREAD 16384u              /* elements for each, at least */
#define AHEAD    24u                 /* elements that are asked for before they are needed */
#define CACHED   ((size_t)512 << 10) /* bytes of an array that a cache holds */
#define MARKED   ((size_t)1 << 26)   /* places that are checked by a byte each; more by a bit */

static size_t bits_bytes(const cw_permute_job *job)
{
    return (job->n + 63) / 64 * 8;
}

/* Room for the check: a byte a place and one more, or a bit. */
static size_t check_bytes(const cw_permute_job *job)
{
    return job->n < MARKED ? job->n + 8 : bits_bytes(job);
}

CW_INLINE uint64_t index_at(const void *index, size_t i, size_t bytes)
{
    uint32_t x4;
    uint64_t x8;

    if (bytes == 4)
        return memcpy(&x4, (const char *)index + 4 * i, 4), x4;
    return memcpy(&x8, (const char *)index + 8 * i, 8), x8;
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
static cw_status find_wrong(const cw_permute_job *job, uint64_t *bits)
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

/* A byte for each place that an index names: so many have one.  What is out of range is marked behind the last; and nothing
 * waits for what was stored before, as bits of a word would. */
CW_INLINE size_t mark(const void *index, size_t items, size_t n, size_t index_bytes,
                      unsigned char *marks)
{
    size_t all = 0, i = 0;

    memset(marks, 0, n);
    for (; i < items; i++) {
        const uint64_t p = index_at(index, i, index_bytes);

        marks[p < n ? p : n] = 1;
    }
    for (i = 0; i + 64 <= n; i += 64) {
        uint64_t word, some = 0;

        for (size_t k = 0; k < 64; k += 8) {
            memcpy(&word, marks + i + k, 8);
            some += word; /* up to 8 in each byte */
        }
        all += (some * UINT64_C(0x0101010101010101)) >> 56;
    }
    for (; i < n; i++)
        all += marks[i];
    return all;
}

static int is_permutation(const cw_permute_job *job, unsigned char *marks)
{
    const size_t items = entries_of(job);

    return (job->index_bytes == 4 ? mark(job->index, items, job->n, 4, marks)
                                  : mark(job->index, items, job->n, 8, marks)) == items;
}

static cw_status check(const cw_permute_job *job, void *room)
{
    if (job->n < MARKED && is_permutation(job, (unsigned char *)room))
        return CW_OK;
    return find_wrong(job, (uint64_t *)room);
}

/* ---- one by one ----------------------------------------------------------------------------- */

/* Elements i .. end - 1; widths are constants where that helps. */
CW_INLINE void scatter(const cw_permute_job *job, size_t i, size_t end, size_t bytes,
                       size_t index_bytes)
{
    const char *in = (const char *)job->in;
    const void *const index = job->index;
    const size_t n = job->n;
    char *out = (char *)job->out;

    for (; i < end; i++) {
        const uint64_t p = index_at(index, i, index_bytes);

        if (p < n)
            memcpy(out + p * bytes, in + i * bytes, bytes);
    }
}

/* An array that a cache holds need not be asked for: `ahead` is 0. */
CW_INLINE void gather(const cw_permute_job *job, size_t i, size_t end, size_t bytes,
                      size_t index_bytes, size_t ahead)
{
    const char *in = (const char *)job->in;
    const void *const index = job->index;
    const size_t n = job->n, last = ahead ? n - 1 : 0;
    char *out = (char *)job->out;

    for (; i < end; i++) {
        const uint64_t p = index_at(index, i, index_bytes);

#if defined(__GNUC__)
        if (ahead && i + ahead < end) {
            const uint64_t next = index_at(index, i + ahead, index_bytes);

            __builtin_prefetch(in + (next < last ? next : last) * bytes);
        }
#endif
        if (p < n)
            memcpy(out + i * bytes, in + p * bytes, bytes);
    }
}

CW_INLINE void move(const cw_permute_job *job, size_t i, size_t end, size_t bytes,
                    size_t index_bytes)
{
    if (!(job->flags & CW_GATHER))
        scatter(job, i, end, bytes, index_bytes);
    else if (job->n * bytes <= CACHED)
        gather(job, i, end, bytes, index_bytes, 0);
    else
        gather(job, i, end, bytes, index_bytes, AHEAD);
}

static void move_stretch(const cw_permute_job *job, size_t i, size_t end)
{
#define MOVE4(width) move(job, i, end, width, 4)
#define MOVE8(width) move(job, i, end, width, 8)
    if (job->index_bytes == 4) {
        CW_BY_WIDTH(job->bytes, MOVE4, job->bytes)
    } else {
        CW_BY_WIDTH(job->bytes, MOVE8, job->bytes)
    }
#undef MOVE4
#undef MOVE8
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
    const size_t room = job->flags & CW_CHECK ? check_bytes(job) : 0;
    const size_t passes = w.count ? cw_permute_windows_bytes(job, &w) : 0;

    return room > passes ? room : passes;
}

cw_status cw_cpu_permute_by(const cw_permute_job *job, void *workspace, struct cw_team *team,
                            size_t least)
{
    const struct cw_windows w = cw_permute_windows(job, least);
    cw_status status = CW_OK;

    if (w.count) {
        status = cw_permute_by_windows(job, &w, workspace, team);
        if (status == CW_ERR_LABEL)
            return find_wrong(job, (uint64_t *)workspace); /* says which */
        return status;
    }
    if (job->flags & CW_CHECK)
        status = check(job, workspace);
    if (!status)
        move_all(job, team);
    return status;
}

/* Bytes from which an array goes by windows. */
static size_t least_of(const cw_permute_job *job)
{
    return job->flags & CW_CHECK && job->n >= CHECKED ? 0 : LONG;
}

size_t cw_cpu_permute_workspace(const cw_permute_job *job)
{
    return cw_cpu_permute_workspace_by(job, least_of(job));
}

cw_status cw_cpu_permute(const cw_permute_job *job, void *workspace, struct cw_team *team)
{
    return cw_cpu_permute_by(job, workspace, team, least_of(job));
}
