/* transposes.c - host side of the conversions and of the row sorts. */
#include <math.h>

#include "base/status.h"
#include "paper/bodies.h"
#include "paper/registry.h"

CW_BODY(transpose)
CW_BODY(transpose_in_place)
CW_BODY(transpose_square)
CW_BODY(row_sort)

static uint32_t one_buffer(uint32_t w, uint32_t m, const struct cw_options *opt,
                           struct cw_area *out)
{
    (void)w;
    (void)opt;
    return cw_area_of("buffer", m, out);
}

/* ---- transpose ----------------------------------------------------------- */

static uint64_t transpose_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    (void)opt;
    return 4 * (uint64_t)m;
}

const struct cw_algorithm cw_alg_transpose =
    CW_ALGORITHM("transpose", CW_TRANSPOSE, CW_COLUMN_MAJOR, CW_NO_CONFLICTS, "m",
                 "row-major to column-major order by way of a second buffer", .areas = one_buffer,
                 .bound = cw_bound_m, .steps = transpose_steps, .body = transpose_body);

static uint64_t in_place_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return (gcd((int)w, (int)m) > 1 ? 6 : 4) * (uint64_t)m;
}

const struct cw_algorithm cw_alg_transpose_in_place = CW_ALGORITHM(
    "transpose-in-place", CW_TRANSPOSE, CW_COLUMN_MAJOR, CW_NO_CONFLICTS, "m",
    "the same inside the matrix, with one row of scratch a processor (Catanzaro et al.)",
    .areas = one_buffer, .bound = cw_bound_m, .steps = in_place_steps,
    .body = transpose_in_place_body);

static cw_status square_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return w == m ? CW_OK : cw_fail(CW_ERR_SHAPE, "needs a square (w = m), not %u x %u", w, m);
}

static uint64_t square_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)m;
    (void)opt;
    return 2 * (uint64_t)(w - 1);
}

const struct cw_algorithm cw_alg_transpose_square = CW_ALGORITHM(
    "transpose-square", CW_TRANSPOSE, CW_COLUMN_MAJOR, CW_NO_CONFLICTS, "m",
    "a square transposed in place in two registers; needs w = m", .check = square_check,
    .bound = cw_bound_m, .steps = square_steps, .body = transpose_square_body);

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

const struct cw_algorithm cw_alg_row_sort = CW_ALGORITHM(
    "row-sort", CW_SORT_ROWS, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 m",
    "each row sorted by its own processor (merge, or radix with --rows radix)", .check = row_check,
    .areas = row_areas, .bound = row_bound, .steps = row_steps, .body = row_sort_body);
