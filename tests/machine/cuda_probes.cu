/* cuda_probes.cu - on a GPU, a launch each and in this order: the probes of probes.h, and the
 * paper's algorithms for one warp (paper_cases.h), whose results are checked.
 *
 *      ncu --clock-control none --section SourceCounters --page raw --csv cuda_probes
 *
 * counts the wavefronts of each; scripts/probes does that, and compares with the emulator's.  With the
 * word `paper` only the second half; with `ragged` only those cases of it whose lanes run apart.
 */
#include <cuda_runtime.h>
#include <cstdio>

#include "paper_cases.h"
#include "probes.h"

#include "paper/warp/launch.h"

extern "C" const void *cw_paper_warp4_entry(void);
extern "C" const void *cw_paper_warp8_entry(void);

static void need(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "cuda_probes: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static const void *entry_of(enum probe_word word)
{
    switch (word) {
    case LD4:
        return probe_ld4_entry();
    case LD8:
        return probe_ld8_entry();
    case LD16:
        return probe_ld16_entry();
    case ST4:
        return probe_st4_entry();
    case ST8:
        return probe_st8_entry();
    case ST16:
        return probe_st16_entry();
    case ADD_VALUE:
        return probe_add_value_entry();
    case ADD_BLIND:
        return probe_add_blind_entry();
    case ADD_ONE:
        return probe_add_one_entry();
    default:
        return probe_inc_entry();
    }
}

static void run_probe(const struct probe *p, uint32_t *out)
{
    struct probe_arg a = {};
    void *args[] = {&a};

    probe_at(p, a.at);
    a.lanes = p->lanes;
    a.value = 5;
    a.out = out;
    need(cudaLaunchKernel(entry_of(p->word), dim3(1), dim3(32), args, PROBE_BYTES, NULL));
}

/* The plan and its entries, as the GPU sees them; the second is freed with the first. */
static const void *plan_there(const struct cw_paper_plan *plan, void **entries)
{
    const size_t size = (size_t)plan->w * plan->m * sizeof *plan->entry;
    struct cw_paper_plan there = *plan;
    void *p;

    need(cudaMalloc(entries, size));
    need(cudaMemcpy(*entries, plan->entry, size, cudaMemcpyHostToDevice));
    there.entry = (uint64_t *)*entries;
    need(cudaMalloc(&p, sizeof there));
    need(cudaMemcpy(p, &there, sizeof there, cudaMemcpyHostToDevice));
    return p;
}

static void launch_case(struct paper_trial *t, struct paper_launch *a)
{
    const void *const entry =
        t->c->word_bytes == 4 ? cw_paper_warp4_entry() : cw_paper_warp8_entry();
    const size_t shared = (size_t)cw_model_columns(t->model) * 32 * t->c->word_bytes;
    void *args[] = {a};

    need(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    need(cudaLaunchKernel(entry, dim3(1), dim3(32), args, shared, NULL));
}

/* 1: the result is wrong. */
static int run_case(const struct paper_case *c)
{
    struct paper_trial t;
    struct paper_launch a = {};
    void *entries = NULL;
    cw_status status = paper_trial_open(&t, c, NULL, 1);

    if (!status) {
        const size_t bytes = t.n * sizeof *t.in;

        need(cudaMalloc((void **)&a.out, 2 * bytes));
        a.in = a.out + t.n;
        need(cudaMemcpy((void *)a.in, t.in, bytes, cudaMemcpyHostToDevice));
        a.job = t.job;
        a.job.input = t.plan.entry ? plan_there(&t.plan, &entries) : NULL;
        a.job.output = NULL;
        a.body = paper_body_of(t.job.algorithm->name);
        a.labels = t.labels;
        a.result = t.result;
        a.order_in = t.order_in;
        a.order_out = t.order_out;
        launch_case(&t, &a);
        need(cudaMemcpy(t.out, a.out, bytes, cudaMemcpyDeviceToHost));
        status = paper_trial_verify(&t);
        cudaFree(a.out);
        cudaFree((void *)a.job.input);
        cudaFree(entries);
    }
    if (status)
        fprintf(stderr, "cuda_probes: %s, m = %u: %s\n", c->algorithm, c->m, cw_last_error());
    paper_trial_close(&t);
    return status != CW_OK;
}

int main(int argc, char **argv)
{
    const int ragged_only = argc > 1 && !strcmp(argv[1], "ragged");
    const int paper_only = ragged_only || (argc > 1 && !strcmp(argv[1], "paper"));
    uint32_t *out;
    int wrong = 0;

    need(cudaMalloc((void **)&out, 32 * sizeof *out));
    for (size_t x = 0; x < PROBES && !paper_only; x++)
        run_probe(&probes[x], out);
    need(cudaDeviceSynchronize());
    for (size_t x = 0; x < PAPER_CASES; x++)
        if (!ragged_only || paper_cases[x].ragged)
            wrong += run_case(&paper_cases[x]);
    return wrong != 0;
}
