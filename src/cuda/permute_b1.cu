/* permute_b1.cu - cw_permute on a GPU: elements of 1 byte. */
#define VALUE_LOG     0
#define PERMUTE_BYTES 1

#include "kernels/permute_kernels.h"
