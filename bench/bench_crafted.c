/* bench_crafted.c - keys that are meant to be slow, beside random ones: how much longer does cw_sort take?
 *
 *      bench_crafted [--on cuda|cpu] [-r RUNS] [-d] [-p] [-i INPUT,..] [TEXT [LOG]]     the call TEXT, or those that begin with it; 2^LOG + 1 items
 *
 * Makers of keys that have read the source.  Those that need no seed: digits that say nothing, at the first levels or at
 * all of them; clusters; values that are most of the array.  Those that know at which places a context with a set seed samples
 * (`known`, which nobody has to fear who sets none), and the same keys for a context whose seed they do not know (`unknown`).
 * CSV: the call, the input, items, milliseconds (median) and how many times that of uniform keys.  Every output is checked:
 * it is in order, and has the keys that there were; values lead back to them.  Exit 1 if one is wrong, or, but for `known`,
 * took more than 3 times as long.  -d: a few thousand items, once each, for tools that are slow.
 * -p: in place.  -i: uniform keys, and inputs whose names have one of these words.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"
#include "clearway.h"
#include "inputs/random.h"

#define SET UINT64_C(4711) /* the seed that is known */

static const struct call {
    const char *name;
    cw_type type;
    unsigned flags;
    size_t value_bytes;
    unsigned log;
    uint32_t samples; /* of a GPU's shapes, tuning/sort_radix.h; 0: nothing is known of them */
} calls[] = {
    {"u32", CW_U32, 0, 0, 26, 8192},
    {"u64", CW_U64, 0, 0, 25, 8192},
    {"u32 + 4", CW_U32, 0, 4, 25, 2048},
    {"u32 + 4 stable", CW_U32, CW_STABLE, 4, 24, 2048},
    {"u64 + 8", CW_U64, 0, 8, 24, 0},
    {"u32 middle", CW_U32, 0, 0, 23, 0},
    {"u64 middle", CW_U64, 0, 0, 22, 8192},
    {"u32 short", CW_U32, 0, 0, 18, 0},
    {"u16", CW_U16, 0, 0, 25, 0},
    {"u8", CW_U8, 0, 0, 25, 0},
    {"u32 compared", CW_U32, CW_CONFLICT_FREE, 0, 24, 0},
};

static const char *const inputs[] = {
    "uniform", "sorted",  "reverse",  "equal",    "two",      "16 values", "half equal",
    "zipf",    "steep",   "8.8",      "8.16",     "9.4",      "12.8",      "4.16",
    "16.2",    "1.8",     "steep 8",  "cantor 1", "cantor 2", "cantor 4",  "low 12",
    "low 20",  "outlier", "levels 8", "levels 1", "levels 5", "known",     "unknown",
};

struct job {
    const struct call *call;
    const char *input;
    size_t n;
    unsigned bits;
    void *keys, *values;
    const void *keys_out, *values_out;
    uint64_t wrong;
    uint64_t sum;
};

/* ---- keys ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* `bits` bits: groups of `width` are all ones or all zeros. */
static uint64_t cantor(uint64_t r, unsigned width, unsigned bits)
{
    uint64_t out = 0;

    for (unsigned x = 0; x < bits; x += width, r >>= 1)
        out |= (r & 1 ? (UINT64_C(1) << width) - 1 : 0) << x;
    return out;
}

