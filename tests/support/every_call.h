/* every_call.h - every call that a context of host threads does work in, each checked by what it
 * should have done.  It takes little stack, and no thread but its own. */
#ifndef CW_TEST_EVERY_CALL_H
#define CW_TEST_EVERY_CALL_H

#include "clearway.h"

/* NULL, or which call failed.  So many items: from 2^17 on all threads and passes have work. */
const char *every_call(cw_context *context, size_t n, uint64_t seed);

/* Sort n keys of 8 bytes and see that they are in order, and the same ones by their sum. */
const char *sort_call(cw_context *context, const uint64_t *keys, size_t n);

#endif
