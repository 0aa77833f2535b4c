/* survey.h - before a gather: do lines of memory that are asked for come back while the L2 has
 * them?
 *
 * A tile sees that only of its own targets (permute/look.h).  So in each of a few regions of the
 * index a window is read, about as many requests as the L2 holds lines for.  One line in 256, by a
 * hash, is watched: a table counts who asked for it.  If watched lines are asked for twice and
 * more, a plain kernel finds them in the L2, and the tiles of the region are gathered by it.
 *
 * Time: 4 windows of 2^20 requests, 16 MB, some microseconds.  Nothing in shared memory.
 */
#ifndef CW_PERMUTE_SURVEY_H
#define CW_PERMUTE_SURVEY_H

#include "dev/kernel.h"
#include "permute/job.h"

#define SURVEY_AHEAD PERMUTE_SURVEY_AHEAD

/* A request: whether it is watched, and whether it is the first for its line. */
DEV void survey_one(const struct permute_survey *a, uint64_t p, uint32_t region, uint32_t *seen,
                    uint32_t *fresh)
{
    const uint32_t hash = (uint32_t)(p >> a->line) * 0x9e3779b1u;

    if (p < a->n && hash >> a->unwatched == 0) {
        const uint32_t slot = high4(hash * 0x85ebca77u, a->slots);

        *seen += 1u;
        *fresh += gm_add4(a->table + region * a->slots + slot, 1u) == 0u;
    }
}

KERNEL(cw_permute_survey, struct permute_survey, PERMUTE_SURVEY_THREADS, 4)
{
    const uint32_t tile = SURVEY_AHEAD * PERMUTE_SURVEY_THREADS;
    const uint32_t per = (arg->window + tile - 1u) / tile;
    const uint32_t region = BLOCK_ID / per;
    const uint32_t first = (BLOCK_ID - region * per) * tile;
    const uint64_t start = region * arg->region + arg->into + first;
    uint32_t seen = 0, fresh = 0;
    uint64_t p[SURVEY_AHEAD];

    UNROLL for (uint32_t i = 0; i < SURVEY_AHEAD; i++)
    {
        const uint32_t j = i * PERMUTE_SURVEY_THREADS + THREAD_ID;

        p[i] = UINT64_MAX;
        if (first + j < arg->window)
            p[i] = arg->wide ? gm_ld8((const uint64_t *)arg->index + start + j)
                             : gm_ld4((const uint32_t *)arg->index + start + j);
    }
    UNROLL for (uint32_t i = 0; i < SURVEY_AHEAD; i++)
    {
        survey_one(arg, p[i], region, &seen, &fresh);
    }
    if (seen)
        gm_add4(arg->counts + 2u * region, seen);
    if (fresh)
        gm_add4(arg->counts + 2u * region + 1u, fresh);
}

#endif
