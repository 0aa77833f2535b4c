/* sort_u32.cu - the whole-device sort on a GPU: keys of 4 bytes. */
#define GRID_TYPE   u32
#define KEY_LOG     2
#define GRID_VALUES 0

#include "kernels/grid_shapes.h"
#include "kernels/grid_kernels.h"
#include "kernels/grid_row_kernels.h"
