/* sort.h - an array sorted by threads of the host.
 *
 * Bits of a key that count (first_bit, bits) are those of the unsigned number of the same order
 * that key_map.h makes of it: of unsigned types, the key's own.  Equal keys, in these bits, keep
 * their order in every case.
 *
 * With CW_CONFLICT_FREE keys are compared and nothing else, and the time hardly depends on them;
 * else they are sorted by their digits.
 */
#ifndef CW_CPU_SORT_SORT_H
#define CW_CPU_SORT_SORT_H

#include "clearway.h"

/* Bytes of workspace for arguments that were checked: n keys, values and indices. */
size_t cw_cpu_sort_workspace(const cw_array *job);

struct cw_team;

/* cw_sort for arguments that were checked; team NULL: one thread.  Buffers of a thread are
 * allocated before anything is written: 5 % of the items at most from 2^21 on, and at most 7 MiB up to
 * 2^27.  The seed says where keys are sampled: the output never depends on it, and the time only if
 * somebody knew it who made the keys. */
cw_status cw_cpu_sort(const cw_array *job, void *workspace, struct cw_team *team, uint64_t seed);

#endif
