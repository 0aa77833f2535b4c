/* merge8.c - the merge for keys of 8 bytes. */
#include <string.h>

#include "distributed/merge.h"

#define WORD  uint64_t
#define MERGE cw_merge8
#include "distributed/merge_body.h"
