/* sort_p32_turns.cu - the whole-device sort on a GPU: the pass that keeps the order of equal keys. */
#define GRID_TYPE   p32
#define KEY_LOG     2
#define GRID_VALUES 4

#include "kernels/grid_shapes.h"
#include "kernels/grid_turn_kernels.h"
