/* needs.h - the workspace that a call needs in one context; NULL: in any of them.
 *
 * For jobs whose sizes were checked, by .._workspace, which says the same for any context.  `bits`
 * of a cw_array must not be 0. */
#ifndef CW_API_NEEDS_H
#define CW_API_NEEDS_H

#include "clearway.h"

size_t cw_sort_need(const cw_context *context, const cw_array *job);
size_t cw_permute_need(const cw_context *context, const cw_permute_job *job);
size_t cw_partition_need(const cw_context *context, const cw_partition_job *job);

#endif
