/* report.h - what a run tells beside the machine's counters: cw_job.output points to one.
 *
 * All zero before the run; an algorithm fills in what it has to say, on one lane.
 */
#ifndef CW_PAPER_REPORT_H
#define CW_PAPER_REPORT_H

#include <stdint.h>

#define CW_LEFTOVERS 64

struct cw_report {
    const char *path;                 /* which way through the algorithm was taken */
    const char *chosen;               /* sort: the algorithm that it took */
    uint32_t iterations;              /* permute: rounds of hash, colour, send */
    uint32_t leftover_count;          /* entries of leftovers */
    uint64_t leftovers[CW_LEFTOVERS]; /* permute: items not yet in place after each iteration */
    uint64_t random_words;            /* random words drawn */
    uint64_t plan_steps;              /* permute-offline: steps that read the plan, counted apart */
};

#endif
