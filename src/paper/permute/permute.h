/* permute.h - theorem 4: permutation in O(m logloglog_m w) expected steps.
 *
 * An item is a word with its label, row*m + column of its place, in the upper half.
 *
 * Shuffle.  Row p turns its labels by a random r_p and deals them to rows p, p + 1, ..:
 * in step k slot k - r_p of row p goes to slot k of row p + k (mod w).
 *
 * Then, until nothing is left (or, with `finish`, until n / log_m^3 w are):
 *
 *   hash     the rows draw a fresh h: [w] -> [m] and share it (permute_hash.h)
 *   colour   label (i, j) has colour j - h(i) mod m; each row lists its labels by colour
 *   send     for every colour k, alpha times: each row that has a label of colour k left
 *            writes one to its place.  Two labels of one colour with the same row i have
 *            the same j, so they are one label: no bank is asked twice.
 *   count    the rows agree how many labels are left in all, and in the fullest row
 *   join     what is left of the lists is joined into one, which the next round colours
 *
 * and with `finish`, permute_finish.h.  A colour of a row has about Poisson(1) labels in
 * the first iteration, so a fraction E(Poisson(1) - alpha)+ is left: 0.368, 0.104, 0.023,
 * 0.004 for alpha = 1 .. 4; then quickly nothing.  A row that holds labels sends at least
 * one in an iteration, so the loop ends whatever the hash.
 *
 * Loops are as long as every row can know: a row that has no label of a colour lets the
 * steps pass, and colouring takes as long as the fullest row needs, whose count has been
 * agreed on.  There are two exceptions, which a barrier lets end with the slowest row.  Joining
 * takes a row 2 steps a list and 1 a label, at most 3 times the fullest row's labels.  The finish
 * fills up rows to be sorted, and no row knows how few labels the emptiest has.  Charged as
 * worst (--charge worst), these take 3 * most steps, and as many as a row has places that the
 * other rows' labels may leave empty in it; and no row learns from a barrier that others are
 * done (tests/paper/test_permute_worst.c).
 *
 * Time:  2m to shuffle, m to clear, then an iteration: the hash, colour 4 (later 5)
 *        and the reads of h a label, send (2 + 3 alpha) m, count, join at most 3 a label.
 * Space: 3m words a row and those of the hash; with `finish`, what its sort takes more.
 * Departs from the paper: w need not be a multiple of m (labels are dealt round all
 * rows, not within m x m squares); the alpha sends of a colour follow each other instead
 * of coming m steps apart, so that the list's place stays in a register (one sends
 * what the other sends); no iteration sends more often than the fullest row has labels.
 */
#ifndef CW_PAPER_PERMUTE_PERMUTE_H
#define CW_PAPER_PERMUTE_PERMUTE_H

#include "paper/paper.h"
#include "paper/permute/permute_finish.h"
#include "paper/report.h"

enum { PERMUTE_ITEMS, PERMUTE_HEAD, PERMUTE_NEXT, PERMUTE_HASH, PERMUTE_RELAY, PERMUTE_SYNC };

DEV void permute_shuffle(mem s, permuter e, word key)
{
    const int r = below(random_word(key, (word)e.me), e.m);

    all_sync(s, e);
    for (int k = 0, to = e.me; k < e.m; k++) {
        const word x = bank_read(s, e.me, k >= r ? k - r : k - r + e.m);

        bank_write(s, to, e.items + k, x);
        to = to + 1 < e.w ? to + 1 : 0;
    }
    for (int k = 0; k < e.m; k++)
        bank_write(s, e.me, e.head + k, 0); /* no list of any iteration */
    all_phase(s, e, e.items, "shuffled");
}

/* List the row's labels by colour.  They stand in slots start, next[start], .., or, if
 * start is m, in all slots.  A head of this iteration bears its number.  No row has more than
 * `most` labels: lanes of a warp leave the loop together. */
DEV void permute_colour(mem s, permuter e, const hash *h, int start, int count, int most,
                        word iteration)
{
    int slot = start < e.m ? start : 0;

    ROLL for (int c = 0; c < most; c++)
    {
        if (c >= count)
            continue;

        const int after = start < e.m ? (int)bank_read(s, e.me, e.next + slot) : slot + 1;
        const word x = bank_read(s, e.me, e.items + slot);
        const int i = PERMUTE_MUTANT == MUTANT_COLOUR ? e.me : item_row(e, x);
        const int k = item_col(e, x) - hash_at(s, h, i);
        const int at = e.head + (k < 0 ? k + e.m : k);
        const word head = bank_read(s, e.me, at);

        bank_write(s, e.me, e.next + slot,
                   head >> 32 == iteration ? head & PERMUTE_LOW : PERMUTE_NIL);
        bank_write(s, e.me, at, iteration << 32 | (word)slot);
        slot = after;
    }
    all_phase(s, e, e.items, "coloured");
}

/* Send up to `rounds` labels of every colour.  The lists that remain are moved to the
 * front of the heads; returns how many they are. */
