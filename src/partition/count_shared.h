/* count_shared.h - shared memory of the partition's counting kernel, which launches ask the size
 * of. */
#ifndef CW_PARTITION_COUNT_SHARED_H
#define CW_PARTITION_COUNT_SHARED_H

#include "dev/shapes.h"

struct count_shared {
    uint32_t lane[SCATTER_BINS][32]; /* counters of every lane, each in its own bank */
    uint32_t cuts[256];              /* splitters */
    uint32_t total[SCATTER_BINS];
    uint32_t near[4]; /* neighbours with the same digit; the rest is room */
};

#define COUNT_AT     SHARED_AT(count_shared, lane)
#define COUNT_CUTS   SHARED_AT(count_shared, cuts)
#define COUNT_TOTAL  SHARED_AT(count_shared, total)
#define COUNT_MISC   SHARED_AT(count_shared, near)
#define COUNT_SHARED ((uint32_t)sizeof(struct count_shared))
FITS(sizeof(struct count_shared));

#endif
