/* bench_table.c - how fast the calls of README's table are: ours alone, so that 45 s of a GPU tell whether a change made one slower.
 *
 *      bench_table [--on cuda|cpu] [-x LOG] [-r RUNS] [TEXT]      lines that begin with TEXT; 2^LOG items where the tables have 2^28
 *
 * CSV: the line, items, milliseconds (the best of RUNS rounds, each of several calls in a row and one wait), 10^9 items a second.
 * Keys are random unless said; every output is checked.  Exit 1 if one is wrong.  Peers are in bench_sort, bench_rows, ..: what is
 * compared here is a day with another day, on the same GPU.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"
#include "clearway.h"
#include "inputs/random.h"

enum what { SORT, ROWS, SEGMENTS, PARTITION, PERMUTE, PLAN, TRANSPOSE };
enum keys { UNIFORM, ZIPF, SORTED_FLOATS };

static const struct line {
    const char *name;
    enum what what;
    cw_type type;
    unsigned flags, less; /* 2^(LOG - less) items */
    size_t value_bytes;
    /* of rows: all equal, or with SEGMENTS the longest; PARTITION: buckets; TRANSPOSE: rows of a matrix */
    size_t length;
    enum keys keys;
} lines[] = {
    {"rows of 256 u32", ROWS, CW_U32, 0, 1, 0, 256, UNIFORM},
    {"rows of 1024 u32", ROWS, CW_U32, 0, 1, 0, 1024, UNIFORM},
    {"rows of 16384 u32", ROWS, CW_U32, 0, 1, 0, 16384, UNIFORM},
    {"rows of 1024 u64", ROWS, CW_U64, 0, 2, 0, 1024, UNIFORM},
    {"rows of 4096 u32 with u32 values", ROWS, CW_U32, 0, 2, 4, 4096, UNIFORM},
    {"rows of 16384 u32 with u32 values", ROWS, CW_U32, 0, 2, 4, 16384, UNIFORM},
    {"rows of 32 u32 by offsets", SEGMENTS, CW_U32, 0, 1, 0, 32, UNIFORM},
    {"rows of 0 to 1024 u32 by offsets", SEGMENTS, CW_U32, 0, 1, 0, 1024, UNIFORM},
    {"sort u32 middle", SORT, CW_U32, 0, 8, 0, 0, UNIFORM},
    {"sort u32", SORT, CW_U32, 0, 0, 0, 0, UNIFORM},
    {"sort u64", SORT, CW_U64, 0, 0, 0, 0, UNIFORM},
    {"sort u32 with u32 values", SORT, CW_U32, 0, 0, 4, 0, UNIFORM},
    {"sort u32 with u32 values stable", SORT, CW_U32, CW_STABLE, 0, 4, 0, UNIFORM},
    {"sort u32 Zipf", SORT, CW_U32, 0, 0, 0, 0, ZIPF},
    {"sort f32 sorted already", SORT, CW_F32, 0, 0, 0, 0, SORTED_FLOATS},
    {"sort u32 by comparing", SORT, CW_U32, CW_CONFLICT_FREE, 0, 0, 0, UNIFORM},
    {"partition pairs into 256 any order", PARTITION, CW_U32, CW_UNSTABLE, 0, 4, 256, UNIFORM},
    {"partition pairs into 256 stable", PARTITION, CW_U32, 0, 0, 4, 256, UNIFORM},
    {"partition pairs into 65536 stable", PARTITION, CW_U32, 0, 0, 4, 65536, UNIFORM},
    {"partition keys into 256 stable", PARTITION, CW_U32, 0, 0, 0, 256, UNIFORM},
    {"permute u32 scatter", PERMUTE, CW_U32, 0, 0, 0, 0, UNIFORM},
    {"permute u32 gather", PERMUTE, CW_U32, CW_GATHER, 0, 0, 0, UNIFORM},
    {"plan u32 gather", PLAN, CW_U32, CW_GATHER, 2, 0, 0, UNIFORM},
    {"transpose 16384 rows u32", TRANSPOSE, CW_U32, 0, 0, 0, 16384, UNIFORM},
    {"transpose 16381 rows u32", TRANSPOSE, CW_U32, 0, 0, 0, 16381, UNIFORM},
};

static struct {
    cw_context *context;
    struct cw_team team;
    unsigned runs, log;
    int failed;
} b;

/* One line, and its arrays: the host's, then the context's. */
struct run {
    const struct line *l;
    size_t n, bytes, columns;
    char *in, *out;           /* keys, or elements */
    uint32_t *index, *values; /* where an item goes to, or came from */
    uint64_t *offsets;
    size_t rows;
    uint64_t wrong, sum;
    void *d_in, *d_out, *d_index, *d_values, *d_offsets, *workspace, *d_table;
    size_t workspace_bytes;
    cw_plan *plan;
};

