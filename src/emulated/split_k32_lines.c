/* split_k32_lines.c - partitions into many buckets in order on the emulator: keys of 4 bytes. */
#define SPLIT_TYPE  k32
#define GRID_VALUES 0

#include "kernels/split_line_kernels.h"
