#!/bin/bash
# mpirun.bash - run a program on so many ranks, more than there are processors, as root too.
#
#   bash mpirun.bash MPIEXEC RANKS PROGRAM [ARGUMENT...]
#
# Open MPI is told by its variables, which MPICH does not read.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism=none # not allowed in many containers
# What MPI itself leaves behind is not ours to mend.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"
mpiexec=$1
ranks=$2
shift 2
exec timeout -k 10 280 "$mpiexec" -n "$ranks" "$@"
