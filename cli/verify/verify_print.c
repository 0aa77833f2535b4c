/* verify_print.c - the certificate: a line a kernel, for people or as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "verify.h"

static const char *const verdicts[] = {"conflict-free", "no conflict seen", "conflicts (allowed)",
                                       "CONFLICTS", "NOT RUN"};
static const char *const agrees[] = {"yes", "near", "NO"};

static uint64_t excess_of(const struct verify_cost *c)
{
    return c->wavefronts - c->ideal;
}

/* ---- for people ----------------------------------------------------------------------------- */

static void print_line(const char *name, unsigned cases, const struct verify_cost *c,
                       const char *verdict)
{
    printf("%-26s %5u %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %6" PRIu64 "  %s\n", name, cases,
           c->requests, c->wavefronts, c->ideal, excess_of(c), verdict);
}

static void print_gpu_line(const char *name, const struct verify_cost *c,
                           const struct verify_cost *gpu, const char *says)
{
    printf("%-26s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "  %s\n", name,
           c->wavefronts, c->ideal, gpu->wavefronts, gpu->ideal, says);
}

static void print_gpu(const struct verify_result *r)
{
    struct verify_cost ours, gpu;
    enum verify_agree worst = VERIFY_AGREE;

    memset(&ours, 0, sizeof ours);
    memset(&gpu, 0, sizeof gpu);
    printf("\n%-26s %21s %21s\n", "", "emulator", "GPU");
    printf("%-26s %10s %10s %10s %10s  %s\n", "kernel", "wavefronts", "ideal", "wavefronts",
           "ideal", "agree");
    for (size_t x = 0; x < r->count; x++) {
        const struct verify_sum *const s = &r->sum[x];

        if (!verify_compared(cw_kernel_name(s->kernel)))
            continue;
        print_gpu_line(cw_kernel_name(s->kernel), &s->cost, &s->gpu, agrees[s->agree]);
        ours.wavefronts += s->cost.wavefronts;
        ours.ideal += s->cost.ideal;
        gpu.wavefronts += s->gpu.wavefronts;
        gpu.ideal += s->gpu.ideal;
        worst = s->agree > worst ? s->agree : worst;
    }
    print_gpu_line("total", &ours, &gpu, agrees[worst]);
}

static void print_alone(const struct verify_result *r)
{
    printf("\n%-26s %8s %10s %10s  %s\n", "on the GPU alone", "launches", "wavefronts", "ideal",
           "conflict-free");
    for (size_t x = 0; x < r->count; x++) {
        const struct verify_sum *const s = &r->sum[x];

        if (s->alone_launches)
            printf("%-26s %8zu %10" PRIu64 " %10" PRIu64 "  %s\n", cw_kernel_name(s->kernel),
                   s->alone_launches, s->alone.wavefronts, s->alone.ideal,
                   s->alone.wavefronts == s->alone.ideal ? "yes" : "NO");
    }
}

/* What a group of kernels came to: those that are marked conflict-free, or those that are not. */
struct group {
    size_t kernels, silent, launches; /* silent: asked nothing of shared memory */
    unsigned cases;
    struct verify_cost cost;
};

static void add(struct group *g, const struct verify_sum *s)
{
    g->kernels++;
    g->silent += s->launches && !s->cost.requests;
    g->launches += s->launches;
    g->cases += s->cases;
    g->cost.requests += s->cost.requests;
    g->cost.wavefronts += s->cost.wavefronts;
    g->cost.ideal += s->cost.ideal;
}

static void print_groups(const struct verify_result *r, const struct group *marked,
                         const struct group *others)
{
    printf("\n");
    if (marked->kernels)
        print_line("marked conflict-free", marked->cases, &marked->cost,
                   excess_of(&marked->cost) ? "FAILED" : "no conflicts");
    if (others->kernels)
        print_line("not marked", others->cases, &others->cost,
                   excess_of(&others->cost) ? "conflicts (allowed)" : "no conflict seen");
    printf("\n%zu kernel%s, %u cases, %zu launches, %u wrong: %s\n", r->count,
           r->count == 1 ? "" : "s", r->cases, marked->launches + others->launches, r->wrong,
           r->passed ? "passed" : "FAILED");
    if (r->count > 1)
        printf(
            "%zu kernels are marked conflict-free, %zu of which use no shared memory; %zu are not "
            "marked\n",
            marked->kernels, marked->silent, others->kernels);
    for (size_t x = 0; x < r->not_run_count; x++)
        printf("%s%s", x ? ", " : "not run, for arrays too long to emulate: ",
               cw_kernel_name(r->not_run[x]));
    if (r->not_run_count)
        printf("\n");
}

