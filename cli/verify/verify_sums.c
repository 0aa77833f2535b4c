/* verify_sums.c - notes of launches added up by kernel, and held against what a GPU counted.
 *
 * Launch by launch, the emulator and the GPU must agree on wavefronts and on their ideal.  The
 * kernels of the paper's algorithms need only come near, with no conflict on either side: the
 * lanes of a warp part ways where they merge, and where they meet again, so how many requests they
 * make of the same accesses, is the compiler's choice.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "verify.h"

#define NEAR 25u /* within a 25th of the wavefronts */
#define TOLD 10u /* launches that differ are named, so many */

int verify_compared(const char *kernel)
{
    static const char *const other[] = {"cw_sort_radix_", "cw_sample_sort_", "cw_permute_",
                                        "cw_gather_sum_", "cw_transpose_",   "cw_partition_"};

    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        if (!strncmp(kernel, other[k], strlen(other[k])))
            return 0;
    }
    return 1;
}

static int may_be_near(enum cw_kernel kernel)
{
    return !strncmp(cw_kernel_name(kernel), "cw_paper_", 9);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

static enum verify_agree agree(enum cw_kernel kernel, const struct verify_cost *ours,
                               const struct verify_cost *gpu)
{
    if (ours->wavefronts == gpu->wavefronts && ours->ideal == gpu->ideal)
        return VERIFY_AGREE;
    if (may_be_near(kernel) && ours->wavefronts == ours->ideal && gpu->wavefronts == gpu->ideal &&
        NEAR * distance(ours->wavefronts, gpu->wavefronts) <= gpu->wavefronts)
        return VERIFY_NEAR;
    return VERIFY_DIFFER;
}

static void tell(const struct verify_note *ours, const struct verify_cost *gpu, unsigned differ)
{
    if (differ <= TOLD)
        complain(FAILED, "%s, %s: emulator %llu wavefronts, ideal %llu; GPU %llu, ideal %llu",
                 cw_kernel_name(ours->kernel), ours->what,
                 (unsigned long long)ours->cost.wavefronts, (unsigned long long)ours->cost.ideal,
                 (unsigned long long)gpu->wavefronts, (unsigned long long)gpu->ideal);
    else if (differ == TOLD + 1)
        complain(FAILED, "and more launches differ");
}

/* Give every launch its figures of the GPU: the same kernels in the same order, which is told if it
 * is not so, and nothing for those that are not compared. */
static int same_launches(const struct verify_notes *ours, const struct verify_notes *gpu,
                         struct verify_cost *out)
{
    size_t at = 0, compared = 0;

    for (size_t x = 0; x < ours->count; x++)
        compared += verify_compared(cw_kernel_name(ours->at[x].kernel)) != 0;
    for (size_t x = 0; x < ours->count && at < gpu->count; x++) {
        const char *const name = cw_kernel_name(ours->at[x].kernel);

        if (!verify_compared(name))
            continue;
        if (strcmp(name, gpu->at[at].what) != 0) {
            complain(FAILED, "launch %zu is %s on the emulator, %s on the GPU", at, name,
                     gpu->at[at].what);
            return 0;
        }
        out[x] = gpu->at[at++].cost;
    }
    if (compared != gpu->count) {
        complain(FAILED, "%zu launches on the emulator, %zu on the GPU", compared, gpu->count);
        return 0;
    }
    return 1;
}

static void add(struct verify_cost *to, const struct verify_cost *x)
{
    to->requests += x->requests;
    to->wavefronts += x->wavefronts;
    to->ideal += x->ideal;
}

static enum verify_verdict verdict_of(const struct verify_sum *s)
{
    if (!s->launches)
        return VERIFY_NOT_RUN;
    if (cw_kernel_free(s->kernel))
        return s->cost.wavefronts == s->cost.ideal ? VERIFY_FREE : VERIFY_CONFLICTS;
    return s->cost.wavefronts == s->cost.ideal ? VERIFY_NONE_SEEN : VERIFY_ALLOWED;
}

static void sum_kernel(const struct verify *v, const struct verify_cost *gpu, struct verify_sum *s,
                       unsigned *differ)
{
    const int compare = gpu && verify_compared(cw_kernel_name(s->kernel));
    unsigned last = 0;

    for (size_t x = 0; x < v->notes.count; x++) {
        const struct verify_note *const ours = &v->notes.at[x];

        if (ours->kernel != s->kernel)
            continue;
        s->launches++;
        s->cases += ours->number != last;
        last = ours->number;
        add(&s->cost, &ours->cost);
        if (compare) {
            const enum verify_agree a = agree(s->kernel, &ours->cost, &gpu[x]);

            add(&s->gpu, &gpu[x]);
            if (a == VERIFY_DIFFER)
                tell(ours, &gpu[x], ++*differ);
            if (a > s->agree)
                s->agree = a;
        }
    }
    s->verdict = verdict_of(s);
}

/* Launches that only a GPU made: none of a kernel that is marked may have a conflict. */
static void sum_alone(const struct verify_notes *gpu, struct verify_sum *s, unsigned *differ)
{
    for (size_t x = 0; x < gpu->count; x++) {
        const struct verify_note *const n = &gpu->at[x];

        if (strcmp(n->what, cw_kernel_name(s->kernel)) != 0)
            continue;
        s->alone_launches++;
        add(&s->alone, &n->cost);
        if (cw_kernel_free(s->kernel) && n->cost.wavefronts != n->cost.ideal) {
            if (++*differ <= TOLD)
                complain(FAILED, "%s, on the GPU alone: %llu wavefronts, ideal %llu", n->what,
                         (unsigned long long)n->cost.wavefronts, (unsigned long long)n->cost.ideal);
            s->agree = VERIFY_DIFFER;
        }
    }
}

/* Cases of the slice. */
static unsigned cases_of(const struct verify *v)
{
    return v->parts ? (v->cases + v->parts - 1u - v->part) / v->parts : v->cases;
}

void verify_sum_up(const struct verify *v, const struct verify_gpu *gpu, struct verify_result *out)
{
    struct verify_cost *const costs =
        gpu ? (struct verify_cost *)calloc(v->notes.count + 1, sizeof *costs) : NULL;
    unsigned differ = 0;

    memset(out, 0, sizeof *out);
    out->cases = cases_of(v);
    out->wrong = v->wrong;
    out->refused = v->refused;
    out->as = v->as;
    out->on_gpu = costs && same_launches(&v->notes, &gpu->same, costs);
    out->alone = gpu && gpu->alone.count;
    out->passed = !v->wrong && out->on_gpu == (gpu != NULL);
    for (int k = 0; k < CW_KERNEL_COUNT; k++) {
        struct verify_sum *const s = &out->sum[out->count];

        if (v->only >= 0 && v->only != k)
            continue;
        s->kernel = (enum cw_kernel)k;
        sum_kernel(v, out->on_gpu ? costs : NULL, s, &differ);
        if (gpu)
            sum_alone(&gpu->alone, s, &differ);
        /* Small shapes have few cases, of short arrays; a GPU that is stood for has no use for some. */
        if (s->verdict == VERIFY_NOT_RUN &&
            (v->as || (v->only < 0 && k >= CW_KERNEL_FIRST_SMALL))) {
            if (!v->as && !v->parts)
                out->not_run[out->not_run_count++] = (enum cw_kernel)k;
            continue;
        }
        if (s->verdict == VERIFY_NOT_RUN && v->parts) { /* in another slice */
            if (!s->alone_launches)
                continue;
            s->verdict = cw_kernel_free(s->kernel) ? VERIFY_FREE : VERIFY_NONE_SEEN;
        }
        if (s->verdict == VERIFY_NOT_RUN)
            complain(FAILED, "no case launches %s", cw_kernel_name(s->kernel));
        out->passed &= s->verdict <= VERIFY_ALLOWED && s->agree != VERIFY_DIFFER;
        out->count++;
    }
    free(costs);
}
