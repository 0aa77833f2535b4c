/* split_k32.cu - partitions on a GPU: keys of 4 bytes. */
#define SPLIT_TYPE  k32
#define GRID_VALUES 0

#include "kernels/split_kernels.h"
