/* transpose_b1.cu - cw_transpose on a GPU: elements of 1 byte. */
#define VALUE_LOG       0
#define TRANSPOSE_BYTES 1

#include "kernels/transpose_kernels.h"
