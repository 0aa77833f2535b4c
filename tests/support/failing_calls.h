/* failing_calls.h - calls of the system and the C library that fail on demand, counted together: memory, threads, files.
 *
 * tests/CMakeLists.txt wraps them in a program that uses this.
 */
#ifndef CW_TEST_FAILING_CALLS_H
#define CW_TEST_FAILING_CALLS_H

#include <stddef.h>

enum failing_kind { FAILING_NONE, FAILING_MEMORY, FAILING_THREAD, FAILING_FILE, FAILING_RANDOM };

/* From now on call k fails, counted from 0; below 0: none does. */
void failing_calls_begin(long k);

/* No more.  What failed, and its name. */
enum failing_kind failing_calls_end(const char **name);

/* Blocks and mappings that were taken and not given back. */
long failing_calls_live(void);

#endif
