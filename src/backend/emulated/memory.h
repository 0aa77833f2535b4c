/* memory.h - memory of a context whose work the emulator does: who has written what.
 *
 * An array begins full of CW_EMU_JUNK.  It has a mark for each byte: did anybody write it?  The
 * host does by cw_memory_write, and a kernel, a clear or a copy does.  Behind an array lie at least
 * CW_EMULATED_GAP bytes that are nobody's, so whoever runs over its end does not reach the next
 * array.  Arrays of the caller's own count as written.
 */
#ifndef CW_BACKEND_EMULATED_MEMORY_H
#define CW_BACKEND_EMULATED_MEMORY_H

#include "machine/emu/emu.h"

#define CW_EMULATED_GAP 256u

struct cw_emulated_array;

struct cw_emulated_memory {
    struct cw_emulated_array *first;
};

void *cw_emulated_alloc(struct cw_emulated_memory *m, size_t bytes); /* NULL: out of memory */
void cw_emulated_free(struct cw_emulated_memory *m, void *memory);
void cw_emulated_forget(struct cw_emulated_memory *m); /* all marks; the arrays stay */

/* These bytes were written.  Or they were copied from there, with their marks. */
void cw_emulated_wrote(struct cw_emulated_memory *m, const void *at, size_t bytes);
void cw_emulated_copied(struct cw_emulated_memory *m, const void *to, const void *from,
                        size_t bytes);

/* Let a buffer have the marks of the array that it lies in. */
void cw_emulated_marks(const struct cw_emulated_memory *m, struct cw_emu_buffer *b);

#endif
