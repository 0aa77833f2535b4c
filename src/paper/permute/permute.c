/* permute.c - host side of the permutations: shapes they take, space, bounds, names. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "paper/bodies.h"
#include "paper/registry.h"

CW_BODY(permute)
CW_BODY(permute_offline)

#define MOST_COLUMNS ((uint32_t)1 << 24) /* keeps all sizes of the hash tables in an int */

/* ---- randomised ----------------------------------------------------------- */

static cw_status permute_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    if (m > MOST_COLUMNS)
        return cw_fail(CW_ERR_SHAPE, "permute takes at most %u columns, not %u", MOST_COLUMNS, m);
    if ((unsigned)opt->hash > CW_HASH_TABULATION)
        return cw_fail(CW_ERR_ARGUMENT, "there is no hash function %d", (int)opt->hash);
    if (opt->alpha > MOST_COLUMNS)
        return cw_fail(CW_ERR_ARGUMENT, "alpha must be at most %u (got %u)", MOST_COLUMNS,
                       opt->alpha);
    return CW_OK;
}

static uint32_t at_least(uint32_t x, uint32_t least)
{
    return x < least ? least : x;
}

/* Heads and next, side by side, are one of the buffers that the finish sorts in; the
 * items' columns are the other. */
static uint32_t permute_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                              struct cw_area *out)
{
    const hash_shape f = hash_shape_of((int)opt->hash, (int)w, (int)m);
    const uint32_t shifts = opt->finish ? (uint32_t)packing_of((int)w, (int)m).shifts : 0;
    const uint32_t width = opt->finish ? (uint32_t)finish_width((int)w, (int)m, (int)opt->ways) : m;
    const struct cw_area all[] = {
        [PERMUTE_ITEMS] = {"items", width},
        [PERMUTE_HEAD] = {"heads", m},
        [PERMUTE_NEXT] = {"next", at_least(width - m, m)},
        [PERMUTE_HASH] = {"hash", at_least((uint32_t)f.words, shifts)},
        [PERMUTE_RELAY] = {"relay", at_least((uint32_t)f.relay, (shifts + w - 1) / w)},
        [PERMUTE_SYNC] = {"sync", 1},
    };
    const uint32_t count = sizeof all / sizeof *all;

    for (uint32_t a = 0; a < count; a++)
        out[a] = all[a];
    return count;
}

/* ---- its bounds */

/* log_m w, or 1. */
static double log_of(uint32_t w, uint32_t m)
{
    const double logs = log2(at_least(w, 2)) / log2(at_least(m, 2));

    return logs > 1 ? logs : 1;
}

/* logloglog_m w, where that is more than 1. */
static double triple_log(uint32_t w, uint32_t m)
{
    const double tall = log_of(w, m), rounds = tall > 2 ? log2(log2(tall)) : 0;

    return rounds > 1 ? rounds : 1;
}

/* The theorem's: m logloglog_m w, where that is more than m. */
static double permute_bound(uint32_t w, uint32_t m)
{
    return m * triple_log(w, m);
}

/* What an iteration takes: m; but log w to share and to count, which the theorem has m for (m is at least
 * a power of log w there); and S for a hash of more than O(m) words (pagh has up to 3 m). */
enum { PER_M, PER_LOG, PER_WORDS, PER_KINDS };

static double iteration_bound(uint32_t w, uint32_t m, const struct cw_options *opt, int *kind)
{
    const hash_shape f = hash_shape_of((int)opt->hash, (int)w, (int)m);
    const double lg = log2(at_least(w, 2)), most = m > lg ? m : lg;

    *kind = f.words > 3 * most ? PER_WORDS : m < lg ? PER_LOG : PER_M;
    return *kind == PER_WORDS ? f.words : most;
}

/* How it ends.  The loop to the end takes O(loglog n) iterations; the theorem's finish sorts up to W
 * columns that packing leaves, which takes more than the theorem says: rows are merged, log2 W where it
 * has O(1), and the general sort's columns go through Batcher's network.  For w <= m log_m w is no
 * more than 1: all labels are left, and the general sort is all there is. */
enum { BY_LOOP, BY_EMPTY, BY_LEMMA2, BY_NETWORK, BY_SORT, ENDINGS };

#define ENDING(rounds, rest)                                                            \
    {                                                                                   \
        "m " rounds rest, "log2 w " rounds rest, "S " rounds rest ", S words of a hash" \
    }

