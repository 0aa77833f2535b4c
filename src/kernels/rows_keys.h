/* rows_keys.h - rows of a block whose words are the keys, of any length.
 *
 * What rows_sort.h does for any rows, where nothing but keys is wanted and they have a word's size, cheaper by
 * three things:
 *
 *      idle warps     a warp whose places are all past the row's end has little to do (row_sort.h).  A
 *                     multiprocessor has four schedulers, and warp w of any block is on number w % 4: if the
 *                     upper warps of all rows were idle, the schedulers of the others would have as much to
 *                     do as ever.  So warps swap places from row to row.
 *      a queue        rows by offsets go to blocks as these come for them, by an atomic, so that no
 *                     multiprocessor waits for a slower one.  The next row is asked for while the keys of
 *                     this one are on their way.
 *      less code      than what serves every form and type.
 *
 * Keys are moved 16 bytes at a time if the row has a whole number of them and starts on one, otherwise one by one.
 */
#ifndef CW_ROWS_KEYS_H
#define CW_ROWS_KEYS_H

#include "kernels/rows_sort.h"

/* Row `slot` of class c as lists have it, start << 16 | length; 0 if there is none. */
DEV uint64_t keys_entry(const struct cw_rows_arg *a, int c, uint64_t slot)
{
    if (!a->offsets)
        return slot < a->rows ? slot * a->length << 16 | a->length : 0u;
    return slot < row_count(a, c) ? gm_ld8(a->lists + a->list_at[c] + slot) : 0u;
}

/* Where the next row's entry is kept: behind the row. */
DEV uint32_t keys_next_at(struct row_shape s)
{
    return byte_of(1u << s.log_n, s.log_k);
}

/* Keys of the row from column `first` on, 32 K of them, that are before its end; the largest word for others. */
DEV void keys_load(key *x, const key *in, uint32_t first, uint32_t length, int quads)
{
    const uint32_t at = first + (quads ? QUAD : 1u) * LANE_ID;
    const key *const p = in + at;

    UNROLL for (uint32_t r = 0; r < ROWS_K; r++) x[r] = KEY_MAX;
    if (quads) {
        UNROLL for (uint32_t r = 0; r < ROWS_K; r += QUAD)
        {
            if (at + 32u * r < length)
                quad_to(x + r, gm_ld16(p + 32u * r), 0);
        }
    } else {
        UNROLL for (uint32_t r = 0; r < ROWS_K; r++)
        {
            if (at + 32u * r < length)
                x[r] = gm_ld_key(p + 32u * r);
        }
    }
}

/* Keys that were loaded become words. */
DEV void keys_map(key *x, const struct cw_rows_arg *a, uint32_t first, uint32_t length, int quads)
{
    const uint32_t at = first + (quads ? QUAD : 1u) * LANE_ID;

    UNROLL for (uint32_t r = 0; r < ROWS_K; r++)
    {
        if (at + 32u * (quads ? r & ~(QUAD - 1u) : r) < length)
            x[r] = key_to_word(&a->map, (bits)x[r]);
    }
}

/* One by one, `length` keys from the warp's part of shared memory, which starts at `base`. */
DEV void keys_store(key *out, const struct cw_rows_arg *a, uint32_t base, int log_k,
                    uint32_t length)
{
    ROLL for (uint32_t r = 0; r < ROWS_K; r += BATCH)
    {
        key x[BATCH];

        UNROLL for (uint32_t i = 0; i < BATCH; i++)
        {
            x[i] = sh_ld_key_all(base + byte_of(32u * (r + i) + LANE_ID, log_k));
        }
        UNROLL for (uint32_t i = 0; i < BATCH; i++)
        {
            const uint32_t e = 32u * (r + i) + LANE_ID;
            const key y = a->map.plain ? x[i] : word_to_key(&a->map, (bits)x[i]);

            if (e < length)
                gm_st_key(out + e, y);
        }
        warp_sync(); /* no lane runs ahead into another round's requests */
    }
}

/* The row of an entry; `turn` says how warps swap. */
DEV void keys_row(const struct cw_rows_arg *a, struct row_shape s, uint64_t entry, uint32_t turn)
{
    const uint32_t warps = 1u << (s.log_n - s.log_k - 5);
    const uint32_t warp =
        shfl4(WARP_ID ^ (turn & (warps - 1u)), 0); /* a compiler sees: one for all */
    const uint32_t first = warp << (s.log_k + 5);
    const uint32_t length = (uint32_t)entry & 0xffffu;
    const uint64_t start = entry >> 16;
    const int quads = a->vectors && (((uint32_t)start | length) & (QUAD - 1u)) == 0;
    uint32_t idle;
    struct row_unit u;
    key x[ROWS_K];

    UNIT(u, a, s);
    u.t = warp << 5 | LANE_ID;
    keys_load(x, (const key *)a->keys_in + start, first, length, quads);
    block_sync(); /* others may still read the row before, where this warp will write */
    if (a->offsets && THREAD_ID == 0) {
        const uint32_t more = gm_add4(a->counts + CW_ROWS_LISTS + s.log_n, 1u);
        const uint64_t next = keys_entry(a, s.log_n, (uint64_t)GRID_DIM + more);

        sh_st8(keys_next_at(s), next);
    }
    if (rarely(!a->map.plain))
        keys_map(x, a, first, length, quads);
    idle = row_idle(u, length);
    row_sort_idle(x, u, idle);
    if (!(idle & 1u)) {
        const uint32_t base = warp * byte_of(32u << s.log_k, s.log_k);
        key *const out = (key *)a->keys_out + start + first;

        view_write(x, u.base, u.t, view_of(s.log_k, s.log_k, 0));
        warp_sync();
        if (quads)
            store_vectors(out, a, base, s.log_k, length - first);
        else
            keys_store(out, a, base, s.log_k, length - first);
    }
}

/* All rows of a class: of one length one a block, otherwise as the queue gives them. */
DEV void rows_keys(const struct cw_rows_arg *a, struct row_shape s)
{
    uint64_t entry = keys_entry(a, s.log_n, BLOCK_ID);
    uint32_t turn = BLOCK_ID * 0x9e3779b9u >> 27; /* neighbours differ */

    ROLL while (entry)
    {
        keys_row(a, s, entry, turn);
        if (!a->offsets)
            return;
        turn++;
        entry = sh_ld8_all(keys_next_at(s));
    }
}

#endif
