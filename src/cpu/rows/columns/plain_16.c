/* Columns of 16-byte words for any processor. */
#define WORD_LOG 4
#include "cpu/rows/columns.h"
