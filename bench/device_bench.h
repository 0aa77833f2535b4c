/* device_bench.h - what the benchmarks on a GPU share: ends with a word, and times of single kernels.
 * A source defines BENCH, its name, before. */
#ifndef CW_DEVICE_BENCH_H
#define CW_DEVICE_BENCH_H

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "clearway.h"
#include "backend/cuda/device.h"
#include "backend/queue.h"

static void ok(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, BENCH ": %s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

static void good(cw_status status, const char *what)
{
    if (status != CW_OK) {
        fprintf(stderr, BENCH ": %s: %s\n", what, cw_last_error());
        exit(1);
    }
}

/* A queue that takes the time of every launch. */
struct timed {
    struct cw_cuda_queue cuda;
    cw_status (*launch)(struct cw_queue *q, const struct cw_launch *l);
    std::vector<cudaEvent_t> *events;
    std::vector<enum cw_kernel> *kernels;
};

static inline cw_status timed_launch(struct cw_queue *q, const struct cw_launch *l)
{
    struct timed *const t = (struct timed *)q;
    const cw_status status = t->launch(q, l);
    cudaEvent_t e;

    cudaEventCreate(&e), cudaEventRecord(e);
    t->events->push_back(e);
    t->kernels->push_back(l->kernel);
    return status;
}

/* Each kernel that `enqueue` launches into a queue, but for `skip` letters of its name, and its
 * time in the last of some rounds, if that is above `least` ms; on a line that begins with `lead`. */
template <typename F>
static void print_steps(F enqueue, int rounds, const char *lead, size_t skip, float least)
{
    static const char *const name[] = {
#define NAME(name, type, free, oblivious) #name,
        CW_KERNELS(NAME)
#undef NAME
    };
    std::vector<cudaEvent_t> events;
    std::vector<enum cw_kernel> kernels;
    struct timed t;

    for (int r = 0; r < rounds; r++) {
        events.clear(), kernels.clear();
        cw_cuda_queue_begin(&t.cuda, NULL, 132);
        t.launch = t.cuda.queue.launch;
        t.cuda.queue.launch = timed_launch;
        t.events = &events, t.kernels = &kernels;
        events.emplace_back();
        cudaEventCreate(&events[0]), cudaEventRecord(events[0]);
        good(enqueue(&t.cuda.queue), "steps");
        ok(cudaDeviceSynchronize(), "steps");
    }
    printf("%s", lead);
    for (size_t i = 0; i < kernels.size(); i++) {
        float ms;

        cudaEventElapsedTime(&ms, events[i], events[i + 1]);
        if (ms > least)
            printf(" %s %.3f", name[kernels[i]] + skip, ms);
    }
    printf("\n");
}

#endif
