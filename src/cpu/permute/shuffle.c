/* shuffle.c - cw_shuffle on threads of the host: each takes a stretch of the output and gathers.
 *
 * Where elements come from is computed some steps ahead, so that they are on their way from memory
 * while others are moved.
 */
#include "cpu/permute/shuffle.h"

#include <string.h>

#include "base/threads.h"
#include "cpu/inline.h"
#include "prim/bijection.h"

#define AHEAD    32u
#define A_THREAD 16384u

/* Elements i .. end - 1 of the output; `bytes` is a constant where that helps. */
CW_INLINE void gather(const cw_shuffle_job *job, const struct bijection *b, size_t i, size_t end,
                      size_t bytes)
{
    const char *const in = (const char *)job->in;
    char *const out = (char *)job->out;
    const char *from[AHEAD];

    for (size_t first = i; first < end; first += AHEAD) {
        const size_t count = end - first < AHEAD ? end - first : AHEAD;

        for (size_t k = 0; k < count; k++) {
            const uint64_t at =
                job->inverse ? bijection_at(b, first + k) : bijection_back(b, first + k);

            from[k] = in + at * bytes;
#if defined(__GNUC__)
            __builtin_prefetch(from[k]);
#endif
        }
        for (size_t k = 0; k < count; k++)
            memcpy(out + (first + k) * bytes, from[k], bytes);
    }
}

static void stretch(const cw_shuffle_job *job, const struct bijection *b, size_t i, size_t end)
{
#define GATHER(width) gather(job, b, i, end, width)
    CW_BY_WIDTH(job->bytes, GATHER, job->bytes)
#undef GATHER
}

struct work {
    const cw_shuffle_job *job;
    struct bijection b;
};

static void share(void *user, size_t from, size_t end, unsigned thread)
{
    const struct work *const w = (const struct work *)user;

    (void)thread;
    stretch(w->job, &w->b, from, end);
}

void cw_cpu_shuffle(const cw_shuffle_job *job, struct cw_team *team)
{
    struct work w = {job, bijection_of(job->n, job->seed)};

    cw_team_run(team, cw_team_threads(team), job->n, A_THREAD, share, &w);
}
