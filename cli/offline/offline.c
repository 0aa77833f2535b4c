/* offline.c - the command plan: make a permutation ready, save it, say what it is and how fast. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/common/data.h"
#include "cli/files/files.h"
#include "offline/plan.h"
#include "cli/common/memory.h"
#include "cli/common/on.h"

static const char *const map_names[] = {"random",    "identity",     "rotation", "reversal",
                                        "transpose", "bit-reversal", NULL};
enum { RANDOM, IDENTITY, ROTATION, REVERSAL, TRANSPOSE, BIT_REVERSAL };

static const char *const index_types[] = {"u32", "u64", NULL};

struct asked {
    const char *index_path, *plan_path, *out_path, *tmpdir;
    const char *index_name; /* to be told to people: "standard input" for "-" */
    uint64_t n, bytes, seed, passes, tile, memory;
    int map, type, gather, any_gpu, time, json, text;
    struct on on;

    void *index; /* on the host, or NULL */
    size_t index_bytes;
    cw_plan *plan;
    double seconds; /* that making it took */
};

struct run {
    struct asked *a;
    void *in, *out, *table, *workspace; /* where it is executed */
    size_t workspace_bytes;
    unsigned char *items, *back; /* on the host */
    struct timing timing;
    const char *wrong;
};

static int help(const struct option *table)
{
    printf("usage: clearway plan INDEX [-o PLAN] [--gather] [--bytes B] [OPTION...]\n"
           "       clearway plan --n N [--map NAME] [-o PLAN] [OPTION...]\n"
           "       clearway plan --load PLAN [OPTION...]\n\n");
    print_wrapped("Prepares a permutation that is used many times, and saves it as a plan. The "
                  "permutation is that of INDEX (a .npy of u32, u64, i32 or i64, or raw items of "
                  "type T; '-' is standard input), or one of N items by its name, or a plan that "
                  "was saved. Then executes it on generated data, checks that every item has "
                  "arrived, and prints the kind "
                  "of the plan, its size and its speed.",
                  0, 0);
    printf("\n");
    options_print(table);
    return DONE;
}

/* ---- the index ------------------------------------------------------------------------------ */

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((x ^ x >> 31) >> 32) * limit >> 32;
}

/* The most rows, up to the root, that divide n. */
static uint64_t rows_of(uint64_t n)
{
    uint64_t rows = 1;

    for (uint64_t r = 1; r * r <= n; r++)
        rows = n % r ? rows : r;
    return rows;
}

static uint32_t mapped(const struct asked *a, uint64_t i, uint64_t rows)
{
    const uint64_t n = a->n;
    uint32_t r = 0;

    switch (a->map) {
    case ROTATION:
        return (uint32_t)((i + a->seed) % n);
    case REVERSAL:
        return (uint32_t)(n - 1 - i);
    case TRANSPOSE:
        return (uint32_t)(i % (n / rows) * rows + i / (n / rows));
    case BIT_REVERSAL:
        for (uint64_t bit = 1; bit < n; bit <<= 1)
            r = r << 1 | (i & bit ? 1u : 0u);
        return r;
    default:
        return (uint32_t)i;
    }
}

static int make_index(struct asked *a)
{
    const uint64_t rows = a->map == TRANSPOSE ? rows_of(a->n) : 1;
    uint64_t seed = a->seed;
    uint32_t *p;

    if (a->map == BIT_REVERSAL && (a->n & (a->n - 1)))
        return complain(USAGE, "--map bit-reversal: --n is no power of two");
    if (memory_refused((double)a->n * (double)(12 + 4 * a->bytes)))
        return USAGE;
    p = (uint32_t *)malloc((a->n + 1) * sizeof *p);
    if (!p)
        return complain(FAILED, "out of memory for %" PRIu64 " items", a->n);
    for (uint64_t i = 0; i < a->n; i++)
        p[i] = mapped(a, i, rows);
    for (uint64_t i = a->n; a->map == RANDOM && i > 1; i--) {
        const uint64_t j = random_below(&seed, i);
        const uint32_t x = p[i - 1];

        p[i - 1] = p[j];
        p[j] = x;
    }
    a->index = p;
    a->index_bytes = sizeof *p;
    return DONE;
}