void verify_print(const struct verify_result *r)
{
    struct group marked, others;

    memset(&marked, 0, sizeof marked);
    memset(&others, 0, sizeof others);
    printf("%-26s %5s %9s %10s %9s %6s  %s\n", "kernel", "cases", "requests", "wavefronts", "ideal",
           "excess", "verdict");
    for (size_t x = 0; x < r->count; x++) {
        const struct verify_sum *const s = &r->sum[x];

        print_line(cw_kernel_name(s->kernel), s->cases, &s->cost, verdicts[s->verdict]);
        add(cw_kernel_free(s->kernel) ? &marked : &others, s);
    }
    if (r->on_gpu)
        print_gpu(r);
    if (r->alone)
        print_alone(r);
    print_groups(r, &marked, &others);
    if (r->as)
        printf("as %s: %u cases refused, which do not fit\n", r->as->name, r->refused);
}

/* ---- for programs --------------------------------------------------------------------------- */

static void json_kernel(struct json *j, const struct verify_sum *s, int on_gpu)
{
    json_open(j, NULL, '{');
    json_text(j, "name", cw_kernel_name(s->kernel));
    json_bool(j, "conflict_free", cw_kernel_free(s->kernel));
    json_number(j, "cases", s->cases);
    json_number(j, "launches", s->launches);
    json_number(j, "requests", s->cost.requests);
    json_number(j, "wavefronts", s->cost.wavefronts);
    json_number(j, "ideal", s->cost.ideal);
    json_number(j, "excess", excess_of(&s->cost));
    json_text(j, "verdict", verdicts[s->verdict]);
    if (on_gpu && verify_compared(cw_kernel_name(s->kernel))) {
        json_number(j, "gpu_wavefronts", s->gpu.wavefronts);
        json_number(j, "gpu_ideal", s->gpu.ideal);
        json_text(j, "agree", s->agree == VERIFY_DIFFER ? "no" : agrees[s->agree]);
    }
    if (s->alone_launches) {
        json_number(j, "gpu_alone_launches", s->alone_launches);
        json_number(j, "gpu_alone_wavefronts", s->alone.wavefronts);
        json_number(j, "gpu_alone_ideal", s->alone.ideal);
    }
    json_close(j, '}');
}

void verify_json(const struct verify_result *r)
{
    struct json j = {stdout, 0};

    json_open(&j, NULL, '{');
    json_bool(&j, "passed", r->passed);
    json_number(&j, "cases", r->cases);
    json_number(&j, "wrong", r->wrong);
    if (r->as) {
        json_text(&j, "as", r->as->name);
        json_number(&j, "refused", r->refused);
    }
    json_open(&j, "not_run", '[');
    for (size_t x = 0; x < r->not_run_count; x++)
        json_text(&j, NULL, cw_kernel_name(r->not_run[x]));
    json_close(&j, ']');
    json_open(&j, "kernels", '[');
    for (size_t x = 0; x < r->count; x++) {
        printf("%s\n  ", x ? "," : "");
        j.some = 0;
        json_kernel(&j, &r->sum[x], r->on_gpu);
    }
    printf("\n");
    json_close(&j, ']');
    json_close(&j, '}');
    printf("\n");
}

void verify_launches(const struct verify_notes *n)
{
    printf("\"launch\",\"kernel\",\"case\",\"requests\",\"wavefronts\",\"ideal\"\n");
    for (size_t x = 0; x < n->count; x++) {
        const struct verify_note *const a = &n->at[x];

        printf("%zu,\"%s\",\"%s\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", x,
               cw_kernel_name(a->kernel), a->what, a->cost.requests, a->cost.wavefronts,
               a->cost.ideal);
    }
}
