/* conflicts.h - the calculator: what a warp asks of shared memory, what it costs, and a fix.
 *
 * A pattern is a list of requests (machine/banks.h), by elements of 1 to 16 bytes.  It is made from
 * lines of a kernel (expr/program.h), for every access, warp and value of i, or from recorded
 * addresses and an expression over them.
 */
#ifndef CLI_CONFLICTS_H
#define CLI_CONFLICTS_H

#include <stdint.h>

#include "expr/program.h"
#include "machine/banks.h"

struct json;

#define REQUESTS_MAX 65536u
#define DEFINES_MAX  16u

struct ask {
    int64_t name;    /* i, or the number that the file has */
    uint32_t access; /* of the lines */
    uint32_t bytes;  /* that a lane asks for: an element, several, or a part */
    uint32_t offset; /* of the part */
    int write;
    uint32_t warp;
    uint64_t lanes;                          /* bit l: lane l asks */
    uint32_t index[CW_LANES_MAX];            /* for which element */
    uint32_t loops, round[CW_PROGRAM_LOOPS]; /* of a kernel: where in its loops */
};

struct pattern {
    const struct cw_bank_machine *machine;
    uint32_t bytes;         /* of an element */
    uint32_t wide;          /* the most bytes that a lane asks for */
    uint32_t reads, writes; /* how many accesses do */
    uint32_t count;
    struct ask *ask;
    uint32_t dims; /* of the array; 0: none */
    uint64_t size[CW_PROGRAM_DIMS];
    uint32_t accesses;
    size_t line_of[CW_PROGRAM_ACCESSES]; /* of a kernel */
    int kernel;
    char name[64];          /* of the array */
    uint32_t arrays, notes; /* of a kernel: arrays that are accessed */
    struct cw_note note[CW_PROGRAM_NOTES];
};

struct price {
    uint64_t wavefronts, ideal;
    uint64_t memory;      /* of the array, or up to the last byte that is asked for */
    uint32_t worst;       /* the request with the most wavefronts above its ideal */
    uint32_t worst_takes; /* its wavefronts, and what it should */
    uint32_t worst_ideal;
};

/* What the user asks about. */
struct question {
    const char *text;    /* the lines, or the expression */
    const char *file;    /* that the lines come from, or NULL */
    const char *csv;     /* a file, or NULL */
    const char *only_if; /* a condition, or NULL */
    const char *define[DEFINES_MAX];
    uint32_t defines;
    struct pattern recorded; /* of the file: element x for each lane */
    const struct cw_bank_machine *machine;
    uint32_t threads, block[3];
    int64_t from, to; /* of i: from .. to - 1 */
    int has_i;
    uint32_t bytes; /* 0: 4, or what the array's type says */
    int write;
    uint32_t array; /* of a kernel: which of those that are accessed */
};

/* ---- conflicts_pattern.c ---------------------------------------------------- */

/* Why a pattern was not made: where in the text, and for which lane. */
struct trouble {
    struct cw_expr_error error;
    int located;      /* error.at is a place of the text */
    const char *text; /* which text: the lines, a -D, the condition */
    char where[96];   /* "t = 3, i = 0"; empty: the text itself */
};

/* The names, the definitions, the lines, the condition: 0, or USAGE or FAILED with *why filled and
 * nothing allocated. */
int program_make(const struct question *q, const char *text, struct cw_program *out,
                 struct trouble *why);

/* Parse the text and evaluate it for every lane of every request.  0, or USAGE or FAILED with
 * *why filled and nothing allocated. */
int pattern_make(const struct question *q, const char *text, struct pattern *out,
                 struct trouble *why);
void pattern_free(struct pattern *p);

/* For conflicts_kernel.c: the values of names, where in the pattern, what an access is. */
void pattern_values(const struct question *q, const struct ask *a, uint32_t lane, int64_t *values);
void pattern_locate(const struct question *q, const struct ask *a, uint32_t lane, int64_t x,
                    struct trouble *why);
