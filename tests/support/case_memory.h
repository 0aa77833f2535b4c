/* case_memory.h - memory of a context for one case after another.
 *
 * On a GPU a block is kept when a case gives it back, and handed to the next that fits: thousands of
 * random cases would otherwise spend most of their time in cudaMalloc and cudaFree.  With CW_QUICK
 * (compute-sanitizer, which sees accesses beyond a block only if there is nothing behind it) and in
 * other contexts each case has blocks of its own, of just the size it asks for.
 */
#ifndef CW_CASE_MEMORY_H
#define CW_CASE_MEMORY_H

#include "clearway.h"

cw_status case_memory_take(cw_context *context, size_t bytes, void **out);
void case_memory_give(cw_context *context, void *memory); /* NULL: nothing */

#endif
