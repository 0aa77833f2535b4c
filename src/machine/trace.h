/* trace.h - record a run, access by access (the format: docs/trace.md). */
#ifndef CW_MACHINE_TRACE_H
#define CW_MACHINE_TRACE_H

#include <stdint.h>

#include "machine/model.h"

enum cw_access_kind { CW_READ = 0, CW_WRITE = 1 };

/* The model calls these; errors are kept and reported by cw_trace_close. */
void cw_trace_access(struct cw_trace *t, uint32_t lane, uint32_t row, uint32_t col, cw_word value,
                     enum cw_access_kind kind, const char *site);
void cw_trace_step(struct cw_trace *t, uint32_t degree); /* the step that just ended */
void cw_trace_phase(struct cw_trace *t, const struct cw_phase *phase);

#endif
