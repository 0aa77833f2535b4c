/* partitions.c - host side of the partition problem, of integers, and of the recursion. */
#include <math.h>

#include "base/status.h"
#include "paper/bodies.h"
#include "paper/registry.h"

/* ---- which way ----------------------------------------------------------- */

static uint64_t lemma2_count(uint32_t w, uint32_t m, lemma2_plan plan, sorter by)
{
    return (uint64_t)lemma2_any_steps((int)w, (int)m, plan, by) +
           (lemma2_any_moves(plan) ? 2 * (uint64_t)m : 0);
}

/* Fewest steps: lemma 2, or the general sort. */
static enum cw_prefer settled(uint32_t w, uint32_t m, sorter by, enum cw_prefer prefer)
{
    const lemma2_plan plan = w > m ? lemma2_plan_of((int)w, (int)m) : lemma2_plan_of(1, 1);

    if (prefer != CW_PREFER_STEPS || !plan.H)
        return prefer;
    return (uint64_t)tall_steps((int)w, (int)m, by) < lemma2_count(w, m, plan, by)
               ? CW_PREFER_NETWORK
               : CW_PREFER_BOUND;
}

/* The lemma's condition is m >= 2^(sqrt(2 lg w) + O(1)).  Below it rows are joined, to at most 16 m
 * words (lemma2_any.h); where not even 16 m are 2^sqrt(2 lg w), the lemma promises nothing. */
static int out_of_reach(uint32_t w, uint32_t m)
{
    return w > m && log2(16.0 * m) < sqrt(2 * log2(w));
}

static uint64_t steps_of(uint32_t w, uint32_t m, sorter by, enum cw_prefer prefer)
{
    switch (partition_way((int)w, (int)m, by, settled(w, m, by, prefer))) {
    case WAY_SHORT:
    case WAY_WIDE:
        return (uint64_t)wide_steps((int)w, (int)m, by);
    case WAY_LEMMA2:
        return lemma2_count(w, m, lemma2_plan_of((int)w, (int)m), by);
    default:
        return (uint64_t)tall_steps((int)w, (int)m, by);
    }
}

static int width_of(uint32_t w, uint32_t m, sorter by, enum cw_prefer prefer)
{
    return partition_way((int)w, (int)m, by, settled(w, m, by, prefer)) == WAY_LEMMA2
               ? lemma2_any_width((int)w, (int)m, lemma2_plan_of((int)w, (int)m), by)
               : any_width((int)w, (int)m, by);
}

static uint32_t areas_of(uint32_t m, int width, sorter by, struct cw_area *out)
{
    out[0].name = "pad";
    out[0].columns = (uint32_t)width - m;
    out[1].name = "buffer";
    out[1].columns = (uint32_t)width;
    out[2].name = "counters";
    out[2].columns = by.bits ? 1u << by.digit : 0;
    return by.bits ? 3 : 2;
}

/* ---- partition ----------------------------------------------------------- */

static cw_status rows_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)m;
    if (w > 1u << 20)
        return cw_fail(CW_ERR_SHAPE, "labels are for at most 2^20 rows, not %u", w);
    if (opt->literal)
        return cw_fail(CW_ERR_ARGUMENT,
                       "lemma 2 as stated does not partition (its sizes are wrong: see "
                       "docs/paper.md); partition-tall --as-printed shows it");
    return CW_OK;
}

static cw_status tall_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    if (opt->literal == 2)
        return w > m && power_of_two((int)w) && power_of_two((int)m) && m > 1 && w <= 1u << 20
                   ? CW_OK
                   : cw_fail(CW_ERR_SHAPE,
                             "lemma 2 as printed is run for powers of two, w > m > 1, not %u x %u",
                             w, m);
    return w < m ? cw_fail(CW_ERR_SHAPE, "lemma 2 is for w >= m, not %u x %u", w, m)
                 : rows_check(w, m, opt);
}

/* m log_m^3 w, and m where w <= m: the paper's. */
static double partition_bound(uint32_t w, uint32_t m)
{
    const double logs = m < 2 ? log2(w < 2 ? 2 : w) : log2(w) / log2(m);

    return logs > 1 ? m * logs * logs * logs : m;
}

/* Row sorts that the paper's bound takes for O(m): merged, m log2 m; by counting, a pass for every
 * log2 m bits of a key (docs/paper.md, erratum 7).  Where both are allowed it is the paper's bound. */
static double rows_bound(uint32_t m, sorter by, const char **text)
{
    const double digit = m < 2 ? 1 : log2(m);

    if (!by.bits) {
        *text = "m log2 m max(1, log_m w)^3";
        return digit;
    }
    if (by.rows != ROWS_RADIX || by.bits <= digit)
        return 1;
    *text = "m max(1, log_m w)^3 bits / log2 m";
    return by.bits / digit;
}

/* The bound of what runs; the general sort sends columns through Batcher's network. */
static double bound_of(uint32_t w, uint32_t m, sorter by, enum cw_prefer prefer, const char **text)
{
    const double lg = log2(w < 2 ? 2 : w);

    if (partition_way((int)w, (int)m, by, settled(w, m, by, prefer)) != WAY_GENERAL)
        return partition_bound(w, m) * rows_bound(m, by, text);
    *text = "m log2(w)^2";
    return m * lg * lg;
}

static double partition_bound_of(uint32_t w, uint32_t m, const struct cw_options *opt,
                                 const char **text)
{
    return bound_of(w, m, label_sorter(w, m, opt), opt->prefer, text);
}

static enum cw_prefer partition_settle(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return settled(w, m, label_sorter(w, m, opt), opt->prefer);
}