static void good(cw_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "bench_table: %s: %s\n", what, cw_last_error());
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void *of_host(size_t bytes)
{
    void *const p = malloc(bytes ? bytes : 1);

    if (!p) {
        fprintf(stderr, "bench_table: no memory\n");
        exit(1);
    }
    return p;
}

static void *of_context(size_t bytes)
{
    void *p;

    good(cw_memory_alloc(b.context, bytes ? bytes : 1, &p), "memory");
    return p;
}

static uint64_t get(const char *array, size_t i, size_t bytes)
{
    uint64_t x = 0;

    memcpy(&x, array + i * bytes, bytes);
    return x;
}

/* ---- inputs --------------------------------------------------------------------------------- */

static void make_some(void *user, size_t from, size_t end, unsigned thread)
{
    struct run *const r = (struct run *)user;
    uint64_t sum = 0;

    (void)thread;
    for (size_t i = from; i < end; i++) {
        uint64_t x = cw_mixed(i * UINT64_C(0x9e3779b97f4a7c15) + 1);
        const float f = (float)(2.0 * (double)i / (double)r->n - 1.0);

        if (r->l->keys == ZIPF)
            x = (uint64_t)exp(log(4294967295.0) * (double)(x >> 11) / 9007199254740992.0);
        memcpy(r->in + i * r->bytes, &x, r->bytes);
        if (r->l->keys == SORTED_FLOATS)
            memcpy(r->in + i * r->bytes, &f, sizeof f);
        sum += cw_mixed(get(r->in, i, r->bytes));
    }
    __atomic_fetch_add(&r->sum, sum, __ATOMIC_RELAXED);
}

static void index_some(void *user, size_t from, size_t end, unsigned thread)
{
    struct run *const r = (struct run *)user;

    (void)thread;
    for (size_t i = from; i < end; i++)
        r->index[i] = (uint32_t)cw_shuffle_at(r->n, 4711, i);
}

/* Rows of random lengths up to the longest, or all of it where that is short. */
static void make_offsets(struct run *r)
{
    const size_t most = r->l->length, least = most > 32 ? 0 : most;
    uint64_t state = 17;

    r->offsets = (uint64_t *)of_host((2 * r->n / (most + least) + r->n / 64 + 2) * 8);
    r->offsets[0] = 0;
    while (r->offsets[r->rows] < r->n) {
        const uint64_t length = least + cw_drawn_below(&state, most - least + 1);
        const uint64_t end = r->offsets[r->rows] + length;

        r->offsets[++r->rows] = end < r->n ? end : r->n;
    }
}

/* ---- checks --------------------------------------------------------------------------------- */

static int above(const struct run *r, uint64_t x, uint64_t y)
{
    float f, g;
    const uint32_t a = (uint32_t)x, c = (uint32_t)y;

    if (r->l->type != CW_F32)
        return x > y;
    memcpy(&f, &a, 4);
    memcpy(&g, &c, 4);
    return f > g;
}

static void check_some(void *user, size_t from, size_t end, unsigned thread)
{
    struct run *const r = (struct run *)user;
    const struct line *const l = r->l;
    uint64_t sum = 0, wrong = 0;

    (void)thread;
    for (size_t i = from; i < end; i++) {
        const uint64_t x = get(r->out, i, r->bytes);

        sum += cw_mixed(x);
        if (l->what == SORT || (l->what == ROWS && i % l->length))
            wrong += i && above(r, get(r->out, i - 1, r->bytes), x);
        if (l->what == PARTITION)
            wrong += i && get(r->out, i - 1, r->bytes) % l->length > x % l->length;
        if (l->what == PERMUTE || l->what == PLAN)
            wrong += l->flags & CW_GATHER ? get(r->in, r->index[i], 4) != x
                                          : get(r->out, r->index[i], 4) != get(r->in, i, 4);
        if (l->what == TRANSPOSE)
            wrong += get(r->in, i % l->length * r->columns + i / l->length, 4) != x;
        if (l->value_bytes)
            wrong += r->values[i] >= r->n || get(r->in, r->values[i], r->bytes) != x;
    }
    __atomic_fetch_add(&r->sum, 0 - sum, __ATOMIC_RELAXED);
    __atomic_fetch_add(&r->wrong, wrong, __ATOMIC_RELAXED);
}

