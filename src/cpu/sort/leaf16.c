/* leaf16.c - words of 16 bytes, a key and its place, sorted in cache. */
#define WORD_LOG    4
#define SORT_PLACES cw_sort_places16
#include "cpu/sort/leaf_body.h"
