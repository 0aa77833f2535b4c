/* compare_p64.cu - the comparison sort on a GPU: keys of 8 bytes, each with 4 more. */
#define COMPARE_TYPE     p64
#define COMPARE_KEY_TYPE u64
#define KEY_LOG          4
#define COMPARE_REST     1

#include "kernels/grid_compare_kernels.h"
