/* rows_u64.cu - row kernels on a GPU, for words of 8 bytes. */
#define KEY_LOG     3
#define ROWS_WORD   u64
#define ROWS_LOG_K  CW_ROWS_U64_LOG_K
#define ROWS_SHAPES CW_ROWS_U64
#define ROWS_BLOCKS CW_ROWS_U64_BLOCKS
#define ROWS_LAST   14

#include "kernels/rows_kernels.h"
