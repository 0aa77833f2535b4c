/* scatter_combining.h - one block moves a range of items to their bins, in any order inside a bin.
 *
 * Every bin has a queue in shared memory: a ring of `cap` keys, and one of values.  In a round each
 * thread puts its next RADIX_ITEMS items into the queues.  Then whole lines of 128 bytes of keys,
 * aligned in global memory, are written from them.  What is left waits for the next round.  So an
 * item costs one atomic addition (which says where in the queue it goes), one write and one read of
 * shared memory.  There is no prefix sum, and all writes to global memory are whole lines but the
 * first and the last of a bin.  (Half lines cost twice the traffic.)
 *
 * A bin's word holds the head of its queue (upper 16 bits) and how many items wait (lower).  An
 * item that finds its queue full stays in its register and tries again after lines have left.
 * Places in a queue and in the bin agree modulo a line, so a line is read by 8 lanes, 16 bytes
 * each.  Additions and writes go to random places: 32 lanes meet in about 3.5 wavefronts.
 *
 * The next round's items are asked for before lines are written, into the registers that are free
 * by then.
 *
 * Time and space do not depend on keys as long as no bin gets many more items of a round than its
 * queue holds.  Other ranges should be moved in tiles.
 *
 * After Stehle and Jacobsen (SIGMOD 2017), who combine a bin's writes in shared memory.  Here a
 * queue keeps what is not yet a whole line for the next round, so nothing has to be sorted in the
 * block.
 *
 * The includer has
 *
 *      the shape      RADIX_THREADS, RADIX_ITEMS (of a thread in a round), RADIX_BINS, RADIX_QUEUES
 *                     (bytes of all queues), PAYLOAD_BYTES, and KEY_LOG of prim/key.h
 *      the digit      struct digit, word_of, digit_of; COMBINING_TREE 1: d.tree, and tree_four for
 *                     four at a time, of which bins from COMBINING_SKIP on are left out
 *      the arrays     COMBINING_JOB, a type; keys_at(job, at), values_at(job, at), moved_to(at),
 *                     load_value
 *      shared memory  SH_MISC (64 words; MISC_FLAG is used here), SH_BINS (u32
 *                     a bin), SH_BASE (u64 a bin; from there on 16 bytes a bin, and the queues)
 */
#ifndef CW_PRIM_SCATTER_COMBINING_H
#define CW_PRIM_SCATTER_COMBINING_H

#include "prim/key.h"
#include "prim/least.h"

#ifndef RADIX_LINE
#define RADIX_LINE (128u / KEY_BYTES) /* items that are written together */
#endif
#define QUEUE_LINES SH_BASE /* 16 bytes a bin: lines to be written */
#define QUEUE_AT    (QUEUE_LINES + 16u * RADIX_BINS)
#define QUEUE_BYTES (QUEUE_AT + RADIX_QUEUES)
/* `queues` is the bytes of all queues, a constant. */
#define QUEUE_VALUES(queues) (QUEUE_AT + (queues) / (KEY_BYTES + PAYLOAD_BYTES) * KEY_BYTES)

struct queue {
    uint32_t bins, cap;
    uint32_t mine; /* the bin whose queue this lane looks after, or `bins` */
    uint32_t head;
    uint64_t to; /* where the item at the head goes */
};

struct round {
    key x[RADIX_ITEMS];
#if PAYLOAD_BYTES
    uint32_t v[RADIX_ITEMS];
#endif
    uint32_t mask; /* of items that are there */
};

DEV uint32_t queue_cap(uint32_t bins, uint32_t queues)
{
    const uint32_t cap = queues / (KEY_BYTES + PAYLOAD_BYTES) / bins & ~(RADIX_LINE - 1u);

    return cap < 32768u ? cap : 32768u;
}

/* Put item i into the queue of bin b.  If the queue is full, its bit is set in what is returned. */
DEV uint32_t queue_put_to(const struct round *r, uint32_t i, uint32_t b, uint32_t cap,
                          uint32_t queues)
{
    const uint32_t old = sh_add4(SH_BINS + 4u * b, 1u);
    const uint32_t wait = old & 0xffffu;
    uint32_t at = (old >> 16) + wait;

    at = at >= cap ? at - cap : at;
    if (wait < cap)
        sh_st_key(QUEUE_AT + (b * cap + at) * KEY_BYTES, r->x[i]);
#if PAYLOAD_BYTES
    if (wait < cap)
        sh_st4(QUEUE_VALUES(queues) + (b * cap + at) * 4u, r->v[i]);
#endif
    (void)queues;
    return wait < cap ? 0u : 1u << i;
}

