/* Columns of 4-byte words for AVX-512. */
#define WORD_LOG 2
#define CPU_AVX512
#include "cpu/rows/columns.h"
