/* bench_colour.c - how long it takes to plan an offline permutation, and in what space.
 *
 *      bench_colour [INPUT]      an input of inputs.h; without one, random on every
 *                                shape and then every other input on a few
 *
 * One line a case: the seconds of cw_paper_plan_make (labels checked, graph coloured; one
 * thread, processor time), the bytes a word that the colouring allocates, and those that
 * the process gained at its peak, labels and plan included.  Each case is a process of
 * its own, for its peak.  PASS: the plan is sound, serves the labels, and took less than
 * 2 s (m a power of two) or 4 s and less than 40 bytes a word.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* wait4 */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "paper/inputs.h"
#include "paper/permute/plan.h"

struct result {
    cw_status status;
    double seconds;
    double start_kib; /* peak of the process before it began */
    char detail[200];
};

/* Processor seconds, so that a busy machine counts for little. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In the child: one case, from the labels to the checked plan. */
static struct result run_case(uint32_t w, uint32_t m, const char *input)
{
    struct result r = {.status = CW_ERR_MEMORY};
    struct cw_paper_plan plan = {0};
    struct rusage usage;
    uint64_t *label;

    getrusage(RUSAGE_SELF, &usage);
    r.start_kib = (double)usage.ru_maxrss;
    label = malloc((size_t)w * m * sizeof *label);
    if (label) {
        r.status = cw_input_make(input, CW_PERMUTE, w, m, 0, 1, label);
    }
    if (r.status == CW_OK) {
        r.seconds = -now();
        r.status = cw_paper_plan_make(&plan, w, m, label, 1);
        r.seconds += now();
    }
    if (r.status == CW_OK) {
        r.status = cw_paper_plan_check(&plan);
    }
    if (r.status == CW_OK) {
        r.status = cw_paper_plan_serves(&plan, label);
    }
    snprintf(r.detail, sizeof r.detail, "%s", r.status == CW_OK ? "" : cw_last_error());
    cw_paper_plan_free(&plan);
    free(label);
    return r;
}

/* Run the case in a child; print its line; did it pass? */
static int bench(uint32_t w, uint32_t m, const char *input)
{
    const double n = (double)w * m;
    const double limit = (m & (m - 1)) == 0 ? 2 : 4;
    struct result r = {.status = CW_ERR_INTERNAL, .detail = "the process of this case died"};
    struct rusage usage = {0};
    double bytes;
    int ends[2], good;
    pid_t child;

    fflush(stdout);
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("bench_colour");
        return 0;
    }
    if (child == 0) {
        r = run_case(w, m, input);
        _exit(write(ends[1], &r, sizeof r) != (ssize_t)sizeof r);
    }
    close(ends[1]);
    good = read(ends[0], &r, sizeof r) == (ssize_t)sizeof r;
    close(ends[0]);
    wait4(child, NULL, 0, &usage);
    bytes = 1024 * ((double)usage.ru_maxrss - r.start_kib) / n;
    good = good && r.status == CW_OK && r.seconds < limit && bytes < 40;
    printf("%7u x %-7u  %-12s  %6.3f s (< %.0f)  %5.1f B/word colouring  %5.1f in all (< 40)  %s\n",
           w, m, input, r.seconds, limit, (double)cw_colour_scratch(w, m) / n, bytes,
           good ? "PASS" : "FAIL");
    if (r.status != CW_OK) {
        printf("    %s: %s\n", cw_status_name(r.status), r.detail);
    }
    return good;
}

int main(int count, char **argument)
{
    static const uint32_t shape[][2] = {{32, 131072}, {256, 16384}, {1024, 4096}, {4096, 1024},
                                        {32768, 128}, {1048576, 4}, {32, 131071}, {32, 100003},
                                        {1024, 4095}, {4096, 1021}, {32768, 127}, {65536, 63},
                                        {838860, 5}};
    static const uint32_t few[][2] = {{32, 131072}, {32768, 128}, {32, 131071}, {32768, 127}};
    const char *const input = count > 1 ? argument[1] : "random";
    int good = 1;

    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        good &= bench(shape[s][0], shape[s][1], input);
    }
    for (const char *const *other = cw_input_names(CW_PERMUTE); count <= 1 && *other; other++) {
        for (size_t s = 0; strcmp(*other, input) != 0 && s < sizeof few / sizeof *few; s++) {
            good &= bench(few[s][0], few[s][1], *other);
        }
    }
    return good ? 0 : 1;
}