/* The key at place x, of the lowest `bits` bits. */
static uint64_t key_at(const struct job *j, size_t x)
{
    const uint64_t r = mix(x), s = mix(r);
    const unsigned bits = j->bits;
    const char *const name = j->input;
    const uint64_t all = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    unsigned high, low;

    if (!strcmp(name, "sorted") || !strcmp(name, "reverse"))
        return (uint64_t)((double)(*name == 's' ? x : j->n - x) / (double)j->n *
                          (double)(all >> 1));
    if (!strcmp(name, "equal"))
        return 12345 & all;
    if (!strcmp(name, "two"))
        return r & 1 ? all / 3 : all / 5;
    if (!strcmp(name, "16 values"))
        return mix(r & 15) & all;
    if (!strcmp(name, "half equal"))
        return r & 1 ? all / 3 : s & all;
    if (!strcmp(name, "zipf"))
        return mix((uint64_t)1 << r % 23 | (s & (((uint64_t)1 << r % 23) - 1))) & all;
    if (!strcmp(name, "steep"))
        return (s & all) >> r % bits;
    if (!strcmp(name, "steep 8")) /* .. in each of 256 ranges */
        return (r & 255) << (bits - 8) | (s & (all >> 8)) >> (r >> 8) % (bits - 7);
    if (sscanf(name, "levels %u", &high) ==
        1) { /* 2^8 ranges; 2^high of them are crowded at every level of 8 bits, */
        const uint64_t range = r >> 56; /* and a few keys keep each level from being narrowed */

        if (range >> high)
            return range << (bits - 8) | (s & (all >> 8));
        return range << (bits - 8) |
               (r % 64 || bits == 8 ? s & 0xfff & (all >> 8)
                                    : (s & (all >> 8)) >> 8 * ((r >> 8) % (bits / 8 - 1)));
    }
    if (sscanf(name, "cantor %u", &low) == 1)
        return cantor(s, 2 * low, bits) & all;
    if (sscanf(name, "low %u", &low) == 1)
        return low < bits ? s & ((UINT64_C(1) << low) - 1) : s & all;
    if (!strcmp(name, "outlier")) /* a dense range, and one key in 2^16 anywhere */
        return r % 65536 ? all / 7 + (s & (all >> (bits - bits / 2))) : s & all;
    if (sscanf(name, "%u.%u", &high, &low) == 2 && high + low < bits) /* clusters */
        return (r & ((UINT64_C(1) << high) - 1)) << (bits - high) |
               (s & ((UINT64_C(1) << low) - 1));
    if (strstr(name, "known")) /* what is not looked at is one bin */
        return (all / 5 & ~(UINT64_C(0xffff))) | (s & (bits < 32 ? 3 : 0xffff));
    return s & all;
}

static void put(void *keys, size_t x, size_t bytes, uint64_t key)
{
    memcpy((char *)keys + x * bytes, &key, bytes); /* the low bytes come first */
}

static uint64_t get(const void *keys, size_t x, size_t bytes)
{
    uint64_t key = 0;

    memcpy(&key, (const char *)keys + x * bytes, bytes);
    return key;
}

static void make_some(void *user, size_t from, size_t end, unsigned thread)
{
    struct job *const j = (struct job *)user;
    const size_t bytes = j->bits / 8, of_value = j->call->value_bytes;
    uint64_t sum = 0;

    (void)thread;
    for (size_t x = from; x < end; x++) {
        put(j->keys, x, bytes, key_at(j, x));
        if (of_value)
            put(j->values, x, of_value, x);
        sum += mix(get(j->keys, x, bytes));
    }
    __atomic_fetch_add(&j->sum, sum, __ATOMIC_RELAXED);
}

