/* space.c - how the MSD radix sort divides an array, and what it needs besides.
 *
 * The workspace does not depend on the device: arrays are divided for as many multiprocessors as
 * the table says.  It holds, besides the second buffer:
 *
 *      counts of bins    for each bucket (at most 2025 of a pass) of two passes, and for each chunk
 *                        (radix/counts.h): a bounded part of what the array takes
 *      lists             of rows and of medium buckets; radix/classify.h says how long
 *
 * Lists grow with the array up to 2^31 items.  For longer arrays they are worked off after every
 * pass: rows are sorted, then medium buckets are split in as many rounds as their rows may need,
 * and the rows of each round are sorted.
 *
 * What is needed grows with n, also where shorter arrays are divided into more: a caller may ask for
 * the longest array that comes.
 */
#include "sort/radix/space.h"

#include <string.h>

#include "base/arena.h"
#include "base/arith.h"

#define MANY_SLOTS 200u /* pairs have 132, keys alone 396 */

/* Uniform keys give rows whose lengths have a Poisson distribution.
 *
 * FULL: rows of 2^log are made up to this length on average.  Of rows of 970 items one in 24 is
 * longer than 1024, of 1940 one in 138 than 2048, of 3980 one in 30 than 4096.  These go to the
 * list of rows of twice the length.
 *
 * ROW_ITEMS: the average length that buckets are split down to.  Of rows of 880 items one in a
 * million is longer than 1024, of 3776 one in 7 million than 4096. */
#define FULL_10      970u
#define FULL_11      1940u
#define FULL_12      3980u
#define ROW_ITEMS_10 880u
#define ROW_ITEMS_12 3776u

/* No array has more rows of 2^10 or 2^11 items: longer ones have rows of 2^12. */
#define MOST_SHORT_ROWS 66100u
#define MOST_SHORT_BINS 77000u /* the same for the average lengths of 880 and 1760 items */

_Static_assert(((FULL_10 + 1u) * RADIX_MOST_SPLIT * RADIX_MOST_SPLIT >> 10) < MOST_SHORT_ROWS,
               "there can be more rows of 2^10 items");
_Static_assert(((FULL_11 + 1u) * RADIX_MOST_SPLIT * RADIX_MOST_SPLIT >> 11) < MOST_SHORT_ROWS,
               "there can be more rows of 2^11 items");
_Static_assert((FULL_10 + 1u) * RADIX_MOST_SPLIT * RADIX_MOST_SPLIT / ROW_ITEMS_10 <
                   MOST_SHORT_BINS,
               "there can be more bins of 880 items");
_Static_assert((FULL_11 + 1u) * RADIX_MOST_SPLIT * RADIX_MOST_SPLIT / (2u * ROW_ITEMS_10) <
                   MOST_SHORT_BINS,
               "there can be more bins of 1760 items");

/* ---- sizes ---------------------------------------------------------------------------------- */

static uint64_t slots(const struct radix_table *t)
{
    return (uint64_t)t->processors * t->move_blocks;
}

/* Chunks of a long array: some for each slot, which takes one after another. */
static uint64_t many_chunks(const struct radix_table *t)
{
    return (slots(t) > MANY_SLOTS ? 2u : 4u) * slots(t);
}

/* Chunks of the first pass, about, at most. */
static uint64_t most_chunks(const struct radix_table *t, uint64_t n)
{
    return cw_least(n / t->chunk_least, n >> RADIX_MANY_CHUNKS ? many_chunks(t) : slots(t));
}

/* From here on there are fewer bins and tickets, lest lists and counts are too long. */
#define LONG_LEAST ((uint64_t)1 << 30)

static uint32_t few_bins(const struct radix_table *t, uint64_t n)
{
    return n >= LONG_LEAST ? t->bins : t->few_bins;
}

static uint64_t most_tickets(const struct radix_table *t, uint64_t n)
{
    return n >= LONG_LEAST ? t->tickets / 2u : t->tickets;
}

