/* way.h - by which kernels an array is permuted. */
#ifndef CW_PERMUTE_WAY_H
#define CW_PERMUTE_WAY_H

#include <stdint.h>

#include "clearway.h"

enum cw_permute_way {
    CW_PERMUTE_AUTO,  /* whichever is fastest */
    CW_PERMUTE_NAIVE, /* a thread an element */
    CW_PERMUTE_PLACE, /* scatter: to bins, then to places in shared memory */
    CW_PERMUTE_ROUTE  /* gather: requests to windows, values back */
};

/* The way that AUTO stands for; any other if the job can be done so, else NAIVE.  `cuda`: with the
 * GPU's shapes of kernels, not the emulator's. */
enum cw_permute_way cw_permute_way_of(const cw_permute_job *job, enum cw_permute_way way, int cuda);

/* Longer arrays are permuted by the naive kernel. */
uint64_t cw_permute_most(const cw_permute_job *job, int cuda);

/* The same for a shuffle, whose index is computed: NAIVE or PLACE.  `job` says what moves. */
enum cw_permute_way cw_shuffle_way_of(const cw_permute_job *job, enum cw_permute_way way, int cuda);

#endif