static void check_rows(void *user, size_t from, size_t end, unsigned thread)
{
    struct run *const r = (struct run *)user;
    uint64_t wrong = 0;

    (void)thread;
    for (size_t row = from; row < end; row++)
        for (uint64_t i = r->offsets[row] + 1; i < r->offsets[row + 1]; i++)
            wrong += get(r->out, i - 1, r->bytes) > get(r->out, i, r->bytes);
    __atomic_fetch_add(&r->wrong, wrong, __ATOMIC_RELAXED);
}

/* ---- calls: with a workspace they work, without one they ask for it --------------------------- */

static cw_status call(struct run *r, int ask)
{
    const struct line *const l = r->l;
    const size_t n = r->n;
    void *const values_out = r->d_values ? (char *)r->d_values + 4 * n : NULL;
    const cw_payload payload = {r->d_values, values_out, 4};
    const cw_array array = {.type = l->type,
                            .flags = l->flags,
                            .n = n,
                            .keys_in = r->d_in,
                            .keys_out = r->d_out,
                            .values_in = r->d_values,
                            .values_out = values_out,
                            .value_bytes = l->value_bytes};
    const cw_rows rows = {.type = l->type,
                          .flags = l->flags,
                          .rows = r->rows,
                          .length = l->length,
                          .offsets = r->d_offsets,
                          .items = n,
                          .keys_in = r->d_in,
                          .keys_out = r->d_out,
                          .values_in = r->d_values,
                          .values_out = values_out,
                          .value_bytes = l->value_bytes};
    const cw_partition_job part = {.type = l->type,
                                   .rule = CW_BY_BITS,
                                   .flags = l->flags,
                                   .n = n,
                                   .buckets = (uint32_t)l->length,
                                   .keys_in = r->d_in,
                                   .keys_out = r->d_out,
                                   .payloads = &payload,
                                   .payload_count = l->value_bytes != 0};
    const cw_permute_job permute = {.flags = l->flags,
                                    .n = n,
                                    .bytes = 4,
                                    .in = r->d_in,
                                    .out = r->d_out,
                                    .index = r->d_index,
                                    .index_bytes = 4};
    const cw_transpose_job matrix = {
        .rows = l->length, .columns = r->columns, .bytes = 4, .in = r->d_in, .out = r->d_out};
    void *const w = r->workspace;
    size_t *const bytes = &r->workspace_bytes;

    switch (l->what) {
    case SORT:
        return ask ? cw_sort_workspace(&array, bytes) : cw_sort(b.context, &array, w, *bytes, NULL);
    case ROWS:
    case SEGMENTS:
        return ask ? cw_sort_rows_workspace(&rows, bytes)
                   : cw_sort_rows(b.context, &rows, w, *bytes, NULL);
    case PARTITION:
        return ask ? cw_partition_workspace(&part, bytes)
                   : cw_partition(b.context, &part, w, *bytes, NULL);
    case PERMUTE:
        return ask ? cw_permute_workspace(&permute, bytes)
                   : cw_permute(b.context, &permute, w, *bytes, NULL);
    case PLAN:
        return ask ? cw_plan_workspace(r->plan, bytes)
                   : cw_plan_execute(b.context, r->plan, r->d_table, r->d_in, r->d_out, w, *bytes,
                                     NULL);
    case TRANSPOSE:
        return ask ? cw_transpose_workspace(&matrix, bytes)
                   : cw_transpose(b.context, &matrix, w, *bytes, NULL);
    }
    return CW_ERR_INTERNAL;
}

static double best_ms(struct run *r)
{
    double best = 0;
    unsigned calls = 1;

    good(call(r, 0), r->l->name);
    good(cw_wait(b.context, NULL), r->l->name);
    for (unsigned k = 0; k <= b.runs; k++) {
        const double begin = now();
        double ms;

        for (unsigned c = 0; c < calls; c++)
            good(call(r, 0), r->l->name);
        good(cw_wait(b.context, NULL), r->l->name);
        ms = (now() - begin) / calls;
        if (k == 0) /* says how many make 20 ms */
            calls = ms < 1 ? 20 : ms < 20 ? 1 + (unsigned)(20 / ms) : 1;
        else if (k == 1 || ms < best)
            best = ms;
    }
    return best;
}

/* ---- a line --------------------------------------------------------------------------------- */

static void plan_of(struct run *r)
{
    good(cw_plan_create(r->index, 4, r->n, 4, r->l->flags, 0, &r->plan), "cw_plan_create");
    r->d_table = of_context(cw_plan_table_bytes(r->plan));
    good(cw_plan_write_table(b.context, r->plan, r->d_table), "cw_plan_write_table");
}

