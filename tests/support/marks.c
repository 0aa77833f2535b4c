#include "marks.h"

#include <stdlib.h>
#include <string.h>

int cw_marks_make(struct cw_marks *k, const struct cw_model *s)
{
    const size_t w = cw_model_settings(s)->w, cols = cw_model_columns(s);

    memset(k, 0, sizeof *k);
    k->x = (cw_word *)malloc((w * cols + 2 * w + 2 * cols) * sizeof *k->x);
    if (!k->x)
        return 0;
    k->row_min = k->x + w * cols;
    k->row_max = k->row_min + w;
    k->col_min = k->row_max + w;
    k->col_max = k->col_min + cols;
    return 1;
}

void cw_marks_free(struct cw_marks *k)
{
    free(k->x);
    memset(k, 0, sizeof *k);
}

void cw_marks_read(struct cw_marks *k, struct cw_model *s, const struct cw_phase *phase)
{
    k->rows = phase->group.rows;
    k->cols = phase->cols;
    for (uint32_t r = 0; r < k->rows; r++) {
        for (uint32_t c = 0; c < k->cols; c++) {
            const cw_word x =
                *cw_model_at(s, phase->group.first + r * phase->group.stride, phase->column + c);

            k->x[(size_t)r * k->cols + c] = x;
            if (!c || x < k->row_min[r])
                k->row_min[r] = x;
            if (!c || x > k->row_max[r])
                k->row_max[r] = x;
            if (!r || x < k->col_min[c])
                k->col_min[c] = x;
            if (!r || x > k->col_max[c])
                k->col_max[c] = x;
        }
    }
}

static struct cw_dirt dirt(uint32_t n, const cw_word *min, const cw_word *max, cw_word threshold)
{
    struct cw_dirt d = {0, 0, 0};

    for (uint32_t i = 0; i < n; i++) {
        if (min[i] >= threshold || max[i] < threshold)
            continue;
        if (!d.count++)
            d.first = i;
        d.last = i;
    }
    return d;
}

struct cw_dirt cw_dirty_rows(const struct cw_marks *k, cw_word threshold)
{
    return dirt(k->rows, k->row_min, k->row_max, threshold);
}

struct cw_dirt cw_dirty_columns(const struct cw_marks *k, cw_word threshold)
{
    return dirt(k->cols, k->col_min, k->col_max, threshold);
}

int cw_dirt_adjacent(struct cw_dirt d)
{
    return d.count < 2 || d.last - d.first + 1 == d.count;
}

uint32_t cw_zero_spread(const struct cw_marks *k, cw_word threshold)
{
    uint32_t least = UINT32_MAX, most = 0;

    for (uint32_t r = 0; r < k->rows; r++) {
        uint32_t zeros = 0;

        for (uint32_t c = 0; c < k->cols; c++)
            zeros += k->x[(size_t)r * k->cols + c] < threshold;
        least = zeros < least ? zeros : least;
        most = zeros > most ? zeros : most;
    }
    return most - least;
}

uint32_t cw_mark_changes(const struct cw_marks *k, cw_word threshold, int by_column)
{
    const size_t n = (size_t)k->rows * k->cols;
    int last = k->x[0] < threshold;
    uint32_t changes = 0;

    for (size_t i = 1; i < n; i++) {
        const size_t at = by_column ? i % k->rows * k->cols + i / k->rows : i;
        const int mark = k->x[at] < threshold;

        changes += mark != last;
        last = mark;
    }
    return changes;
}

uint32_t cw_row_changes(const struct cw_marks *k, cw_word threshold, uint32_t row)
{
    const cw_word *const x = k->x + (size_t)row * k->cols;
    uint32_t changes = 0;

    for (uint32_t c = 0; c < k->cols; c++)
        changes += (x[c] < threshold) != (x[c + 1 < k->cols ? c + 1 : 0] < threshold);
    return changes;
}
