/* group_threads.h - run a function on every rank of a group of threads, each with its own context. */
#ifndef CW_TESTS_GROUP_THREADS_H
#define CW_TESTS_GROUP_THREADS_H

#include "clearway_distributed.h"

typedef int group_body(const cw_group *group, cw_context *context, void *user);

/* How many ranks returned something other than 0.  A watchdog ends the program if they take longer than
 * `seconds`. */
int group_threads_run(uint32_t ranks, cw_backend backend, unsigned seconds, group_body *body,
                      void *user);

#endif
