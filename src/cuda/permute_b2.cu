/* permute_b2.cu - cw_permute on a GPU: elements of 2 bytes. */
#define VALUE_LOG     1
#define PERMUTE_BYTES 2

#include "kernels/permute_kernels.h"
