/* Columns of 16-byte words for AVX2. */
#define WORD_LOG 4
#define CPU_AVX2
#include "cpu/rows/columns.h"
