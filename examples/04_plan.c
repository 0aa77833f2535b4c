/* 04_plan.c - a permutation that is used again and again: planned once, executed many times.
 *
 * A filter wants the samples of 64 sensors, which arrive interleaved and in shuffled order, sorted
 * by sensor and time.  The order never changes, so it is planned once; each new batch of samples is
 * then moved by coalesced passes.  On a machine without a GPU CW_AUTO works on the host.
 */
#include <clearway.h>

#include <stdio.h>
#include <stdlib.h>

#define SENSORS 64u
#define TIMES   81920u
#define N       (SENSORS * TIMES)
#define BATCHES 3u

static void must(cw_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "%s: %s (%s)\n", what, cw_last_error(), cw_status_name(status));
        exit(1);
    }
}

/* Sample i of a batch is the one of this sensor and time. */
static uint32_t where(uint32_t i)
{
    const uint32_t time = i / SENSORS;
    const uint32_t sensor =
        (i % SENSORS * 29u + time * time) % SENSORS; /* shuffled anew each time */

    return sensor * TIMES + time;
}

int main(void)
{
    uint32_t *const index = (uint32_t *)malloc(N * sizeof *index);
    float *const samples = (float *)malloc(N * sizeof *samples);
    cw_context *context;
    cw_plan *plan;
    void *in, *out, *table, *workspace;
    size_t bytes;

    if (!index || !samples)
        return 1;
    for (uint32_t i = 0; i < N; i++)
        index[i] = where(i);
    must(cw_plan_create(index, sizeof *index, N, sizeof *samples, 0, 0, &plan), "plan");
    printf("%u samples, by %s, a table of %zu bytes\n", N, cw_plan_kind(plan),
           cw_plan_table_bytes(plan));

    must(cw_context_create(CW_AUTO, &context), "context");
    must(cw_plan_workspace(plan, &bytes), "workspace");
    must(cw_memory_alloc(context, N * sizeof *samples, &in), "memory");
    must(cw_memory_alloc(context, N * sizeof *samples, &out), "memory");
    must(cw_memory_alloc(context, bytes, &workspace), "memory");
    must(cw_memory_alloc(context, cw_plan_table_bytes(plan), &table), "memory");
    must(cw_plan_write_table(context, plan, table), "table"); /* once */

    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        for (uint32_t i = 0; i < N; i++)
            samples[i] = (float)(index[i] + batch);
        must(cw_memory_write(context, in, samples, N * sizeof *samples), "copy");
        must(cw_plan_execute(context, plan, table, in, out, workspace, bytes, NULL), "execute");
        must(cw_wait(context, NULL), "wait");
        must(cw_memory_read(context, samples, out, N * sizeof *samples), "copy");
        for (uint32_t i = 0; i < N; i++) {
            if (samples[i] != (float)(i + batch)) {
                fprintf(stderr, "batch %u: sample %u is not at its place\n", batch, i);
                return 1;
            }
        }
    }
    printf("%u batches on the %s, each sample at its place\n", BATCHES,
           cw_context_backend(context) == CW_CUDA ? "GPU" : "host");

    cw_memory_free(context, in);
    cw_memory_free(context, out);
    cw_memory_free(context, workspace);
    cw_memory_free(context, table);
    cw_context_destroy(context);
    cw_plan_destroy(plan);
    free(index);
    free(samples);
    return 0;
}
