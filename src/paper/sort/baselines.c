/* baselines.c - what people used before the paper: the registry's rows.
 *
 * shearsort and blocked bitonic are conflict-free and their steps are known from
 * the shape; the others run in count mode, and what their conflicts cost is what
 * they are here to show.  The networks' steps are the same for all data, but have
 * no formula for every w, so none is given.
 */
#include <math.h>

#include "paper/bodies.h"
#include "paper/sort/odd_even.h"
#include "paper/sort/shearsort.h"
#include "paper/sort/thread_merge.h"

static double at_least(double bound, uint32_t m)
{
    return bound > m ? bound : m;
}

/* ---- shearsort ----------------------------------------------------------- */

/* The pad follows the matrix, so the first buffer is one piece. */
static uint32_t shearsort_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                                struct cw_area *out)
{
    const shear_plan plan = shear_plan_make((int)w, (int)m, (int)opt->ways);

    out[0].name = "pad";
    out[0].columns = (uint32_t)plan.margin;
    out[1].name = "buffer";
    out[1].columns = (uint32_t)plan.buffer;
    return 2;
}

static double shearsort_bound(uint32_t w, uint32_t m)
{
    return at_least(m * log2(m) * log2(w), m);
}

/* Theirs is for w x w.  Taller matrices have columns of more than m items, which are sorted by m processors,
 * or by a network; and a single row is sorted once all the same. */
static double shearsort_bound_of(uint32_t w, uint32_t m, const struct cw_options *opt,
                                 const char **text)
{
    const double lg = log2(w), rows = m * log2(m);

    if (w == 1) {
        *text = "m log2 m";
        return at_least(rows, m);
    }
    if (w <= m)
        return shearsort_bound(w, m);
    if (shear_plan_make((int)w, (int)m, (int)opt->ways).network) {
        *text = "m log2 w (log2 m + log2(w)^2)";
        return lg * (rows + m * lg * lg);
    }
    *text = "log2 w (m log2 m + w log2 w)";
    return lg * (rows + w * lg);
}

static uint64_t shearsort_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const int ways = (int)opt->ways;
    const uint64_t rows = (uint64_t)row_sort_steps((int)m, ways);
    const shear_plan plan = shear_plan_make((int)w, (int)m, ways);

    return (uint64_t)passes_of((int)w, 2) * (rows + (uint64_t)plan.steps) + rows;
}

static void shearsort_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = (const struct cw_job *)arg;
    const int w = (int)job->w, m = (int)job->m, ways = (int)job->opt.ways;
    const shear_plan plan = shear_plan_make(w, m, ways);

    shearsort(s, view_make(0, w, m, 0, (int)job->aux[1], ways), plan);
}

const struct cw_algorithm cw_alg_shearsort =
    CW_ALGORITHM("shearsort", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 m log2 w",
                 "Sitchinava and Weichert's sort: rows and columns in turn, log2 w times",
                 .areas = shearsort_areas, .bound = shearsort_bound, .bound_of = shearsort_bound_of,
                 .steps = shearsort_steps, .body = shearsort_body);

/* ---- blocked bitonic ----------------------------------------------------- */

static uint32_t buffer_area(uint32_t w, uint32_t m, const struct cw_options *opt,
                            struct cw_area *out)
{
    (void)w;
    (void)opt;
    return cw_area_of("buffer", m, out);
}

static double blocked_bound(uint32_t w, uint32_t m)
{
    return at_least(m * log2(m) + m * log2(w) * log2(w), m);
}

static uint64_t blocked_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const uint64_t k = (uint64_t)passes_of((int)w, 2);
    const uint64_t rows = (uint64_t)row_sort_steps((int)m, (int)opt->ways);
    const uint64_t local = m > 1 ? (uint64_t)bitonic_row_steps((int)m) : 0;

    return rows + k * (k + 1) / 2 * (2 * (uint64_t)m + m % 2) + k * local;
}

CW_BODY(blocked)

const struct cw_algorithm cw_alg_blocked_bitonic = CW_ALGORITHM(
    "blocked-bitonic", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 m + m log2(w)^2",
    "bitonic sort with a row as a block; the strongest of the old methods", .areas = buffer_area,
    .bound = blocked_bound, .steps = blocked_steps, .body = blocked_body);

