/* transpose_b4.cu - cw_transpose on a GPU: elements of 4 bytes. */
#define VALUE_LOG       2
#define TRANSPOSE_BYTES 4

#include "kernels/transpose_kernels.h"
