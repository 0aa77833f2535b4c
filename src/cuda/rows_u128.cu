/* rows_u128.cu - row kernels on a GPU, for words of 16 bytes. */
#define KEY_LOG     4
#define ROWS_WORD   u128
#define ROWS_LOG_K  CW_ROWS_U128_LOG_K
#define ROWS_SHAPES CW_ROWS_U128
#define ROWS_BLOCKS CW_ROWS_U128_BLOCKS
#define ROWS_LAST   13
#define ROWS_NEVER_FULL

#include "kernels/rows_kernels.h"
