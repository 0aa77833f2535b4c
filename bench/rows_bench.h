/* rows_bench.h - what the benchmarks of rows share: memory, timing, lines of CSV.
 *
 * A batch is described by the cw_rows that Clearway gets, for the peers too.  A line of CSV is
 *
 *      gpu, driver, commit, n, type, length, method, shape, gkeys, ratio
 *
 * where n is the keys of the batch; type has what travels with a key (u32+u32: values of 4 bytes);
 * shape is a peer's threads x keys a thread, or Clearway's input or order; gkeys is 10^9 keys a
 * second, the median of 9 runs (3, where one takes over 0.1 s) by events after a run that is
 * checked and one that is not; ratio is Clearway's speed over the line's.
 */
#ifndef ROWS_BENCH_H
#define ROWS_BENCH_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "origin.h"
#include "rows_keys.h"

struct bench {
    const char *program;
    uint64_t n;
    cw_context *context;
    void *keys_in, *keys_out;
    uint32_t *values_in, *values_out; /* values_out: of indices too */
    void *workspace;
    size_t workspace_bytes;
    unsigned long long *faults;
    cudaEvent_t from, to;
    std::string begin; /* of every line: GPU, driver, commit */
    int failed;        /* an output was wrong; its method has no line */
};

static void fill_keys(const bench *b, cw_type type, uint32_t length, int pattern)
{
    fill_batch({b->keys_in, b->values_in, b->n}, type, length, pattern);
}

/* -- time ------------------------------------------------------------------------------------- */

typedef std::function<void()> method;

static uint64_t items_of(const cw_rows &job)
{
    return job.offsets ? job.items : job.rows * job.length;
}

static float time_once(const bench *b, const method &run)
{
    float ms;

    ok(cudaEventRecord(b->from), "event");
    run();
    ok(cudaEventRecord(b->to), "event");
    ok(cudaEventSynchronize(b->to), "event");
    ok(cudaEventElapsedTime(&ms, b->from, b->to), "event");
    return ms;
}

/* 10^9 keys a second. */
static double time_runs(const bench *b, uint64_t keys, const method &run)
{
    std::vector<float> ms(time_once(b, run) > 100 ? 3 : 9);

    for (float &t : ms)
        t = time_once(b, run);
    std::sort(ms.begin(), ms.end());
    return keys / ms[ms.size() / 2] / 1e6;
}

static std::string type_name(const cw_rows &job)
{
    std::string name = cw_type_name(job.type);

    if (job.value_bytes)
        name += "+u" + std::to_string(8 * job.value_bytes);
    if (job.index_out)
        name += job.keys_out ? "+index" : " argsort";
    return name;
}

static void print(const bench *b, uint64_t n, const std::string &type, const std::string &length,
                  const std::string &name, const std::string &shape, double speed, double ratio)
{
    printf("%s%llu,%s,%s,%s,%s,%.2f,%.2f\n", b->begin.c_str(), (unsigned long long)n, type.c_str(),
           length.c_str(), name.c_str(), shape.c_str(), speed, ratio);
    fflush(stdout);
}

/* Check and measure one method and print its line; `ours` is Clearway's speed, 0 if that is what is
 * measured.  Returns the speed, 0 if the output was wrong. */
static double line(bench *b, const cw_rows &job, const std::string &length, const std::string &name,
                   const std::string &shape, double ours, const method &run)
{
    unsigned long long bad;
    double speed;

    if (job.keys_out)
        ok(cudaMemset(job.keys_out, 0xa5, items_of(job) * cw_type_bytes(job.type)), "memset");
    ok(cudaMemset(b->values_out, 0xa5, b->n * sizeof *b->values_out), "memset");
    run();
    bad = faults(job, b->faults);
    if (bad) {
        fprintf(stderr, "%s: %s rows of %s, %s %s: %llu faults\n", b->program,
                type_name(job).c_str(), length.c_str(), name.c_str(), shape.c_str(), bad);
        b->failed = 1;
        return 0;
    }
    speed = time_runs(b, items_of(job), run);
    print(b, items_of(job), type_name(job), length, name, shape, speed,
          ours > 0 ? ours / speed : 1.0);
    return speed;
}

static double clearway(bench *b, const cw_rows &job, const std::string &length,
                       const std::string &shape, double ours)
{
    size_t bytes;

    ok(cw_sort_rows_workspace(&job, &bytes), "workspace");
    if (bytes > b->workspace_bytes) {
        ok(cudaFree(b->workspace), "free");
        ok(cudaMalloc(&b->workspace, bytes), "memory");
        b->workspace_bytes = bytes;
    }
    return line(
        b, job, length, job.flags & CW_CONFLICT_FREE ? "clearway conflict-free" : "clearway", shape,
        ours, [&] { ok(cw_sort_rows(b->context, &job, b->workspace, bytes, NULL), "sort_rows"); });
}

/* -- begin ------------------------------------------------------------------------------------ */

/* The GPU, memory for 2^log_n keys of up to 8 bytes with values, and the head of the CSV. */
static bench open_bench(const char *program, int argc, char **argv)
{
    const int log_n = argc > 1 ? atoi(argv[1]) : 27;
    bench b = {};

    if (log_n < 20 || log_n > 32) {
        fprintf(stderr, "usage: %s [log2 of all keys, 20..32]\n", program);
        exit(2);
    }
    ok(cw_context_create(CW_CUDA, &b.context), "context");
    b.program = program;
    b.n = 1ull << log_n;
    b.begin = origin();
    ok(cudaMalloc(&b.keys_in, b.n * 8), "memory");
    ok(cudaMalloc(&b.keys_out, b.n * 8), "memory");
    ok(cudaMalloc(&b.values_in, b.n * sizeof *b.values_in), "memory");
    ok(cudaMalloc(&b.values_out, b.n * sizeof *b.values_out), "memory");
    ok(cudaMalloc(&b.faults, sizeof *b.faults), "memory");
    ok(cudaEventCreate(&b.from), "event");
    ok(cudaEventCreate(&b.to), "event");
    printf(ORIGIN_HEAD "n,type,length,method,shape,gkeys,ratio\n");
    return b;
}

#endif
