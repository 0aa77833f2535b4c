/* move.h - what permute and transpose share: one array, read or made, moved, and told about. */
#ifndef CLI_MOVE_H
#define CLI_MOVE_H

#include "cli/cli.h"
#include "cli/common/data.h"
#include "cli/files/files.h"
#include "cli/common/on.h"

struct move {
    const char *name; /* of the command */
    const char *what; /* what is moved, in a line */
    uint64_t n;       /* elements */
    size_t bytes;     /* of each */
    void *in, *out;   /* on the host */
    size_t workspace;
    struct timing timing;
    double begun; /* reading a file: when */
    int wrong;
};

/* Begin the output, with this head; then read all of the file that was opened.  Room for as much
 * output is made, too. */
int move_read(struct move *m, struct files *f, const struct cw_npy *out);

/* Make n elements: bytes that differ with the seed. */
int move_make(struct move *m, uint64_t seed);

/* The end of a file's way: m->out, if it is right, goes to the output, and what `told` asks for (time,
 * json) is told.  Returns `status` if that is not DONE. */
int move_to_file(const struct move *m, struct files *f, const struct told *told, int status);

void move_free(struct move *m);

/* How it went with an array that was made: in lines, or, if there is `more`, as a JSON object with what
 * that adds of `arg`. */
int move_report(const struct move *m, const struct on *on,
                void (*more)(struct json *j, const void *arg), const void *arg);

#endif