static uint64_t most_buckets(const struct radix_table *t, uint64_t n)
{
    return cw_least(n / t->huge_least, RADIX_HUGE) + 1u; /* no more are longer than huge */
}

/* Chunks of a pass, at most.  A bucket has up to four for every `chunk` of its items
 * (radix/classify.h), rounded, and at least one.  If buckets are longer than half of such a chunk,
 * rounding adds no more than a half. */
static uint64_t chunk_room(const struct radix_table *t, uint64_t n)
{
    const uint64_t buckets = most_buckets(t, n);

    return 4u * most_chunks(t, n) + 8u + (t->passes ? buckets : buckets / 2u + 1u);
}

/* The length of rows: as short as two passes can make them, or one if that is enough.  Short rows
 * are sorted faster, and more bins cost little. */
static uint32_t row_log(const struct radix_table *t, uint64_t n)
{
    const uint64_t one = n / t->bins;
    const uint64_t items = one <= FULL_12 ? one : one / t->bins;

    if (n <= t->alone)
        return n <= 1u << 10 ? 10 : n <= 1u << 11 ? 11 : 12;
    return items <= FULL_10 ? 10 : items <= FULL_11 ? 11 : 12;
}

/* At least n over the items of a row, for this n and all smaller ones. */
static uint64_t row_count(uint64_t n)
{
    return cw_most(cw_least(n >> 10, MOST_SHORT_ROWS), n >> 12);
}

/* At least n over the average length that buckets are split down to, the same way. */
static uint64_t row_bins(uint64_t n)
{
    return cw_most(cw_least(n / ROW_ITEMS_10, MOST_SHORT_BINS), n / ROW_ITEMS_12);
}

/* As many passes as tell any keys of a long bucket apart, `bins` at a time.  Up to 2^25 items there
 * are fewer: launches count there, and a tree makes buckets of skewed arrays short.  Buckets that
 * are left after the last pass go to one block each. */
static uint32_t passes(const struct radix_table *t, uint64_t n)
{
    if (n <= t->huge_least)
        return 0;
    if (t->passes)
        return t->passes;
    if (n / t->bins <= FULL_12)
        return 1;
    if (n <= (uint64_t)1 << 25)
        return n <= (uint64_t)1 << 22 ? 2 : 3;
    if (t->key_bytes == 4)
        return n <= (uint64_t)1 << 26 ? 4 : 5;
    return n >> 31 ? RADIX_PASSES : 6;
}

/* Room in lists: radix/classify.h. */
static void list_sizes(struct radix_run *r, uint64_t n)
{
    struct radix_job *const j = &r->job;
    const uint64_t listed = row_count(cw_least(n, r->t->drain_least));
    const uint64_t bins = j->few_bins * j->most_buckets; /* of a pass */
    uint64_t rows = 11u * listed / 4u + 2u * j->most_buckets * j->passes + 16u;
    uint64_t wide = listed + 16u, medium = listed / 2u + 16u;

    j->drains = n > r->t->drain_least;
    j->done_most = j->row_most[0] / 2u;
    if (r->t->value_bytes && !j->drains && n < LONG_LEAST) {
        j->done_most = j->row_most[0] / 4u;
        rows += 2u * listed;
    }
    if (j->drains) {
        rows = cw_most(rows, cw_least(bins, 2u * row_count(n) + 2u * j->most_buckets) + 16u);
        wide = cw_most(wide, cw_most(rows / 2u, cw_least(bins, row_count(n)) + 16u));
        medium = cw_most(medium, cw_least(bins, row_count(n) / 2u) + 16u);
    }
    j->row_room[0] = (uint32_t)rows;
    j->row_room[1] = (uint32_t)wide;
    j->medium_room = (uint32_t)medium;
}

/* Rounds for the medium buckets of a pass, at most.  Every round but the last one uses up the room
 * for rows, less what one bucket claims (radix/medium_buckets.h). */
