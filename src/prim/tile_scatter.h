/* tile_scatter.h - move the items of a tile to where they belong, in their order.
 *
 * A thread has SCATTER_PER items of the tile, a warp has 32 consecutive ones in a round.  Lanes
 * that have the same digit find each other by votes, one a bit.  The tile is put into order in
 * shared memory and written from there, so that the items of a bin go to consecutive addresses.
 * Ranking costs the same for any keys.
 *
 *      few bins    (up to 32) lane b counts bin b in a register: the same votes tell it which lanes
 *                  have digit b.  A warp's counters go to shared memory once a tile, and every warp
 *                  adds up all of them for itself.  No conflicts, two barriers.
 *      many bins   every warp has counters in shared memory.  Leading lanes read and write them
 *                  once a round: random bins, about 3.5 wavefronts.
 *
 * After Merrill and Grimshaw (2011), with the warp-level votes of Ashkiani et al., GPU Multisplit
 * (2016).  Warps have consecutive items, so the order is kept.
 *
 * The includer defines struct digit, digit_of and word_of, and the shape: SCATTER_THREADS,
 * SCATTER_PER, SCATTER_BINS (a multiple of 4), SCATTER_WIDTH.
 *
 * Barriers: counters and items of a tile are written after a barrier that all threads reach only
 * when they are done with those of the tile before.
 */
#ifndef CW_PRIM_TILE_SCATTER_H
#define CW_PRIM_TILE_SCATTER_H

#include "prim/warp_match.h"
#include "prim/warp_scan.h"

#define SCATTER_WARPS (SCATTER_THREADS / 32u)
#define SCATTER_TILE  (SCATTER_THREADS * SCATTER_PER)

/* Consecutive tiles that one block moves, written down for all of its threads:
 * prim/tile_ticket.h. */
struct tile_ticket {
    uint64_t from;     /* the tile's first item */
    uint32_t items;    /* that are left of the ticket */
    uint32_t id[3];    /* to tell it by */
    uint32_t begins;   /* is this its first tile? */
    uint32_t more[25]; /* what holds for all of its tiles */
};

/* Shared memory: first what both kinds of tile have, then their counters, then the items. */
struct tile_shared {
    uint32_t warp[64];            /* a sum of each warp */
    struct tile_ticket ticket;    /* what the block does now */
    uint64_t delta[SCATTER_BINS]; /* address of a bin's first key, less where that is in the tile */
    uint64_t base[SCATTER_BINS];  /* where its next item goes */
    uint32_t cuts[256];           /* splitters */
    uint32_t map[SCATTER_TILE / 32u][2]; /* bins that begin in 32 places of the tile: which_bin */
};

struct tile_few {
    struct tile_shared all;
    uint32_t counts[SCATTER_WARPS][32];
    uint32_t items[SCATTER_TILE][1u + PAYLOAD_BYTES / 4u];
};

struct tile_many {
    struct tile_shared all;
    uint32_t counts[SCATTER_WARPS][SCATTER_BINS];
    uint32_t items[SCATTER_TILE][1u + PAYLOAD_BYTES / 4u];
};

#define TILE_MISC     SHARED_AT(tile_shared, warp)
#define TICKET_AT     SHARED_AT(tile_shared, ticket)
#define TICKET_FROM   SHARED_AT(tile_shared, ticket.from)
#define TICKET_LEFT   SHARED_AT(tile_shared, ticket.items)
#define TICKET_ID(i)  (SHARED_AT(tile_shared, ticket.id) + 4u * (i))
#define TICKET_BEGINS SHARED_AT(tile_shared, ticket.begins)
#define TILE_DELTA    SHARED_AT(tile_shared, delta)
#define TILE_BASE     SHARED_AT(tile_shared, base)
#define TILE_CUTS     SHARED_AT(tile_shared, cuts)
#define TILE_MAP      SHARED_AT(tile_shared, map)
#define TILE_COUNTS   SHARED_AT(tile_few, counts)
#define FEW_ITEMS     SHARED_AT(tile_few, items)
#define MANY_ITEMS    SHARED_AT(tile_many, items)
#define FEW_SHARED    ((uint32_t)sizeof(struct tile_few))
#define MANY_SHARED   ((uint32_t)sizeof(struct tile_many))

STATIC_ASSERT(SHARED_AT(tile_few, counts) == SHARED_AT(tile_many, counts), "counters stand apart");
FITS(sizeof(struct tile_few));
FITS(sizeof(struct tile_many));

/* The items of a thread; ranks are packed by twos, or each with its digit. */
struct tile {
    uint32_t x[SCATTER_PER];
#if PAYLOAD_BYTES
    uint32_t v[SCATTER_PER];
#endif
    uint32_t rank[SCATTER_PER];
};

/* Where the next item of a bin goes: the sum of these three.  It is added up after keys are asked
 * for. */
struct base {
    uint64_t start, chunk;
    uint32_t ticket;
};

/* A digit that takes few instructions is made again from the key rather than kept in a register.
 * The compiler must not know that both are the same.  Other digits are kept, and a tile that is in
 * order is written by a map of its bins. */
