/* shuffle.h - cw_shuffle on threads of the host. */
#ifndef CW_CPU_PERMUTE_SHUFFLE_H
#define CW_CPU_PERMUTE_SHUFFLE_H

#include "base/threads.h"
#include "clearway.h"

/* For arguments that were checked.  No workspace. */
void cw_cpu_shuffle(const cw_shuffle_job *job, struct cw_team *team);

#endif
