/* groups.h - hybrid sort: after two passes, groups of whole buckets.
 *
 * Items stand in the order of their buckets.  Group g begins with the first bucket from item span *
 * g on.  A warp looks for it.  If a bucket is longer than a group has room for, the array is left
 * to the LSD sort.  That sort takes items in any stable order.
 */
#ifndef CW_SORT_HYBRID_GROUPS_H
#define CW_SORT_HYBRID_GROUPS_H

#include "sort/hybrid/job.h"

#define GROUPS_THREADS 256u
#define GROUPS_SHARED  BUCKET_CELLS_BYTES

/* Does a bucket begin at item i? */
DEV uint32_t groups_begins(const struct hybrid_job *a, struct radix_digit d, uint64_t i)
{
    const uint64_t *const keys = (const uint64_t *)a->keys;
    const uint64_t before = i ? i - 1u : 0u;
    const key x = gm_ld8(keys + i);
    const key y = gm_ld8(keys + before);
    const uint32_t own = bucket_number(x, d, 0);
    const uint32_t other = bucket_number(y, d, 0);

    return i == 0 || own != other;
}

DEV void hybrid_groups(const struct hybrid_job *a)
{
    const struct radix_digit d = bucket_digit(a->buckets, &a->map, a->bits, 0);
    const uint32_t g = BLOCK_ID * (GROUPS_THREADS / 32u) + WARP_ID;
    const uint64_t from = (uint64_t)g * a->span;
    uint32_t found = 0;

    if (gm_ld4(a->leave))
        return;
    bucket_cells_load_to(a->buckets, 0, GROUPS_THREADS);
    block_sync();
    if (g > a->groups)
        return;
    ROLL for (uint64_t i = from; !found && i < a->n && i - from < a->capacity - a->span; i += 32u)
    {
        const uint64_t mine = i + LANE_ID;
        const uint32_t starts =
            ballot(groups_begins(a, d, mine < a->n ? mine : a->n - 1u) && mine < a->n);

        if (starts) {
            found = 1;
            if (LANE_ID == 0)
                gm_st4(a->starts + g, (uint32_t)i + low_bit(starts));
        }
    }
    if (!found && LANE_ID == 0) {
        gm_st4(a->starts + g, (uint32_t)a->n);
        if (from + (a->capacity - a->span) < a->n)
            GM_ANY(gm_st4(a->gate, 1u));
    }
}

#endif
