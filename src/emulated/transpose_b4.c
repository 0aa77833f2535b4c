/* transpose_b4.c - cw_transpose on the emulator: elements of 4 bytes. */
#define VALUE_LOG       2
#define TRANSPOSE_BYTES 4

#include "kernels/transpose_kernels.h"
