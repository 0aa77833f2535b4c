/* transpose_b8.c - cw_transpose on the emulator: elements of 8 bytes. */
#define VALUE_LOG       3
#define TRANSPOSE_BYTES 8

#include "kernels/transpose_kernels.h"
