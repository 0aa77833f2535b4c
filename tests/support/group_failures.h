/* group_failures.h - calls that must fail, and must fail alike on every rank. */
#ifndef CW_TESTS_GROUP_FAILURES_H
#define CW_TESTS_GROUP_FAILURES_H

#include "clearway_distributed.h"

/* Rank `bad` alone does something wrong, each way in turn.  0: this rank got the status that all must get. */
int group_failures(const cw_group *group, cw_context *context, uint32_t bad);

#endif
