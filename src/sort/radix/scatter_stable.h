/* scatter_stable.h - the scatter of stable sorts: pairs move in order, tile by tile, by whichever
 * block is free.
 *
 * A chunk is cut into tickets of one tile or several.  The histogram wrote down how many items of
 * each bin stand before a ticket in its chunk, so any block can move it.  Blocks take tickets about
 * in the order of the array.  What neighbours write to a bin is then written at about the same
 * time, and the pieces of a line that they share meet in the cache (prim/tile_ticket.h says more).
 * The tile is put into order by prim/tile_scatter.h, as in partitions.
 */
#ifndef CW_SORT_RADIX_SCATTER_STABLE_H
#define CW_SORT_RADIX_SCATTER_STABLE_H

#include "sort/radix/counts.h"
#include "sort/radix/histogram.h"
#include "prim/tile_scatter.h"

#define TICKET_JOB struct radix_job

/* What holds for all tiles of a ticket, beside its number, chunk and bucket. */
struct ticket_digit {
    uint32_t buffer; /* where the bucket stands */
    uint32_t lo, lead, mult, bins;
};

enum { TICKET_NUMBER, TICKET_COUNT, TICKET_START }; /* its number, and where its rows begin */

#define TICKET_MORE(field) (SHARED_AT(tile_shared, ticket.more) + SHARED_AT(ticket_digit, field))

STATIC_ASSERT(sizeof(struct ticket_digit) <= sizeof((struct tile_ticket *)0)->more,
              "a ticket has too few words");

/* Thread 0 finds a ticket, from number `ticket` on, and writes it down; 0 items if there is none.
 * It passes over buckets that stay or are copied, and over chunks of equal keys. */
DEV void ticket_find(const struct radix_job *j, uint32_t ticket)
{
    struct radix_pass *const now = &j->state->pass[j->pass];
    const uint32_t side = j->pass & 1u;
    uint32_t items = 0;

    ROLL for (; items == 0 && ticket < gm_ld4(&now->tickets);
              ticket = gm_add4(&now->tickets_taken, 1u))
    {
        const struct radix_ticket *const t = j->ticket_list + ticket;
        const uint32_t chunk = gm_ld4(&t->chunk);
        const uint32_t bucket = gm_ld4(&j->chunk_bucket[side][chunk]);
        const struct radix_bucket *const p = &j->buckets[side][bucket];

        if (gm_ld4(&p->action) != BUCKET_SPLIT || gm_ld4(&j->chunk_way[chunk]) != WAY_TICKETS)
            continue;
        items = gm_ld4(&t->items);
        sh_st8(TICKET_FROM, gm_ld8(&t->from));
        sh_st4(TICKET_ID(TICKET_NUMBER), ticket);
        sh_st4(TICKET_ID(TICKET_COUNT),
               gm_ld4(&p->count) + (chunk - gm_ld4(&p->first)) * gm_ld4(&p->bins));
        sh_st4(TICKET_ID(TICKET_START), side * j->start_room + gm_ld4(&p->bin));
        sh_st4(TICKET_MORE(buffer), gm_ld4(&p->at));
        sh_st4(TICKET_MORE(lo), (uint32_t)gm_ld8(&p->lo));
        sh_st4(TICKET_MORE(lead), gm_ld4(&p->lead));
        sh_st4(TICKET_MORE(mult), gm_ld4(&p->mult));
        sh_st4(TICKET_MORE(bins), gm_ld4(&p->bins));
        break;
    }
    sh_st4(TICKET_LEFT, items);
    sh_st4(TICKET_BEGINS, 1u);
}

/* Where the next item of bin THREAD_ID goes, in the ticket that is written down. */
DEV void ticket_base(const struct radix_job *j, struct base *b)
{
    const uint64_t ticket = sh_ld4(TICKET_ID(TICKET_NUMBER));
    const uint32_t count = sh_ld4(TICKET_ID(TICKET_COUNT)) + THREAD_ID;
    const uint32_t start = sh_ld4(TICKET_ID(TICKET_START)) + THREAD_ID;

    b->start = count_load(j->starts, start, j->wide);
    b->chunk = count_load(j->counts, count, j->wide);
    b->ticket = gm_ld4(j->before + ticket * RADIX_BINS + THREAD_ID);
}

DEV uint32_t ticket_bins(const struct radix_job *j)
{
    (void)j;
    return sh_ld4(TICKET_MORE(bins));
}

DEV uint32_t *ticket_taken(const struct radix_job *j)
{
    return &j->state->pass[j->pass].tickets_taken;
}

#include "prim/tile_ticket.h"

/* The digit of the ticket. */
DEV void ticket_digit_of(struct digit *d)
{
    d->lo = sh_ld4(TICKET_MORE(lo));
    d->lead = sh_ld4(TICKET_MORE(lead));
    d->mult = sh_ld4(TICKET_MORE(mult));
}

/* The tile into order; `full`, a constant: its `count` items fill it. */
DEV void ticket_order(const struct radix_job *j, uint32_t count, struct digit d, int full)
{
    const uint32_t buffer = sh_ld4(TICKET_MORE(buffer));
    struct base base;
    struct tile t;

    ticket_where(j, &base);
    tile_keys(&t, keys_at(j, buffer) + sh_ld8(TICKET_FROM), count, full);
    ticket_bases(&base);
    tile_digits(&t, d, full);
    rank_many(&t, count, d, full);
    tile_forget(&t);
    columns_many(address_of(keys_at(j, moved_to(buffer))), digits_kept(d, full));
    tile_values(&t, values_at(j, buffer), sh_ld8(TICKET_FROM), count, full);
    place_many(&t, count, d, full);
}

DEV uint64_t ticket_apart(const struct radix_job *j, uint32_t buffer)
{
    return tile_apart(keys_at(j, moved_to(buffer)), values_at(j, moved_to(buffer)));
}

/* A tile that is not full: the last of a chunk. */
DEV_APART void ticket_rest(const struct radix_job *j, struct digit d)
{
    const uint32_t count = sh_ld4(TICKET_LEFT);
    const uint32_t buffer = sh_ld4(TICKET_MORE(buffer));

    ticket_order(j, count, d, 0);
    tile_write(ticket_apart(j, buffer), count, d, MANY_ITEMS, 1, 0);
}

/* Take tickets until there are none; d has all but what ticket_digit_of says. */
DEV void take_tickets(const struct radix_job *j, struct digit d)
{
    ROLL for (int first = 1; ticket_begin(j, first); first = 0)
    {
        const uint32_t buffer = sh_ld4(TICKET_MORE(buffer));

        ticket_digit_of(&d);
        if (sh_ld4(TICKET_LEFT) >= SCATTER_TILE) {
            ticket_order(j, SCATTER_TILE, d, 1);
            tile_write(ticket_apart(j, buffer), SCATTER_TILE, d, MANY_ITEMS, digits_kept(d, 1), 1);
        } else {
            ticket_rest(j, d);
        }
    }
}

KERNEL(RADIX_NAME(stable), struct radix_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    struct digit d;

    digit_map(&d, arg);
    take_tickets(arg, d);
}

KERNEL(RADIX_NAME(stable_plain), struct radix_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    struct digit d;

    digit_map(&d, arg);
    d.mapped = 0;
    take_tickets(arg, d);
}

#endif
