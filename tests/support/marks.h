/* marks.h - the paper's marks: what is dirty in a rectangle of the machine, seen between
 * two phases.
 *
 * An item below the threshold is marked 0, any other 1; a row or a column is dirty
 * if it holds both marks.  With all keys different, one run and all thresholds show
 * what as many 0-1 inputs would.
 */
#ifndef CW_TEST_MARKS_H
#define CW_TEST_MARKS_H

#include "machine/model/model.h"

struct cw_marks {
    uint32_t rows, cols;
    cw_word *x;                 /* the rectangle, row by row */
    cw_word *row_min, *row_max; /* of each row, and of each column */
    cw_word *col_min, *col_max;
};

/* Rows or columns that are dirty: how many, the first and the last of them. */
struct cw_dirt {
    uint32_t count, first, last;
};

/* Room for any rectangle of this machine; 0 if there is none. */
int cw_marks_make(struct cw_marks *k, const struct cw_model *s);
void cw_marks_free(struct cw_marks *k);

/* Copy what the phase tells of. */
void cw_marks_read(struct cw_marks *k, struct cw_model *s, const struct cw_phase *phase);

struct cw_dirt cw_dirty_rows(const struct cw_marks *k, cw_word threshold);
struct cw_dirt cw_dirty_columns(const struct cw_marks *k, cw_word threshold);

/* Do they stand beside each other? */
int cw_dirt_adjacent(struct cw_dirt d);

/* Zeros of the row that has fewest of them, and of the one that has most: the difference. */
uint32_t cw_zero_spread(const struct cw_marks *k, cw_word threshold);

/* How often the mark changes if the rectangle is read row by row (by_column: column by
 * column); at most once if it is sorted, one way or the other. */
uint32_t cw_mark_changes(const struct cw_marks *k, cw_word threshold, int by_column);

/* How often it changes round a row, the end and the beginning side by side. */
uint32_t cw_row_changes(const struct cw_marks *k, cw_word threshold, uint32_t row);

#endif
