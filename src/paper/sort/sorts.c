/* sorts.c - host side of the paper's sorts: shapes they take, space, steps, names. */
#include <math.h>

#include "base/status.h"
#include "paper/bodies.h"
#include "paper/registry.h"

CW_BODY(short)
CW_BODY(wide)
CW_BODY(square)
CW_BODY(tall)
CW_BODY(cole)

static double sort_bound(uint32_t w, uint32_t m)
{
    const double n = (double)w * m;

    return n < 4 ? m : m * log2(n);
}

/* The matrix itself is the first buffer; `pad` lies right behind it. */
static uint32_t two_buffers(uint32_t m, int width, struct cw_area *out)
{
    out[0].name = "pad";
    out[0].columns = (uint32_t)width - m;
    out[1].name = "buffer";
    out[1].columns = (uint32_t)width;
    return 2;
}

/* ---- lemma 1 ------------------------------------------------------------- */

static cw_status short_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    if (opt->literal == 1) {
        if ((uint64_t)w * w > m)
            return cw_fail(CW_ERR_SHAPE, "lemma 1 is for w <= sqrt(m), not %u x %u", w, m);
        if (m % w)
            return cw_fail(CW_ERR_SHAPE,
                           "lemma 1 as stated needs w to divide m (%u x %u may fail); the general "
                           "form does not",
                           w, m);
    } else if (!opt->literal && !short_fits((int)w, (int)m)) {
        return cw_fail(CW_ERR_SHAPE,
                       "the short form needs w * ceil(w/2) <= m + 1, not %u x %u; sort-wide takes "
                       "any w <= m",
                       w, m);
    }
    return CW_OK;
}

static uint32_t short_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                            struct cw_area *out)
{
    (void)w;
    (void)opt;
    return two_buffers(m, (int)m, out);
}

static uint64_t short_count(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return (uint64_t)(opt->literal ? short_literal_steps((int)m, sorter_merge((int)opt->ways))
                                   : short_steps((int)w, (int)m, sorter_merge((int)opt->ways)));
}

const struct cw_algorithm cw_alg_sort_short =
    CW_ALGORITHM("sort-short", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 n",
                 "lemma 1: short and wide, w * ceil(w/2) <= m + 1 (--literal: w <= sqrt(m), w | m)",
                 .check = short_check, .areas = short_areas, .bound = sort_bound,
                 .steps = short_count, .body = short_body);

/* ---- theorem 1 ----------------------------------------------------------- */

static cw_status wide_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    return w <= m ? CW_OK : cw_fail(CW_ERR_SHAPE, "needs w <= m, not %u x %u", w, m);
}

static cw_status square_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    if (w != m)
        return cw_fail(CW_ERR_SHAPE, "theorem 1 is for w = m, not %u x %u", w, m);
    if (opt->literal == 1 && !square_group_works((int)m, job_group(opt, m)))
        return cw_fail(CW_ERR_SHAPE,
                       "theorem 1 as stated needs super-rows of a height s with s | m, ceil(s/2) "
                       "<= m/s + 1 and m/s <= s + 1: m = %u has none%s",
                       m, opt->group ? " such as asked for" : "");
    return CW_OK;
}

static uint32_t wide_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                           struct cw_area *out)
{
    return two_buffers(m, wide_width((int)w, (int)m, sorter_merge((int)opt->ways)), out);
}

static uint64_t wide_count(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return (uint64_t)wide_steps((int)w, (int)m, sorter_merge((int)opt->ways));
}

static uint64_t square_count(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return opt->literal ? (uint64_t)square_literal_steps((int)m, sorter_merge((int)opt->ways))
                        : wide_count(w, m, opt);
}

const struct cw_algorithm cw_alg_sort_square =
    CW_ALGORITHM("sort-square", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 n",
                 "theorem 1: w = m, by super-rows (--literal: super-rows of sqrt(m) rows)",
                 .check = square_check, .areas = wide_areas, .bound = sort_bound,
                 .steps = square_count, .body = square_body);

const struct cw_algorithm cw_alg_sort_wide =
    CW_ALGORITHM("sort-wide", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 n",
                 "theorem 1 for every w <= m", .check = wide_check, .areas = wide_areas,
                 .bound = sort_bound, .steps = wide_count, .body = wide_body);

/* ---- theorem 2 ----------------------------------------------------------- */

/* Batcher's columns; for w > m the rows' m log2 m is less. */
static double network_bound(uint32_t w, uint32_t m)
{
    const double lg = log2(w < 2 ? 2 : w);

    return m * lg * lg;
}

