/* compare_u32.cu - the comparison sort on a GPU: keys of up to 4 bytes. */
#define COMPARE_TYPE     u32
#define COMPARE_KEY_TYPE u32
#define KEY_LOG          2
#define COMPARE_REST     0

#include "kernels/grid_compare_kernels.h"
