/* sort_u64_rows.cu - the last stage of the sort of keys of 8 bytes on a GPU, by a network of
 * words of 4. */
#define GRID_TYPE u64
#define KEY_LOG   2
#define ROW_WIDE  1

#include "kernels/grid_row_kernels.h"
