/* output_parts.h - what the files output_*.c share. */
#ifndef CW_FILES_OUTPUT_PARTS_H
#define CW_FILES_OUTPUT_PARTS_H

#include <sys/stat.h>

#include "files/output.h"

/* CW_ERR_IO: "cannot write PATH: reason" by errno. */
cw_status cw_output_cannot(const char *path, int error);

/* ---- output_place.c: where a path leads ------------------------------------------------------ */

/* To be freed; NULL without memory. */
char *cw_text_copy(const char *text);

struct cw_place {
    int stream; /* a number of a file that is open already, as /dev/stdout has it; -1 */
    int folder; /* open; -1 if something other than a file is there, or a directory */
    char *name; /* in the folder; links were followed */
    int there;  /* something is: */
    struct stat st;
};

/* A folder, to make files in; one that may be written but not read cannot be flushed.  -1 with
 * errno. */
int cw_folder_open(const char *folder);

/* 0, or errno. */
int cw_place_find(const char *path, struct cw_place *out);
void cw_place_free(struct cw_place *p);

/* ---- output_keep.c: what a new file has of the one that it replaces -------------------------- */

/* Owner, group, mode and extended attributes of the file `name` in the folder, which is like `st`.
 * 0, or errno; *what says what could not be kept. */
int cw_keep(int fd, int folder, const char *name, const struct stat *st, const char **what);

/* ---- output_temp.c: files without a name, or with a temporary one ---------------------------- */

/* Make the file, with no name if that can be done. */
int cw_temp_open(struct cw_output *o, mode_t mode);

/* Give the file that has no name one: `name`, which must not exist; or a temporary one. */
int cw_temp_link(const struct cw_output *o, const char *name);
int cw_temp_name(struct cw_output *o);

/* Take the temporary name away. */
void cw_temp_forget(struct cw_output *o);

/* A name that nobody has. */
void cw_temp_invent(char name[CW_OUTPUT_TEMP]);

/* ---- output_stream.c: devices, FIFOs and pipes ----------------------------------------------- */

/* For writing; -1 with errno. */
int cw_stream_open(const char *path, const struct cw_place *place);

/* All that was written to o->fd goes to o->stream.  0, or errno. */
int cw_stream_send(const struct cw_output *o);

/* ---- output_signal.c: names that a handler of signals removes -------------------------------- */

int cw_risk_take(int folder, const char *name); /* -1: there is no room to note it */
void cw_risk_drop(int risk);

/* In between, cw_output_interrupted() does nothing but say so. */
void cw_commit_begin(void);
void cw_commit_end(void);

#endif
