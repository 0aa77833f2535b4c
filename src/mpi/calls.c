/* calls.c - the calls of clearway_mpi.h: the communicator's group, then the call on it. */
#include "clearway_mpi.h"

/* A rank without arguments says so to all, as in other calls: none waits for it. */
cw_status cw_mpi_share(MPI_Comm comm, uint64_t n, uint64_t *total, uint64_t *first, uint64_t *count)
{
    const int bad = !total || !first || !count;
    uint64_t sums[2] = {n, bad};
    const cw_group *group;
    cw_status status = cw_mpi_group(comm, &group);
    int code;

    if (status)
        return status;
    code = group->allreduce(group->self, sums, 2, CW_SUM);
    if (code)
        return cw_group_error(CW_ERR_IO, group->text(group->self, code));
    if (sums[1])
        return cw_group_error(CW_ERR_ARGUMENT, bad ? "total, first or count is NULL"
                                                   : "total, first or count of a rank is NULL");
    *total = sums[0];
    cw_group_share(sums[0], group->ranks, group->rank, first, count);
    return CW_OK;
}

cw_status cw_mpi_sort(MPI_Comm comm, cw_context *context, const cw_array *job, void *workspace,
                      size_t workspace_bytes, cw_stream stream, cw_group_report *report)
{
    const cw_group *group;
    const cw_status status = cw_mpi_group(comm, &group);

    return status ? status
                  : cw_group_sort(group, context, job, workspace, workspace_bytes, stream, report);
}

cw_status cw_mpi_permute(MPI_Comm comm, cw_context *context, const cw_permute_job *job,
                         void *workspace, size_t workspace_bytes, cw_stream stream,
                         cw_group_report *report)
{
    const cw_group *group;
    const cw_status status = cw_mpi_group(comm, &group);

    return status
               ? status
               : cw_group_permute(group, context, job, workspace, workspace_bytes, stream, report);
}

cw_status cw_mpi_partition(MPI_Comm comm, cw_context *context, const cw_partition_job *job,
                           size_t room, size_t *got, void *workspace, size_t workspace_bytes,
                           cw_stream stream, cw_group_report *report)
{
    const cw_group *group;
    const cw_status status = cw_mpi_group(comm, &group);

    return status ? status
                  : cw_group_partition(group, context, job, room, got, workspace, workspace_bytes,
                                       stream, report);
}
