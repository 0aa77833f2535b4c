/* under_mpi.h - is this one of several ranks that mpirun or srun has started? */
#ifndef CLI_UNDER_MPI_H
#define CLI_UNDER_MPI_H

/* How many ranks there are, by the variables that launchers set; 1 if there is no launcher. */
unsigned long under_mpi(void);

/* Go on as clearway-mpi, which lies beside this program.  Returns only if that fails: an exit status, after a
 * complaint. */
int become_a_rank(char **argv);

#endif
