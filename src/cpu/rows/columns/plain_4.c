/* Columns of 4-byte words for any processor. */
#define WORD_LOG 2
#include "cpu/rows/columns.h"
