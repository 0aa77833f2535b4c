/* work.h - what the parts of cw_permute on host threads hand each other. */
#ifndef CW_CPU_PERMUTE_WORK_H
#define CW_CPU_PERMUTE_WORK_H

#include <string.h>

#include "clearway.h"
#include "cpu/inline.h"

struct cw_team;

/* How a long array is cut into windows of 2^shift elements. */
struct cw_windows {
    uint32_t shift, count;
    size_t offset_bytes; /* of a place inside a window: 2 or 4 */
};

/* Windows for an array that is permuted in passes, `least` bytes or more; count 0: it is not. */
struct cw_windows cw_permute_windows(const cw_permute_job *job, size_t least);

size_t cw_permute_windows_bytes(const cw_permute_job *job, const struct cw_windows *w);

/* In passes.  An index that is no permutation: CW_ERR_LABEL with no text, if it is to be checked.
 */
cw_status cw_permute_by_windows(const cw_permute_job *job, const struct cw_windows *w,
                                void *workspace, struct cw_team *team);

/* cw_cpu_permute with the length from which on windows are used: for tests. */
size_t cw_cpu_permute_workspace_by(const cw_permute_job *job, size_t least);
cw_status cw_cpu_permute_by(const cw_permute_job *job, void *workspace, struct cw_team *team,
                            size_t least);

/* Index i. */
CW_INLINE uint64_t cw_permute_index(const cw_permute_job *job, size_t i)
{
    uint32_t x4;
    uint64_t x8;

    if (job->index_bytes == 4)
        return memcpy(&x4, (const char *)job->index + 4 * i, 4), x4;
    return memcpy(&x8, (const char *)job->index + 8 * i, 8), x8;
}

#endif
