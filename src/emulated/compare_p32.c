/* compare_p32.c - the comparison sort on the emulator: keys of up to 4 bytes, each with 4 more. */
#define COMPARE_TYPE     p32
#define COMPARE_KEY_TYPE u32
#define KEY_LOG          3
#define COMPARE_REST     1

#include "kernels/grid_compare_kernels.h"
