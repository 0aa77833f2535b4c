/* files.h - from one array in a file to another: what the commands that do so share. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "files/array_file.h"
#include "files/output.h"
#include "options.h"
#include "progress.h"

struct files {
    const char *in_path, *out_path, *tmpdir;
    uint64_t memory; /* 0: not given */
    struct cw_array_file in;
    struct cw_output out;
    uint64_t out_at; /* where the items of the output begin */
    char *folder;    /* for scratch files */
    struct progress progress;
};

#define FILES_NONE                           \
    {                                        \
        .in = {.fd = -1}, .out = {.fd = -1 } \
    }

#define FILES_OPTIONS(f)                                                                        \
    LETTER('o', "FILE", &(f)->out_path, "where the result goes; may be the file that is read"), \
        SIZE("memory", "BYTES", UINT64_C(16) << 20, UINT64_C(1) << 50, &(f)->memory,            \
             "to use at most, like 512M; default: half of what there is"),                      \
        TEXT("tmpdir", "FOLDER", &(f)->tmpdir,                                                  \
             "for arrays larger than that; default: where FILE will be")

/* Open the input.  `type`: -1, or a cw_type that it must have, or has if it is raw.  DONE, or USAGE
 * after a complaint. */
int files_open(struct files *f, int type);

/* Begin the output: an array of this kind (data_at and data_bytes are not looked at), .npy if its
 * name says so, else raw.  From here on signals that end the tool clean up.  DONE, or FAILED
 * (USAGE, if the type has no .npy) after a complaint. */
int files_begin(struct files *f, const struct cw_npy *head);

/* With DONE: the output gets its name.  Else, or if that fails, nothing is left of it.  Closes all.
 * Returns how it went. */
int files_end(struct files *f, int status);

/* FAILED after a complaint with the library's last error, and without the bar. */
int files_failed(struct files *f, cw_status status);

#endif
