/* info.c - what was built, what this machine has, and how far each goes. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "clearway.h"
#include "api/context.h"
#include "backend/emulated/queue.h"
#include "machine/trace/trace.h"
#include "cli/common/options.h"
#include "paper/paper.h"
#include "cli/model/request.h"

#if defined(CW_HAVE_CUDA)
#include "backend/cuda/about.h"
#endif

#ifndef CLEARWAY_BUILT /* CMake says what it found */
#define CLEARWAY_BUILT "unknown"
#endif

struct facts {
    const char *compiler, *lanes;
    int cuda;        /* built with it */
    long processors; /* of the host */
    unsigned kernels, conflict_free;
    int gpu;       /* there is one */
    char why[256]; /* there is none */
    char name[256], driver[64], runtime[32], capability[32];
    uint64_t multiprocessors, shared, memory, free;
    char tuning[2][96]; /* which kernels a GPU takes, and the emulator; or why none */
};

#if defined(CW_HAVE_CUDA)
static void version_text(char *out, size_t size, int x)
{
    snprintf(out, size, "%d.%d", x / 1000, x % 1000 / 10);
}

/* The driver's own version stands in /proc; CUDA only tells which CUDA it can serve. */
static void driver_text(char *out, size_t size, int cuda)
{
    FILE *const file = fopen("/proc/driver/nvidia/version", "r");
    char line[256] = "", serves[32];
    size_t length = 0;

    version_text(serves, sizeof serves, cuda);
    snprintf(out, size, "for CUDA %s", serves);
    if (!file)
        return;
    if (!fgets(line, sizeof line, file))
        line[0] = 0;
    (void)fclose(file);
    for (const char *at = line; *at; at += length + strspn(at + length, " \n")) {
        length = strcspn(at, " \n");
        if (at[0] >= '0' && at[0] <= '9' && memchr(at, '.', length)) {
            snprintf(out, size, "%.*s, for CUDA %s", (int)length, at, serves);
            return;
        }
    }
}

static void find_gpu(struct facts *f)
{
    struct cw_cuda_about about;

    f->cuda = 1;
    if (cw_cuda_describe(&about)) {
        snprintf(f->why, sizeof f->why, "%s", cw_last_error());
        return;
    }
    f->gpu = 1;
    memcpy(f->name, about.name, sizeof f->name);
    snprintf(f->capability, sizeof f->capability, "%d.%d", about.major, about.minor);
    version_text(f->runtime, sizeof f->runtime, about.runtime);
    driver_text(f->driver, sizeof f->driver, about.driver);
    f->multiprocessors = (uint64_t)about.processors;
    f->shared = (uint64_t)about.shared;
    f->memory = about.memory;
    f->free = about.free;
}
#else
static void find_gpu(struct facts *f)
{
    snprintf(f->why, sizeof f->why, "built without CUDA");
}
#endif

/* A context says which shapes it has picked. */
static void find_tuning(char *out, size_t size, cw_backend backend)
{
    cw_context *context;

    if (cw_context_create(backend, &context)) {
        snprintf(out, size, "none (%.80s)", cw_last_error());
        return;
    }
    snprintf(out, size, "%s: %s shapes", context->gpu.name, cw_shapes_name(context->shapes));
    cw_context_destroy(context);
}

static void find(struct facts *f)
{
    memset(f, 0, sizeof *f);
#if defined(__clang__)
    f->compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    f->compiler = "gcc " __VERSION__;
#else
    f->compiler = "unknown";
#endif
#if defined(__x86_64__) || defined(__aarch64__) /* as machine/lanes.c decides */
    f->lanes = "assembly";
#else
    f->lanes = "ucontext";
#endif
    f->processors = sysconf(_SC_NPROCESSORS_ONLN);
    for (int k = 0; k < CW_KERNEL_COUNT; k++)
        f->conflict_free += (unsigned)cw_kernel_free((enum cw_kernel)k);
    f->kernels = CW_KERNEL_COUNT;
    find_gpu(f);
    find_tuning(f->tuning[0], sizeof f->tuning[0], CW_CUDA);
    find_tuning(f->tuning[1], sizeof f->tuning[1], CW_EMULATOR);
}

