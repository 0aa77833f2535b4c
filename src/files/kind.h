/* kind.h - what a file that is no array is instead, to be told to people. */
#ifndef CW_FILES_KIND_H
#define CW_FILES_KIND_H

#include <stddef.h>

#define CW_KIND_BYTES 4096 /* that are worth looking at */

/* "CSV text", "a gzip file", ..., by the first bytes; NULL: nothing that is known. */
const char *cw_file_kind(const void *bytes, size_t size);

/* Does the name promise one of these kinds, like x.csv or x.npz? */
int cw_kind_name(const char *path);

#endif
