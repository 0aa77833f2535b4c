/* permute.c - host side of the permutations: shapes they take, space, bounds, names. */
#include <math.h>

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

/* m logloglog_m w, where that is more than m. */
static double permute_bound(uint32_t w, uint32_t m)
{
    const double tall = w > 2 ? log2(w) / log2(at_least(m, 2)) : 1; /* log_m w */
    const double rounds = tall > 2 ? log2(log2(tall)) : 0;

    return m * (rounds > 1 ? rounds : 1);
}

/* The theorem ends with a sort of what is left.  The loop to the end takes O(loglog n) iterations. */
static double permute_bound_of(uint32_t w, uint32_t m, const struct cw_options *opt,
                               const char **text)
{
    const double n = (double)w * m;

    if (opt->finish)
        return permute_bound(w, m);
    *text = "m max(1, log2 log2 n)";
    return m * (n > 4 ? log2(log2(n)) : 1);
}

const struct cw_algorithm cw_alg_permute = CW_ALGORITHM(
    "permute", CW_PERMUTE, CW_ROW_MAJOR, CW_NO_CONFLICTS, "m max(1, logloglog_m w)",
    "theorem 4: randomised permutation by hashed colours (--finish: as the paper ends)",
    .check = permute_check, .areas = permute_areas, .bound = permute_bound,
    .bound_of = permute_bound_of, .body = permute_body);

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