DEV uint32_t queue_put(const struct round *r, uint32_t i, struct digit d, uint32_t cap,
                       uint32_t queues)
{
    return queue_put_to(r, i, digit_of(word_of(r->x[i], d), d), cap, queues);
}

#if COMBINING_TREE
/* The same for all items of a round of the first pass by a tree, less those of counted bins. */
DEV uint32_t queue_put_tree(const struct round *r, struct digit d, uint32_t cap, uint32_t queues,
                            uint32_t per)
{
    uint32_t left = 0;

    UNROLL for (uint32_t i = 0; i < per; i += 4u)
    {
        key word[4];
        uint32_t b[4];

        UNROLL for (uint32_t k = 0; k < 4u; k++) word[k] =
            r->mask >> (i + k) & 1u ? word_of(r->x[i + k], d) : 0u;
        tree_four(word, b, d);
        UNROLL for (uint32_t k = 0; k < 4u; k++)
        {
            if (r->mask >> (i + k) & 1u && b[k] < COMBINING_SKIP)
                left |= queue_put_to(r, i + k, b[k], cap, queues);
        }
    }
    return left;
}
#endif

DEV void queue_fill(struct round *r, struct digit d, uint32_t cap, uint32_t queues, uint32_t per)
{
    const uint32_t every = (1u << per) - 1u;
    uint32_t left = 0;

#if COMBINING_TREE
    if (d.tree)
        left = queue_put_tree(r, d, cap, queues, per);
    else
#endif
        if (all_of(r->mask == every)) {
        UNROLL for (uint32_t i = 0; i < per; i++) left |= queue_put(r, i, d, cap, queues);
    } else {
        UNROLL for (uint32_t i = 0; i < per; i++)
        {
            if (r->mask >> i & 1u)
                left |= queue_put(r, i, d, cap, queues);
        }
    }
    r->mask = left;
    if (left)
        sh_add4(SH_MISC + MISC_FLAG, 1u);
}

/* Write this lane's 16 bytes of a line, from item c on.  Only items lo .. hi - 1 of the line are
 * written. */
DEV void line_keys(key *to, uint32_t from, uint32_t c, uint32_t lo, uint32_t hi)
{
    if (lo <= c && c + QUAD <= hi && ((uintptr_t)to & 15u) == 0) {
        const vec16 q = sh_ld16(from + c * KEY_BYTES);

        gm_st16(to + c, q);
    } else {
        ROLL for (uint32_t i = c < lo ? lo : c; i < least4(c + QUAD, hi); i++)
        {
            const key x = sh_ld_key(from + i * KEY_BYTES);

            gm_st_key(to + i, x);
        }
    }
}

#if PAYLOAD_BYTES
/* The same for values of 4 bytes: there are as many in 16 bytes as keys, or twice as many. */
DEV void line_values(uint32_t *to, uint32_t from, uint32_t c, uint32_t lo, uint32_t hi)
{
    if (QUAD == 4 && lo <= c && c + QUAD <= hi && ((uintptr_t)to & 15u) == 0) {
        const vec16 q = sh_ld16(from + c * 4u);

        gm_st16(to + c, q);
    } else {
        ROLL for (uint32_t i = c < lo ? lo : c; i < least4(c + QUAD, hi); i++)
        {
            const uint32_t x = sh_ld4(from + i * 4u);

            gm_st4(to + i, x);
        }
    }
}
#endif

/* Write the warp's first `lines` lines of the list. */
DEV void queue_write(uint32_t list, uint32_t lines, key *keys, uint32_t *values, uint32_t queues)
{
    const uint32_t c = LANE_ID % (RADIX_LINE / QUAD) * QUAD;

    ROLL for (uint32_t k = LANE_ID / (RADIX_LINE / QUAD); k < lines; k += 32u / (RADIX_LINE / QUAD))
    {
        const vec16 e = sh_ld16(list + 16u * k);
        const uint64_t to = (uint64_t)e.w << 32 | e.z;

        line_keys(keys + to, QUEUE_AT + e.x * KEY_BYTES, c, e.y & 0xffffu, e.y >> 16);
#if PAYLOAD_BYTES
        line_values(values + to, QUEUE_VALUES(queues) + e.x * 4u, c, e.y & 0xffffu, e.y >> 16);
#else
        (void)values;
        (void)queues;
#endif
    }
}

