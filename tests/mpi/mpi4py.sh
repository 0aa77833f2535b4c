#!/bin/bash
# mpi4py.sh TOOL SOURCE - examples/mpi/mpi_sort.py on three ranks.
build=$(dirname "$(realpath "$1")")
mpiexec=$(command -v mpiexec)
python=
for some in python3 /usr/bin/python3; do # Debian's package is for Debian's Python; mpiexec has a PATH of its own
    [ -n "$python" ] || ! "$some" -c 'import mpi4py, numpy' 2>/dev/null || python=$(command -v "$some")
done
[ -e "$build/libclearway_mpi.so" ] && [ -n "$mpiexec" ] && [ -n "$python" ] || {
    echo "no MPI, mpi4py or NumPy: skipped"
    exit 77
}
said=$(bash "$2/tests/mpi/mpirun.bash" "$mpiexec" 3 "$python" "$2/examples/mpi/mpi_sort.py" "$build" 2>&1)
echo "$said"
[ "$said" = "3 ranks: 600000 keys in order" ]
