/* sort_p32.c - the whole-device sort on the emulator: keys of 4 bytes with values of 4. */
#define GRID_TYPE   p32
#define KEY_LOG     2
#define GRID_VALUES 4

#include "kernels/grid_shapes.h"
#include "kernels/grid_kernels.h"
#include "kernels/grid_row_kernels.h"
