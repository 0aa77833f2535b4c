/* permute_b16.cu - cw_permute on a GPU: elements of 16 bytes. */
#define VALUE_LOG     4
#define PERMUTE_BYTES 16

#include "kernels/permute_kernels.h"
