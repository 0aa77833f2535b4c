#!/usr/bin/env python3
"""Sort a NumPy array that is spread over the ranks of an MPI job, from Python by mpi4py.

    mpirun -n 4 python3 examples/mpi/mpi_sort.py [FOLDER]

FOLDER is where libclearway_mpi.so lies, if the system does not know (build/, say). Each rank makes another number
of keys; afterwards rank r has the r-th share of all keys in order, and the global place that each came from.
"""
import ctypes
import os
import sys

import numpy as np
from mpi4py import MPI


class Array(ctypes.Structure):
    """cw_array of clearway.h, with room for what later versions add: 0 means what it meant before."""

    _fields_ = [
        ("type", ctypes.c_int), ("flags", ctypes.c_uint), ("n", ctypes.c_size_t),
        ("keys_in", ctypes.c_void_p), ("keys_out", ctypes.c_void_p),
        ("values_in", ctypes.c_void_p), ("values_out", ctypes.c_void_p), ("value_bytes", ctypes.c_size_t),
        ("index_out", ctypes.c_void_p), ("index_bytes", ctypes.c_size_t),
        ("first_bit", ctypes.c_uint), ("bits", ctypes.c_uint), ("later", ctypes.c_uint64 * 32),
    ]


CW_CPU, CW_F32 = 1, 10


def library():
    folder = sys.argv[1] if len(sys.argv) > 1 else ""
    core = ctypes.CDLL(os.path.join(folder, "libclearway.so"), mode=ctypes.RTLD_GLOBAL)
    return core, ctypes.CDLL(os.path.join(folder, "libclearway_mpi.so"))


def comm_argument(comm):
    """An MPI_Comm as C passes it: a pointer in Open MPI, an int in MPICH."""
    kind = ctypes.c_int if MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_int) else ctypes.c_void_p
    return kind.from_address(MPI._addressof(comm))


def check(core, status, what):
    if status:
        core.cw_last_error.restype = ctypes.c_char_p
        raise RuntimeError(f"{what}: {core.cw_last_error().decode()}")


def sort(comm, keys):
    """This rank's share of all keys in order, and where each was before."""
    core, mpi = library()
    total = comm.allreduce(len(keys))
    share = total // comm.size + (comm.rank < total % comm.size)
    room = max(share, len(keys))
    out, index = np.empty(room, keys.dtype), np.empty(room, np.int64)
    job = Array(type=CW_F32, n=len(keys), keys_in=keys.ctypes.data, keys_out=out.ctypes.data,
                index_out=index.ctypes.data, index_bytes=8)
    context, workspace, need = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    check(core, core.cw_context_create(CW_CPU, ctypes.byref(context)), "context")
    check(core, core.cw_group_sort_workspace(context, ctypes.byref(job), ctypes.c_uint64(total),
                                             comm.size, ctypes.byref(need)), "workspace")
    check(core, core.cw_memory_alloc(context, need, ctypes.byref(workspace)), "memory")
    check(core, mpi.cw_mpi_sort(comm_argument(comm), context, ctypes.byref(job), workspace, need,
                                None, None), "sort")
    core.cw_memory_free(context, workspace)
    core.cw_context_destroy(context)
    return out[:share], index[:share]


def main():
    comm = MPI.COMM_WORLD
    keys = np.random.default_rng(comm.rank).standard_normal(100000 * (comm.rank + 1)).astype(np.float32)
    mine, index = sort(comm, keys)
    everything, order = comm.gather(keys), comm.gather((mine, index))
    if comm.rank == 0:
        everything = np.concatenate(everything)
        assert np.array_equal(np.concatenate([m for m, _ in order]), np.sort(everything))
        assert np.array_equal(np.concatenate([i for _, i in order]), np.argsort(everything, kind="stable"))
        print(f"{comm.size} ranks: {len(everything)} keys in order")


main()
