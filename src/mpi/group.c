/* group.c - a communicator as a group: kept with it as an attribute, and ended when it is freed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "clearway_mpi.h"
#include "mpi/exchange.h"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

/* May alltoallv be handed memory of a GPU?  Open MPI says so, and MPICH from 4.0 on, each in its
 * way; where an MPI says nothing, it is staged. */
static int takes_device_memory(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support();
#elif defined(MPIX_GPU_SUPPORT_CUDA)
    int takes = 0;

    return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes) == MPI_SUCCESS && takes;
#else
    return 0;
#endif
}

/* ---- the functions --------------------------------------------------------------------------- */

static int allgather(void *self, const void *mine, void *all, size_t bytes)
{
    const struct cw_mpi *const m = (const struct cw_mpi *)self;

    return MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, m->comm);
}

static int allreduce(void *self, uint64_t *values, size_t count, cw_reduction reduction)
{
    const struct cw_mpi *const m = (const struct cw_mpi *)self;

    return MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T,
                         reduction == CW_SUM ? MPI_SUM : MPI_MAX, m->comm);
}

static int alltoallv(void *self, const cw_exchange *x)
{
    return cw_mpi_exchange((struct cw_mpi *)self, x);
}

static int barrier(void *self)
{
    return MPI_Barrier(((const struct cw_mpi *)self)->comm);
}

static const char *text(void *self, int code)
{
    struct cw_mpi *const m = (struct cw_mpi *)self;
    int length = 0;

    if (MPI_Error_string(code, m->text, &length) != MPI_SUCCESS)
        return "an error of MPI";
    return m->text;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static cw_status failed(const char *what, int code)
{
    char said[MPI_MAX_ERROR_STRING + 64], why[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    (void)MPI_Error_string(code, why, &length);
    (void)snprintf(said, sizeof said, "%s: %s", what, why);
    return cw_group_error(CW_ERR_IO, said);
}

static void end(struct cw_mpi *m)
{
    if (m->comm != MPI_COMM_NULL)
        (void)MPI_Comm_free(&m->comm);
    free(m->counts);
    free(m);
}

/* MPI calls this when the communicator is freed. */
static int forget(MPI_Comm comm, int key, void *attribute, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    end((struct cw_mpi *)attribute);
    return MPI_SUCCESS;
}

static struct cw_mpi *fresh(int ranks)
{
    struct cw_mpi *const m = (struct cw_mpi *)calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->comm = MPI_COMM_NULL;
    m->counts = (int *)malloc(4 * (size_t)ranks * sizeof *m->counts);
    if (m->counts)
        return m;
    free(m);
    return NULL;
}

/* Duplicate the communicator.  A rank without memory says so first, since this is done by all or
 * none. */
static cw_status begin(MPI_Comm comm, int key, struct cw_mpi **out)
{
    int ranks, rank, code, fits, all_fit = 0;
    struct cw_mpi *m;

    code = MPI_Comm_size(comm, &ranks);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(comm, &rank);
    if (code != MPI_SUCCESS)
        return failed("the communicator", code);
    m = fresh(ranks);
    fits = m != NULL;
    code = MPI_Allreduce(&fits, &all_fit, 1, MPI_INT, MPI_MIN, comm);
    if (code == MPI_SUCCESS && all_fit)
        code = MPI_Comm_dup(comm, &m->comm);
    if (code == MPI_SUCCESS && all_fit)
        code = MPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS && all_fit)
        code = MPI_Comm_set_attr(comm, key, m);
    if (code != MPI_SUCCESS || !all_fit) {
        if (m)
            end(m);
        return all_fit ? failed("a copy of the communicator", code)
                       : cw_group_error(CW_ERR_MEMORY, "a rank has no memory for its group");
    }
    m->group = (cw_group){.self = m,
                          .rank = (uint32_t)rank,
                          .ranks = (uint32_t)ranks,
                          .device = takes_device_memory(),
                          .allgather = allgather,
                          .allreduce = allreduce,
                          .alltoallv = alltoallv,
                          .barrier = barrier,
                          .text = text};
    *out = m;
    return CW_OK;
}

/* One key for the process: threads may make their first calls, each on a communicator, at the same
 * time. */
static int key_of(int *out)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int key = MPI_KEYVAL_INVALID;
    int code = MPI_SUCCESS;

    (void)pthread_mutex_lock(&lock);
    if (key == MPI_KEYVAL_INVALID)
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
    *out = key;
    (void)pthread_mutex_unlock(&lock);
    return code;
}

cw_status cw_mpi_group(MPI_Comm comm, const cw_group **out)
{
    struct cw_mpi *m = NULL;
    int there = 0, initialised = 0, key, code;
    cw_status status = CW_OK;

    if (!out)
        return cw_group_error(CW_ERR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (MPI_Initialized(&initialised) != MPI_SUCCESS || !initialised)
        return cw_group_error(CW_ERR_ARGUMENT, "MPI is not initialised");
    if (comm == MPI_COMM_NULL)
        return cw_group_error(CW_ERR_ARGUMENT, "the communicator is MPI_COMM_NULL");
    code = key_of(&key);
    if (code != MPI_SUCCESS)
        return failed("a key for communicators", code);
    code = MPI_Comm_get_attr(comm, key, &m, &there);
    if (code != MPI_SUCCESS)
        return failed("the communicator", code);
    if (!there)
        status = begin(comm, key, &m);
    if (!status)
        *out = &m->group;
    return status;
}
