/* rows8.c - rows as words of 8 bytes. */
#define WORD_LOG  3
#define ROWS_SORT cw_cpu_rows8
#include "cpu/rows/body.h"
