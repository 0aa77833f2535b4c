/* sort_u64.c - the whole-device sort on the emulator: keys of 8 bytes. */
#define GRID_TYPE   u64
#define KEY_LOG     3
#define GRID_VALUES 0

#include "kernels/grid_shapes.h"
#include "kernels/grid_kernels.h"
