/* permute_b8.cu - cw_permute on a GPU: elements of 8 bytes. */
#define VALUE_LOG     3
#define PERMUTE_BYTES 8

#include "kernels/permute_kernels.h"
