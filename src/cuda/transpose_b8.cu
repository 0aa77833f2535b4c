/* transpose_b8.cu - cw_transpose on a GPU: elements of 8 bytes. */
#define VALUE_LOG       3
#define TRANSPOSE_BYTES 8

#include "kernels/transpose_kernels.h"
