#define _POSIX_C_SOURCE 200809L

#include "on.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#if defined(CW_HAVE_CUDA)
#include "backend/cuda/timing.h"
#endif

#define RUNS_MAX 9

const char *const on_names[] = {"auto", "gpu", "cpu", "emu", NULL};

int on_failed(cw_status status)
{
    const char *const why = cw_last_error();

    if (!status)
        return DONE;
    if (status == CW_ERR_MEMORY && !strstr(why, "out of memory")) /* it says for what */
        return complain(FAILED, "out of memory: %s", why);
    return complain(FAILED, "%s", why);
}

int on_open(struct on *o)
{
    static const cw_backend backends[] = {CW_AUTO, CW_CUDA, CW_CPU, CW_EMULATOR};
    cw_status status = cw_context_create(backends[o->where], &o->context);

    if (!status)
        status = cw_context_set_threads(o->context, (unsigned)o->threads);
    if (status && backends[o->where] == CW_CUDA)
        return complain(FAILED, "--on gpu: %s; --on cpu needs no GPU", cw_last_error());
    return on_failed(status);
}

void on_close(struct on *o)
{
    while (o->buffers)
        cw_memory_free(o->context, o->buffer[--o->buffers]);
    cw_context_destroy(o->context);
    o->context = NULL;
}

const char *on_name(const struct on *o)
{
    const cw_backend backend = cw_context_backend(o->context);

    return backend == CW_CUDA ? "gpu" : backend == CW_EMULATOR ? "emu" : "cpu";
}

unsigned on_threads(const struct on *o)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (cw_context_backend(o->context) != CW_CPU)
        return 0;
    return o->threads ? (unsigned)o->threads : processors > 0 ? (unsigned)processors : 1;
}

int on_alloc(struct on *o, size_t bytes, void **out)
{
    cw_status status;

    *out = NULL;
    if (o->buffers == ON_BUFFERS)
        return complain(FAILED, "more than %d arrays", ON_BUFFERS);
    status = cw_memory_alloc(o->context, bytes, out);
    if (!status)
        o->buffer[o->buffers++] = *out;
    return on_failed(status);
}

int on_copy(struct on *o, const void *host, size_t bytes, void **out)
{
    const int status = on_alloc(o, bytes, out);

    return status ? status : on_failed(cw_memory_write(o->context, *out, host, bytes));
}

int on_read(struct on *o, void *host, const void *from, size_t bytes)
{
    return on_failed(cw_memory_read(o->context, host, from, bytes));
}

/* ---- time ----------------------------------------------------------------------------------- */

double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct task {
    cw_status (*work)(struct on *o, void *arg);
    void *arg;
};

static cw_status time_once(struct on *o, const struct task *t, double *seconds)
{
    double begin;
    cw_status status;

#if defined(CW_HAVE_CUDA)
    if (cw_context_backend(o->context) == CW_CUDA) {
        struct cw_cuda_clock clock;

        status = cw_cuda_clock_start(&clock, NULL);
        if (!status)
            status = t->work(o, t->arg);
        return cw_cuda_clock_stop(&clock, NULL, status, seconds);
    }
#endif
    begin = seconds_now();
    status = t->work(o, t->arg);
    if (!status)
        status = cw_wait(o->context, NULL);
    *seconds = seconds_now() - begin;
    return status;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* After `warm` runs that do not count. */
static cw_status median(struct on *o, const struct task *t, unsigned warm, unsigned runs,
                        struct timing *out)
{
    double seconds[RUNS_MAX] = {0};
    cw_status status = CW_OK;

    for (unsigned k = 0; !status && k < warm + runs; k++)
        status = time_once(o, t, &seconds[k < warm ? 0 : k - warm]);
    qsort(seconds, runs, sizeof *seconds, by_size);
    out->runs = runs;
    out->seconds = seconds[runs / 2];
    out->least = seconds[0];
    return status;
}

#if defined(CW_HAVE_CUDA)
struct copy {
    void *to, *from;
    size_t bytes;
};

static cw_status copy_there(struct on *o, void *arg)
{
    const struct copy *const c = (const struct copy *)arg;

    (void)o;
    return cw_cuda_copy(c->to, c->from, c->bytes, NULL);
}

static cw_status time_copy(struct on *o, size_t bytes, double *seconds)
{
    struct copy c = {NULL, NULL, bytes};
    const struct task t = {copy_there, &c};
    struct timing timing = {0, 0, 0, 0};
    cw_status status = cw_memory_alloc(o->context, bytes, &c.to);

    if (!status)
        status = cw_memory_alloc(o->context, bytes, &c.from);
    if (!status)
        status = median(o, &t, 2, RUNS_MAX, &timing);
    cw_memory_free(o->context, c.to);
    cw_memory_free(o->context, c.from);
    *seconds = timing.seconds;
    return status;
}
#endif

int on_time(struct on *o, int many, cw_status (*work)(struct on *o, void *arg), void *arg,
            size_t copy_bytes, struct timing *out)
{
    const cw_backend backend = cw_context_backend(o->context);
    const struct task t = {work, arg};
    const unsigned runs = !many || backend == CW_EMULATOR ? 1 : backend == CW_CUDA ? RUNS_MAX : 5;
    cw_status status = median(o, &t, runs > 1 ? 2 : backend == CW_CUDA, runs, out);

    out->copy = 0;
#if defined(CW_HAVE_CUDA)
    if (!status && backend == CW_CUDA && copy_bytes)
        status = time_copy(o, copy_bytes, &out->copy);
#else
    (void)copy_bytes;
#endif
    return on_failed(status);
}

const char *show_seconds(double seconds, char text[32])
{
    const double x = fabs(seconds);

    snprintf(text, 32, "%.4g %s",
             seconds * (x < 1e-3 ? 1e6
                        : x < 1  ? 1e3
                                 : 1),
             x < 1e-3 ? "us"
             : x < 1  ? "ms"
                      : "s");
    return text;
}

const char *show_rate(double per_second, const char *what, char text[48])
{
    static const char *const units[] = {"", "k", "M", "G"};
    int unit = 0;

    while (unit < 3 && per_second >= 1000) {
        per_second /= 1000;
        unit++;
    }
    snprintf(text, 48, "%.4g %s%s/s", per_second, units[unit], what);
    return text;
}
