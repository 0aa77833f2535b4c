/* transpose_b16.c - cw_transpose on the emulator: elements of 16 bytes. */
#define VALUE_LOG       4
#define TRANSPOSE_BYTES 16

#include "kernels/transpose_kernels.h"