DEV void tile_forget(struct tile *t)
{
    UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++) forget(t->x[i]);
}

/* This thread's keys of the tile of `count` items.  `full`: it has as many as a tile can, a
 * constant. */
DEV void tile_keys(struct tile *t, const uint32_t *keys, uint32_t count, int full)
{
    const uint32_t first = WARP_ID * 32u * SCATTER_PER + LANE_ID;

    UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++) t->x[i] =
        full || first + 32u * i < count ? gm_ld4(keys + first + 32u * i) : 0u;
}

/* Load values of the items from `from` on; if there are none, values are these places.  Keys are
 * ranked and columns added up before, since registers are scarce until then. */
DEV void tile_values(struct tile *t, const uint32_t *values, uint64_t from, uint32_t count,
                     int full)
{
#if PAYLOAD_BYTES
    const uint32_t first = WARP_ID * 32u * SCATTER_PER + LANE_ID;

    if (values) {
        UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++) t->v[i] =
            full || first + 32u * i < count ? gm_ld4(values + from + first + 32u * i) : 0u;
    } else {
        UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++) t->v[i] =
            (uint32_t)from + first + 32u * i;
    }
#else
    (void)t;
    (void)values;
    (void)from;
    (void)count;
    (void)full;
#endif
}

DEV void set_rank(struct tile *t, uint32_t i, uint32_t rank)
{
    if (i % 2u)
        t->rank[i / 2u] |= rank << 16;
    else
        t->rank[i / 2u] = rank;
}

DEV uint32_t rank_of(const struct tile *t, uint32_t i)
{
    return i % 2u ? t->rank[i / 2u] >> 16 : t->rank[i / 2u] & 0xffffu;
}

/* Are digits kept?  A constant, if `full` is 1. */
DEV int digits_kept(struct digit d, int full)
{
    return !full || !digit_short(d);
}

/* Digits that are kept stand where ranks come to. */
DEV void tile_digits(struct tile *t, struct digit d, int full)
{
    if (digits_kept(d, full)) {
        UNROLL for (uint32_t i = 0; i < SCATTER_PER; i += 4u) digits_four(t->x + i, t->rank + i, d);
    }
}

/* Places among the warp's items of the same digit.  `full`: the tile is, a constant. */
DEV void rank_many(struct tile *t, uint32_t count, struct digit d, int full)
{
    const uint32_t first = WARP_ID * 32u * SCATTER_PER + LANE_ID;
    const uint32_t counts = TILE_COUNTS + 4u * SCATTER_BINS * WARP_ID;
    const uint32_t above = ~((2u << LANE_ID) - 1u);
    const vec16 none = {0, 0, 0, 0};

    ROLL for (uint32_t b = LANE_ID; b < SCATTER_BINS / 4u; b += 32u)
        sh_st16(counts + 16u * b, none);
    warp_sync();
    UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++)
    {
        const uint32_t there = full ? 0xffffffffu : ballot(first + 32u * i < count);
        const uint32_t b = !full && !(there >> LANE_ID & 1u) ? 0u /* that of no item could be any */
                           : digits_kept(d, full)            ? t->rank[i]
                                                             : digit_of(word_of(t->x[i], d), d);
        struct votes v;
        uint32_t below, rank;

        vote(&v, b, there, SCATTER_WIDTH, 0, full);
        below = bit_count(v.peers & ((1u << LANE_ID) - 1u));
        rank = sh_ld4(counts + 4u * b) + below;
        warp_sync();
        if (full ? !(v.peers & above) : v.peers >> LANE_ID == 1u) /* the last of them */
            sh_st4(counts + 4u * b, rank + 1u);
        warp_sync();
        if (digits_kept(d, full))
            t->rank[i] = b << 16 | rank;
        else
            set_rank(t, i, rank);
    }
}

/* The same, and how many items of the warp have the lane's number as their digit. */
DEV uint32_t rank_few(struct tile *t, uint32_t count, struct digit d, uint32_t bits, int full)
{
    const uint32_t first = WARP_ID * 32u * SCATTER_PER + LANE_ID;
    uint32_t mine = 0;

    UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++)
    {
        const uint32_t b = digit_of(word_of(t->x[i], d), d);
        const uint32_t there = full ? 0xffffffffu : ballot(first + 32u * i < count);
        struct votes v;

        vote(&v, b, there, bits, 1, full);
        set_rank(t, i, shfl4(mine, b) + bit_count(v.peers & ((1u << LANE_ID) - 1u)));
        mine += bit_count(v.mine);
    }
    return mine;
}