DEV int permute_send(mem s, permuter e, int rounds, word iteration, int *count)
{
    int lists = 0;

    all_sync(s, e);
    for (int k = 0; k < e.m; k++) {
        const word head = bank_read(s, e.me, e.head + k);
        word slot = head >> 32 == iteration ? head & PERMUTE_LOW : PERMUTE_NIL;

        for (int a = 0; a < rounds; a++) {
            if (slot != PERMUTE_NIL) {
                const word x = bank_read(s, e.me, e.items + (int)slot);

                slot = bank_read(s, e.me, e.next + (int)slot);
                deliver(s, e, x);
                (*count)--;
            } else {
                lane_skip(s);
                lane_skip(s);
                lane_skip(s);
            }
        }
        if (slot != PERMUTE_NIL)
            bank_write(s, e.me, e.head + lists++, iteration << 32 | slot);
        else
            lane_skip(s);
    }
    all_phase(s, e, e.items, "sent");
    return lists;
}

/* Join the lists at the front of the heads; returns the first slot.  No row has more than
 * `most` labels, so 3 * most rounds of an access do; lanes of a warp leave the loop together. */
DEV int permute_join(mem s, permuter e, int lists, int most)
{
    const long long from = lane_clock(s);
    word start = PERMUTE_NIL, first = PERMUTE_NIL, slot = PERMUTE_NIL;
    int c = 0, last = 0; /* last: the slot is the last one of its list */

    lane_pass(s); /* lanes of a warp go step by step from here */
    ROLL for (int round = 0; round < 3 * most; round++)
    {
        if (c == lists)
            continue; /* no access, and no step */
        if (last) {
            bank_write(s, e.me, e.next + (int)slot, start);
            start = first;
            slot = PERMUTE_NIL;
            last = 0;
            c++;
        } else if (slot == PERMUTE_NIL) {
            slot = first = bank_read(s, e.me, e.head + c) & PERMUTE_LOW;
        } else {
            const word after = bank_read(s, e.me, e.next + (int)slot);

            last = after == PERMUTE_NIL;
            slot = last ? slot : after;
        }
    }
    if (e.worst)
        lane_pace(s, from, 3 * most);
    all_sync(s, e);
    return start == PERMUTE_NIL ? 0 : (int)start;
}

DEV void permute_tell(struct cw_report *report, int iterations, int left)
{
    if (report->leftover_count < CW_LEFTOVERS)
        report->leftovers[report->leftover_count++] = (uint64_t)left;
    report->iterations = (uint32_t)iterations;
}

DEV permuter permuter_of(mem s, const struct cw_job *job)
{
    permuter e;

    e.w = (int)job->w;
    e.m = (int)job->m;
    e.me = lane_id(s);
    e.items = (int)job->aux[PERMUTE_ITEMS];
    e.head = (int)job->aux[PERMUTE_HEAD];
    e.next = (int)job->aux[PERMUTE_NEXT];
    e.hash = (int)job->aux[PERMUTE_HASH];
    e.relay = (int)job->aux[PERMUTE_RELAY];
    e.sync = (int)job->aux[PERMUTE_SYNC];
    e.worst = job->opt.charge == CW_CHARGE_WORST;
    return e;
}

/* The whole permutation, by every processor; row 0 fills in job->output. */
DEV void permute(mem s, const struct cw_job *job)
{
    const permuter e = permuter_of(s, job);
    const hash_shape shape = hash_shape_of((int)job->opt.hash, e.w, e.m);
    const int alpha = (int)job->opt.alpha;
    const int enough = job->opt.finish ? cubic_share(e.w * e.m, e.w, e.m, 0) : 0;
    struct cw_report *const report = e.me == 0 ? (struct cw_report *)job->output : NULL;
    int count = e.m, most = e.m, left = e.w * e.m, start = e.m, iteration = 0, lemma2 = 0;
    dice d;

    d.key = mix_word(job->opt.seed + 1);
    d.drawn = (word)e.w; /* the first w words are the rows' own */
    permute_shuffle(s, e, d.key);
    while (left > enough) {
        hash h;
        word counts;
        int lists;

        hash_share(s, e, shape, &d);
        h = hash_load(s, e, shape);
        permute_colour(s, e, &h, start, count, most, (word)++iteration);
        lists = permute_send(s, e, alpha < most ? alpha : most, (word)iteration, &count);
        counts = sync_counts(s, e, count);
        most = (int)(counts >> 32);
        left = (int)(counts & PERMUTE_LOW);
        start = permute_join(s, e, lists, most);
        if (report)
            permute_tell(report, iteration, left);
    }
    if (left)
        lemma2 = permute_finish(s, e, &d, start, count, left, most, (int)job->opt.ways);
    if (report) {
        report->random_words = d.drawn;
        report->path = !job->opt.finish ? "loop until nothing is left"
                       : !left          ? "loop; nothing was left to pack"
                       : lemma2         ? "loop, pack, lemma 2, three groups"
                       : iteration      ? "loop, pack, general sort, three groups"
                                        : "general sort, three groups";
    }
}

#endif