/* Is there room for the index, its plan, and the items on both sides? */
static int too_large(const struct asked *a, uint64_t n)
{
    const double needs = (double)n * (double)(a->index_bytes + 8 + 4 * a->bytes);

    if (a->memory && needs > (double)a->memory)
        return complain(USAGE, "%s is too large for --memory: a plan of it takes %.0f MiB",
                        a->index_name, ceil(needs / 0x1p20));
    return memory_refused(needs);
}

static int read_index(struct asked *a)
{
    static const int types[] = {CW_U32, CW_U64};
    const int type = a->type < 0 ? -1 : types[a->type];
    struct cw_array_file f;
    cw_status status;
    uint64_t n;

    if (tmpdir_refused(a->tmpdir))
        return FAILED;
    if (array_open(a->index_path, type, a->tmpdir, a->text, &f))
        return array_refused(type, a->text);
    a->index_name = f.path;
    n = f.head.rows * f.head.length;
    a->index_bytes = cw_type_bytes(f.head.type);
    if (f.head.dims != 1 || (f.head.type != CW_U32 && f.head.type != CW_I32 &&
                             f.head.type != CW_U64 && f.head.type != CW_I64)) {
        cw_array_file_close(&f);
        if (f.head.dims != 1)
            return complain(USAGE,
                            "%s has two dimensions, and a plan is of one row; 'clearway permute "
                            "--index' takes it",
                            a->index_name);
        return complain(USAGE, "%s: an index of %s; it must be u32, u64, i32 or i64", a->index_name,
                        cw_type_name(f.head.type));
    }
    if (too_large(a, n)) {
        cw_array_file_close(&f);
        return USAGE;
    }
    a->n = n;
    a->index = malloc(n * a->index_bytes + 1);
    if (!a->index) {
        cw_array_file_close(&f);
        return complain(FAILED, "out of memory for %" PRIu64 " items", n);
    }
    status = cw_array_file_read(&f, 0, n, a->index);
    cw_array_file_close(&f);
    return status ? complain(USAGE, "%s", cw_last_error())
                  : index_negative(a->index_name, f.head.type, a->index, n);
}

/* ---- the plan ------------------------------------------------------------------------------- */

static cw_status create(struct asked *a)
{
    const unsigned flags = (a->gather ? CW_GATHER : 0u) | (a->any_gpu ? CW_ANY_GPU : 0u);
    const unsigned threads = (unsigned)a->on.threads;
    const struct cw_plan_wish wish = {
        .table = 1, .gather = -1, .tile = (uint32_t)a->tile, .partitions = (uint32_t)a->passes};

    if (a->passes || a->tile)
        return cw_plan_make(a->index, a->index_bytes, (size_t)a->n, (size_t)a->bytes, flags,
                            threads, &wish, &a->plan);
    return cw_plan_create(a->index, a->index_bytes, (size_t)a->n, (size_t)a->bytes, flags, threads,
                          &a->plan);
}

static int make_plan(struct asked *a)
{
    const double begin = seconds_now();
    cw_status status;
    int failed = DONE;

    if (a->plan_path) {
        status = cw_plan_load(a->plan_path, &a->plan);
        if (status)
            return status == CW_ERR_MEMORY ? on_failed(status)
                                           : complain(USAGE, "%s", cw_last_error());
        a->n = cw_plan_items(a->plan);
        a->bytes = cw_plan_item_bytes(a->plan);
        a->seconds = seconds_now() - begin;
        return DONE;
    }
    failed = a->index_path ? read_index(a) : make_index(a);
    if (failed)
        return failed;
    a->seconds = seconds_now();
    status = create(a);
    a->seconds = seconds_now() - a->seconds;
    if (status == CW_ERR_MEMORY)
        return on_failed(status);
    if (status)
        return complain(USAGE, "%s%s%s", a->index_name ? a->index_name : "",
                        a->index_name ? ": " : "", cw_last_error());
    return DONE;
}

/* ---- executing it --------------------------------------------------------------------------- */

static cw_status execute(struct on *on, void *arg)
{
    const struct run *const x = (const struct run *)arg;

    return cw_plan_execute(on->context, x->a->plan, x->table, x->in, x->out, x->workspace,
                           x->workspace_bytes, NULL);
}

static uint64_t index_at(const struct asked *a, uint64_t i)
{
    return a->index_bytes == 4 ? ((const uint32_t *)a->index)[i] : ((const uint64_t *)a->index)[i];
}

