/* partition4.c - partition words of 4 bytes. */
#define WORD_LOG  2
#define PARTITION cw_words_partition4
#include "cpu/sort/leaf/partition.h"
