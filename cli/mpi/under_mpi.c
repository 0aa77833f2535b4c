/* under_mpi.c - `mpirun -n 8 clearway sort ..`: the tool itself knows no MPI and hands over to clearway-mpi. */
#define _POSIX_C_SOURCE 200809L

#include "under_mpi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static unsigned long number(const char *variable)
{
    const char *const text = getenv(variable);

    return text ? strtoul(text, NULL, 10) : 0;
}

unsigned long under_mpi(void)
{
    unsigned long ranks = number("OMPI_COMM_WORLD_SIZE"); /* Open MPI */

    if (!ranks)
        ranks = number("PMI_SIZE"); /* MPICH, Intel MPI, Slurm */
    if (!ranks && getenv("PMIX_RANK"))
        ranks = number("SLURM_STEP_NUM_TASKS");
    return ranks > 1 ? ranks : 1;
}

int become_a_rank(char **argv)
{
    static const char name[] = "clearway-mpi";
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof name);
    char *slash;

    path[length > 0 ? length : 0] = '\0';
    slash = strrchr(path, '/');
    if (!slash)
        return complain(FAILED, "cannot find where this program lies");
    memcpy(slash + 1, name, sizeof name);
    (void)execv(path, argv);
    if (errno == ENOENT)
        return complain(USAGE, "%lu ranks, but this clearway was built without MPI: start one",
                        under_mpi());
    return complain(FAILED, "cannot run %s: %s", path, strerror(errno));
}
