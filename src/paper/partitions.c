/* partitions.c - host side of the partition problem, of integers, and of the recursion. */
#include <math.h>

#include "machine/status.h"
#include "paper/lemma2.h"
#include "paper/paper.h"
#include "paper/registry.h"
#include "paper/report.h"
#include "paper/sort_recursive.h"
#include "paper/sort_tall.h"

#define LABEL_SHIFT 32 /* an item is label << 32 | payload */

/* The digit that makes sorting a row of m items by counting cheapest. */
static int best_digit(int bits, int m)
{
    int best = 1;
    double least = HUGE_VAL;

    for (int digit = 1; digit <= bits && digit <= 16; digit++) {
        const double cost = (bits + digit - 1) / digit * (7.0 * m + 3.0 * (1 << digit));

        if (cost < least) {
            least = cost;
            best = digit;
        }
    }
    return best;
}

/* Rows sorted on `bits` bits from `shift` on; none known: by merging. */
static sorter sorter_of(int shift, int bits, uint32_t m, const struct cw_options *opt)
{
    sorter by = sorter_merge((int)opt->ways);

    by.rows = (int)opt->rows;
    by.shift = shift;
    by.bits = opt->rows == CW_ROWS_MERGE ? 0 : bits;
    by.digit = by.bits ? best_digit(by.bits, (int)m) : 0;
    return by;
}

static sorter label_sorter(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const int bits = passes_of((int)w, 2);

    return sorter_of(LABEL_SHIFT, bits ? bits : 1, m, opt);
}

static sorter key_sorter(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    return sorter_of(0, (int)opt->key_bits, m, opt);
}

/* ---- which way ----------------------------------------------------------- */

enum way { SHORT, WIDE, LEMMA2, GENERAL };

static const char *const way_names[] = {"lemma 1", "theorem 1", "lemma 2", "general sort"};

static enum way way_of(uint32_t w, uint32_t m, sorter by)
{
    if (w <= m)
        return wide_plan((int)w, (int)m, by).g == 1 ? SHORT : WIDE;
    return lemma2_holds((int)w, (int)m) ? LEMMA2 : GENERAL;
}

static uint64_t steps_of(uint32_t w, uint32_t m, sorter by)
{
    switch (way_of(w, m, by)) {
    case SHORT:
    case WIDE:
        return (uint64_t)wide_steps((int)w, (int)m, by);
    case LEMMA2:
        return (uint64_t)lemma2_steps((int)w, (int)m, by) +
               (lemma2_moves((int)w, (int)m) ? 2 * (uint64_t)m : 0);
    default:
        return (uint64_t)tall_steps((int)w, (int)m, by);
    }
}

static int width_of(uint32_t w, uint32_t m, sorter by)
{
    return way_of(w, m, by) == LEMMA2 ? lemma2_width((int)w, (int)m, by)
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

static view whole(const struct cw_job *job, sorter by)
{
    view v = view_make(0, (int)job->w, (int)job->m, 0, (int)job->aux[1], by.ways);

    v.by = by;
    v.by.counters = (int)job->aux[2];
    return v;
}

static void note_path(struct cw_model *s, const struct cw_job *job, const char *path)
{
    if (lane_id(s) == 0 && job->output)
        ((struct cw_report *)job->output)->path = path;
}

static void run(struct cw_model *s, const struct cw_job *job, sorter by)
{
    const enum way way = way_of(job->w, job->m, by);
    view v = whole(job, by);

    note_path(s, job, way_names[way]);
    if (way != LEMMA2) {
        sort_any(s, v, 0);
        return;
    }
    v = lemma2_sort(s, v);
    for (int j = 0; v.a != 0 && j < v.m; j++) {
        const word x = bank_read(s, lane_id(s), v.a + j);

        bank_write(s, lane_id(s), v.b + j, x);
    }
}

/* ---- partition ----------------------------------------------------------- */

static cw_status rows_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)m;
    if (w > 1u << 20)
        return cw_fail(CW_ERR_SHAPE, "labels are for at most 2^20 rows, not %u", w);
    if (opt->literal)
        return cw_fail(CW_ERR_ARGUMENT,
                       "lemma 2 as stated does not partition (its sizes are wrong: "
                       "see docs/paper.md); there is no literal form");
    return CW_OK;
}

