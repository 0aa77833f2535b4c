/* cursor.h - read numbers and strings from bytes that may be anything.
 *
 * Every read goes through cw_cursor_byte, which stops at the end.  The first thing
 * that the format does not allow sets `status` and the detail; what is read after
 * that is zeros, to be thrown away, so that callers may check once, later.
 */
#ifndef CW_MACHINE_TRACE_CURSOR_H
#define CW_MACHINE_TRACE_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

struct cw_cursor {
    const unsigned char *bytes;
    size_t size, at;
    cw_status status;
};

unsigned cw_cursor_byte(struct cw_cursor *c);

/* Base 128, lowest digit first; a byte of 128 or more says that another follows. */
uint64_t cw_cursor_number(struct cw_cursor *c);

/* A number in low .. high (or low, with the status set). */
uint64_t cw_cursor_within(struct cw_cursor *c, uint64_t low, uint64_t high, const char *what);

/* A length (at most `most`) and so many bytes, none 0; the caller frees it; NULL on error. */
char *cw_cursor_string(struct cw_cursor *c, size_t most);

/* Set the status to CW_ERR_FORMAT, with this reason and the place, or CW_ERR_MEMORY,
 * unless it is set already. */
void cw_cursor_damaged(struct cw_cursor *c, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void cw_cursor_no_memory(struct cw_cursor *c);

#endif
