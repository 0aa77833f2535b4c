/* merge4.c - the merge for keys of 4 bytes. */
#include <string.h>

#include "distributed/sort/merge.h"

#define WORD  uint32_t
#define MERGE cw_merge4
#include "distributed/sort/merge_body.h"