void pattern_describe(const struct question *q, const struct cw_program *program,
                      struct pattern *out, struct ask *a);

/* The line, from 1, and the column of a byte. */
void line_and_column(const char *text, size_t at, size_t *line, size_t *column);

/* ---- conflicts_kernel.c ----------------------------------------------------- */

/* out->ask and out->count. */
int kernel_requests(const struct question *q, struct cw_program *program, const char *text,
                    struct pattern *out, struct trouble *why);

void request_of(const struct pattern *p, const struct ask *a, struct cw_lanes_request *out);
void pattern_price(const struct pattern *p, struct price *out);

/* ---- conflicts_csv.c -------------------------------------------------------- */

/* Read q->csv into q->recorded: 0, or USAGE or FAILED after a complaint. */
int recorded_read(struct question *q);

/* ---- conflicts_lanes.c ------------------------------------------------------ */

/* Lanes of one part of a warp that ask one bank for different words. */
struct collision {
    uint32_t bank;
    uint64_t lanes;
    uint32_t count; /* words */
    uint32_t word[CW_LANES_MAX];
};

#define COLLISIONS_MAX (CW_BANKS_MAX * 8u)

/* The collisions of a request, the most words first; returns how many. */
uint32_t collisions_of(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                       struct collision *out);

void print_collisions(const struct collision *c, uint32_t count);
void print_picture(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                   const struct collision *c, uint32_t count);

/* ---- conflicts_search.c, conflicts_fix.c, conflicts_text.c ------------------------------------ */

/* Element x moves to x + x / every * pad, or, where every is 0, to
 * x ^ (((x >> shift) & mask) << left). */
struct change {
    uint32_t every, pad;
    uint32_t shift, mask, left;
};

uint64_t change_apply(const struct change *c, uint32_t x);

struct fix {
    int found;
    struct change change;
    char *text;           /* the lines to use instead */
    char was[96], is[96]; /* padding of an array: its declaration, t[32][32] and t[32][33] */
    struct price price;
};

struct fixes {
    struct fix best, other;      /* the one to take; the best of the other kind */
    uint32_t paddings, swizzles; /* how many were tried */
    int unwritten; /* one was found, but its expression would be too long or too deep */
};

/* The change with the fewest wavefronts, of paddings or of swizzles: 1, or 0 if none takes fewer
 * than the pattern as it is; -1 if there is no memory.  *tried: how many were looked at. */
int search_change(const struct pattern *p, const struct price *now, int swizzle, struct change *out,
                  uint32_t *tried);

/* The lines with the change in them, to be freed; NULL: no memory.  An array's declaration before
 * and after goes into f->was and f->is. */
char *changed_text(const struct question *q, const struct pattern *p, struct fix *f);

/* 0, or FAILED after a complaint. */
int fixes_find(const struct question *q, const struct pattern *p, const struct price *now,
               struct fixes *out);
void fixes_free(struct fixes *f);

/* ---- conflicts_print.c ------------------------------------------------------ */

void conflicts_print(const struct question *q, const struct pattern *p, const struct price *price,
                     const struct fixes *f);
void conflicts_json(struct json *j, const struct question *q, const struct pattern *p,
                    const struct price *price, const struct fixes *f);

/* ---- conflicts_lines.c ------------------------------------------------------ */

/* Of a kernel: what each access costs, with its line; what the reader assumed; the lines that a fix changes. */
void print_accesses(const struct question *q, const struct pattern *p);
void print_notes(const struct question *q, const struct pattern *p);
void print_changed(const char *was, const char *is);
void json_accesses(struct json *j, const struct pattern *p);
void json_notes(struct json *j, const struct question *q, const struct pattern *p);

/* ---- conflicts_page.c ------------------------------------------------------- */

/* The same calculator as a page that answers in a browser, with this question in it: DONE, or FAILED
 * after a complaint. */
int conflicts_page(const struct question *q, const char *text, const char *html, int json);

#endif