uint64_t cw_radix_rounds(const struct radix_run *r)
{
    const struct radix_job *const j = &r->job;
    const uint64_t room = j->row_room[0], m = j->row_most[0];
    const uint64_t one = cw_least(j->huge / m * 5u / 2u + 4u, room / 2u);
    const uint64_t all = j->n / m * 5u / 2u + 4u * (uint64_t)j->medium_room;

    return all / (room - one) + 2u;
}

/* Are buckets of few values written from counts?  So nearly all of them are, and need no bins. */
static int writes_counts(const struct radix_table *t, uint64_t n)
{
    return t->counters && cw_radix_samples(t, n) && t->tree_room && n >= t->apart_least &&
           n >> 32 == 0; /* counters have 32 bits */
}

/* Bins of all buckets of a pass.  A bucket has at most few_bins.  If it has not few values, it has
 * at most len / row_items + 2 (radix/digit.h); few_room says how many all others may have. */
static void start_sizes(struct radix_run *r, uint64_t n)
{
    struct radix_job *const j = &r->job;
    const struct radix_table *const t = r->t;
    const uint64_t all = j->most_buckets * j->few_bins;
    const uint64_t few = writes_counts(t, n) ? n / t->few_items : all;
    const uint64_t room = cw_least(all, row_bins(n) + 2u * j->most_buckets + few);

    j->few_room = (uint32_t)few;
    j->start_room = (uint32_t)cw_most(room, t->most_bins);
}

/* Counts of all chunks of a pass.  The first pass has at most one chunk for each slot or many, of
 * most_bins.  In others, a bucket's chunks have len / count_items counts together; or it is one
 * chunk, with no more than few_bins. */
static uint64_t count_room(const struct radix_table *t, uint64_t n)
{
    const uint64_t first = most_chunks(t, n) + 1u, few = few_bins(t, n);
    const int halved = t->tree_room && n < t->apart_least; /* `both`: classify.h */
    const uint64_t one = t->huge_least / (halved ? 2u : 1u) / t->count_items;
    const uint64_t more = few > one ? few - one : 0; /* if it is one chunk */
    const uint64_t later = n / t->count_items + most_buckets(t, n) * more;

    return cw_most(first * t->most_bins, cw_least(later, chunk_room(t, n) * few));
}

/* Items of a stable sort's ticket: a tile, or several, so that the counts of all tickets do not
 * take too much room. */
static uint64_t ticket_items(const struct radix_table *t, uint64_t n)
{
    const uint64_t all = most_tickets(t, n) * t->ticket_items;

    return cw_most((n + all - 1u) / all, 1) * t->ticket_items;
}

