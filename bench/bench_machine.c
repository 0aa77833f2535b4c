/* bench_machine.c - how many accesses a second the model makes, on one core.
 *
 * Three programs that between them do what the paper's algorithms do, in strict
 * mode, so with every bank checked:
 *
 *   own row      every processor rewrites its own row
 *   conversion   row-major to column-major: own row in, all rows out
 *   row merge    every processor merges the two halves of its row: branches that
 *                no two processors take alike
 *
 * Then the conversion with a trace being recorded, and the emulator, on a block whose
 * threads walk through shared memory.
 *
 * Each line is the best of several runs by processor time, so that other load on
 * the machine does not count.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "dev/dev.h"
#include "machine/emu/emu.h"
#include "machine/trace/trace.h"

#define MUST 20.0  /* million accesses a second at w = 1024 */
#define AIM  100.0 /* the same */

struct shape {
    int w, m, rounds;
};

static void own_row(struct cw_model *s, const void *arg)
{
    const struct shape *a = (const struct shape *)arg;
    const int i = lane_id(s);

    for (int k = 0; k < a->rounds; k++) {
        for (int j = 0; j < a->m; j++) {
            const word x = bank_read(s, i, j);

            bank_write(s, i, j, x + 1);
        }
    }
}

/* w and m are powers of two with w >= m, so that rows i and i + w / m would meet
 * without the rotation (paper/convert/convert.h has the general form). */
static void conversion(struct cw_model *s, const void *arg)
{
    const struct shape *a = (const struct shape *)arg;
    const unsigned w = (unsigned)a->w, m = (unsigned)a->m, i = (unsigned)lane_id(s);
    const unsigned turn = i / (w / m);

    for (int k = 0; k < a->rounds; k++) {
        const unsigned from = k % 2 ? m : 0;

        group_sync(s, 0, 1, w);
        for (unsigned t = 0; t < m; t++) {
            const unsigned j = (t + turn) % m;
            const unsigned place = i * m + j;
            const word x = bank_read(s, i, from + j);

            bank_write(s, place % w, m - from + place / w, x);
        }
    }
}

