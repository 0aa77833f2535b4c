/* vectors8.c - words of 8 bytes sorted by vectors. */
#define WORD_LOG 3
#define VECTORS  cw_vectors8
#include "cpu/sort/vectors/quick.h"
