/* Columns of 8-byte words for AVX2. */
#define WORD_LOG 3
#define CPU_AVX2
#include "cpu/rows/columns.h"
