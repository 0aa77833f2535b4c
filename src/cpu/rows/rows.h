/* rows.h - rows sorted by threads of the host. */
#ifndef CW_CPU_ROWS_ROWS_H
#define CW_CPU_ROWS_ROWS_H

#include "clearway.h"

struct cw_team;

/* cw_sort_rows for arguments that were checked, but for what offsets say: they are looked at before
 * anything is written. */
cw_status cw_cpu_sort_rows(const cw_rows *job, struct cw_team *team);

#endif
