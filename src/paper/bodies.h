/* bodies.h - what each processor runs for a job: the algorithms bound to their areas.
 *
 * The registry's rows (host side) and the GPU's kernel (paper/warp/kernel.h) both start here, so
 * that an algorithm is the same on every machine.
 */
#ifndef CW_PAPER_BODIES_H
#define CW_PAPER_BODIES_H

#include "paper/sort/blocked_bitonic.h"
#include "paper/convert/convert_in_place.h"
#include "paper/partition/lemma2_any.h"
#include "paper/partition/lemma2_printed.h"
#include "paper/paper.h"
#include "paper/permute/permute_offline.h"
#include "paper/report.h"
#include "paper/sort/sort_recursive.h"
#include "paper/sort/sort_tall.h"
#include "paper/convert/transpose.h"

#if WORD_BITS >= 64
#include "paper/permute/permute.h" /* its hash functions compute in 64 bits */
#endif

#define LABEL_SHIFT (WORD_BITS / 2) /* an item with a label has it in its upper half */

/* The matrix, with its second buffer in the given area; rows by merging. */
DEV view job_view(const struct cw_job *job, int area)
{
    view v = view_make(0, (int)job->w, (int)job->m, 0, (int)job->aux[area], (int)job->opt.ways);

    v.worst = job->opt.charge == CW_CHARGE_WORST;
    return v;
}

/* ---- conversions and rows ------------------------------------------------ */

/* Out of place, but the result is to stand in the matrix: the input is moved over first. */
DEV void body_transpose(mem s, const struct cw_job *job)
{
    const view v = job_view(job, 0);

    for (int j = 0; j < v.m; j++) {
        const word x = bank_read(s, lane_id(s), v.a + j);

        bank_write(s, lane_id(s), v.b + j, x);
    }
    r2c(s, view_flip(v));
}

DEV void body_transpose_in_place(mem s, const struct cw_job *job)
{
    r2c_in_place(s, job_view(job, 0));
}

DEV void body_transpose_square(mem s, const struct cw_job *job)
{
    transpose_square(s, view_make(0, (int)job->w, (int)job->m, 0, 0, (int)job->opt.ways));
}

/* The digit that makes sorting a row of m items by counting cheapest. */
DEV int best_digit(int bits, int m)
{
    long long least = 0;
    int best = 1;

    for (int digit = 1; digit <= bits && digit <= 16; digit++) {
        const long long cost = (bits + digit - 1) / digit * (7LL * m + 3 * (1LL << digit));

        if (digit == 1 || cost < least) {
            least = cost;
            best = digit;
        }
    }
    return best;
}

/* Rows sorted on `bits` bits from `shift` on, if they are known and counting is allowed. */
DEV sorter sorter_of(int shift, int bits, uint32_t m, const struct cw_options *opt)
{
    sorter by = sorter_merge((int)opt->ways);

    by.rows = (int)opt->rows;
    by.shift = shift;
    by.bits = opt->rows == CW_ROWS_MERGE ? 0 : bits;
    by.digit = by.bits ? best_digit(by.bits, (int)m) : 0;
    return by;
}

DEV sorter key_sorter(uint32_t m, const struct cw_options *opt)
{
    return sorter_of(0, (int)opt->key_bits, m, opt);
}

DEV sorter label_sorter(uint32_t w, uint32_t m, const struct cw_options *opt)
{
    const int bits = passes_of((int)w, 2);

    return sorter_of(LABEL_SHIFT, bits ? bits : 1, m, opt);
}

DEV void body_row_sort(mem s, const struct cw_job *job)
{
    sorter by = key_sorter(job->m, &job->opt);

    by.counters = (int)job->aux[1];
    order_row(s, lane_id(s), 0, (int)job->aux[0], 0, (int)job->m, 0, by);
}

/* ---- the paper's sorts: area 0 pads the matrix, area 1 is the buffer ------ */

/* Height of super-rows; 1, which the check refuses, where none is known to work. */
DEV int job_group(const struct cw_options *opt, uint32_t m)
{
    const int g = opt->group ? (int)opt->group : square_group((int)m);

    return g ? g : 1;
}

DEV void body_short(mem s, const struct cw_job *job)
{
    if (job->opt.literal)
        short_literal(s, job_view(job, 1), 0);
    else
        sort_short(s, job_view(job, 1), 0);
}

DEV void body_wide(mem s, const struct cw_job *job)
{
    sort_wide(s, job_view(job, 1), 0);
}

