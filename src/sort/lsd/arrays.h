/* arrays.h - where the items of a sort by passes stand: in, or one of two buffers that passes go
 * back and forth between. */
#ifndef CW_SORT_LSD_ARRAYS_H
#define CW_SORT_LSD_ARRAYS_H

enum { SORT_IN, SORT_TMP, SORT_OUT, SORT_ARRAYS };

#endif
