/* local_runs.h - local sort: items that share a prefix, and are out of order.
 *
 * A prefix of 24 bits leaves one or two such pairs in a group of random words.  Whoever sees one writes it down.  Then
 * a thread a pair looks how far its run goes, the items of one prefix, and the one whose pair is the first of a run
 * sorts the run by insertion.  Only tags move.
 */
#ifndef CW_SORT_HYBRID_LOCAL_RUNS_H
#define CW_SORT_HYBRID_LOCAL_RUNS_H

#define LOCAL_RUN   32u          /* items that are sorted by insertion, at most */
#define LOCAL_PAIRS TILE_THREADS /* that are written down, at most */
#define LOCAL_LIST  TILE_COUNTS  /* u32 each: its first place; counters are not needed now */

/* How many neighbours are out of order, and where.  One barrier. */
DEV uint32_t local_unordered(const struct local *l, const struct local_items *x)
{
    const uint32_t first = local_place(l);
    const uint32_t next = tile_at(l->rounds, l->rounds) - LANE_ID; /* the next warp's first place */
    const local_key after = local_word(local_tag_at(next < l->count ? next : 0u));
    local_key own = local_word(local_tag(x, 0)), above;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = first + 32u * i;
        local_key y;

        if (LOCAL_ENDS(l, i))
            break;
        above = after;
        if (i + 1u < TILE_ITEMS && i + 1u < l->rounds)
            above = local_word(local_tag(x, (i + 1u) % TILE_ITEMS));
        y = shfl_word(LANE_ID ? own : above, (LANE_ID + 1u) % 32u);
        if (at + 1u < l->count && local_kept(l, own) > y) {
            const uint32_t k = sh_add4(LOCAL_FOUND, 1u);

            if (k < LOCAL_PAIRS)
                sh_st4(LOCAL_LIST + 4u * k, at);
        }
        own = above;
    }
    block_sync();
    return sh_ld4(LOCAL_FOUND);
}

/* The word at a place, but for the bits that do not count. */
DEV local_key local_value_at(const struct local *l, uint32_t place)
{
    return local_kept(l, local_word(local_tag_at(place)));
}

/* Items from .. end - 1 by insertion. */
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

/* Runs with the pairs that were found, of words that agree from bit `bit` on.  Returns whether one was too long, or
 * pairs too many: items are in some stable order then.  Between barriers runs are only looked at, or only sorted. */
DEV uint32_t local_runs(const struct local *l, uint32_t bit, uint32_t found)
{
    uint32_t from = 0, end = 0;

    if (found > LOCAL_PAIRS)
        return 1;
    if (THREAD_ID < found) {
        const uint32_t at = sh_ld4(LOCAL_LIST + 4u * THREAD_ID);
        const local_key own = (local_value_at(l, at) - l->least) >> bit;
        local_key x = local_value_at(l, at);
        uint32_t mine = 1;

        from = at;
        end = at + 2u;
        ROLL while (from && at - from < LOCAL_RUN)
        {
            const local_key y = local_value_at(l, from - 1u);

            if ((y - l->least) >> bit != own)
                break;
            mine &= y <= x;
            x = y;
            from--;
        }
        ROLL while (end < l->count && end - from <= LOCAL_RUN &&
                    (local_value_at(l, end) - l->least) >> bit == own) end++;
        if (end - from > LOCAL_RUN)
            sh_inc4(LOCAL_LONG);
        if (!mine || end - from > LOCAL_RUN)
            end = from;
    }
    block_sync();
    if (end > from)
        local_insert(l, from, end);
    block_sync();
    return sh_ld4(LOCAL_LONG);
}

#endif