/* Lemma 2, asked for by its name, but where it is out of reach: there, the fewest steps. */
static enum cw_prefer tall_settle(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return opt->prefer == CW_PREFER_STEPS && out_of_reach(w, m)
               ? settled(w, m, label_sorter(w, m, opt), CW_PREFER_STEPS)
               : CW_PREFER_BOUND;
}

static double tall_bound_of(uint32_t w, uint32_t m, const struct cw_options *opt, const char **text)
{
    return bound_of(w, m, label_sorter(w, m, opt), tall_settle(w, m, opt), text);
}

static uint32_t partition_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                                struct cw_area *out)
{
    const sorter by = label_sorter(w, m, opt);

    return areas_of(m, width_of(w, m, by, opt->prefer), by, out);
}

static uint64_t partition_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return steps_of(w, m, label_sorter(w, m, opt), opt->prefer);
}

static uint32_t tall_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                           struct cw_area *out)
{
    const sorter by = label_sorter(w, m, opt);

    if (opt->literal)
        return areas_of(m, 2 * (int)m, by, out);
    return areas_of(m, width_of(w, m, by, tall_settle(w, m, opt)), by, out);
}

static uint64_t tall_count(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return steps_of(w, m, label_sorter(w, m, opt), tall_settle(w, m, opt));
}

CW_BODY(partition)

const struct cw_algorithm cw_alg_partition =
    CW_ALGORITHM("partition", CW_PARTITION, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m max(1, log_m w)^3",
                 "every item to the row of its label: corollary, theorem 1, and for w > m lemma 2 "
                 "or the general sort (--prefer)",
                 .check = rows_check, .areas = partition_areas, .bound = partition_bound,
                 .bound_of = partition_bound_of, .settle = partition_settle,
                 .steps = partition_steps, .body = partition_body);

const struct cw_algorithm cw_alg_partition_tall = CW_ALGORITHM(
    "partition-tall", CW_PARTITION, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m max(1, log_m w)^3",
    "lemma 2: the partition for w >= m (where m is far too small for it, the general sort, unless "
    "--prefer bound)",
    .check = tall_check, .areas = tall_areas, .bound = partition_bound, .bound_of = tall_bound_of,
    .settle = tall_settle, .steps = tall_count, .body = partition_body);

/* ---- integers ------------------------------------------------------------ */

static cw_status integers_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    if (opt->key_bits > 64)
        return cw_fail(CW_ERR_ARGUMENT, "keys have at most 64 bits (got %u)", opt->key_bits);
    if (opt->rows == CW_ROWS_RADIX && !opt->key_bits)
        return cw_fail(CW_ERR_ARGUMENT, "radix rows need the number of key bits");
    return rows_check(w, m, opt);
}

static uint32_t integers_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                               struct cw_area *out)
{
    const sorter by = key_sorter(m, opt);

    return areas_of(m, width_of(w, m, by, opt->prefer), by, out);
}

static uint64_t integers_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return steps_of(w, m, key_sorter(m, opt), opt->prefer);
}

static double integers_bound_of(uint32_t w, uint32_t m, const struct cw_options *opt,
                                const char **text)
{
    return bound_of(w, m, key_sorter(m, opt), opt->prefer, text);
}

static enum cw_prefer integers_settle(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return settled(w, m, key_sorter(m, opt), opt->prefer);
}

CW_BODY(integers)

const struct cw_algorithm cw_alg_sort_integers =
    CW_ALGORITHM("sort-integers", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m max(1, log_m w)^3",
                 "lemma 2 on keys of O(log n) bits (--key-bits, --prefer); theorem 1 where w <= m",
                 .check = integers_check, .areas = integers_areas, .bound = partition_bound,
                 .bound_of = integers_bound_of, .settle = integers_settle, .steps = integers_steps,
                 .body = integers_body);

/* ---- the recursive theorem 2 --------------------------------------------- */

static cw_status recursive_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return w > m ? CW_OK : cw_fail(CW_ERR_SHAPE, "needs w > m, not %u x %u", w, m);
}

static uint32_t recursive_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                                struct cw_area *out)
{
    const sorter by = sorter_merge((int)opt->ways);
    const int width = recursive_holds((int)w, (int)m) ? recursive_width((int)w, (int)m, by)
                                                      : any_width((int)w, (int)m, by);

    return areas_of(m, width, by, out);
}

/* T(w) = 2 T(w/m) + 2 squares of O(m log m). */
static double recursive_bound(uint32_t w, uint32_t m)
{
    const double lg = log2(m < 2 ? 2 : m), deep = log2(w < 2 ? 2 : w) / lg;

    return m * lg * exp2(deep > 1 ? deep : 1);
}

static double recursive_bound_of(uint32_t w, uint32_t m, const struct cw_options *opt,
                                 const char **text)
{
    const double lg = log2(w < 2 ? 2 : w);

    (void)opt;
    if (recursive_holds((int)w, (int)m))
        return recursive_bound(w, m);
    *text = "m log2(w)^2";
    return m * lg * lg;
}

static uint64_t recursive_count(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const sorter by = sorter_merge((int)opt->ways);

    return (uint64_t)(recursive_holds((int)w, (int)m) ? recursive_steps((int)w, (int)m, by)
                                                      : tall_steps((int)w, (int)m, by));
}

CW_BODY(recursive)

const struct cw_algorithm cw_alg_sort_tall_recursive = CW_ALGORITHM(
    "sort-tall-recursive", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "2^(log_m w) m log2 m",
    "theorem 2 with columns sorted by recursion (the general sort unless m | w, m | w/m ..)",
    .check = recursive_check, .areas = recursive_areas, .bound = recursive_bound,
    .bound_of = recursive_bound_of, .steps = recursive_count, .body = recursive_body);
