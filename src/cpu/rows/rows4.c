/* rows4.c - rows as words of 4 bytes. */
#define WORD_LOG  2
#define ROWS_SORT cw_cpu_rows4
#include "cpu/rows/body.h"
