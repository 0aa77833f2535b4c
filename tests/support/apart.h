/* apart.h - pieces of a workspace that stand apart: whoever leaves his own is seen.
 *
 * A program whose plans are compiled with CW_ARENA_GAP=4096 has gaps between the pieces of every workspace
 * (base/arena.h, rows/layout.c).  Then a kernel on the emulator may touch the caller's arrays and these pieces,
 * each with just the bytes that were asked for, and nothing between them: CW_ERR_BOUNDS names the place in the source.
 *
 * When a part of the workspace is handed out anew, for another sort that takes the place of the one before, the old
 * pieces are no longer there, and what is in the new ones counts as written by nobody.  What is cleared or copied must lie
 * in an array of the call.
 */
#ifndef CW_TEST_APART_H
#define CW_TEST_APART_H

#include "api/context.h"

/* Let the calls of a context on the emulator be held to it; one context at a time. */
void apart_begin(cw_context *context);

/* Before a call: pieces of earlier ones are gone. */
void apart_forget(void);

/* Pieces that were handed out until now, of all calls. */
size_t apart_pieces(void);

#endif
