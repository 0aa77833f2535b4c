/* Columns of 8-byte words for AVX-512. */
#define WORD_LOG 3
#define CPU_AVX512
#include "cpu/rows/columns.h"
