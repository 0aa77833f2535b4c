/* permute.h - cw_permute on threads of the host. */
#ifndef CW_CPU_PERMUTE_PERMUTE_H
#define CW_CPU_PERMUTE_PERMUTE_H

#include "clearway.h"

struct cw_team;

/* Bytes of workspace for arguments that were checked: an array and up to 4 bytes an element where
 * the array is long, a bit an element where the index is to be checked; grows with n. */
size_t cw_cpu_permute_workspace(const cw_permute_job *job);

/* cw_permute for arguments that were checked, CW_CHECK too.  For a long array some 300 KiB a thread
 * are allocated, before anything is written. */
cw_status cw_cpu_permute(const cw_permute_job *job, void *workspace, struct cw_team *team);

#endif
