/* split_p32.c - partitions on the emulator: keys of 4 bytes with values of 4. */
#define SPLIT_TYPE  p32
#define GRID_VALUES 4

#include "kernels/split_kernels.h"