void cw_radix_sizes(struct radix_run *r, uint64_t n)
{
    struct radix_job *const j = &r->job;

    r->log = row_log(r->t, n);
    j->n = n;
    j->chunk = cw_most(n / (n >> RADIX_MANY_CHUNKS ? many_chunks(r->t) : slots(r->t)) + 1u,
                       r->t->chunk_least);
    j->huge = cw_most(n / RADIX_HUGE + 1u, r->t->huge_least);
    j->most_buckets = most_buckets(r->t, n);
    j->passes = passes(r->t, n);
    j->few_bins = few_bins(r->t, n);
    if (j->passes == 1u)
        j->few_bins = (uint32_t)cw_most(j->few_bins, r->t->one_bins);
    j->row_items = r->log < 12 ? ROW_ITEMS_10 << (r->log - 10) : ROW_ITEMS_12;
    for (uint32_t i = 0; i < RADIX_ROWS; i++)
        j->row_most[i] = 1u << (r->log + i);
    j->ticket_items = ticket_items(r->t, n);
    j->wide = n >> 32 || (r->t->wide_every && n % r->t->wide_every + 1u == r->t->wide_every);
    j->count_items = r->t->count_items;
    start_sizes(r, n);
    list_sizes(r, n);
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* Stable sorts: tickets of a pass, which cut chunks.  A chunk ends where a ticket does if its bucket
 * has as many tickets as chunks or more; else each chunk is one ticket.  So a bucket has no more
 * tickets than the greater of its chunks and len / ticket_items + 1, and chunks are at most 4 for
 * every `chunk` of its items, and one. */
uint64_t cw_radix_ticket_room(const struct radix_run *r)
{
    const struct radix_table *const t = r->t;
    const uint64_t n = r->job.n;
    const uint64_t tickets = cw_least(n / t->ticket_items, most_tickets(t, n));
    const uint64_t chunks = 4u * most_chunks(t, n) + 8u;

    return cw_most(tickets, chunks) + most_buckets(t, n) + 1u;
}

int cw_radix_samples(const struct radix_table *t, uint64_t n)
{
    return n > t->alone && n >= t->sample_least && passes(t, n);
}

/* What the kernels keep, from `base` on (NULL: to learn its size, which is returned). */
uint64_t cw_radix_layout(struct radix_run *r, uint8_t *base)
{
    struct radix_job *const j = &r->job;
    const struct radix_table *const t = r->t;
    const uint64_t chunks = chunk_room(t, j->n);
    const uint64_t number = j->n >> 32 || t->wide_every ? 8u : 4u; /* radix/counts.h */
    uint64_t at = 0;

    j->tmp = take(base, &at, j->n * t->key_bytes);
    j->tmp_values = take(base, &at, j->n * t->value_bytes);
    j->state = (struct radix_state *)take(base, &at, sizeof *j->state);
    for (int i = 0; i < 2; i++) {
        j->buckets[i] =
            (struct radix_bucket *)take(base, &at, j->most_buckets * sizeof(struct radix_bucket));
        j->chunk_bucket[i] = (uint32_t *)take(base, &at, 4u * chunks);
    }
    j->starts = take(base, &at, number * j->start_room * cw_least(j->passes, 2u));
    if (cw_radix_samples(t, j->n) && t->tree_room) {
        j->tree = (struct radix_tree *)take(base, &at, sizeof *j->tree);
        j->tree_table = (uint32_t *)take(base, &at, 4u * t->tree_room);
        j->tree_ends = (uint64_t *)take(base, &at, 8u * (uint64_t)t->most_bins);
        j->tree_counted = (uint32_t *)take(base, &at, 4u * (uint64_t)t->most_bins);
        if (j->n >= t->apart_least) { /* else it would not pay */
            j->write_outs =
                (struct radix_write_out *)take(base, &at, RADIX_WRITE_OUTS * sizeof *j->write_outs);
            j->counters = (uint32_t *)take(base, &at, 4u * (uint64_t)t->counters);
        }
        if (!writes_counts(t, j->n))
            j->write_outs = NULL;
    }
    j->chunk_keys = (uint64_t *)take(base, &at, 8u * RADIX_CHUNK_KEYS * chunks);
    j->chunk_way = (uint32_t *)take(base, &at, 4u * chunks);
    j->crowded = (uint32_t *)take(base, &at, 4u * chunks);
    j->counts = take(base, &at, number * count_room(t, j->n));
    if (t->ticket_threads) {
        j->ticket_list = (struct radix_ticket *)take(
            base, &at, cw_radix_ticket_room(r) * sizeof(struct radix_ticket));
        j->before =
            (uint32_t *)take(base, &at, 4u * (uint64_t)t->most_bins * cw_radix_ticket_room(r));
    }
    j->medium = (uint64_t *)take(base, &at,
                                 8u * RADIX_MEDIUM_WORDS(t->key_bytes) * (uint64_t)j->medium_room);
    for (int i = 0; i < RADIX_ROWS; i++)
        j->row_list[i] = (uint64_t *)take(base, &at, 8u * (uint64_t)j->row_room[i]);
    return at;
}

uint64_t cw_radix_bytes(const struct radix_table *t, uint64_t n)
{
    struct radix_run r;

    if (n <= t->alone)
        return 0;
    memset(&r, 0, sizeof r);
    r.t = t;
    cw_radix_sizes(&r, n);
    return cw_most(cw_radix_layout(&r, NULL),
                   n < LONG_LEAST ? 0 : cw_radix_bytes(t, LONG_LEAST - 1u));
}
