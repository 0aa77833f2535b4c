/* Columns of 4-byte words for AVX2. */
#define WORD_LOG 2
#define CPU_AVX2
#include "cpu/rows/columns.h"