/* A loaded plan has no index: its items are numbered, and each must be there once. */
static const char *check_loaded(const struct run *x)
{
    const uint64_t n = x->a->n, bytes = x->a->bytes;
    unsigned char *const seen = (unsigned char *)calloc(n / 8 + 1, 1);
    const char *wrong = seen ? NULL : "no memory to look";

    for (uint64_t i = 0; i < n && !wrong; i++) {
        uint64_t number = 0;

        memcpy(&number, x->back + i * bytes, bytes < 8 ? bytes : 8);
        if (number >= n || (seen[number / 8] >> number % 8 & 1))
            wrong = "an item is missing";
        else
            seen[number / 8] |= (unsigned char)(1u << number % 8);
    }
    free(seen);
    return wrong;
}

static const char *check(const struct run *x)
{
    const struct asked *const a = x->a;

    if (!a->index) /* too few bytes to number the items by: nothing to hold them against */
        return a->bytes < 8 && a->n >> 8 * a->bytes ? NULL : check_loaded(x);
    for (uint64_t i = 0; i < a->n; i++) {
        const uint64_t p = index_at(a, i), from = a->gather ? p : i, to = a->gather ? i : p;

        if (memcmp(x->back + to * a->bytes, x->items + from * a->bytes, a->bytes) != 0)
            return "an item is in the wrong place";
    }
    return NULL;
}

static int prepare(struct run *x)
{
    struct asked *const a = x->a;
    const size_t bytes = (size_t)(a->n * a->bytes);
    int status = on_failed(cw_plan_workspace(a->plan, &x->workspace_bytes));

    x->items = (unsigned char *)calloc(bytes + 1, 1);
    x->back = (unsigned char *)malloc(bytes + 1);
    if (!x->items || !x->back)
        return complain(FAILED, "out of memory for %" PRIu64 " items", a->n);
    for (uint64_t i = 0; i < a->n; i++)
        memcpy(x->items + i * a->bytes, &i, a->bytes < 8 ? a->bytes : 8);
    if (!status)
        status = on_copy(&a->on, x->items, bytes, &x->in);
    if (!status)
        status = on_alloc(&a->on, bytes, &x->out);
    if (!status)
        status = on_alloc(&a->on, x->workspace_bytes, &x->workspace);
    if (!status)
        status = on_alloc(&a->on, cw_plan_table_bytes(a->plan), &x->table);
    if (!status)
        status = on_failed(cw_plan_write_table(a->on.context, a->plan, x->table));
    return status;
}

static int run_plan(struct run *x)
{
    struct asked *const a = x->a;
    int status = on_open(&a->on);

    if (!status)
        status = prepare(x);
    if (!status)
        status = on_time(&a->on, a->time, execute, x, (size_t)(a->n * a->bytes), &x->timing);
    if (!status)
        status = on_read(&a->on, x->back, x->out, (size_t)(a->n * a->bytes));
    if (!status)
        x->wrong = check(x);
    return status;
}

/* ---- what it says --------------------------------------------------------------------------- */

static void print_json(const struct run *x)
{
    const struct asked *const a = x->a;
    struct json j = {stdout, 0};

    json_open(&j, NULL, '{');
    json_text(&j, "command", "plan");
    json_number(&j, "n", a->n);
    json_number(&j, "bytes", a->bytes);
    json_text(&j, "kind", cw_plan_kind(a->plan));
    json_number(&j, "table", cw_plan_table_bytes(a->plan));
    json_number(&j, "workspace", x->workspace_bytes);
    json_real(&j, a->plan_path ? "load_seconds" : "make_seconds", a->seconds);
    json_text(&j, "on", on_name(&a->on));
    json_number(&j, "threads", on_threads(&a->on));
    json_number(&j, "runs", x->timing.runs);
    json_real(&j, "seconds", x->timing.seconds);
    if (x->timing.copy > 0)
        json_real(&j, "share_of_copy", x->timing.copy / x->timing.seconds);
    else
        json_text(&j, "share_of_copy", NULL);
    json_bool(&j, "verified", !x->wrong);
    json_close(&j, '}');
    printf("\n");
}

