/* transpose_b2.cu - cw_transpose on a GPU: elements of 2 bytes. */
#define VALUE_LOG       1
#define TRANSPOSE_BYTES 2

#include "kernels/transpose_kernels.h"