static const char *const bound_texts[ENDINGS][PER_KINDS] = {
    [BY_LOOP] = ENDING("max(1, log2 log2 n)", ""),
    [BY_EMPTY] = ENDING("max(1, logloglog_m w)", ""),
    [BY_LEMMA2] = ENDING("max(1, logloglog_m w)", " + W log2 W log_W^3 w, W columns packed"),
    [BY_NETWORK] = ENDING("max(1, logloglog_m w)", " + W log2(w)^2, W columns packed"),
    [BY_SORT] = {"m log2 n", "m log2 n", "m log2 n"},
};

/* Columns that the finish sorts at most: by lemma 2, or by the general sort where there are too few for it;
 * 0: that is not taken whatever is left. */
static int packed(uint32_t w, uint32_t m, int lemma2)
{
    const packing k = packing_of((int)w, (int)m);
    int x = k.cap + k.push < (int)m ? k.cap + k.push : (int)m;

    if (lemma2)
        return finish_lemma2((int)w, x);
    while (x > 1 && finish_lemma2((int)w, x))
        x--;
    return x;
}

static double ending_bound(uint32_t w, uint32_t m, const struct cw_options *opt, int ending,
                           const char **text)
{
    const double n = (double)w * m, lg = log2(at_least(w, 2));
    const double W =
        ending == BY_LEMMA2 || ending == BY_NETWORK ? packed(w, m, ending == BY_LEMMA2) : 0;
    int kind;
    const double once = iteration_bound(w, m, opt, &kind);

    *text = bound_texts[ending][kind];
    switch (ending) {
    case BY_LOOP:
        return once * (n > 4 ? log2(log2(n)) : 1);
    case BY_SORT:
        return n < 4 ? m : m * log2(n);
    case BY_NETWORK:
        return once * triple_log(w, m) + W * lg * lg;
    case BY_LEMMA2:
        return once * triple_log(w, m) + W * log2(W) * pow(log_of(w, (uint32_t)W), 3);
    default:
        return once * triple_log(w, m);
    }
}

/* Before a run: the most that may be needed. */
static double permute_bound_of(uint32_t w, uint32_t m, const struct cw_options *opt,
                               const char **text)
{
    return ending_bound(w, m, opt,
                        !opt->finish          ? BY_LOOP
                        : w <= m              ? BY_SORT
                        : packed(w, m, 1) > 0 ? BY_LEMMA2
                                              : BY_NETWORK,
                        text);
}

/* After it: what ran. */
static double permute_bound_ran(const struct cw_job *job, const char **text)
{
    const char *const path = ((const struct cw_report *)job->output)->path;

    return ending_bound(job->w, job->m, &job->opt,
                        !job->opt.finish            ? BY_LOOP
                        : !path || job->w <= job->m ? BY_SORT
                        : strstr(path, "nothing")   ? BY_EMPTY
                        : strstr(path, "lemma 2")   ? BY_LEMMA2
                                                    : BY_NETWORK,
                        text);
}

const struct cw_algorithm cw_alg_permute = CW_ALGORITHM(
    "permute", CW_PERMUTE, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m max(1, logloglog_m w)",
    "theorem 4: randomised permutation by hashed colours (--finish: as the paper ends)",
    .check = permute_check, .areas = permute_areas, .bound = permute_bound,
    .bound_of = permute_bound_of, .bound_ran = permute_bound_ran, .body = permute_body);

/* ---- offline -------------------------------------------------------------- */

static cw_status offline_check(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)opt;
    if (w > CW_PLAN_ROW_MAX || m > CW_PLAN_SLOT_MAX)
        return cw_fail(CW_ERR_SHAPE, "a plan has at most %u rows and %u columns, not %u x %u",
                       CW_PLAN_ROW_MAX, CW_PLAN_SLOT_MAX, w, m);
    return CW_OK;
}

static uint32_t offline_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                              struct cw_area *out)
{
    (void)w;
    (void)opt;
    return cw_area_of("result", m, out);
}

static uint64_t offline_steps(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    (void)w;
    (void)opt;
    return 2 * (uint64_t)m;
}

const struct cw_algorithm cw_alg_permute_offline =
    CW_ALGORITHM("permute-offline", CW_PERMUTE, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m",
                 "Nakano: a plan made beforehand moves every item in m reads and m writes",
                 .check = offline_check, .areas = offline_areas, .bound = cw_bound_m,
                 .steps = offline_steps, .body = permute_offline_body);
