/* rows16.c - rows as words of 16 bytes. */
#define WORD_LOG  4
#define ROWS_SORT cw_cpu_rows16
#include "cpu/rows/body.h"
