/* partition8.c - partition words of 8 bytes. */
#define WORD_LOG  3
#define PARTITION cw_words_partition8
#include "cpu/sort/leaf/partition.h"
