/* bytes.h - all bytes of a piece of a file, in as many calls as it takes. */
#ifndef CW_FILES_BYTES_H
#define CW_FILES_BYTES_H

#include <stdint.h>

#include "clearway.h"

/* openat(), again where a signal came in between.  -1 with errno. */
int cw_open_at(int folder, const char *path, int flags, unsigned mode);

/* `path` is for the detail of a failure. */
cw_status cw_read_at(int fd, const char *path, void *to, uint64_t bytes, uint64_t at);
cw_status cw_write_at(int fd, const char *path, const void *from, uint64_t bytes, uint64_t at);

/* The same without a detail: 0, or errno. */
int cw_put_at(int fd, const void *from, uint64_t bytes, uint64_t at);

/* To where the file stands: for what has no places, such as a pipe. */
int cw_put_next(int fd, const void *from, uint64_t bytes);

#endif
