/* split_p32_lines.cu - partitions into many buckets in order on a GPU: keys of 4 bytes with values of 4. */
#define SPLIT_TYPE  p32
#define GRID_VALUES 4

#include "kernels/split_line_kernels.h"