static void print(const struct facts *f)
{
    printf("version     %s\n", cw_version());
    printf("compiler    %s\n", f->compiler);
    printf("built with  %s\n", CLEARWAY_BUILT);
    printf("lanes       %s\n", f->lanes);
    printf("algorithms  %u on the model ('clearway model list')\n", (unsigned)cw_algorithm_count);
    printf("kernels     %u, of which %u are conflict-free ('clearway verify')\n", f->kernels,
           f->conflict_free);
    printf("host        %ld processors\n", f->processors);
    if (f->gpu) {
        printf("GPU         %s, compute capability %s\n", f->name, f->capability);
        printf("            %" PRIu64 " multiprocessors, %" PRIu64
               " KiB of shared memory a block\n",
               f->multiprocessors, f->shared >> 10);
        printf("            %.1f GiB of memory, %.1f free\n", (double)f->memory / 0x1p30,
               (double)f->free / 0x1p30);
        printf("driver      %s, runtime CUDA %s\n", f->driver, f->runtime);
    } else {
        printf("GPU         none (%s)\n", f->why);
    }
    if (f->gpu)
        printf("tuning      %s\n", f->tuning[0]);
    printf("emulated    %s (CW_EMU_GPU=sm_86 stands for another)\n", f->tuning[1]);
    printf("limits      rows of %u keys; model of 2^20 processors and 2^30 words;\n"
           "            pages of traces of 2^27 bytes\n",
           CW_ROWS_MAX);
}

static void print_json(const struct facts *f)
{
    struct json j = {stdout, 0};

    json_open(&j, NULL, '{');
    json_text(&j, "version", cw_version());
    json_text(&j, "compiler", f->compiler);
    json_text(&j, "built", CLEARWAY_BUILT);
    json_bool(&j, "cuda", f->cuda);
    json_text(&j, "lanes", f->lanes);
    json_number(&j, "algorithms", cw_algorithm_count);
    json_number(&j, "kernels", f->kernels);
    json_number(&j, "kernels_conflict_free", f->conflict_free);
    json_number(&j, "host_processors", f->processors > 0 ? (uint64_t)f->processors : 0);
    json_text(&j, "gpu", f->gpu ? f->name : NULL);
    json_text(&j, "gpu_missing", f->gpu ? NULL : f->why);
    if (f->gpu) {
        json_text(&j, "compute_capability", f->capability);
        json_number(&j, "multiprocessors", f->multiprocessors);
        json_number(&j, "shared_bytes_per_block", f->shared);
        json_number(&j, "memory_bytes", f->memory);
        json_number(&j, "memory_free_bytes", f->free);
        json_text(&j, "driver", f->driver);
        json_text(&j, "runtime", f->runtime);
    }
    json_text(&j, "tuning", f->gpu ? f->tuning[0] : NULL);
    json_text(&j, "tuning_emulated", f->tuning[1]);
    json_open(&j, "limits", '{');
    json_number(&j, "row_keys", CW_ROWS_MAX);
    json_number(&j, "model_processors", REQUEST_ROWS);
    json_number(&j, "model_words", REQUEST_WORDS);
    json_number(&j, "trace_words", CW_TRACE_WORDS);
    json_close(&j, '}');
    json_close(&j, '}');
    printf("\n");
}

int command_info(int argc, char **argv)
{
    int json = 0;
    struct arguments args;
    const struct option table[] = {FLAG("json", &json, "print JSON"), OPTIONS_END};
    struct facts f;

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help) {
        printf("usage: clearway info [--json]\n\n"
               "Shows what this tool was built with, the GPU and its driver, and limits.\n\n");
        options_print(table);
        return DONE;
    }
    if (args.count)
        return complain(USAGE, "info takes no argument, got '%s'", args.word[0]);
    find(&f);
    if (json)
        print_json(&f);
    else
        print(&f);
    return DONE;
}