DEV uint64_t address_of(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

DEV void put_item(const struct tile *t, uint32_t i, uint32_t at, uint32_t items)
{
#if PAYLOAD_BYTES
    sh_st8(items + 8u * at, (uint64_t)t->v[i] << 32 | t->x[i]);
#else
    sh_st4(items + 4u * at, t->x[i]);
#endif
}

/* A bin that is not empty, the `number`th of those, has `items` of the tile from `first` on: it has
 * a bit there, and the words after that one know how many bins began before them. */
DEV void map_bin(uint32_t number, uint32_t first, uint32_t items)
{
    const uint32_t last = (first + items) / 32u;

    (void)sh_add4(TILE_MAP + 8u * (first / 32u), 1u << first % 32u);
    ROLL for (uint32_t w = first / 32u + 1u; w <= last && w < SCATTER_TILE / 32u; w++)
        sh_st4(TILE_MAP + 8u * w + 4u, number + 1u);
}

/* The number of the bin that place i of the tile belongs to, of those that are not empty. */
DEV uint32_t which_bin(uint32_t i)
{
    const uint64_t word = sh_ld8(TILE_MAP + 8u * (i / 32u));

    return (uint32_t)(word >> 32) + bit_count((uint32_t)word & ((2u << i % 32u) - 1u)) - 1u;
}

/* Where each warp's items of each bin come to in the tile; `out` is the address that places count
 * from.  `map`, a constant: bins that are not empty have addresses by their numbers. */
DEV void columns_many(uint64_t out, int map)
{
    const uint32_t column = TILE_COUNTS + 4u * THREAD_ID;
    uint32_t total = 0;
    uint32_t before, number;

    if (map) {
        ROLL for (uint32_t w = THREAD_ID; w < SCATTER_TILE / 32u; w += SCATTER_THREADS)
            sh_st8(TILE_MAP + 8u * w, (uint64_t)0);
    }
    block_sync();
    if (THREAD_ID < SCATTER_BINS) {
        UNROLL4 for (uint32_t w = 0; w < SCATTER_WARPS; w++) total +=
            sh_ld4(column + 4u * SCATTER_BINS * w);
    }
    total |= total ? 1u << 16 : 0u; /* above items, bins */
    before = warp_scan(total) - total;
    if (LANE_ID == 31u)
        sh_st4(TILE_MISC + 4u * WARP_ID, before + total);
    block_sync();
    if (THREAD_ID < SCATTER_BINS) {
        const uint64_t base = sh_ld8(TILE_BASE + 8u * THREAD_ID);

        UNROLL4 for (uint32_t w = 0; w < (SCATTER_BINS + 31u) / 32u; w++)
        {
            const uint32_t x = sh_ld4(TILE_MISC + 4u * w);

            before += w < WARP_ID ? x : 0u;
        }
        number = map ? before >> 16 : THREAD_ID;
        before &= 0xffffu;
        total &= 0xffffu;
        if (total || !map)
            sh_st8(TILE_DELTA + 8u * number, out + 4u * (base - before));
        if (total && map)
            map_bin(number, before, total);
        sh_st8(TILE_BASE + 8u * THREAD_ID, base + total);
        UNROLL4 for (uint32_t w = 0; w < SCATTER_WARPS; w++)
        {
            const uint32_t x = sh_ld4(column + 4u * SCATTER_BINS * w);

            sh_st4(column + 4u * SCATTER_BINS * w, before);
            before += x;
        }
    }
    block_sync();
}

/* The ranked tile into order, many bins, columns being known. */
DEV void place_many(const struct tile *t, uint32_t count, struct digit d, int full)
{
    const uint32_t first = WARP_ID * 32u * SCATTER_PER + LANE_ID;
    const uint32_t counts = TILE_COUNTS + 4u * SCATTER_BINS * WARP_ID;

    UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++)
    {
        if (full || first + 32u * i < count) {
            const int kept = digits_kept(d, full);
            const uint32_t b = kept ? t->rank[i] >> 16 : digit_of(word_of(t->x[i], d), d);

            put_item(t, i, sh_ld4(counts + 4u * b) + (kept ? t->rank[i] & 0xffffu : rank_of(t, i)),
                     MANY_ITEMS);
        }
    }
    block_sync();
}

/* Write the tile, which stands in order; values go as far from keys as `apart` says, in bytes.
 * `map`, a constant: bins are known by TILE_MAP. */
DEV void tile_write(uint64_t apart, uint32_t count, struct digit d, uint32_t items, int map,
                    int full)
{
    UNROLL4 for (uint32_t k = 0; k < SCATTER_PER; k++)
    {
        const uint32_t i = k * SCATTER_THREADS + THREAD_ID;

        if (full || i < count) {
#if PAYLOAD_BYTES
            const uint64_t y = sh_ld8(items + 8u * i);
            const uint32_t x = (uint32_t)y;
#else
            const uint32_t x = sh_ld4(items + 4u * i);
#endif
            const uint32_t b = map ? which_bin(i) : digit_of(word_of(x, d), d);
            const uint64_t to = sh_ld8(TILE_DELTA + 8u * b) + 4u * (uint64_t)i;

            gm_st4((uint32_t *)(uintptr_t)to, x);
#if PAYLOAD_BYTES
            gm_st4((uint32_t *)(uintptr_t)(to + apart), (uint32_t)(y >> 32));
#else
            (void)apart;
#endif
        }
    }
}

DEV uint64_t tile_apart(const void *keys, const void *values)
{
    return address_of(values) - address_of(keys);
}

#endif
