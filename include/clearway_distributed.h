/* clearway_distributed.h - sort, permute and partition arrays that are spread over ranks.
 *
 * A rank is a process of an MPI job, a process with a GPU and an NCCL communicator, or a thread.  What
 * the ranks can do together is a cw_group: four functions.  clearway_mpi.h makes one of an MPI_Comm,
 * clearway_nccl.h one of an ncclComm_t, and cw_threads_create, below, one of threads of this process.
 *
 *      cw_group_sort          sort an array of which every rank holds a part
 *      cw_group_permute       move every element to a global place
 *      cw_group_partition     send buckets to ranks: a shuffle by label, bits, splitters or hash
 *
 * Every rank of the group makes the same call, with its own part of the arrays.  All ranks return the
 * same status: if one of them fails, none goes on.  Calls wait until the work is done.  Arrays lie in the
 * memory of each rank's context (CW_CPU, CW_CUDA or CW_EMULATOR; the ranks may differ).
 */
#ifndef CLEARWAY_DISTRIBUTED_H
#define CLEARWAY_DISTRIBUTED_H

#include "clearway.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- groups --------------------------------------------------------------------------------- */

/* One exchange: send_bytes[r] bytes from send + send_at[r] go to rank r, and recv_bytes[r] bytes from
 * rank r arrive at recv + recv_at[r].  Any of them may be 0, or beyond 2^31. */
typedef struct cw_exchange {
    const void *send;
    void *recv;
    const uint64_t *send_bytes, *send_at, *recv_bytes, *recv_at;
    int device;       /* send and recv lie in the memory of a GPU */
    int small;        /* no rank sends or receives 2^31 bytes or more */
    cw_stream stream; /* of the context that the arrays belong to */
} cw_exchange;

typedef enum cw_reduction { CW_SUM, CW_MAX } cw_reduction;

/* What ranks can do together.  The functions return 0, or a code that `text` explains; after a code
 * other than 0 the group is not used again by the call.  `small` memory is the host's in all of them. */
typedef struct cw_group {
    void *self; /* handed to all functions */
    uint32_t rank, ranks;
    int device; /* alltoallv takes memory of the GPU; else it is staged through the host's */
    int (*allgather)(void *self, const void *mine, void *all, size_t bytes); /* bytes of each */
    int (*allreduce)(void *self, uint64_t *values, size_t count, cw_reduction reduction);
    int (*alltoallv)(void *self, const cw_exchange *exchange);
    int (*barrier)(void *self);
    const char *(*text)(void *self, int code); /* may be NULL */
} cw_group;

/* For those who make groups: set what cw_last_error() says, and return the status. */
CW_API cw_status cw_group_error(cw_status status, const char *text);

/* What a call did, on this rank. */
typedef struct cw_group_report {
    uint32_t rounds;         /* of the search for splitters */
    uint64_t messages;       /* sent, if ranks talk directly; a reduction has log2(ranks) of them */
    uint64_t control_bytes;  /* sent to find the splitters and to agree */
    uint64_t exchange_bytes; /* of items sent to other ranks: each item once */
    uint64_t items_in, items_out;
    uint64_t host_bytes; /* allocated besides the workspace, at most at a time */
    double local_seconds, search_seconds, exchange_seconds;
    double staging_seconds; /* part of exchange_seconds: waiting for copies to and from the GPU */
} cw_group_report;

/* Items first .. first + *count - 1 of `total` belong to this rank: all ranks have total / ranks, or one more. */
CW_API void cw_group_share(uint64_t total, uint32_t ranks, uint32_t rank, uint64_t *first,
                           uint64_t *count);

/* ---- sort ----------------------------------------------------------------------------------- */