static cw_status tall_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return w < m ? cw_fail(CW_ERR_SHAPE, "lemma 2 is for w >= m, not %u x %u", w, m)
                 : rows_check(w, m, opt);
}

/* m log_m^3 w, and m where w <= m. */
static double partition_bound(uint32_t w, uint32_t m)
{
    const double logs = m < 2 ? log2(w < 2 ? 2 : w) : log2(w) / log2(m);

    return logs > 1 ? m * logs * logs * logs : m;
}

static uint32_t partition_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                                struct cw_area *out)
{
    const sorter by = label_sorter(w, m, opt);

    return areas_of(m, width_of(w, m, by), by, out);
}

static uint64_t partition_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return steps_of(w, m, label_sorter(w, m, opt));
}

static void partition_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = (const struct cw_job *)arg;

    run(s, job, label_sorter(job->w, job->m, &job->opt));
}

const struct cw_algorithm cw_alg_partition = {
    .name = "partition",
    .summary = "every item to the row of its label: corollary, theorem 1 or lemma 2 by shape",
    .bound_text = "m max(1, log_m w)^3",
    .problem = CW_PARTITION,
    .order = CW_ROW_MAJOR,
    .conflict_free = 1,
    .check = rows_check,
    .areas = partition_areas,
    .bound = partition_bound,
    .steps = partition_steps,
    .body = partition_body,
};

const struct cw_algorithm cw_alg_partition_tall = {
    .name = "partition-tall",
    .summary = "lemma 2: the partition for w >= m (the general sort where lemma 2 does not hold)",
    .bound_text = "m max(1, log_m w)^3",
    .problem = CW_PARTITION,
    .order = CW_ROW_MAJOR,
    .conflict_free = 1,
    .check = tall_check,
    .areas = partition_areas,
    .bound = partition_bound,
    .steps = partition_steps,
    .body = partition_body,
};

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
    const sorter by = key_sorter(w, m, opt);

    return areas_of(m, width_of(w, m, by), by, out);
}

static uint64_t integers_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return steps_of(w, m, key_sorter(w, m, opt));
}

static void integers_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = (const struct cw_job *)arg;

    run(s, job, key_sorter(job->w, job->m, &job->opt));
}

const struct cw_algorithm cw_alg_sort_integers = {
    .name = "sort-integers",
    .summary = "lemma 2 on keys of O(log n) bits (--key-bits); by theorem 1 where w <= m",
    .bound_text = "m max(1, log_m w)^3",
    .problem = CW_SORT,
    .order = CW_ROW_MAJOR,
    .conflict_free = 1,
    .check = integers_check,
    .areas = integers_areas,
    .bound = partition_bound,
    .steps = integers_steps,
    .body = integers_body,
};

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

static double recursive_bound(uint32_t w, uint32_t m)
{
    const double n = (double)w * m;

    return n < 4 ? m : m * log2(n);
}

static uint64_t recursive_count(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const sorter by = sorter_merge((int)opt->ways);

    return (uint64_t)(recursive_holds((int)w, (int)m) ? recursive_steps((int)w, (int)m, by)
                                                      : tall_steps((int)w, (int)m, by));
}

static void recursive_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = (const struct cw_job *)arg;
    const int holds = recursive_holds((int)job->w, (int)job->m);
    const view v = whole(job, sorter_merge((int)job->opt.ways));

    note_path(s, job, holds ? "recursive theorem 2" : "general sort");
    if (holds)
        sort_recursive(s, v, 0);
    else
        sort_any(s, v, 0);
}

const struct cw_algorithm cw_alg_sort_tall_recursive = {
    .name = "sort-tall-recursive",
    .summary =
        "theorem 2 with columns sorted by recursion (the general sort unless m | w, m | w/m ..)",
    .bound_text = "m log2 n",
    .problem = CW_SORT,
    .order = CW_ROW_MAJOR,
    .conflict_free = 1,
    .check = recursive_check,
    .areas = recursive_areas,
    .bound = recursive_bound,
    .steps = recursive_count,
    .body = recursive_body,
};
