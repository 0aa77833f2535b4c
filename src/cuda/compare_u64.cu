/* compare_u64.cu - the comparison sort on a GPU: keys of 8 bytes. */
#define COMPARE_TYPE     u64
#define COMPARE_KEY_TYPE u64
#define KEY_LOG          3
#define COMPARE_REST     0

#include "kernels/grid_compare_kernels.h"