/* Sort an array of which this rank holds job->n items, also none.  Afterwards it holds the share that
 * cw_group_share names: rank 0 the first, and so on.  With CW_STABLE or an index equal keys keep their
 * order, by rank and then by place; without, they do on the host, and need not on a GPU.  The index is the
 * place in the array as it was spread: ranks in order, each with its n items; index_bytes of 4 up to 2^32
 * items in all.  A `count` is read when the call is made, after the work that the stream waits for: n of this rank is
 * then what it says.  Ranks may have one or not.
 *
 * Output arrays have room for as many items as this rank has before or after, whichever is more.
 * keys_out may be keys_in and values_out may be values_in.  The flags, type and bytes of all ranks' jobs
 * must agree, and so must which arrays are given. */
CW_API cw_status cw_group_sort(const cw_group *group, cw_context *context, const cw_array *job,
                               void *workspace, size_t workspace_bytes, cw_stream stream,
                               cw_group_report *report); /* NULL: none */

/* Bytes of workspace on a rank with job->n items of `total`: as much as the larger of both shares, and
 * what cw_sort needs on top of that in this context (NULL: in any).  With an index and keys_out NULL another
 * array of keys, with values and an index another of indices, and what cw_permute needs to move them.  With counts:
 * what the most items need that there may be is enough for fewer. */
CW_API cw_status cw_group_sort_workspace(const cw_context *context, const cw_array *job,
                                         uint64_t total, uint32_t ranks, size_t *bytes);

/* ---- permute -------------------------------------------------------------------------------- */

/* Item i of this rank goes to global place index[i]: the places of all ranks are 0 .. total - 1, each once.
 * Afterwards this rank holds the share that cw_group_share names; `out` has room for it.  Places are always
 * checked: if one is out of range, or there twice, CW_ERR_LABEL on all ranks, and what `out` holds is not
 * defined.  A `count` is read when the call is made.  CW_GATHER is refused.  Up to 65536 ranks. */
CW_API cw_status cw_group_permute(const cw_group *group, cw_context *context,
                                  const cw_permute_job *job, void *workspace,
                                  size_t workspace_bytes, cw_stream stream,
                                  cw_group_report *report);
CW_API cw_status cw_group_permute_workspace(const cw_context *context, const cw_permute_job *job,
                                            uint64_t total, uint32_t ranks, size_t *bytes);

/* ---- partition ------------------------------------------------------------------------------ */

/* Bucket b of B goes to rank b * ranks / B, so ranks get neighbouring buckets.  On each rank items are
 * ordered by bucket, then by the rank that they came from; inside that they keep their order, unless
 * CW_UNSTABLE gives that up.  `offsets`, `padded` and block_buckets are of what this rank has: buckets of
 * others are empty.  keys_out must be given; index_out, inverse_out and choices are refused.  A `count` is read
 * when the call is made.
 * Labels are always checked, unless CW_DROP drops those that are no bucket's.
 *
 * Output arrays have room for `room` items, and *got says how many came.  If a rank has no room for what it
 * gets, CW_ERR_LENGTH on all of them, with *got set, and no output is written. */
CW_API cw_status cw_group_partition(const cw_group *group, cw_context *context,
                                    const cw_partition_job *job, size_t room, size_t *got,
                                    void *workspace, size_t workspace_bytes, cw_stream stream,
                                    cw_group_report *report);
CW_API cw_status cw_group_partition_workspace(const cw_context *context,
                                              const cw_partition_job *job, size_t room,
                                              size_t *bytes);

/* The rank that bucket b of `buckets` goes to. */
CW_API uint32_t cw_group_bucket_rank(uint32_t bucket, uint32_t buckets, uint32_t ranks);

/* ---- threads of one process ------------------------------------------------------------------- */

/* Ranks that are threads of this process, each with a context of its own, on one GPU or several.  Every
 * thread uses its own cw_group; they meet inside the calls. */
typedef struct cw_threads cw_threads;

CW_API cw_status cw_threads_create(uint32_t ranks, cw_threads **out);
CW_API void cw_threads_destroy(cw_threads *threads); /* NULL is fine */
CW_API cw_status cw_threads_group(cw_threads *threads, uint32_t rank, cw_group *out);

#ifdef __cplusplus
}
#endif
#endif
