/* exchange.h - one exchange by MPI, of any number of bytes. */
#ifndef CW_MPI_EXCHANGE_H
#define CW_MPI_EXCHANGE_H

#include <mpi.h>

#include "clearway_distributed.h"

/* What is kept with a communicator. */
struct cw_mpi {
    MPI_Comm comm; /* a duplicate */
    cw_group group;
    int *counts; /* 4 a rank: counts and places of a small exchange */
    char text[MPI_MAX_ERROR_STRING];
};

/* MPI_SUCCESS or a code. */
int cw_mpi_exchange(struct cw_mpi *m, const cw_exchange *x);

#endif
