/* sort.h - an array sorted by threads of the host. */
#ifndef CW_CPU_SORT_H
#define CW_CPU_SORT_H

#include "clearway.h"

/* Bytes of workspace for arguments that were checked. */
size_t cw_cpu_sort_workspace(const cw_array *job);

/* cw_sort for arguments that were checked.  threads 0: as many as there are processors. */
cw_status cw_cpu_sort(const cw_array *job, void *workspace, unsigned threads);

#endif
