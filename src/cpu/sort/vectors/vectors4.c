/* vectors4.c - words of 4 bytes sorted by vectors. */
#define WORD_LOG 2
#define VECTORS  cw_vectors4
#include "cpu/sort/vectors/quick.h"
