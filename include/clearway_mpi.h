/* clearway_mpi.h - sort, permute and partition arrays that are spread over the ranks of an MPI_Comm.
 *
 * Link with clearway_mpi, clearway and MPI.  What the calls do, and what their jobs mean, stands in
 * clearway_distributed.h; each is called by all ranks of the communicator.  MPI must be initialised.
 *
 * The first call on a communicator duplicates it and keeps the duplicate with it until it is freed, so
 * that messages of the library never meet those of the caller.  One thread at a time may use a
 * communicator.  Arrays on a GPU go through MPI as they are where it says that it can do so
 * (MPIX_Query_cuda_support, MPICH's MPIX_GPU_query_support), else through buffers of the host.
 */
#ifndef CLEARWAY_MPI_H
#define CLEARWAY_MPI_H

#include <mpi.h>

#include "clearway_distributed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The communicator as a group: *out points to what is kept with it. */
CW_API cw_status cw_mpi_group(MPI_Comm comm, const cw_group **out);

/* Items of all ranks together, and this rank's share of them afterwards. */
CW_API cw_status cw_mpi_share(MPI_Comm comm, uint64_t n, uint64_t *total, uint64_t *first,
                              uint64_t *count);

CW_API cw_status cw_mpi_sort(MPI_Comm comm, cw_context *context, const cw_array *job,
                             void *workspace, size_t workspace_bytes, cw_stream stream,
                             cw_group_report *report);
CW_API cw_status cw_mpi_permute(MPI_Comm comm, cw_context *context, const cw_permute_job *job,
                                void *workspace, size_t workspace_bytes, cw_stream stream,
                                cw_group_report *report);
CW_API cw_status cw_mpi_partition(MPI_Comm comm, cw_context *context, const cw_partition_job *job,
                                  size_t room, size_t *got, void *workspace, size_t workspace_bytes,
                                  cw_stream stream, cw_group_report *report);

/* The most bytes of one message: 2^30, unless told otherwise.  Longer ones are sent in pieces; all ranks must
 * have the same number, above 0. */
CW_API void cw_mpi_set_piece(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
