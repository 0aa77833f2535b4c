/* Columns of 16-byte words for AVX-512. */
#define WORD_LOG 4
#define CPU_AVX512
#include "cpu/rows/columns.h"
