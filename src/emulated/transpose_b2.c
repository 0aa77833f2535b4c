/* transpose_b2.c - cw_transpose on the emulator: elements of 2 bytes. */
#define VALUE_LOG       1
#define TRANSPOSE_BYTES 2

#include "kernels/transpose_kernels.h"
