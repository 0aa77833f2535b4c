/* compare_u64.c - the comparison sort on the emulator: keys of 8 bytes. */
#define COMPARE_TYPE     u64
#define COMPARE_KEY_TYPE u64
#define KEY_LOG          3
#define COMPARE_REST     0

#include "kernels/grid_compare_kernels.h"
