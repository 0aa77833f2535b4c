/* routes.h - hybrid sort: where buckets of each pass begin, and from where to where it moves.
 *
 * With one pass its buckets are the groups.  If one is too long for a block, the array is left to
 * the LSD sort, before anything was moved.  One block of 256 threads, a bucket each.
 */
#ifndef CW_SORT_HYBRID_ROUTES_H
#define CW_SORT_HYBRID_ROUTES_H

#include "sort/hybrid/job.h"
#include "sort/lsd/routes.h"

DEV void routes_set(const struct hybrid_job *a, uint32_t p, uint32_t run)
{
    struct lsd_route *const r = a->routes + p;

    gm_st4(&r->run, run);
    gm_st4(&r->before, p);
    gm_st4(&r->from, a->way[p]);
    gm_st4(&r->to, a->way[p + 1u]);
    gm_st4(&r->first, 0u); /* keys stay keys */
    gm_st4(&r->last, 0u);
}

DEV void hybrid_routes(const struct hybrid_job *a)
{
    const uint32_t left = gm_ld4(a->leave);

    if (THREAD_ID == 0)
        sh_st4(ROUTES_ONE, left);
    block_sync();
    ROLL for (uint32_t p = 0; p < a->passes && !left; p++)
    {
        const uint64_t x = gm_ld8(a->histogram + LSD_BUCKETS * p + THREAD_ID);
        const uint64_t before = routes_scan(x);

        gm_st8(a->base + 2u * LSD_BUCKETS * p + THREAD_ID, before);
        if (a->passes == 1u) {
            gm_st4(a->starts + THREAD_ID, (uint32_t)before);
            if (THREAD_ID == LSD_BUCKETS - 1u)
                gm_st4(a->starts + LSD_BUCKETS, (uint32_t)a->n);
            if (x > a->capacity)
                sh_inc4(ROUTES_ONE);
        }
    }
    block_sync();
    if (THREAD_ID == 0) {
        const uint32_t leave = sh_ld4(ROUTES_ONE) ? 1u : 0u;

        gm_st4(a->leave, leave);
        gm_st4(a->gate, leave);
        ROLL for (uint32_t p = 0; p < a->passes; p++) routes_set(a, p, !leave);
    }
}

#endif
