/* sort_quick.h - partitions of words, where a processor can do them by vectors. */
#ifndef CW_CPU_SORT_QUICK_H
#define CW_CPU_SORT_QUICK_H

#include <stdint.h>

/* Of the n words at `words`, move those up to the pivot to `low`, where there is room for n, and
 * the others to the front; the return is how many went away.  The order is kept in neither. */
typedef uint32_t cw_partition(void *words, uint32_t n, void *low, uint64_t pivot);

cw_partition cw_partition4, cw_partition8;

#endif
