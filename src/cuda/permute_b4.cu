/* permute_b4.cu - cw_permute on a GPU: elements of 4 bytes. */
#define VALUE_LOG     2
#define PERMUTE_BYTES 4

#include "kernels/permute_kernels.h"
