/* transposes.c - host side of the conversions and of the row sorts. */
#include <math.h>

#include "machine/status.h"
#include "paper/convert_in_place.h"
#include "paper/paper.h"
#include "paper/radix.h"
#include "paper/registry.h"
#include "paper/rows.h"
#include "paper/transpose.h"

#define DIGIT_BITS 8 /* radix rows: 256 counters a row at most */

static const struct cw_job *job_of(const void *job)
{
    return (const struct cw_job *)job;
}

static uint32_t one_buffer(uint32_t w, uint32_t m, const struct cw_options *opt,
                           struct cw_area *out)
{
    (void)w;
    (void)opt;
    out[0].name = "buffer";
    out[0].columns = m;
    return 1;
}

static double bound_m(uint32_t w, uint32_t m)
{
    (void)w;
    return m;
}

/* ---- transpose ----------------------------------------------------------- */

/* Out of place; the result is read from the matrix, so it is copied there by
 * being converted from the buffer: the input is moved over first. */
static void transpose_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = job_of(arg);
    view v = view_make(0, (int)job->w, (int)job->m, 0, (int)job->aux[0], (int)job->opt.ways);

    for (int j = 0; j < v.m; j++)
        bank_write(s, lane_id(s), v.b + j, bank_read(s, lane_id(s), v.a + j));
    r2c(s, view_flip(v));
}

static uint64_t transpose_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    (void)opt;
    return 4 * (uint64_t)m;
}

const struct cw_algorithm cw_alg_transpose = {
    .name = "transpose",
    .summary = "row-major to column-major order by way of a second buffer",
    .bound_text = "m",
    .problem = CW_TRANSPOSE,
    .order = CW_COLUMN_MAJOR,
    .conflict_free = 1,
    .areas = one_buffer,
    .bound = bound_m,
    .steps = transpose_steps,
    .body = transpose_body,
};

static void in_place_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = job_of(arg);

    r2c_in_place(s,
                 view_make(0, (int)job->w, (int)job->m, 0, (int)job->aux[0], (int)job->opt.ways));
}

static uint64_t in_place_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return (gcd((int)w, (int)m) > 1 ? 6 : 4) * (uint64_t)m;
}

const struct cw_algorithm cw_alg_transpose_in_place = {
    .name = "transpose-in-place",
    .summary = "the same inside the matrix, with one row of scratch a processor (Catanzaro et al.)",
    .bound_text = "m",
    .problem = CW_TRANSPOSE,
    .order = CW_COLUMN_MAJOR,
    .conflict_free = 1,
    .areas = one_buffer,
    .bound = bound_m,
    .steps = in_place_steps,
    .body = in_place_body,
};

static cw_status square_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return w == m ? CW_OK : cw_fail(CW_ERR_SHAPE, "needs a square (w = m), not %u x %u", w, m);
}

static void square_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = job_of(arg);

    transpose_square(s, view_make(0, (int)job->w, (int)job->m, 0, 0, (int)job->opt.ways));
}

static uint64_t square_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)m;
    (void)opt;
    return w < 2 ? 0 : w % 2 ? 2 * (uint64_t)(w - 1) : 2 * (uint64_t)(w - 1);
}

const struct cw_algorithm cw_alg_transpose_square = {
    .name = "transpose-square",
    .summary = "a square transposed in place in two registers; needs w = m",
    .bound_text = "m",
    .problem = CW_TRANSPOSE,
    .order = CW_COLUMN_MAJOR,
    .conflict_free = 1,
    .check = square_check,
    .bound = bound_m,
    .steps = square_steps,
    .body = square_body,
};

/* ---- row sort ------------------------------------------------------------ */

static sorter radix_of(uint32_t counters, const struct cw_options *opt)
{
    sorter by = sorter_merge((int)opt->ways);
    const int passes = ((int)opt->key_bits + DIGIT_BITS - 1) / DIGIT_BITS;

    by.rows = ROWS_RADIX;
    by.bits = (int)opt->key_bits;
    by.digit = (by.bits + passes - 1) / passes;
    by.counters = (int)counters;
    return by;
}

static cw_status row_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    (void)m;
    if (opt->rows == CW_ROWS_RADIX && (opt->key_bits < 1 || opt->key_bits > 64))
        return cw_fail(CW_ERR_ARGUMENT, "radix rows need key bits from 1 to 64 (got %u)",
                       opt->key_bits);
    return CW_OK;
}

static uint32_t row_areas(uint32_t w, uint32_t m, const struct cw_options *opt, struct cw_area *out)
{
    one_buffer(w, m, opt, out);
    if (opt->rows != CW_ROWS_RADIX)
        return 1;
    out[1].name = "counters";
    out[1].columns = 1u << radix_of(0, opt).digit;
    return 2;
}

static void row_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = job_of(arg);
    const int m = (int)job->m, buffer = (int)job->aux[0];

    const sorter by = job->opt.rows == CW_ROWS_RADIX ? radix_of(job->aux[1], &job->opt)
                                                     : sorter_merge((int)job->opt.ways);

    order_row(s, lane_id(s), 0, buffer, 0, m, 0, by);
}

static double row_bound(uint32_t w, uint32_t m)
{
    (void)w;
    return m < 2 ? m : m * log2(m);
}

static uint64_t row_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const sorter by = opt->rows == CW_ROWS_RADIX ? radix_of(0, opt) : sorter_merge((int)opt->ways);

    (void)w;
    return (uint64_t)order_steps((int)m, by, 0);
}

const struct cw_algorithm cw_alg_row_sort = {
    .name = "row-sort",
    .summary = "each row sorted by its own processor (merge, or radix with --rows radix)",
    .bound_text = "m log2 m",
    .problem = CW_SORT_ROWS,
    .order = CW_ROW_MAJOR,
    .conflict_free = 1,
    .check = row_check,
    .areas = row_areas,
    .bound = row_bound,
    .steps = row_steps,
    .body = row_body,
};