/* ---- networks on a linear array ------------------------------------------ */

/* What the comparators of lg n (lg n + 1) / 2 stages cost without conflicts, rounded:
 * n/2 comparators of 4 accesses on w processors are 2m steps a stage. */
static double network_bound(uint32_t w, uint32_t m)
{
    const double lg = log2((double)w * m);

    return at_least(m * lg * lg, m);
}

static uint32_t padded_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                             struct cw_area *out)
{
    (void)opt;
    return cw_area_of("padding", m > 1 ? (m - 2) / w + 1 : 0, out);
}

static void plain(struct cw_model *s, const void *arg, void (*sort)(mem s, linear a, int n))
{
    const struct cw_job *job = (const struct cw_job *)arg;

    sort(s, linear_make((int)job->w, 0, 0), (int)(job->w * job->m));
}

/* The padding follows the matrix, so that the padded array is one piece. */
static void padded(struct cw_model *s, const void *arg, void (*sort)(mem s, linear a, int n))
{
    const struct cw_job *job = (const struct cw_job *)arg;
    const linear close = linear_make((int)job->w, 0, 0);
    const linear wide = linear_make((int)job->w, 0, 1);

    linear_move(s, close, wide, (int)job->m);
    sort(s, wide, (int)(job->w * job->m));
    linear_move(s, wide, close, (int)job->m);
}

static void bitonic_body(struct cw_model *s, const void *job)
{
    plain(s, job, bitonic_sort);
}

static void odd_even_body(struct cw_model *s, const void *job)
{
    plain(s, job, odd_even_sort);
}

static void padded_bitonic_body(struct cw_model *s, const void *job)
{
    padded(s, job, bitonic_sort);
}

static void padded_odd_even_body(struct cw_model *s, const void *job)
{
    padded(s, job, odd_even_sort);
}

const struct cw_algorithm cw_alg_bitonic =
    CW_ALGORITHM("bitonic", CW_SORT, CW_COLUMN_MAJOR, CW_CONFLICTS, "m log2(n)^2",
                 "bitonic sort of a linear array, item x in bank x mod w; conflicts",
                 .bound = network_bound, .body = bitonic_body);

const struct cw_algorithm cw_alg_odd_even =
    CW_ALGORITHM("odd-even", CW_SORT, CW_COLUMN_MAJOR, CW_CONFLICTS, "m log2(n)^2",
                 "odd-even merge sort of a linear array, item x in bank x mod w; conflicts",
                 .bound = network_bound, .body = odd_even_body);

const struct cw_algorithm cw_alg_padded_bitonic =
    CW_ALGORITHM("padded-bitonic", CW_SORT, CW_COLUMN_MAJOR, CW_CONFLICTS, "m log2(n)^2",
                 "bitonic sort with Dotsenko's padding, item x at address x + x / w; conflicts",
                 .areas = padded_areas, .bound = network_bound, .body = padded_bitonic_body);

const struct cw_algorithm cw_alg_padded_odd_even =
    CW_ALGORITHM("padded-odd-even", CW_SORT, CW_COLUMN_MAJOR, CW_CONFLICTS, "m log2(n)^2",
                 "odd-even merge sort with Dotsenko's padding; conflicts", .areas = padded_areas,
                 .bound = network_bound, .body = padded_odd_even_body);

/* ---- merge sort, a thread a run ------------------------------------------ */

static double merge_bound(uint32_t w, uint32_t m)
{
    return at_least(m * log2((double)w * m), m);
}

static void merge_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = (const struct cw_job *)arg;
    const linear a = linear_make((int)job->w, 0, 0);
    const linear b = linear_make((int)job->w, (int)job->aux[0], 0);

    thread_merge(s, a, b, (int)job->m);
}

const struct cw_algorithm cw_alg_merge =
    CW_ALGORITHM("merge", CW_SORT, CW_COLUMN_MAJOR, CW_CONFLICTS, "m log2 n",
                 "merge sort of a linear array, a thread for every m items; conflicts",
                 .areas = buffer_area, .bound = merge_bound, .body = merge_body);
