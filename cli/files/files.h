/* files.h - from one array in a file to another: what the commands that do so share. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdio.h>

#include "files/array_file.h"
#include "files/output.h"
#include "cli/common/options.h"
#include "cli/common/progress.h"

#define FILES_SIDES 7 /* outputs besides the main one */

struct files {
    const char *in_path, *out_path, *tmpdir;
    uint64_t memory; /* 0: not given */
    int limited;     /* it was given */
    int text;        /* numbers as text, in and out */
    int untyped;     /* --type is not for this file */
    struct cw_array_file in;
    struct cw_output out;
    struct files *sides[FILES_SIDES]; /* more outputs, begun: all get their names, or none */
    int side_count;
    int as_text; /* `out` is scratch, and goes as text to: */
    struct cw_output written;
    struct cw_npy out_head;
    uint64_t out_at; /* where the items of the output begin */
    char *folder;    /* for scratch files */
    struct progress progress;
};

#define FILES_NONE                           \
    {                                        \
        .in = {.fd = -1}, .out = {.fd = -1 } \
    }
/* `written` may stay all 0: dropping that is fine. */

#define FILES_OPTIONS(f)                                                                       \
    OUTPUT("FILE", &(f)->out_path, "where to write the result; may be the input file"),        \
        FILES_MEMORY(&(f)->memory,                                                             \
                     "most memory to use, like 512M or 1GB; default: half of this machine's"), \
        TEXT("tmpdir", "FOLDER", &(f)->tmpdir,                                                 \
             "folder for temporary files; default: the folder of the result"),                 \
        FILES_TEXT(&(f)->text)

#define FILES_MEMORY(target, help) \
    SIZE("memory", "BYTES", UINT64_C(16) << 20, UINT64_C(1) << 50, target, help)

#define FILES_TEXT(target)                                                                  \
    FLAG("text", target,                                                                    \
         "files other than .npy hold numbers as text, separated by white space, commas or " \
         "semicolons")

#define FILES_GIVEN(f) ((f)->out_path || (f)->memory || (f)->tmpdir || (f)->text)

/* Open an array; "-" is standard input, which is copied to a file without a name in `tmpdir` (NULL:
 * where such files go); with `text`, numbers as text, unless the name ends in .npy. */
cw_status array_open(const char *path, int type, const char *tmpdir, int text,
                     struct cw_array_file *out);

/* What standard input holds, in a file without a name in `tmpdir`; one that is a file already is taken as it is. */
cw_status standard_input(const char *tmpdir, int *fd);

/* USAGE after a complaint with why an array could not be opened, and what may help: --type only where `type` is
 * negative. */
int array_refused(int type, int text);

/* Where files without a name go: `tmpdir`, or if that is NULL where all programs put them. */
const char *scratch_folder(const char *tmpdir);

/* FAILED after a complaint if a folder for temporary files was given and is none. */
int tmpdir_refused(const char *tmpdir);

/* Open the input.  `type`: -1, or a cw_type that it must have, or has if it is raw.  DONE, or USAGE
 * or FAILED after a complaint. */
int files_open(struct files *f, int type);

/* Begin the output: an array of this kind (data_at and data_bytes are not looked at), .npy if its
 * name says so, else raw; "-", standard output, is as the input is.  DONE, or FAILED (USAGE, if the type has no .npy, or a
 * name like x.csv would get raw items) after a complaint. */
int files_begin(struct files *f, const struct cw_npy *head);

/* With DONE: the output gets its name, the one beside it first.  Else, or if that fails, nothing is left of it.  Closes all.
 * Returns how it went. */
int files_end(struct files *f, int status);

/* What --time and --json say of a file's way: to stdout, or to stderr if the result went there. */
struct told {
    const char *command, *input, *items; /* items: "keys" */
    const struct cw_npy *head;           /* of what was read, or made */
    double seconds;
    int time, json;
};

void files_tell(const struct files *f, const struct told *t);

/* FAILED after a complaint with the library's last error, and without the bar. */
int files_failed(struct files *f, cw_status status);

/* A file, or what a pipe or device sends, to be read from its beginning to its end: NULL with errno.
 * A FIFO that nobody writes is empty; it is not waited for. */
FILE *open_text(const char *path);

/* ---- outputs of any command ------------------------------------------------------------------ */

/* Refuse an output that is an input or another output (NULLs are skipped): DONE, or USAGE or FAILED
 * after a complaint.  To be asked before any work. */
int outputs_apart(const char *const *outputs, size_t count, const char *const *inputs,
                  size_t input_count);

/* Refuse "-" for an output of a command whose report is on standard output: DONE, or USAGE after a complaint. */
int standard_refused(const char *option, const char *path);

/* Refuse two inputs that are both standard input (NULLs are skipped): DONE, or USAGE after a complaint. */
int inputs_apart(const char *const *inputs, size_t count);

/* All get their names, in this order, or none: DONE, or FAILED after a complaint. */
int outputs_commit(struct cw_output *const *outputs, size_t count);

#endif
