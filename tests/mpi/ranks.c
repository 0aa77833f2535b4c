/* ranks.c - the calls of clearway_mpi.h, under mpirun, against a serial oracle.
 *
 *      mpirun -n 4 ranks sort CASES        random sorts on the host
 *      mpirun -n 2 ranks emulator CASES    .. on the emulator
 *      mpirun -n 3 ranks pieces CASES      .. with messages of 1000 bytes at most
 *      mpirun -n 4 ranks subset CASES      .. on half of the ranks, by a communicator of their own
 *      mpirun -n 4 ranks moves CASES       permutations and partitions
 *      mpirun -n 3 ranks failures 1        a rank that fails; all return the same
 *
 * CW_SEED says where random cases begin.  A watchdog ends a rank that waits for more than 250 seconds, and MPI
 * the others.  The exit status is 0 if no rank found anything wrong. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* alarm */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clearway_mpi.h"
#include "group_case.h"
#include "group_failures.h"

/* The same on all ranks. */
static uint64_t seed_of(const cw_group *group)
{
    const char *const text = getenv("CW_SEED");
    uint64_t seed = 0;

    if (!group->rank)
        seed = text ? strtoull(text, NULL, 10) : (uint64_t)getpid() * 7919u;
    if (group->allreduce(group->self, &seed, 1, CW_MAX))
        abort();
    return seed;
}

static int sorts(const cw_group *group, cw_context *context, uint64_t seed, unsigned cases)
{
    int wrong = 0;

    for (unsigned x = 0; x < cases; x++)
        wrong += group_sort_case(group, context, seed + x, x % 8 ? 300 : 40000);
    return wrong;
}

static int moves(const cw_group *group, cw_context *context, uint64_t seed, unsigned cases)
{
    int wrong = 0;

    for (unsigned x = 0; x < cases; x++) {
        wrong += group_permute_case(group, context, seed + x, 2000);
        wrong += group_partition_case(group, context, seed + x, 1000);
    }
    return wrong;
}

/* What clearway_mpi.h itself promises: the group is kept with the communicator, and shares add up. */
static int calls(const cw_group *group)
{
    const cw_group *again = NULL, *none = NULL;
    uint64_t total = 0, first = 0, count = 0;
    int wrong = cw_mpi_group(MPI_COMM_WORLD, &again) != CW_OK || again != group;

    wrong += cw_mpi_group(MPI_COMM_NULL, &none) != CW_ERR_ARGUMENT || none;
    wrong += cw_mpi_share(MPI_COMM_WORLD, group->rank + 1, &total, &first, &count) != CW_OK;
    wrong += total != (uint64_t)group->ranks * (group->ranks + 1) / 2;
    wrong += cw_mpi_share(MPI_COMM_WORLD, 1, group->rank ? &total : NULL, &first, &count) !=
             CW_ERR_ARGUMENT;
    return wrong;
}

static int run(const char *what, const cw_group *group, cw_context *context, unsigned cases)
{
    const uint64_t seed = seed_of(group);

    if (!group->rank)
        printf("%s on %u ranks, %u cases, CW_SEED=%llu\n", what, group->ranks, cases,
               (unsigned long long)seed);
    if (!strcmp(what, "moves"))
        return moves(group, context, seed, cases);
    if (!strcmp(what, "failures"))
        return group_failures(group, context, 0) + group_failures(group, context, group->ranks - 1);
    if (!strcmp(what, "pieces"))
        cw_mpi_set_piece(1000);
    return sorts(group, context, seed, cases) + (strcmp(what, "subset") ? calls(group) : 0);
}

/* The ranks of one colour; freed again, with the group that is kept with it. */
static int on_a_subset(cw_context *context, unsigned cases)
{
    const cw_group *group;
    MPI_Comm half;
    int rank, wrong;

    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    wrong = cw_mpi_group(half, &group) || run("subset", group, context, cases);
    return wrong + (MPI_Comm_free(&half) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    const char *const what = argc > 1 ? argv[1] : "sort";
    const unsigned cases = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
    const cw_group *group;
    cw_context *context;
    int wrong = 0, all = 0;

    (void)alarm(250);
    if (cw_mpi_group(MPI_COMM_WORLD, &group) != CW_ERR_ARGUMENT)
        return 1; /* MPI is not initialised */
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || cw_mpi_group(MPI_COMM_WORLD, &group) ||
        cw_context_create(strcmp(what, "emulator") ? CW_CPU : CW_EMULATOR, &context) ||
        cw_context_set_threads(context, 1))
        return 1;
    if (!strcmp(what, "subset"))
        wrong = on_a_subset(context, cases);
    else
        wrong = run(what, group, context, cases);
    (void)MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (wrong)
        printf("rank %u: %d wrong\n", group->rank, wrong);
    cw_context_destroy(context);
    (void)MPI_Finalize();
    return all != 0;
}
