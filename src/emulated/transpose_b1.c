/* transpose_b1.c - cw_transpose on the emulator: elements of 1 byte. */
#define VALUE_LOG       0
#define TRANSPOSE_BYTES 1

#include "kernels/transpose_kernels.h"
