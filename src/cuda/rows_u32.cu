/* rows_u32.cu - row kernels on a GPU, for words of 4 bytes. */
#define KEY_LOG     2
#define ROWS_WORD   u32
#define ROWS_LOG_K  CW_ROWS_U32_LOG_K
#define ROWS_SHAPES CW_ROWS_U32
#define ROWS_BLOCKS CW_ROWS_U32_BLOCKS

#include "kernels/rows_kernels.h"
#include "kernels/rows_sift.h"
