/* verify.c - every shipped kernel on the emulator, with a certificate; and on a GPU beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/common/options.h"
#include "verify.h"

struct asked {
    int gpu, json, launches;
    unsigned part, parts;
    int on_gpu; /* the cases alone: what the profiler runs */
    const char *kernel, *counters, *slice, *as;
    const struct cw_gpu *gpu_as;
    int only;
};

static int help(const struct option *table)
{
    printf("usage: clearway verify [OPTION...]\n\n"
           "Runs every kernel of the library on the emulator, with random, structured and\n"
           "adversarial inputs, and checks the results.  Prints how often warps accessed\n"
           "shared memory (requests), how long that took (wavefronts), and how long it\n"
           "must take (ideal).  The difference, the excess, is what bank conflicts cost.\n\n"
           "Kernels that are marked conflict-free must have no excess: exit 1 if one has.\n"
           "The others may have some; it is shown, and summed up apart.\n\n");
    options_print(table);
    return DONE;
}

void verify_cases(struct verify *v)
{
    verify_rows(v);
    verify_sort(v);
    verify_plan(v);
    verify_permute(v);
    verify_shuffle(v);
    verify_lookup(v);
    verify_transpose(v);
    verify_split(v);
    verify_tiles(v);
    verify_items(v);
    verify_paper(v);
    verify_small(v);
    if (v->context->backend == CW_CUDA && v->only < 0)
        verify_alone(v);
}

void verify_small(struct verify *v)
{
    cw_context *const context = v->context;
    const struct cw_gpu before = context->gpu;

    if (context->backend != CW_EMULATOR || v->as)
        return;
    if (!cw_context_as(context, cw_gpu_find("sm_86"))) {
        verify_small_rows(v);
        verify_small_sort(v);
        verify_small_split(v);
    }
    (void)cw_context_as(context, &before);
}

static cw_status open_for(const struct asked *a, cw_backend backend, struct verify *v)
{
    const cw_status status = verify_open(v, backend, a->only, a->gpu_as);

    v->part = a->part;
    v->parts = a->parts;
    return status;
}

/* For the profiler's eyes; it wants nothing on stdout but its own. */
static int cases_on_gpu(const struct asked *a)
{
    struct verify v;
    int status = DONE;

    if (open_for(a, CW_CUDA, &v))
        return complain(FAILED, "%s", cw_last_error());
    verify_cases(&v);
    if (v.wrong)
        status = FAILED;
    verify_close(&v);
    return status;
}

/* Is there a GPU at all? */
static int look_for_gpu(void)
{
    cw_context *context;

    if (cw_context_create(CW_CUDA, &context))
        return complain(FAILED, "--gpu: %s", cw_last_error());
    cw_context_destroy(context);
    return DONE;
}

static int count_on_gpu(const struct asked *a, const struct verify *v, struct verify_gpu *out)
{
    if (a->counters)
        return verify_ncu_read(a->counters, out);
    return a->gpu ? verify_ncu_run(v, out) : DONE;
}

/* Figures that are there already are looked at first, and so is whether there is a GPU and a
 * profiler. */
static int early(const struct asked *a, struct verify_gpu *gpu)
{
    if (a->gpu)
        return look_for_gpu() ? FAILED : verify_ncu_missing();
    return count_on_gpu(a, NULL, gpu);
}

static int certify(const struct asked *a)
{
    static struct verify_result result;
    struct verify_gpu gpu = {{NULL, 0, 0}, {NULL, 0, 0}, 0};
    struct verify v;
    int status = early(a, &gpu);

    if (!status && open_for(a, CW_EMULATOR, &v))
        status = complain(FAILED, "%s", cw_last_error());
    if (!status) {
        verify_cases(&v);
        status = a->gpu ? count_on_gpu(a, &v, &gpu) : DONE;
        if (!status) {
            verify_sum_up(&v, a->gpu || a->counters ? &gpu : NULL, &result);
            if (a->launches)
                verify_launches(&v.notes);
            else if (a->json)
                verify_json(&result);
            else
                verify_print(&result);
            status = result.passed ? DONE : FAILED;
        }
        verify_close(&v);
    }
    free(gpu.same.at);
    free(gpu.alone.at);
    return status;
}

int verify_unknown(const char *kernel)
{
    const char *names[CW_KERNEL_COUNT + 1] = {NULL};
    const char *close;

    for (int k = 0; k < CW_KERNEL_COUNT; k++)
        names[k] = cw_kernel_name((enum cw_kernel)k);
    close = nearest(kernel, names);
    if (close)
        return complain(USAGE, "unknown kernel '%s': did you mean %s?", kernel, close);
    return complain(USAGE, "unknown kernel '%s': 'clearway verify' lists them", kernel);
}

/* The GPU that is named, if there are kernels for it. */
static int stand_for(struct asked *a)
{
    enum cw_shapes shapes;

    if (!a->as)
        return DONE;
    if (a->gpu || a->counters)
        return complain(USAGE, "--as and %s: one of them", a->gpu ? "--gpu" : "--counters");
    a->gpu_as = cw_gpu_find(a->as);
    if (!a->gpu_as)
        return complain(USAGE,
                        "--as %s: none of sm_80 (A100), sm_86 (RTX 30), sm_89 (L40, RTX 40), sm_90 "
                        "(H100, H200), "
                        "sm_100 (B200), sm_120 (RTX 50), tiny",
                        a->as);
    if (cw_shapes_of(a->gpu_as, &shapes))
        return complain(FAILED, "--as %s", cw_last_error());
    return DONE;
}

/* "2/4" */
static int slice(struct asked *a)
{
    char end;

    if (!a->slice)
        return DONE;
    if (sscanf(a->slice, "%u/%u%c", &a->part, &a->parts, &end) != 2 || !a->part || !a->parts ||
        a->part > a->parts || a->parts > 1000)
        return complain(USAGE, "--part %s: not a slice such as 2/4", a->slice);
    a->part--;
    return DONE;
}

int command_verify(int argc, char **argv)
{
    struct asked a = {.only = -1};
    struct arguments args;
    const struct option table[] = {
        FLAG("gpu", &a.gpu, "run the same cases on the GPU under ncu, and compare"),
        TEXT("counters", "FILE", &a.counters,
             "compare with what ncu wrote on another machine (docs/verify.md)"),
        TEXT("kernel", "NAME", &a.kernel, "only this kernel, and the cases that launch it"),
        TEXT("part", "I/N", &a.slice, "only every N-th case, from the I-th on"),
        TEXT("as", "GPU", &a.as, "with the kernels and limits of that GPU, such as sm_86"),
        FLAG("launches", &a.launches, "print every launch instead, as CSV"),
        FLAG("json", &a.json, "print JSON"),
        FLAG("cases-on-gpu", &a.on_gpu, ""),
        OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count)
        return complain(USAGE, "verify takes no argument, got '%s'", args.word[0]);
    if (slice(&a))
        return USAGE;
    if (stand_for(&a))
        return a.gpu_as ? FAILED : USAGE;
    if (a.gpu && a.counters)
        return complain(USAGE, "--gpu and --counters: one of them");
    if (a.kernel) {
        a.only = verify_kernel(a.kernel);
        if (a.only < 0)
            return verify_unknown(a.kernel);
        if ((a.gpu || a.counters) && !verify_compared(a.kernel))
            return complain(USAGE, "%s has other launches on a GPU: nothing to compare", a.kernel);
    }
    return a.on_gpu ? cases_on_gpu(&a) : certify(&a);
}
