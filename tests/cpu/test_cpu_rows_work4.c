/* test_cpu_rows_work4.c - the work of words of 4 bytes, which are keys alone. */
#define WORD_LOG 2
#include "test_cpu_rows_work.c"
