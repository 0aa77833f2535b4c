/* pinned.h - page-locked memory of the host, kept for the next exchange.
 *
 * To lock a page takes longer than to copy through it, so memory that was used is kept,
 * CW_PINNED_KEPT bytes in all at most, until the process ends or cw_pinned_drop.  Any thread may
 * call. */
#ifndef CW_DISTRIBUTED_RANKS_PINNED_H
#define CW_DISTRIBUTED_RANKS_PINNED_H

#include <stddef.h>

#include "clearway.h"

struct cw_backend_table;

#define CW_PINNED_KEPT ((size_t)256 << 20)

cw_status cw_pinned_take(const struct cw_backend_table *on, size_t bytes, void **out);

/* Of as many bytes as were asked for; NULL is fine. */
void cw_pinned_give(const struct cw_backend_table *on, void *memory, size_t bytes);

/* Free all that is kept, and say how many bytes that were. */
size_t cw_pinned_drop(void);

#endif
