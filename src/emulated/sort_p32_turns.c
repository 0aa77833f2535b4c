/* sort_p32_turns.c - the whole-device sort on the emulator: the pass that keeps the order of equal keys. */
#define GRID_TYPE   p32
#define KEY_LOG     2
#define GRID_VALUES 4

#include "kernels/grid_shapes.h"
#include "kernels/grid_turn_kernels.h"