static void row_merge(struct cw_model *s, const void *arg)
{
    const struct shape *a = (const struct shape *)arg;
    const int i = lane_id(s), half = a->m / 2;

    for (int k = 0; k < a->rounds; k++) {
        int x = 0, y = half;
        word p = bank_read(s, i, x);
        word q = bank_read(s, i, y);

        for (int j = 0; j < a->m; j++) {
            if (y == a->m || (x < half && p <= q)) {
                bank_write(s, i, a->m + j, p);
                if (++x < half)
                    p = bank_read(s, i, x);
                else
                    lane_skip(s);
            } else {
                bank_write(s, i, a->m + j, q);
                if (++y < a->m)
                    q = bank_read(s, i, y);
                else
                    lane_skip(s);
            }
        }
    }
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* Rising in each half of a row, by random amounts. */
static void fill(struct cw_model *s, const struct shape *a)
{
    for (uint32_t i = 0; i < (uint32_t)a->w; i++) {
        word x = 0;

        for (uint32_t j = 0; j < (uint32_t)a->m; j++) {
            if (j == (uint32_t)a->m / 2)
                x = 0;
            x += mix(i * 65537u + j) % 100;
            *cw_model_at(s, i, j) = x;
        }
    }
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int measure(const char *name, void (*body)(struct cw_model *, const void *),
                   const struct shape *a, int repeats, double *rate)
{
    const struct cw_model_config config = {(uint32_t)a->w, (uint32_t)a->m, 0, 0, 0};
    struct cw_model *s = NULL;
    struct cw_counters k;
    uint32_t aux;
    cw_status status = cw_model_create(&config, &s);

    *rate = 0;
    if (!status)
        status = cw_model_aux(s, "other", config.m, &aux);
    for (int z = 0; z < repeats && !status; z++) {
        double start, took;

        fill(s, a);
        start = seconds();
        status = cw_model_run(s, body, a);
        took = seconds() - start;
        cw_model_counters(s, &k);
        if ((double)k.accesses / took / 1e6 > *rate)
            *rate = (double)k.accesses / took / 1e6;
    }
    cw_model_destroy(s);
    if (status)
        fprintf(stderr, "bench_machine: %s: %s\n", name, cw_last_error());
    else
        printf("model  w = %5d  m = %2d  %-10s  %7.1f million accesses a second\n", a->w, a->m,
               name, *rate);
    return status != CW_OK;
}

/* Ten million accesses, as the processor and the file system of the day see them. */
static int measure_trace(void)
{
    static const char path[] = "bench_machine.cwt";
    const struct shape a = {1024, 32, 153};
    const struct cw_model_config config = {1024, 32, 0, 0, 0};
    const struct cw_trace_info info = {"conversion", "rising", 0};
    struct cw_model *s = NULL;
    struct cw_trace *t = NULL;
    struct cw_counters k;
    struct stat file;
    uint32_t aux;
    const double start = seconds();
    cw_status status = cw_model_create(&config, &s);

    if (!status)
        status = cw_model_aux(s, "other", config.m, &aux);
    if (!status)
        status = cw_trace_open(path, &info, s, &t);
    if (!status) {
        cw_model_trace(s, t);
        status = cw_model_run(s, conversion, &a);
        cw_model_counters(s, &k);
        if (status)
            cw_trace_drop(t);
        else
            status = cw_trace_close(t);
    }
    if (!status && stat(path, &file) == 0)
        printf("trace  w =  1024  m = 32  conversion  %7.1f million accesses a second, %.2f bytes "
               "each, %.1f s\n",
               (double)k.accesses / (seconds() - start) / 1e6,
               (double)file.st_size / (double)k.accesses, seconds() - start);
    else
        fprintf(stderr, "bench_machine: trace: %s\n", cw_last_error());
    (void)remove(path);
    cw_model_destroy(s);
    return status != CW_OK;
}

static void walk(struct cw_emu *s, const void *arg)
{
    const uint32_t i = cw_emu_thread(s);

    for (int k = 0; k < *(const int *)arg; k++) {
        const uint32_t x = cw_emu_read4(s, 4 * i, "walk: read");

        cw_emu_write4(s, 4 * i, x + 1, "walk: write");
        cw_emu_block_sync(s, "walk: barrier");
    }
}

static int measure_emulator(void)
{
    const struct cw_emu_config config = {512, 4096};
    const int rounds = 500;
    struct cw_emu *e = NULL;
    double rate = 0;
    cw_status status = cw_emu_create(&config, &e);

    for (int z = 0; z < 5 && !status; z++) {
        const double start = seconds();
        double now;

        status = cw_emu_run(e, walk, &rounds);
        now = 2.0 * 512 * rounds / (seconds() - start) / 1e6;
        rate = now > rate ? now : rate;
    }
    cw_emu_destroy(e);
    if (status)
        fprintf(stderr, "bench_machine: emulator: %s\n", cw_last_error());
    else
        printf("emu    512 threads        walk        %7.1f million accesses a second\n", rate);
    return status != CW_OK;
}

int main(void)
{
    static const struct shape shapes[] = {{32, 32, 400}, {1024, 32, 20}, {65536, 16, 2}};
    struct rusage use;
    double rate, slowest = 1e9;
    int failed = 0;

    for (size_t x = 0; x < sizeof shapes / sizeof *shapes && !failed; x++) {
        const struct shape *const a = &shapes[x];
        const int repeats = a->w > 1024 ? 4 : 15;

        failed |= measure("own row", own_row, a, repeats, &rate);
        slowest = a->w == 1024 && rate < slowest ? rate : slowest;
        failed |= measure("conversion", conversion, a, repeats, &rate);
        slowest = a->w == 1024 && rate < slowest ? rate : slowest;
        failed |= measure("row merge", row_merge, a, repeats, &rate);
        slowest = a->w == 1024 && rate < slowest ? rate : slowest;
    }
    if (failed)
        return 1;
    getrusage(RUSAGE_SELF, &use);
    printf("model  w =  1024  slowest of these %.1f: must %.0f %s, aim %.0f %s\n", slowest, MUST,
           slowest >= MUST ? "met" : "MISSED", AIM, slowest >= AIM ? "met" : "not met");
    printf("model  w = 65536  most memory held %.0f MiB: must be below 2048\n",
           (double)use.ru_maxrss / 1024);
    failed |= measure_trace();
    failed |= measure_emulator();
    return failed;
}
