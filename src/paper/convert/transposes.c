/* transposes.c - host side of the conversions and of the row sorts. */
#include <math.h>

#include "base/status.h"
#include "paper/bodies.h"
#include "paper/registry.h"

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

CW_BODY(transpose)

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

CW_BODY(transpose_in_place)

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
    .body = transpose_in_place_body,
};

static cw_status square_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return w == m ? CW_OK : cw_fail(CW_ERR_SHAPE, "needs a square (w = m), not %u x %u", w, m);
}

CW_BODY(transpose_square)

static uint64_t square_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)m;
    (void)opt;
    return 2 * (uint64_t)(w - 1);
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
    .body = transpose_square_body,
};

/* ---- row sort ------------------------------------------------------------ */

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
    const sorter by = key_sorter(m, opt);

    one_buffer(w, m, opt, out);
    out[1].name = "counters";
    out[1].columns = by.bits ? 1u << by.digit : 0;
    return by.bits ? 2 : 1;
}

CW_BODY(row_sort)

static double row_bound(uint32_t w, uint32_t m)
{
    (void)w;
    return m < 2 ? m : m * log2(m);
}

static uint64_t row_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    return (uint64_t)order_steps((int)m, key_sorter(m, opt), 0);
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
    .body = row_sort_body,
};