static uint64_t drawn(uint64_t seed, uint32_t i) /* as splitters/sample.h has it */
{
    uint64_t x = (seed + i) * UINT64_C(0xbf58476d1ce4e5b9);

    x = (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
    return x >> 32;
}

/* Even keys where a context with the seed SET samples in its first call. */
static void deceive(struct job *j)
{
    uint64_t set = SET;
    const uint64_t seed = cw_drawn(&set);
    const uint32_t all = j->call->samples;
    const size_t bytes = j->bits / 8, piece = all ? j->n / all : 0;

    for (uint32_t i = 0; i < all && piece > 2; i++) {
        const size_t at = piece * i + (size_t)(piece * drawn(seed, i) >> 32);

        for (size_t k = at; k < at + 2 && k < j->n; k++) { /* and neighbours */
            const uint64_t was = get(j->keys, k, bytes);

            put(j->keys, k, bytes, mix(k ^ seed));
            j->sum += mix(get(j->keys, k, bytes)) - mix(was);
        }
    }
}

static void check_some(void *user, size_t from, size_t end, unsigned thread)
{
    struct job *const j = (struct job *)user;
    const size_t bytes = j->bits / 8, of_value = j->call->value_bytes;
    uint64_t sum = 0, wrong = 0;

    (void)thread;
    for (size_t x = from; x < end; x++) {
        const uint64_t key = get(j->keys_out, x, bytes);
        const size_t came = of_value ? (size_t)get(j->values_out, x, of_value) : 0;

        wrong += x && get(j->keys_out, x - 1, bytes) > key;
        if (of_value)
            wrong += came >= j->n || get(j->keys, came, bytes) != key;
        sum += mix(key);
    }
    __atomic_fetch_add(&j->sum, 0 - sum, __ATOMIC_RELAXED);
    __atomic_fetch_add(&j->wrong, wrong, __ATOMIC_RELAXED);
}

/* ---- one case ------------------------------------------------------------------------------- */

static struct {
    cw_context *context;
    struct cw_team team;
    unsigned runs;
    int tiny, failed, in_place;
    void *keys, *values, *keys_back, *values_back;       /* the host's */
    void *in, *out, *values_in, *values_out, *workspace; /* the context's */
    size_t bytes;
} b;

static void good(cw_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "bench_crafted: %s: %s\n", what, cw_last_error());
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_size(const void *x, const void *y)
{
    const double a = *(const double *)x, c = *(const double *)y;

    return (a > c) - (a < c);
}

static void write_job(const cw_array *job)
{
    good(cw_memory_write(b.context, b.in, b.keys, job->n * cw_type_bytes(job->type)), "write");
    good(cw_memory_write(b.context, b.values_in, b.values, job->n * job->value_bytes), "write");
}

static double median_ms(const cw_array *job, int known)
{
    double ms[64];

    for (unsigned k = 0; k <= b.runs; k++) {
        double begin;

        if (known)
            good(cw_context_set_seed(b.context, SET), "seed");
        if (b.in_place)
            write_job(job);
        begin = now();
        good(cw_sort(b.context, job, b.workspace, b.bytes, NULL), "cw_sort");
        good(cw_wait(b.context, NULL), "cw_wait");
        ms[k ? k - 1 : 0] = now() - begin; /* the first one is not counted */
    }
    qsort(ms, b.runs, sizeof *ms, by_size);
    return ms[b.runs / 2];
}

static void *of_context(size_t bytes)
{
    void *p;

    good(cw_memory_alloc(b.context, bytes ? bytes : 1, &p), "memory");
    return p;
}

static void run(const struct call *c, const char *input, size_t n, double *uniform)
{
    const size_t bytes = cw_type_bytes(c->type), of_values = n * c->value_bytes;
    struct job j = {.call = c, .input = input, .n = n, .bits = 8 * (unsigned)bytes};
    const cw_array job = {.type = c->type,
                          .flags = c->flags,
                          .n = n,
                          .keys_in = b.in,
                          .keys_out = b.in_place ? b.in : b.out,
                          .values_in = of_values ? b.values_in : NULL,
                          .values_out = !of_values   ? NULL
                                        : b.in_place ? b.values_in
                                                     : b.values_out,
                          .value_bytes = c->value_bytes};
    const int known = !strcmp(input, "known");
    double ms, over;

    if (strstr(input, "known") && !c->samples)
        return;
    j.keys = b.keys, j.values = b.values, j.keys_out = b.keys_back, j.values_out = b.values_back;
    cw_team_run(&b.team, cw_team_threads(&b.team), n, 65536, make_some, &j);
    if (strstr(input, "known"))
        deceive(&j);
    write_job(&job);
    ms = median_ms(&job, known);
    good(cw_memory_read(b.context, b.keys_back, job.keys_out, n * bytes), "read");
    if (of_values)
        good(cw_memory_read(b.context, b.values_back, job.values_out, of_values), "read");
    cw_team_run(&b.team, cw_team_threads(&b.team), n, 65536, check_some, &j);
    *uniform = *uniform > 0 ? *uniform : ms;
    over = ms / *uniform;
    b.failed |= j.wrong || j.sum || (over > 3 && !known && !b.tiny);
    printf("%s,%s,%zu,%.3f,%.2f%s%s\n", c->name, input, n, ms, over, over > 3 ? ",SLOW" : "",
           j.wrong || j.sum ? ",WRONG" : "");
    fflush(stdout);
}

/* Has the name one of the words, which have commas between them? */
static int chosen(const char *name, const char *words)
{
    char word[64];

    for (const char *at = words; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");

        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (strstr(name, word))
            return 1;
        at += length;
    }
    return !*words;
}

static void run_call(const struct call *c, const char *only, unsigned log)
{
    const size_t n = b.tiny ? 3001 : ((size_t)1 << (log ? log : c->log)) + 1;
    const size_t bytes = cw_type_bytes(c->type);
    const cw_array ask = {
        .type = c->type, .flags = c->flags, .n = n, .value_bytes = c->value_bytes};
    double uniform = 0;

    good(cw_sort_workspace(&ask, &b.bytes), "workspace");
    b.keys = malloc(n * bytes), b.keys_back = malloc(n * bytes);
    b.values = malloc(n * c->value_bytes + 1), b.values_back = malloc(n * c->value_bytes + 1);
    if (!b.keys || !b.keys_back || !b.values || !b.values_back)
        good(CW_ERR_MEMORY, "memory");
    b.in = of_context(n * bytes), b.out = of_context(n * bytes);
    b.values_in = of_context(n * c->value_bytes), b.values_out = of_context(n * c->value_bytes);
    b.workspace = of_context(b.bytes);
    for (size_t x = 0; x < sizeof inputs / sizeof *inputs; x++)
        if (!x || chosen(inputs[x], only)) /* uniform keys are what others are held against */
            run(c, inputs[x], n, &uniform);
    free(b.keys), free(b.keys_back), free(b.values), free(b.values_back);
    cw_memory_free(b.context, b.in), cw_memory_free(b.context, b.out);
    cw_memory_free(b.context, b.values_in), cw_memory_free(b.context, b.values_out);
    cw_memory_free(b.context, b.workspace);
}

int main(int argc, char **argv)
{
    const char *text = "", *on = "cuda", *only = "";
    unsigned log = 0;
    int words = 0, exact = 0;

    b.runs = 5;
    for (int x = 1; x < argc; x++) {
        if (!strcmp(argv[x], "--on") && x + 1 < argc)
            on = argv[++x];
        else if (!strcmp(argv[x], "-r") && x + 1 < argc)
            b.runs = (unsigned)atoi(argv[++x]);
        else if (!strcmp(argv[x], "-i") && x + 1 < argc)
            only = argv[++x];
        else if (!strcmp(argv[x], "-p"))
            b.in_place = 1;
        else if (!strcmp(argv[x], "-d"))
            b.tiny = 1, b.runs = 1;
        else if (words++ == 0)
            text = argv[x];
        else
            log = (unsigned)atoi(argv[x]);
    }
    if (!b.runs || b.runs > 64 || log > 31) {
        fprintf(stderr, "usage: bench_crafted [--on cuda|cpu] [-r RUNS] [-d] [-p] [-i INPUT,..] "
                        "[TEXT [LOG]]\n");
        return 2;
    }
    good(cw_context_create(strcmp(on, "cpu") ? CW_CUDA : CW_CPU, &b.context), on);
    printf("call,input,items,ms,over_uniform\n");
    for (size_t x = 0; x < sizeof calls / sizeof *calls; x++)
        exact |= !strcmp(calls[x].name, text);
    for (size_t x = 0; x < sizeof calls / sizeof *calls; x++)
        if (exact ? !strcmp(calls[x].name, text) : !strncmp(calls[x].name, text, strlen(text)))
            run_call(&calls[x], only, log);
    cw_team_end(&b.team);
    cw_context_destroy(b.context);
    return b.failed;
}
