/* merge8.c - the merge for keys of 8 bytes. */
#include <string.h>

#include "distributed/sort/merge.h"

#define WORD  uint64_t
#define MERGE cw_merge8
#include "distributed/sort/merge_body.h"
