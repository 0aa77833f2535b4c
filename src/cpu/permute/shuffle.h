/* shuffle.h - cw_shuffle on threads of the host. */
#ifndef CW_CPU_PERMUTE_SHUFFLE_H
#define CW_CPU_PERMUTE_SHUFFLE_H

#include "clearway.h"

/* For arguments that were checked.  threads 0: as many as there are processors.  No workspace. */
void cw_cpu_shuffle(const cw_shuffle_job *job, unsigned threads);

#endif
