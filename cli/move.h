/* move.h - what permute and transpose share: one array, read or made, moved, and told about. */
#ifndef CLI_MOVE_H
#define CLI_MOVE_H

#include "cli.h"
#include "data.h"
#include "files.h"
#include "on.h"

struct move {
    const char *name; /* of the command */
    const char *what; /* what is moved, in a line */
    uint64_t n;       /* elements */
    size_t bytes;     /* of each */
    void *in, *out;   /* on the host */
    size_t workspace;
    struct timing timing;
    int wrong;
};

/* Read all of a file that was opened.  Room for as much output is made, too. */
int move_read(struct move *m, struct files *f);

/* Make n elements: bytes that differ with the seed. */
int move_make(struct move *m, uint64_t seed);

/* Write m->out to the output, which has begun. */
int move_write(const struct move *m, struct files *f);

void move_free(struct move *m);

/* How it went, in lines; or as members of a JSON object. */
void move_tell(const struct move *m, const struct on *on);
void move_json(struct json *j, const struct move *m, const struct on *on);

#endif