static cw_status tall_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    if (opt->literal == 1) {
        if (w < m || w % m)
            return cw_fail(CW_ERR_SHAPE,
                           "theorem 2 as stated needs m to divide w, not %u x %u; the general form "
                           "does not",
                           w, m);
        return square_check(m, m, opt);
    }
    return w > m || opt->literal ? CW_OK : cw_fail(CW_ERR_SHAPE, "needs w > m, not %u x %u", w, m);
}

static cw_status cole_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    return w > COLE_MAX_ROWS ? cw_fail(CW_ERR_SHAPE, "Cole's ranks are for at most %u rows, not %u",
                                       (unsigned)COLE_MAX_ROWS, w)
                             : tall_check(w, m, opt);
}

static uint32_t tall_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                           struct cw_area *out)
{
    return two_buffers(
        m, opt->literal ? (int)m : any_width((int)w, (int)m, sorter_merge((int)opt->ways)), out);
}

static uint32_t cole_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                           struct cw_area *out)
{
    const sorter by = sorter_merge((int)opt->ways);

    two_buffers(m, opt->literal ? (int)m : tall_width((int)w, (int)m, by, TALL_THREE), out);
    out[2].name = "cole";
    out[2].columns = COLE_WORDS;
    return 3;
}

static uint64_t tall_count(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const sorter by = sorter_merge((int)opt->ways);

    return (uint64_t)(opt->literal ? tall_literal_steps((int)w, (int)m, by)
                                   : tall_steps((int)w, (int)m, by));
}

const struct cw_algorithm cw_alg_sort_tall =
    CW_ALGORITHM("sort-tall", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2(w)^2",
                 "theorem 2 for every w > m, columns by Batcher's network (--literal: m | w)",
                 .check = tall_check, .areas = tall_areas, .bound = network_bound,
                 .steps = tall_count, .body = tall_body);

const struct cw_algorithm cw_alg_sort_tall_cole =
    CW_ALGORITHM("sort-tall-cole", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 n",
                 "theorem 2, columns by Cole's EREW mergesort: O(m log w) steps",
                 .check = cole_check, .areas = cole_areas, .bound = sort_bound, .body = cole_body);

/* ---- whichever needs fewest steps, or has the best bound ------------------ */

/* An algorithm that may be chosen.  Steps that depend on the data are above all others:
 * such an algorithm is taken for its bound alone. */
struct choice {
    const struct cw_algorithm *alg;
    uint64_t steps;
    double bound;
};

static int is_better(const struct choice *a, const struct choice *b, enum cw_prefer prefer)
{
    if (!b->alg)
        return 1;
    if (prefer == CW_PREFER_BOUND && a->bound != b->bound)
        return a->bound < b->bound;
    return a->steps < b->steps;
}

/* sort-integers has the bound of integers, and a choice of its own: it is no choice for its bound. */
static const struct cw_algorithm *sort_choose(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    struct choice best = {NULL, 0, 0};
    struct cw_options general = *opt;

    general.literal = 0;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        const struct cw_algorithm *alg = cw_algorithms[a];
        struct choice one = {alg, UINT64_MAX, 0};
        const char *text;

        if (alg->problem != CW_SORT || !alg->conflict_free || alg->choose ||
            (opt->prefer == CW_PREFER_BOUND ? alg->settle != NULL : !alg->steps) ||
            cw_algorithm_check(alg, w, m, &general))
            continue;
        one.steps = alg->steps ? alg->steps(w, m, &general) : UINT64_MAX;
        one.bound = cw_algorithm_bound(alg, w, m, &general, &text);
        if (is_better(&one, &best, opt->prefer))
            best = one;
    }
    return best.alg;
}

static uint64_t choice_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const struct cw_algorithm *const alg = sort_choose(w, m, opt);

    return alg->steps ? alg->steps(w, m, opt) : 0; /* 0: it depends on the data */
}

static uint32_t choice_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                             struct cw_area *out)
{
    const struct cw_algorithm *alg = sort_choose(w, m, opt);

    return alg->areas ? alg->areas(w, m, opt, out) : 0;
}

static void choice_body(struct cw_model *s, const void *arg)
{
    ((const struct cw_job *)arg)->algorithm->body(s, arg);
}

static cw_status choice_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    (void)m;
    return opt->literal ? cw_fail(CW_ERR_ARGUMENT, "the paper states no such choice: use "
                                                   "sort-short, sort-square or sort-tall")
                        : CW_OK;
}

const struct cw_algorithm cw_alg_sort = CW_ALGORITHM(
    "sort", CW_SORT, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m log2 n",
    "any shape, by the conflict-free algorithm here with fewest steps (--prefer bound: best bound)",
    .check = choice_check, .areas = choice_areas, .bound = sort_bound, .steps = choice_steps,
    .body = choice_body, .choose = sort_choose);
