/* sort.h - what sort and argsort are asked, for data of their own (sort.c) and files. */
#ifndef CLI_SORT_H
#define CLI_SORT_H

#include "cli/common/data.h"
#include "cli/files/files.h"
#include "cli/common/on.h"

struct sort_request {
    int argsort;
    struct data data;
    struct on on;
    int pairs; /* 0, or the place of --pairs in its list, plus 1 */
    int stable, descending, conflict_free;
    int order; /* of floats: its place in CW_ORDER_LIST */
    int time, json;
    struct texts values, values_out; /* files that move with the keys, and where they go */
    const char *by;                  /* fields of records, "a,b" */
};

unsigned sort_flags(const struct sort_request *r);

/* Make data, sort it, check it and print how fast it was. */
int sort_made(struct sort_request *r);

/* From the file f->in_path to f->out_path. */
int sort_file(struct sort_request *r, struct files *f);

/* The same with files that move with the keys, or of records by their fields: all in memory. */
int sort_moved(struct sort_request *r, struct files *f);

#endif
