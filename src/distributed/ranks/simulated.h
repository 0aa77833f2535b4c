/* simulated.h - a group of thousands of ranks in one thread, to count what they say to each other.
 *
 * A rank is a coroutine.  One that waits for the others hands over to the next one; when its turn
 * comes again, all have come as far.  So the very functions that run on MPI run here, and the
 * reports of their calls are those of as many processes. */
#ifndef CW_DISTRIBUTED_RANKS_SIMULATED_H
#define CW_DISTRIBUTED_RANKS_SIMULATED_H

#include "clearway_distributed.h"

/* Run `body` on every rank; returns when all have ended.  Bodies need little stack. */
typedef void cw_simulated_body(const cw_group *group, void *user);
cw_status cw_simulated_run(uint32_t ranks, cw_simulated_body *body, void *user);

#endif
