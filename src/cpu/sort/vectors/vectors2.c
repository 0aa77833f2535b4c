/* vectors2.c - words of 2 bytes sorted by vectors. */
#define WORD_LOG 1
#define VECTORS  cw_vectors2
#include "cpu/sort/vectors/quick.h"
