/* call.h - one call of cw_group_sort: its arrays, what it needs, and where that lies. */
#ifndef CW_DISTRIBUTED_SORT_CALL_H
#define CW_DISTRIBUTED_SORT_CALL_H

#include "api/context.h"
#include "distributed/local.h"
#include "distributed/move.h"
#include "distributed/ranks/hello.h"

enum { KEYS, VALUES, INDEX, ARRAYS };

struct cw_sort_call {
    struct cw_peers peers;
    cw_context *context;
    cw_stream stream;
    cw_array job;
    struct cw_everyone all;
    uint64_t n_out;
    size_t bytes[ARRAYS];
    void *out[ARRAYS];     /* the caller's; of keys that he does not want, in the workspace */
    void *arrived[ARRAYS]; /* in the workspace */
    void *kept;            /* indices that wait until the keys are sorted */
    void *cuts;            /* in the workspace, behind what arrived: where runs are cut (runs.h) */
    void *workspace;
    size_t workspace_bytes;
    struct cw_moves moves;
    int in_place; /* no item of any rank goes to another one */
};

/* ---- sort_room.c ---------------------------------------------------------------------------- */

/* A call before anything is known of the other ranks. */
void cw_sort_call_begin(struct cw_sort_call *c, cw_context *context, const cw_array *job);

/* Check what does not need the arrays.  `total`: items of all ranks. */
cw_status cw_sort_call_check(const cw_array *job, uint64_t total);

/* Check what needs the others' items: is the workspace large enough, and apart from the outputs? */
cw_status cw_sort_call_check_room(const struct cw_sort_call *c);

/* Find the arrays in the workspace. */
void cw_sort_call_lay_out(struct cw_sort_call *c);

/* The sort of what is here, the sort of what arrived, and the gather of indices to `to`. */
cw_array cw_sort_call_first(const struct cw_sort_call *c);
cw_array cw_sort_call_second(const struct cw_sort_call *c);
cw_permute_job cw_sort_call_gather(const struct cw_sort_call *c, void *to);

/* n sorted keys, to be looked up. */
struct cw_local_keys cw_sort_call_keys(const struct cw_sort_call *c, const void *keys, uint64_t n,
                                       void *scratch);

static inline size_t cw_sort_call_rounded(size_t bytes)
{
    return (bytes + 255u) / 256u * 256u;
}

/* ---- arrived.c ------------------------------------------------------------------------------ */

/* Merge or sort what arrived, to the outputs. */
cw_status cw_sort_arrived(struct cw_sort_call *c);

#endif
