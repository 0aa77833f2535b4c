/* leaf4.c - words of 4 bytes sorted in cache. */
#define WORD_LOG    2
#define SORT_WORDS  cw_sort_words4
#define SORT_PLACES cw_sort_places4
#define SORT_NEARLY cw_sort_nearly4
#include "cpu/sort/leaf/leaf_body.h"
