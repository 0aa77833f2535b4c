/* output.h - a file that appears under its name only when it is whole.
 *
 * It is written without a name where the system can do that (O_TMPFILE), so that nothing is left
 * of it even by SIGKILL; else beside its place, under a name that a handler of signals can remove.
 * What had the name before stays until the new one takes its place.
 */
#ifndef CW_FILES_OUTPUT_H
#define CW_FILES_OUTPUT_H

#include <stdint.h>

#include "clearway.h"

struct cw_output {
    int fd;
    int named;    /* it has the name `temp` */
    int replaces; /* there is a file of the name `path` */
    char *path;   /* with symbolic links followed */
    char *temp;
};

/* CW_ERR_IO with the reason if the file could not be made where `path` says, or if something other
 * than a regular file is there. */
cw_status cw_output_open(const char *path, struct cw_output *out);

cw_status cw_output_write(const struct cw_output *o, const void *from, uint64_t bytes, uint64_t at);

/* Give it its name.  What replaces another file is flushed to the disk before.  Closes the output
 * in any case; if this fails, nothing is left of it. */
cw_status cw_output_commit(struct cw_output *o);

/* Leave nothing of it.  Fine after commit, and for one that is all 0. */
void cw_output_drop(struct cw_output *o);

/* Remove the name of the output that is open; may be called by a handler of signals. */
void cw_output_interrupted(void);

/* For tests: as on a system without O_TMPFILE. */
extern int cw_output_always_named;

/* A file of no name in that folder, to write and read; *fd, or CW_ERR_IO. */
cw_status cw_scratch_open(const char *folder, int *fd);

/* The folder of a path, to be freed; NULL without memory. */
char *cw_folder_of(const char *path);

#endif
