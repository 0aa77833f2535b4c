/* local_runs.h - local sort: items that share a prefix, and are out of order.
 *
 * A prefix of 16 bits leaves some hundred such pairs in a group of random words, one of 24 bits one
 * or two.  A thread that sees a pair adds it to a list.  Then each pair has a thread, which finds
 * the pair's run: the items that share its prefix.  The thread whose pair is the first of its run
 * sorts the run by insertion.  Only tags move.
 */
#ifndef CW_SORT_HYBRID_LOCAL_RUNS_H
#define CW_SORT_HYBRID_LOCAL_RUNS_H

#define LOCAL_RUN   32u              /* items that are sorted by insertion, at most */
#define LOCAL_PAIRS (TILE_SIZE / 4u) /* that are written down, at most */
#define LOCAL_LIST  TILE_COUNTS      /* u32 each: its first place; counters are not needed now */

STATIC_ASSERT(4u * LOCAL_PAIRS <= TILE_BUFFER - TILE_COUNTS, "no room for the list");

/* Count neighbours that are out of order, and list them.  One barrier. */
DEV uint32_t local_unordered(const struct local *l, const struct local_items *x)
{
    const uint32_t first = local_place(l);
    const uint32_t next = first - LANE_ID + 32u * l->rounds; /* the next warp's first place */
    const local_key after = local_word(local_tag_at(next < l->count ? next : 0u));
    local_key own = local_word(local_tag(x, 0));
    uint32_t pairs = 0; /* a bit an item */

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        local_key above = after, y;

        if (LOCAL_ENDS(l, i))
            break;
        if (i + 1u < TILE_ITEMS && (i % TILE_STEP + 1u < TILE_STEP || i + 1u < l->rounds))
            above = local_word(local_tag(x, (i + 1u) % TILE_ITEMS));
        y = shfl_word(LANE_ID ? own : above, (LANE_ID + 1u) % 32u);
        pairs |= first + 32u * i + 1u < l->count && local_kept(l, own) > y ? 1u << i : 0u;
        own = above;
    }
    ROLL while (pairs)
    {
        const uint32_t k = sh_add4(LOCAL_FOUND, 1u);

        if (k < LOCAL_PAIRS)
            sh_st4(LOCAL_LIST + 4u * k, first + 32u * low_bit(pairs));
        pairs &= pairs - 1u;
    }
    block_sync();
    return sh_ld4(LOCAL_FOUND);
}

/* The word at a place, without the bits that do not count. */
DEV local_key local_value_at(const struct local *l, uint32_t place)
{
    return local_kept(l, local_word(local_tag_at(place)));
}

/* Sort items from .. end - 1 by insertion. */
DEV void local_insert(const struct local *l, uint32_t from, uint32_t end)
{
    ROLL for (uint32_t i = from + 1u; i < end; i++)
    {
        const uint32_t tag = local_tag_at(i);
        const local_key x = local_kept(l, local_word(tag));
        uint32_t k = i;

        ROLL while (k > from)
        {
            const uint32_t other = local_tag_at(k - 1u);

            if (local_kept(l, local_word(other)) <= x)
                break;
            sh_st4(TILE_BUFFER + 4u * tile_swizzle(k), other);
            k--;
        }
        sh_st4(TILE_BUFFER + 4u * tile_swizzle(k), tag);
    }
}

struct local_run {
    uint32_t from, end;
};

/* Find the run of the pair at a place.  If another thread sorts it, from = end.  `bit`: see
 * local_runs. */
DEV struct local_run local_run_of(const struct local *l, uint32_t at, uint32_t bit)
{
    struct local_run r = {at, at + 2u};
    local_key x = local_value_at(l, at);
    const local_key own = (x - l->least) >> bit;
    uint32_t mine = x > local_value_at(l, at + 1u); /* not mended by now */

    ROLL while (r.from && at - r.from < LOCAL_RUN)
    {
        const local_key y = local_value_at(l, r.from - 1u);

        if ((y - l->least) >> bit != own)
            break;
        mine &= y <= x;
        x = y;
        r.from--;
    }
    ROLL while (r.end < l->count && r.end - r.from <= LOCAL_RUN &&
                (local_value_at(l, r.end) - l->least) >> bit == own) r.end++;
    if (r.end - r.from > LOCAL_RUN)
        sh_inc4(LOCAL_LONG);
    if (!mine || r.end - r.from > LOCAL_RUN)
        r.end = r.from;
    return r;
}

/* Sort the runs of the pairs that were found.  Words of a run agree from bit `bit` on.  Returns 1
 * if a run was too long or pairs were too many; then items are in some stable order.  Between two
 * barriers runs are only looked at, or only sorted. */
DEV uint32_t local_runs(const struct local *l, uint32_t bit, uint32_t found)
{
    if (found > LOCAL_PAIRS)
        return 1;
    ROLL for (uint32_t k = 0; k < found; k += TILE_THREADS)
    {
        struct local_run r = {0, 0};

        if (k + THREAD_ID < found) {
            const uint32_t at = sh_ld4(LOCAL_LIST + 4u * (k + THREAD_ID));

            r = local_run_of(l, at, bit);
        }
        block_sync();
        if (r.end > r.from)
            local_insert(l, r.from, r.end);
        block_sync();
    }
    return sh_ld4(LOCAL_LONG);
}

/* Get ready to look for pairs again. */
DEV void local_runs_again(void)
{
    block_sync();
    if (THREAD_ID == 0) {
        sh_st4(LOCAL_FOUND, 0u);
        sh_st4(LOCAL_LONG, 0u);
    }
}

#endif
