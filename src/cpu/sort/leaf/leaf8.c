/* leaf8.c - words of 8 bytes sorted in cache. */
#define WORD_LOG    3
#define SORT_WORDS  cw_sort_words8
#define SORT_PLACES cw_sort_places8
#define SORT_NEARLY cw_sort_nearly8
#include "cpu/sort/leaf/leaf_body.h"
