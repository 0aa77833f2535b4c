/* layout.h - how a batch of rows is sorted: words, classes, lists, and where in the workspace they
 * are. */
#ifndef CW_ROWS_LAYOUT_H
#define CW_ROWS_LAYOUT_H

#include "rows/job.h"
#include "rows/plan.h"

/* A kernel for a class of rows. */
struct cw_rows_shape {
    enum cw_kernel any, full;
    uint32_t threads, blocks;
    enum cw_kernel three; /* of up to three quarters as many keys */
};

/* A word size. */
struct cw_rows_words {
    uint32_t bytes, log_k, last; /* last: the longest class that a block sorts */
    uint32_t indexed_last;       /* the same of rows/index_payload.h */
    enum cw_kernel parts, step, merge, join;
    uint32_t join_log, join_blocks; /* words of a tile of `join`, and blocks that are held */
    struct cw_rows_shape shape[CW_ROWS_CLASSES];
};

struct cw_rows_layout {
    size_t counts, lists, part_rows, words, joined, values, keys, end; /* where each begins */
    uint64_t list_at[CW_ROWS_LISTS + 1];
};

/* What a batch is sorted as, by kernels of such shapes. */
const struct cw_rows_words *cw_rows_words(const cw_rows *job, enum cw_shapes shapes);
enum cw_rows_form cw_rows_form_of(const cw_rows *job, const struct cw_rows_words *w);
/* Whether rows of class c are sorted by rows/index_payload.h. */
int cw_rows_by_index(const cw_rows *job, const struct cw_rows_words *w, uint32_t c);
/* The class of rows of such a length: log2 of the places of a power of two. */
uint32_t cw_rows_class(uint64_t length);
/* Whether a row of class c has a network of three quarters of its places. */
int cw_rows_is_three(const cw_rows *job, const struct cw_rows_words *w, uint32_t c,
                     uint64_t length);
/* The same of five eighths. */
int cw_rows_is_five(const cw_rows *job, const struct cw_rows_words *w, uint32_t c, uint64_t length);
/* Its kernel, as many blocks of it as a multiprocessor should hold, and its threads. */
struct cw_rows_shape cw_rows_five(uint32_t c);
/* The kernel for short rows of one length that lie together; NULL if rows are not such.  By offsets
 * they are looked at. */
struct cw_rows_lane {
    enum cw_kernel kernel;
    uint32_t places, rows, blocks; /* rows: of a lane */
};
const struct cw_rows_lane *cw_rows_lane(const cw_rows *job, const struct cw_rows_words *w);
/* Rows of higher classes are sorted in parts. */
uint32_t cw_rows_top_class(const cw_rows *job, const struct cw_rows_words *w);
/* Parts of a row. */
uint64_t cw_rows_parts_of(const struct cw_rows_words *w, uint64_t length);
/* Whether rows by offsets are sorted without lists. */
int cw_rows_is_unlisted(const cw_rows *job, const struct cw_rows_words *w);
/* Whether full rows can be moved 16 bytes at a time. */
int cw_rows_can_be_full(const cw_rows *job, const struct cw_rows_words *w);
/* The first class with a list of full rows. */
uint32_t cw_rows_full_from(const cw_rows *job, const struct cw_rows_words *w);
/* Rows that a list of a class can have. */
uint64_t cw_rows_room(const cw_rows *job, const struct cw_rows_words *w, uint32_t list);
/* Rows in parts that there can be. */
uint64_t cw_rows_long_room(const cw_rows *job, const struct cw_rows_words *w);
/* Parts of them. */
uint64_t cw_rows_parts_room(const cw_rows *job, const struct cw_rows_words *w);
/* Whether parts are joined (rows/join.h), not merged by a network. */
int cw_rows_is_joined(const cw_rows *job);
/* Where in the workspace is what. */
struct cw_rows_layout cw_rows_layout_of(const cw_rows *job, const struct cw_rows_words *w);

#endif
