/* calls.c - the calls of clearway_mpi.h: the communicator's group, then the call on it. */
#include "clearway_mpi.h"

cw_status cw_mpi_share(MPI_Comm comm, uint64_t n, uint64_t *total, uint64_t *first, uint64_t *count)
{
    const cw_group *group;
    cw_status status = cw_mpi_group(comm, &group);
    uint64_t all = n;
    int code;

    if (status)
        return status;
    if (!total || !first || !count)
        return cw_group_error(CW_ERR_ARGUMENT, "total, first or count is NULL");
    code = group->allreduce(group->self, &all, 1, CW_SUM);
    if (code)
        return cw_group_error(CW_ERR_IO, group->text(group->self, code));
    *total = all;
    cw_group_share(all, group->ranks, group->rank, first, count);
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