static void print_lines(const struct run *x)
{
    const struct asked *const a = x->a;
    char text[48];

    printf("plan of %" PRIu64 " item%s of %" PRIu64 " byte%s: %s\n", a->n, a->n == 1 ? "" : "s",
           a->bytes, a->bytes == 1 ? "" : "s", cw_plan_kind(a->plan));
    printf("table     %zu bytes, workspace %zu\n", cw_plan_table_bytes(a->plan),
           x->workspace_bytes);
    printf("%s    %s", a->plan_path ? "loaded" : "made  ", show_seconds(a->seconds, text));
    if (a->n)
        printf(", %.1f ns an item", 1e9 * a->seconds / (double)a->n);
    printf("\non        %s", on_name(&a->on));
    printf("\ntime      %s", show_seconds(x->timing.seconds, text));
    if (x->timing.runs > 1)
        printf(" (median of %u)", x->timing.runs);
    if (x->timing.seconds > 0)
        printf("\nrate      %s", show_rate((double)a->n / x->timing.seconds, "item", text));
    if (x->timing.copy > 0)
        printf("\ncopy      %.1f %% of the speed of a copy of the same bytes",
               100 * x->timing.copy / x->timing.seconds);
    printf("\nverified  %s%s\n", x->wrong ? "NO: " : "yes", x->wrong ? x->wrong : "");
}

static int all(struct asked *a)
{
    struct run x = {.a = a};
    const char *const inputs[] = {a->index_path, a->plan_path};
    int status = standard_refused("-o", a->out_path);

    if (!status)
        status = outputs_apart(&a->out_path, 1, inputs, 2);
    if (!status)
        status = make_plan(a);
    if (!status)
        status = run_plan(&x);
    if (!status && !x.wrong && a->out_path && cw_plan_save(a->plan, a->out_path))
        status = complain(FAILED, "%s", cw_last_error());
    if (!status && a->json)
        print_json(&x);
    else if (!status)
        print_lines(&x);
    if (!status && x.wrong)
        status = FAILED;
    on_close(&a->on);
    free(x.items);
    free(x.back);
    free(a->index);
    cw_plan_destroy(a->plan);
    return status;
}

int command_plan(int argc, char **argv)
{
    struct asked a = {.n = UINT64_MAX, .bytes = 4, .seed = 1, .type = -1, .on = ON_AUTO};
    struct arguments args;
    const struct option table[] = {
        OUTPUT("PLAN", &a.out_path, "file to save the plan to"),
        TEXT("load", "PLAN", &a.plan_path, "use this saved plan instead of an index"),
        SIZE("n", "N", 0, UINT64_C(1) << 31, &a.n, "number of items, without an index: 1000, 2^24"),
        WORD(
            "map", "NAME", map_names, &a.map,
            "permutation: random (default), identity, rotation (by the seed), reversal, transpose, "
            "bit-reversal"),
        NUMBER(0, "seed", "S", 0, UINT32_MAX, &a.seed, "seed of random and rotation; default 1"),
        WORD("type", "T", index_types, &a.type, "type of a raw INDEX: u32 or u64"),
        FILES_MEMORY(&a.memory,
                     "INDEX: most memory to use, like 512M or 1GB; default: what is free"),
        TEXT("tmpdir", "FOLDER", &a.tmpdir,
             "INDEX: folder for temporary files; default $TMPDIR, else /tmp"),
        FLAG("text", &a.text, "INDEX, unless a .npy, holds numbers as text"),
        NUMBER(0, "bytes", "B", 1, 16, &a.bytes, "bytes of an item, 1 to 16; default 4"),
        FLAG("gather", &a.gather, "out[i] = in[p[i]], not out[p[i]] = in[i]"),
        FLAG("any-gpu", &a.any_gpu,
             "for every GPU: tiles of at most 99 KB, not of up to 192 KiB, which is faster"),
        NUMBER(0, "passes", "P", 1, 3, &a.passes,
               "use a table for P passes, instead of the best number"),
        NUMBER(0, "tile", "T", 32, 49152, &a.tile, "use a table with tiles of T items"),
        ON_OPTIONS(&a.on),
        FLAG("time", &a.time, "print the median time of several runs, after a warm-up"),
        FLAG("json", &a.json, "print JSON"),
        OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count > 1)
        return complain(USAGE, "one index, got '%s' too", args.word[1]);
    a.index_path = args.count ? args.word[0] : NULL;
    if ((a.index_path != NULL) + (a.plan_path != NULL) + (a.n != UINT64_MAX) != 1)
        return complain(USAGE, "one of INDEX, --n and --load: which permutation?");
    if (a.plan_path && a.any_gpu)
        return complain(USAGE,
                        "--any-gpu is for a plan that is made, and --load PLAN was made before");
    if (!a.index_path && (a.memory || a.tmpdir || a.text))
        return complain(USAGE, "--memory, --tmpdir and --text are for INDEX: which file?");
    return all(&a);
}