static void to_context(struct run *r)
{
    const size_t all = r->n * r->bytes;

    r->d_in = of_context(all);
    r->d_out = of_context(all);
    good(cw_memory_write(b.context, r->d_in, r->in, all), "write");
    if (r->l->value_bytes) { /* places: in, then out */
        r->d_values = of_context(8 * r->n);
        r->values = (uint32_t *)of_host(4 * r->n);
        for (size_t i = 0; i < r->n; i++)
            r->values[i] = (uint32_t)i;
        good(cw_memory_write(b.context, r->d_values, r->values, 4 * r->n), "write");
        if (r->l->what == ROWS)
            for (size_t i = 0; i < r->n; i++)
                r->values[i] = 0;
    }
    if (r->index) {
        r->d_index = of_context(4 * r->n);
        good(cw_memory_write(b.context, r->d_index, r->index, 4 * r->n), "write");
    }
    if (r->offsets) {
        r->d_offsets = of_context(8 * (r->rows + 1));
        good(cw_memory_write(b.context, r->d_offsets, r->offsets, 8 * (r->rows + 1)), "write");
    }
}

static void back(struct run *r)
{
    good(cw_memory_read(b.context, r->out, r->d_out, r->n * r->bytes), "read");
    if (r->values)
        good(cw_memory_read(b.context, r->values, (char *)r->d_values + 4 * r->n, 4 * r->n),
             "read");
    cw_team_run(&b.team, cw_team_threads(&b.team), r->n, 65536, check_some, r);
    if (r->offsets)
        cw_team_run(&b.team, cw_team_threads(&b.team), r->rows, 1024, check_rows, r);
}

static void let_go(struct run *r)
{
    void *const held[] = {r->d_in,      r->d_out,     r->d_index, r->d_values,
                          r->d_offsets, r->workspace, r->d_table};

    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (held[i])
            cw_memory_free(b.context, held[i]);
    cw_plan_destroy(r->plan);
    free(r->in);
    free(r->out);
    free(r->index);
    free(r->values);
    free(r->offsets);
}

static void run(const struct line *l)
{
    struct run r = {.l = l, .bytes = cw_type_bytes(l->type), .n = (size_t)1 << (b.log - l->less)};
    double ms;

    if (l->what == TRANSPOSE) {
        r.columns = r.n / l->length + (r.n % l->length != 0);
        r.n = r.columns * l->length;
    }
    r.rows = l->what == ROWS ? r.n / l->length : 0;
    r.in = (char *)of_host(r.n * r.bytes);
    r.out = (char *)of_host(r.n * r.bytes);
    cw_team_run(&b.team, cw_team_threads(&b.team), r.n, 65536, make_some, &r);
    if (l->what == PERMUTE || l->what == PLAN) {
        r.index = (uint32_t *)of_host(4 * r.n);
        cw_team_run(&b.team, cw_team_threads(&b.team), r.n, 65536, index_some, &r);
    }
    if (l->what == SEGMENTS)
        make_offsets(&r);
    if (l->what == PLAN)
        plan_of(&r);
    to_context(&r);
    good(call(&r, 1), "workspace");
    r.workspace = of_context(r.workspace_bytes);
    ms = best_ms(&r);
    back(&r);
    printf("%s,%zu,%.4f,%.2f%s\n", l->name, r.n, ms, (double)r.n / ms / 1e6,
           r.wrong || r.sum ? ",WRONG" : "");
    fflush(stdout);
    b.failed |= r.wrong || r.sum;
    let_go(&r);
}

int main(int argc, char **argv)
{
    const char *text = "", *on = "cuda";

    b.runs = 5;
    b.log = 28;
    for (int x = 1; x < argc; x++) {
        if (!strcmp(argv[x], "--on") && x + 1 < argc)
            on = argv[++x];
        else if (!strcmp(argv[x], "-r") && x + 1 < argc)
            b.runs = (unsigned)atoi(argv[++x]);
        else if (!strcmp(argv[x], "-x") && x + 1 < argc)
            b.log = (unsigned)atoi(argv[++x]);
        else
            text = argv[x];
    }
    if (!b.runs || b.runs > 64 || b.log < 18 || b.log > 31) {
        fprintf(stderr, "usage: bench_table [--on cuda|cpu] [-x LOG] [-r RUNS] [TEXT]\n");
        return 2;
    }
    good(cw_context_create(strcmp(on, "cpu") ? CW_CUDA : CW_CPU, &b.context), on);
    printf("line,items,ms,billions_per_second\n");
    for (size_t x = 0; x < sizeof lines / sizeof *lines; x++)
        if (!strncmp(lines[x].name, text, strlen(text)))
            run(&lines[x]);
    cw_team_end(&b.team);
    cw_context_destroy(b.context);
    return b.failed;
}