/* Write whole lines (with `all`, everything) of the queues that this warp looks after. */
DEV void queue_flush(struct queue *r, int all, key *keys, uint32_t *values, uint32_t queues)
{
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t list = QUEUE_LINES + 16u * ((r->bins + warps - 1u) / warps * WARP_ID);
    uint32_t go = 0;
    uint32_t lines;

    if (r->mine < r->bins) {
        const uint32_t full = sh_ld4(SH_BINS + 4u * r->mine) & 0xffffu;
        const uint32_t wait = least4(full, r->cap);
        const uint32_t rest = (uint32_t)(r->to + wait) & (RADIX_LINE - 1u);
        uint32_t head;

        go = all ? wait : wait > rest ? wait - rest : 0u;
        head = r->head + go;
        head -= head >= r->cap ? r->cap : 0u;
        sh_st4(SH_BINS + 4u * r->mine, head << 16 | (wait - go));
    }
    ROLL while ((lines = ballot(go != 0)) != 0)
    {
        if (go) {
            const uint32_t lo = (uint32_t)r->to & (RADIX_LINE - 1u);
            const uint32_t hi = least4(lo + go, RADIX_LINE);
            const uint64_t to = r->to - lo;
            const uint32_t at = r->mine * r->cap + r->head - lo;
            const vec16 e = {at, hi << 16 | lo, (uint32_t)to, (uint32_t)(to >> 32)};

            sh_st16(list + 16u * bit_count(lines & ((1u << LANE_ID) - 1u)), e);
            go -= hi - lo;
            r->to = to + hi;
            r->head += hi - lo;
            r->head = r->head >= r->cap ? 0u : r->head;
        }
        warp_sync();
        queue_write(list, bit_count(lines), keys, values, queues);
        warp_sync();
    }
}

DEV void queue_load(struct round *r, const key *keys, const uint32_t *values, uint64_t from,
                    uint64_t to, uint32_t per)
{
    const uint32_t left = from >= to                        ? 0u
                          : to - from < RADIX_THREADS * per ? (uint32_t)(to - from)
                                                            : RADIX_THREADS * per;

    r->mask = 0;
    if (left == RADIX_THREADS * per) {
        UNROLL for (uint32_t i = 0; i < per; i++)
        {
            r->x[i] = gm_ld_key(keys + from + THREAD_ID + i * RADIX_THREADS);
#if PAYLOAD_BYTES
            r->v[i] = load_value(values, from + THREAD_ID + i * RADIX_THREADS);
#endif
        }
        r->mask = (1u << per) - 1u;
    } else if (left) {
        UNROLL for (uint32_t i = 0; i < per; i++)
        {
            if (i * RADIX_THREADS + THREAD_ID < left) {
                r->x[i] = gm_ld_key(keys + from + THREAD_ID + i * RADIX_THREADS);
#if PAYLOAD_BYTES
                r->v[i] = load_value(values, from + THREAD_ID + i * RADIX_THREADS);
#endif
                r->mask |= 1u << i;
            }
        }
    }
    (void)values;
}

/* Move items from .. to - 1, `per` of a thread in a round, a constant of at most RADIX_ITEMS.
 * SH_BASE says where the bins' next items go. */
DEV void queue_range_of(const COMBINING_JOB *j, uint32_t at, uint64_t from, uint64_t to,
                        struct digit d, uint32_t bins, uint32_t queues, uint32_t per)
{
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t each = (bins + warps - 1u) / warps;
    const key *const keys = keys_at(j, at);
    const uint32_t *const values = values_at(j, at);
    uint32_t seen = 0;
    struct round now;
    struct queue r;

    r.bins = bins;
    r.cap = queue_cap(bins, queues);
    r.mine = LANE_ID < each ? WARP_ID * each + LANE_ID : bins;
    r.head = 0;
    r.to = 0;
    queue_load(&now, keys, values, from, to, per);
    if (r.mine < bins) {
        r.to = sh_ld8(SH_BASE + 8u * r.mine);
        r.head = (uint32_t)r.to & (RADIX_LINE - 1u);
        sh_st4(SH_BINS + 4u * r.mine, r.head << 16);
    }
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_FLAG, 0u);
    block_sync();
    ROLL for (; from < to; from += RADIX_THREADS * per)
    {
        const int end = to - from <= RADIX_THREADS * per;
        int again;

        do {
            const uint32_t before = seen;

            queue_fill(&now, d, r.cap, queues, per);
            block_sync();
            seen = sh_ld4(SH_MISC + MISC_FLAG);
            again = seen != before;
            if (!again && !end)
                queue_load(&now, keys, values, from + RADIX_THREADS * per, to, per);
            queue_flush(&r, end && !again, (key *)keys_at(j, moved_to(at)),
                        (uint32_t *)values_at(j, moved_to(at)), queues);
            block_sync();
        } while (again);
    }
}

DEV void queue_range(const COMBINING_JOB *j, uint32_t at, uint64_t from, uint64_t to,
                     struct digit d, uint32_t bins, uint32_t queues)
{
    queue_range_of(j, at, from, to, d, bins, queues, RADIX_ITEMS);
}

#endif
