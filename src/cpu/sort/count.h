/* count.h - keys of one or two bytes, sorted by counting them. */
#ifndef CW_CPU_SORT_COUNT_H
#define CW_CPU_SORT_COUNT_H

#include "clearway.h"
#include "prim/key_map.h"

/* Is this the way to sort the job?  Keys alone, and many of them. */
int cw_sort_counts(const cw_array *job, const struct cw_key_map *map);

struct cw_team;
cw_status cw_sort_by_counting(const cw_array *job, const struct cw_key_map *map,
                              struct cw_team *team, uint64_t seed);

#endif
