/* local_sort.h - the last stage: a block sorts a row, which is a bucket that fits in its registers.
 *
 *      keys of 4 bytes      radix/local_sort_keys.h: the network of prim/block_sort.h sorts them
 *      keys of 8 bytes      radix/local_sort_wide.h: the network sorts some bits of a key, and its
 *                           place in the row
 *      pairs of 4 + 4       radix/local_sort_pairs.h: the same
 *
 * Here is what they share: how blocks find their rows, and how keys become words.
 *
 * The networks have no bank conflicts.  Reading items in the order of the sort has.
 *
 * The local sort at the end of an MSD sort is from Stehle and Jacobsen (SIGMOD 2017), who sort by
 * digits there.  The network in registers is this library's (src/rows).
 */
#ifndef CW_SORT_RADIX_LOCAL_SORT_H
#define CW_SORT_RADIX_LOCAL_SORT_H

#ifndef ROW_WIDE
#define ROW_WIDE 0 /* keys of 8 bytes; KEY_LOG is 2 for the network */
#endif

#include "sort/radix/bucket.h"

#define ROW_LOG_K 5

/* How many a list has. */
DEV uint32_t rows_of_one(const struct radix_job *j, uint32_t which)
{
    const uint32_t rows = gm_ld4(&j->state->rows[j->half][which]);

    return rows < j->row_room[which] ? rows : j->row_room[which];
}

DEV uint32_t rows_of_list(const struct radix_job *j)
{
    if (j->alone)
        return 1;
    return j->which < RADIX_ROWS ? rows_of_one(j, j->which)
                                 : rows_of_one(j, 0) + rows_of_one(j, 1u);
}

DEV uint64_t row_of_list(const struct radix_job *j, uint32_t i)
{
    uint32_t which = j->which;

    if (j->alone)
        return row_entry(0, j->n, AT_IN);
    if (which == RADIX_ROWS) {
        const uint32_t first = rows_of_one(j, 0);

        which = i >= first;
        i -= which ? first : 0u;
    }
    return gm_ld8(&j->row_list[which][i]);
}

/* The other half of the lists begins empty: its rows are made after this launch.  A counter that
 * was taken past its end goes back to it. */
DEV void lists_begin(const struct radix_job *j)
{
    struct radix_state *const s = j->state;

    if (j->alone || !j->drains || BLOCK_ID || THREAD_ID)
        return;
    gm_st4(&s->rows[1u - j->half][j->which], 0u);
    gm_st4(&s->rows_taken[1u - j->half][j->which], 0u);
    gm_st4(&s->claimed[1u - j->half], 0u);
    if (gm_ld4(&s->medium_taken) > gm_ld4(&s->medium))
        gm_st4(&s->medium_taken, gm_ld4(&s->medium));
    if (gm_ld4(&s->write_out_counted) > gm_ld4(&s->write_out_chunks))
        gm_st4(&s->write_out_counted, gm_ld4(&s->write_out_chunks));
}

/* Which rows a block sorts.  The first two follow from its number.  If there are many rows, it
 * takes the others from a counter, so that all blocks end at about the same time.  Thread 0 asks
 * for the row after the next one early, and tells the others later. */
#ifndef WALK_MANY
#define WALK_MANY 8u /* rows a block */
#endif

struct row_walk {
    uint32_t rows; /* of the list */
    uint32_t i, next;
};

DEV void walk_begin(struct row_walk *w, const struct radix_job *j)
{
    w->rows = rows_of_list(j);
    w->i = BLOCK_ID;
    w->next = BLOCK_ID + GRID_DIM;
}

DEV uint32_t walk_ask(const struct row_walk *w, const struct radix_job *j)
{
    if (w->rows < WALK_MANY * GRID_DIM)
        return w->next + GRID_DIM;
    if (w->next >= w->rows || THREAD_ID)
        return w->rows;
    return 2u * GRID_DIM + gm_add4(&j->state->rows_taken[j->half][j->which], 1u);
}

DEV void walk_on(struct row_walk *w, uint32_t after)
{
    w->i = w->next;
    w->next = after;
}

#include "prim/block_sort.h"

/* The word of a key, and back (key_map.h). */
#if ROW_WIDE
#define ROW_SIGN 63u
typedef uint64_t row_bits;
#else
#define ROW_SIGN 31u
typedef uint32_t row_bits;
#endif

DEV row_bits row_word(const struct radix_job *j, row_bits x)
{
    const row_bits flip = (row_bits)j->map.flip;

    return (x ^ (x >> ROW_SIGN ? flip : 0u) ^ (row_bits)j->map.toggle) - (row_bits)j->map.bias;
}

DEV row_bits row_key(const struct radix_job *j, row_bits word)
{
    const row_bits x = (word + (row_bits)j->map.bias) ^ (row_bits)j->map.toggle;

    return x ^ (x >> ROW_SIGN ? (row_bits)j->map.flip : 0u);
}

#if PAYLOAD_BYTES
/* What is compared: the word, or in stable sorts of floats its rank. */
DEV key row_rank(const struct radix_job *j, key word)
{
    return j->map.tied ? (key)CW_WORD_TO_RANK(&j->map, word) : word;
}
#endif

#if ROW_WIDE
#include "sort/radix/local_sort_wide.h"
#elif PAYLOAD_BYTES
#include "sort/radix/local_sort_pairs.h"
#else
#include "sort/radix/local_sort_keys.h"
#endif
#endif
