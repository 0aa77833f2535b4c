/* output.h - the one way in which the library and the tool make a file.
 *
 *      cw_output_open      before the work: what cannot be written is refused here
 *      cw_output_write     at any place, by any thread; or cw_output_append
 *      cw_output_commit    the file gets its name, whole and flushed; or, with
 *      cw_outputs_commit   several files, all get theirs or none does
 *
 * Until it is committed a file has no name (O_TMPFILE), so that nothing is left of it even by
 * SIGKILL; where the system does not know that, it has a random one beside its place, which is
 * never opened if it exists.  What had the name before stays until the new file takes its place, in
 * one step.  Its owner, group, mode and extended attributes are kept.  Symbolic links are followed,
 * also those that lead to nothing yet.
 *
 * Devices, FIFOs and pipes are never replaced: they get all bytes, in order, when the output is
 * committed.
 */
#ifndef CW_FILES_OUTPUT_H
#define CW_FILES_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#define CW_OUTPUT_TEMP 40 /* bytes of a temporary name */

struct cw_output {
    int fd;       /* what was written so far; may be read, too */
    int stream;   /* a device, FIFO or pipe; -1: a file */
    int folder;   /* where the file will stand; -1: a stream, or scratch */
    int named;    /* it has the name `temp` there */
    int replaces; /* there was a file of this name */
    int placed;   /* how far a commit is (output_commit.c) */
    int risk;     /* output_signal.c */
    char *path;   /* as it was given */
    char *name;   /* in the folder, links followed */
    char temp[CW_OUTPUT_TEMP], old[CW_OUTPUT_TEMP];
    unsigned char *buffer; /* of what is appended */
    size_t filled;
    uint64_t size; /* of what was appended, the buffer apart */
    int error;     /* errno of the first append that failed */
};

/* CW_ERR_IO with the reason if nothing can be written where `path` says.  /dev/stdout, /dev/stderr
 * and /dev/fd/N are the files that this process has open under that number; a FIFO must have a
 * reader within a second. */
cw_status cw_output_open(const char *path, struct cw_output *out);

/* One that never gets a name, in that folder: it can be written and read, but not committed. */
cw_status cw_output_scratch(const char *folder, struct cw_output *out);

cw_status cw_output_write(const struct cw_output *o, const void *from, uint64_t bytes, uint64_t at);

/* Behind what was appended before.  A failure is kept: cw_output_flush and commit report it. */
void cw_output_append(struct cw_output *o, const void *from, size_t bytes);

/* What was appended is in the file now, cw_output_appended() bytes of it. */
cw_status cw_output_flush(struct cw_output *o);
uint64_t cw_output_appended(const struct cw_output *o);

/* Give it its name.  File and folder are flushed to the disk.  Closes the output in any case; if
 * this fails, nothing is left of it. */
cw_status cw_output_commit(struct cw_output *o);

/* Give all of them their names, in this order, or none.  If a later one fails, those before it are
 * taken back and what they replaced returns.  A crash or a loss of power can come in between: each
 * file is then old or new, never partial, and none is new that comes after one that is old.  So the
 * one that replaces what was read should be last. */
cw_status cw_outputs_commit(struct cw_output *const *outputs, size_t count);

/* Leave nothing of it.  Fine after commit, and for one that is all 0. */
void cw_output_drop(struct cw_output *o);

/* Refuse (CW_ERR_ARGUMENT) an output that is one of the inputs, or another output: by the same
 * path, by links, or under a name that does not exist yet.  NULLs among the paths are skipped. */
cw_status cw_outputs_apart(const char *const *outputs, size_t count, const char *const *inputs,
                           size_t input_count);

/* For a handler of signals that will end the process: remove temporary names.  Not 0: outputs
 * are getting their names right now; the handler should return, and the process end after that. */
int cw_output_interrupted(void);

/* For tests: as on a system without O_TMPFILE; without RENAME_EXCHANGE. */
extern int cw_output_always_named, cw_output_no_exchange;

/* A file of no name in that folder, to write and read; *fd, or CW_ERR_IO. */
cw_status cw_scratch_open(const char *folder, int *fd);

/* The folder of a path, to be freed; NULL without memory. */
char *cw_folder_of(const char *path);

#endif
