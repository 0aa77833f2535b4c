/* gate.h - whether the LSD radix sort is wanted, which another method's sample may decide on the
 * device. */
#ifndef CW_SORT_LSD_GATE_H
#define CW_SORT_LSD_GATE_H

#include "dev/kernel.h"
#include "sort/lsd/job.h"

DEV int lsd_open(const struct lsd_job *a)
{
    return !a->gate || gm_ld4(a->gate);
}

#endif
