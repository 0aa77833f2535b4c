/* routes.h - LSD radix sort: where buckets begin, and which passes there are, from the histogram.
 *
 * A pass in which all keys have one digit would move nothing, so it does not run.  The others hand
 * items back and forth between the workspace and the output, so that the last one ends in the
 * output.  Sorting in place, the first pass reads the output: if the number of passes is odd, they
 * end in the workspace, and copy.h moves the result.
 *
 * One block of 256 threads, a bucket each.
 *
 * The device decides which passes run, so launches do not depend on keys.
 */
#ifndef CW_SORT_LSD_ROUTES_H
#define CW_SORT_LSD_ROUTES_H

#include "dev/kernel.h"
#include "prim/count.h"
#include "prim/warp_scan.h"
#include "sort/lsd/job.h"

#define ROUTES_WARPS (LSD_BUCKETS / 32u)
#define ROUTES_SUMS  SHARED_AT(lsd_routes_shared, sums)
#define ROUTES_ONE   SHARED_AT(lsd_routes_shared, one)

/* The sum of x over the threads before this one.  Two barriers. */
DEV uint64_t routes_scan(uint64_t x)
{
    const uint64_t sum = warp_scan8(x);
    uint64_t before = 0;

    if (LANE_ID == 31u)
        sh_st8(ROUTES_SUMS + 8u * WARP_ID, sum);
    block_sync();
    UNROLL for (uint32_t w = 0; w < ROUTES_WARPS; w++)
    {
        const uint64_t y = sh_ld8(ROUTES_SUMS + 8u * w);

        before += w < WARP_ID ? y : 0u;
    }
    block_sync();
    return before + sum - x;
}

/* Decide where each pass that runs reads and writes. */
DEV void routes_decide(const struct lsd_job *a, uint32_t run)
{
    const uint32_t in_place =
        a->keys[SORT_IN] == a->keys[SORT_OUT] ||
        (!a->indexed && a->values[SORT_IN] == a->values[SORT_OUT] && a->values[SORT_OUT] != NULL);
    uint32_t left = bit_count(run), before = 0, at = SORT_IN;
    const uint32_t odd = left % 2u && in_place;

    ROLL for (uint32_t p = 0; p < a->passes; p++)
    {
        struct lsd_route *const r = a->routes + p;
        const uint32_t runs = run >> p & 1u;
        const uint32_t to = left % 2u == odd ? SORT_TMP : SORT_OUT;

        gm_st4(&r->run, runs);
        gm_st4(&r->before, before);
        gm_st4(&r->from, at);
        gm_st4(&r->to, to);
        gm_st4(&r->first, runs && at == SORT_IN ? 1u : 0u);
        gm_st4(&r->last, left == 1u ? 1u : 0u);
        left -= runs;
        before += runs;
        at = runs ? to : at;
    }
    gm_st4(&a->routes[a->passes].from, at); /* the result */
}

DEV void lsd_routes(const struct lsd_job *a)
{
    const uint64_t n = items_counted(a->n, a->count, a->count_bytes);
    uint32_t run = 0;

    ROLL for (uint32_t p = 0; p < a->passes; p++)
    {
        const uint64_t x = gm_ld8(a->histogram + LSD_BUCKETS * p + THREAD_ID);

        if (THREAD_ID == 0)
            sh_st4(ROUTES_ONE, 0u);
        gm_st8(a->base + 2u * LSD_BUCKETS * p + THREAD_ID, routes_scan(x));
        if (x == n && (n || THREAD_ID == 0))
            sh_st4(ROUTES_ONE, 1u);
        block_sync();
        run |= sh_ld4(ROUTES_ONE) ? 0u : 1u << p;
        block_sync();
    }
    if (THREAD_ID == 0)
        routes_decide(a, run);
}

#endif
