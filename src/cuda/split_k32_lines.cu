/* split_k32_lines.cu - partitions into many buckets in order on a GPU: keys of 4 bytes. */
#define SPLIT_TYPE  k32
#define GRID_VALUES 0

#include "kernels/split_line_kernels.h"
