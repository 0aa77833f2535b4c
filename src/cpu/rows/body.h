/* body.h - sort some rows with words of WORD_LOG: the body of rows4.c, rows8.c, rows16.c.
 *
 * All rows are loaded before any is stored, so arrays may be sorted in place.  Words that are what
 * the arrays hold (`direct`) are sorted from there and to there, if they make a leaf.
 */
#include "cpu/rows/row_words.h"
#include "cpu/partition/split.h"

/* How long a row may be to make a leaf: longer, if there are enough of the same power of two that
 * lanes are filled. */
static uint32_t limit_of(const struct cw_columns *columns, const uint32_t *alike, uint32_t n)
{
    return alike[cw_width(n)] >= LANES / 2 ? columns->wide[WORD_KIND] : columns->limit[WORD_KIND];
}

static void sort_row(struct cw_worker *t, const struct form *f, size_t from, uint32_t n,
                     uint32_t limit, word *loaded, word *sorted)
{
    const struct cw_work *w = t->work;

    if (w->direct) {
        const word *in = (const word *)w->job->keys_in + from;

        sorted = (word *)w->job->keys_out + from;
        if (n <= limit) {
            add_leaf(t, in, sorted, n);
            return;
        }
        memcpy(loaded, in, n * sizeof *in);
    } else {
        load_row(w, from, n, loaded);
    }
    if (n <= limit)
        add_leaf(t, loaded, sorted, n);
    else
        split(t, f, loaded, sorted, sorted, n);
}

cw_rows_sort ROWS_SORT;

void ROWS_SORT(struct cw_worker *t, size_t first, size_t last)
{
    const struct cw_work *w = t->work;
    const struct form f = form_of(w);
    uint32_t alike[34] = {0}; /* rows by the width of their length */
    size_t at = 0;            /* words of the rows before */

    t->together = 0;
    for (size_t r = first; r < last; r++) {
        alike[cw_width(cw_row_keys(w->job, r))]++;
        t->together += cw_row_keys(w->job, r);
    }
    for (size_t r = first; r < last; r++) {
        const uint32_t n = (uint32_t)cw_row_keys(w->job, r);

        sort_row(t, &f, (size_t)cw_row_start(w->job, r), n, limit_of(w->columns, alike, n),
                 (word *)t->loaded + at, (word *)t->sorted + at);
        at += n;
    }
    sort_leaves(t);
    at = 0;
    for (size_t r = first; r < last && !w->direct; r++) {
        const uint32_t n = (uint32_t)cw_row_keys(w->job, r);

        store_row(w, (size_t)cw_row_start(w->job, r), n, (word *)t->sorted + at, t->values);
        at += n;
    }
}
