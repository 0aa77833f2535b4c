/* checks.h - arrays that a call was given: alignment and overlap. */
#ifndef CW_API_CHECKS_H
#define CW_API_CHECKS_H

#include "clearway.h"

struct cw_given {
    const char *name;
    const void *data;
    size_t bytes, align;
    int written;
};

/* Arrays 0 and 1, and 2 and 3, may be one buffer: the input and output of one thing. */
cw_status cw_check_given(const struct cw_given *all, size_t count);

/* need 0: any will do. */
cw_status cw_check_workspace(const void *workspace, size_t bytes, size_t need);

#endif
