/* test_kernels_u64.c - test_kernels.c for keys of 8 bytes, 16 of them a thread. */
#define KEY_LOG    3
#define ROWS_LOG_K 4
#include "test_kernels.c"
