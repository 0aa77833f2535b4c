/* split_p32_wide.cu - partitions on a GPU: wide tiles of keys of 4 bytes with values of 4. */
#define SPLIT_TYPE  p32
#define GRID_VALUES 4

#include "kernels/split_wide_kernels.h"
