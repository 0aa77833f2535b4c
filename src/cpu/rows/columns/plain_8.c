/* Columns of 8-byte words for any processor. */
#define WORD_LOG 3
#include "cpu/rows/columns.h"