DEV void body_square(mem s, const struct cw_job *job)
{
    if (job->opt.literal)
        square_literal(s, job_view(job, 1), job_group(&job->opt, job->m), 0);
    else
        body_wide(s, job);
}

DEV void tall_run(mem s, const struct cw_job *job, int cole)
{
    if (job->opt.literal)
        tall_literal(s, job_view(job, 1), cole, job_group(&job->opt, job->m), 0);
    else
        sort_tall(s, job_view(job, 1), cole, 0);
}

DEV void body_tall(mem s, const struct cw_job *job)
{
    tall_run(s, job, -1);
}

DEV void body_cole(mem s, const struct cw_job *job)
{
    tall_run(s, job, (int)job->aux[2]);
}

DEV void body_blocked(mem s, const struct cw_job *job)
{
    blocked_bitonic(s, job_view(job, 0));
}

/* ---- partition, integers, recursion -------------------------------------- */

enum { WAY_SHORT, WAY_WIDE, WAY_LEMMA2, WAY_PRINTED, WAY_RECURSIVE, WAY_GENERAL };

DEV void note_path(mem s, const struct cw_job *job, int way)
{
    if (lane_id(s) || !job->output)
        return;
    ((struct cw_report *)job->output)->path = way == WAY_SHORT       ? "lemma 1"
                                              : way == WAY_WIDE      ? "theorem 1"
                                              : way == WAY_LEMMA2    ? "lemma 2"
                                              : way == WAY_PRINTED   ? "lemma 2 as printed"
                                              : way == WAY_RECURSIVE ? "recursive theorem 2"
                                                                     : "general sort";
}

/* Which way a partition of this shape goes, once `prefer` is settled. */
DEV int partition_way(int w, int m, sorter by, enum cw_prefer prefer)
{
    if (w <= m)
        return wide_plan(w, m, by).g == 1 ? WAY_SHORT : WAY_WIDE;
    return prefer != CW_PREFER_NETWORK && lemma2_plan_of(w, m).H ? WAY_LEMMA2 : WAY_GENERAL;
}

DEV void partition_by(mem s, const struct cw_job *job, sorter by)
{
    const int way =
        job->opt.literal ? WAY_PRINTED : partition_way((int)job->w, (int)job->m, by, job->prefer);
    view v = job_view(job, 1);

    v.by = by;
    v.by.counters = (int)job->aux[2];
    note_path(s, job, way);
    if (way != WAY_LEMMA2 && way != WAY_PRINTED) {
        sort_any(s, v, 0);
        return;
    }
    v = way == WAY_PRINTED ? printed_sort(s, v, 0) : lemma2_any(s, v, lemma2_plan_of(v.h, v.m));
    for (int j = 0; v.a != 0 && j < v.m; j++) {
        const word x = bank_read(s, lane_id(s), v.a + j);

        bank_write(s, lane_id(s), v.b + j, x);
    }
}

DEV void body_partition(mem s, const struct cw_job *job)
{
    partition_by(s, job, label_sorter(job->w, job->m, &job->opt));
}

DEV void body_integers(mem s, const struct cw_job *job)
{
    partition_by(s, job, key_sorter(job->m, &job->opt));
}

DEV void body_recursive(mem s, const struct cw_job *job)
{
    const int holds = recursive_holds((int)job->w, (int)job->m);

    note_path(s, job, holds ? WAY_RECURSIVE : WAY_GENERAL);
    if (holds)
        sort_recursive(s, job_view(job, 1), 0);
    else
        sort_any(s, job_view(job, 1), 0);
}

/* ---- permutation --------------------------------------------------------- */

#if WORD_BITS >= 64
DEV void body_permute(mem s, const struct cw_job *job)
{
    permute(s, job);
}
#endif

DEV void body_permute_offline(mem s, const struct cw_job *job)
{
    const int read = permute_offline(s, (const struct cw_paper_plan *)job->input, (int)job->aux[0]);
    struct cw_report *report = (struct cw_report *)job->output;

    if (report && lane_id(s) == 0) {
        report->plan_steps = (uint64_t)read;
        report->path = "plan";
    }
}

/* A row of the registry has a function of the model. */
#define CW_BODY(name)                                            \
    static void name##_body(struct cw_model *s, const void *job) \
    {                                                            \
        body_##name(s, (const struct cw_job *)job);              \
    }

#endif
