/* transpose.h - cw_transpose on threads of the host. */
#ifndef CW_CPU_TRANSPOSE_TRANSPOSE_H
#define CW_CPU_TRANSPOSE_TRANSPOSE_H

#include "clearway.h"

struct cw_team;

/* Bytes of workspace for arguments that were checked: none. */
size_t cw_cpu_transpose_workspace(const cw_transpose_job *job);

/* cw_transpose for arguments that were checked; out may be in.  In place, each thread allocates a
 * row of the longer side or 64 bytes for each of the shorter, whichever is more, before anything is
 * written. */
cw_status cw_cpu_transpose(const cw_transpose_job *job, void *workspace, struct cw_team *team);

#endif
