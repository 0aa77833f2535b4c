/* permute.c - the command permute: the elements of a file to where an index says, or elements that
 * are made, to see how fast. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/memory.h"
#include "move.h"

struct permute {
    struct move m;
    struct files f;
    struct on on;
    const char *index_path, *plan_path;
    const char *index_name; /* to be told to people: "standard input" for "-" */
    uint64_t n, seed, bytes;
    int type, gather, time, json;
    void *index; /* on the host */
    size_t index_bytes;
    cw_permute_job job;
    void *workspace;
};

static int help(const struct option *table)
{
    printf("usage: clearway permute FILE --index FILE -o FILE [--gather] [OPTION...]\n"
           "       clearway permute FILE --plan PLAN -o FILE [OPTION...]\n"
           "       clearway permute --n N [--bytes B] [--gather] [OPTION...]\n\n");
    print_wrapped("Moves element i of FILE to place p[i] of the output, where p is the index; with "
                  "--gather, place i gets element p[i].",
                  0, 0);
    print_wrapped("FILE is a .npy, or a raw file of items of type T.  If it has two dimensions, "
                  "its rows (of at most 1 MiB) move whole; so do records.  The index is a .npy of "
                  "u32, u64, i32 or i64, and is refused if it is no permutation.  An index of two "
                  "dimensions, as argsort writes it, moves the elements of each row within the "
                  "row.",
                  0, 0);
    print_wrapped("With --plan, moves the elements by a plan that 'clearway plan -o' saved.", 0, 0);
    print_wrapped("Without a file, moves N elements of B bytes by a random permutation, checks the "
                  "result and prints how fast that was.",
                  0, 0);
    printf("\n");
    options_print(table);
    return DONE;
}

/* ---- the index ------------------------------------------------------------------------------ */

/* Entry i of an index, as it was written. */
static int64_t entry(const struct permute *p, cw_type type, uint64_t i)
{
    switch (type) {
    case CW_I32:
        return ((const int32_t *)p->index)[i];
    case CW_U32:
        return ((const uint32_t *)p->index)[i];
    default:
        return ((const int64_t *)p->index)[i];
    }
}

/* The places in each row, to places in the whole array; each place of a row must be there once. */
static int flatten(struct permute *p, cw_type type, uint64_t rows, uint64_t length)
{
    uint64_t *const all = (uint64_t *)malloc((size_t)(rows * length) * 8 + 1);
    uint64_t *const seen = (uint64_t *)calloc((size_t)length + 1, 8); /* in which row, plus 1 */
    int status = all && seen ? DONE : complain(FAILED, "out of memory for the index");

    for (uint64_t r = 0; !status && r < rows; r++) {
        for (uint64_t i = 0; !status && i < length; i++) {
            const int64_t x = entry(p, type, r * length + i);
            const int out = x < 0 || (uint64_t)x >= length;

            if (out || seen[x] == r + 1)
                status = complain(
                    USAGE,
                    type == CW_U64 ? "%s: row %" PRIu64 ", index %" PRIu64 " is %" PRIu64 "%s"
                                   : "%s: row %" PRIu64 ", index %" PRIu64 " is %" PRId64 "%s",
                    p->index_name, r, i, x, out ? ": out of range" : ", which was there before");
            else
                seen[x] = r + 1;
            all[r * length + i] = r * length + (uint64_t)x;
        }
    }
    free(seen);
    free(p->index);
    p->index = all;
    p->index_bytes = 8;
    return status;
}

/* Does an index of this shape fit the file?  One of two dimensions: its rows are permuted, each by itself. */
static int check_index(struct permute *p, const struct cw_npy *index)
{
    const struct cw_npy *const head = &p->f.in.head;

    if (index->kind != CW_NPY_NUMBER || (index->type != CW_U32 && index->type != CW_U64 &&
                                         index->type != CW_I32 && index->type != CW_I64))
        return complain(USAGE, "%s: an index of %s; it must be u32, u64, i32 or i64", p->index_name,
                        cw_type_name(index->type));
    if (index->dims == 1 && index->length != p->m.n)
        return complain(USAGE, "%s: %" PRIu64 " indices for %" PRIu64 " elements", p->index_name,
                        index->length, p->m.n);
    if (index->dims == 1)
        return memory_refused(8.0 * (double)p->m.n);
    if (head->dims != 2 || head->kind == CW_NPY_RECORD || index->rows != head->rows ||
        index->length != head->length)
        return complain(USAGE,
                        "%s: an index of %" PRIu64 " x %" PRIu64
                        ", two dimensions, and %s is not of that shape",
                        p->index_name, index->rows, index->length, p->f.in.path);
    p->m.n = head->rows * head->length;
    p->m.bytes = cw_type_bytes(head->type);
    return memory_refused(16.0 * (double)p->m.n);
}

/* Numbers of a text are one row: as many as a matrix has elements are an index of its shape, as
 * argsort writes it. */
static void shape_text(const struct permute *p, struct cw_npy *index)
{
    const struct cw_npy *const head = &p->f.in.head;

    if (p->f.text && index->dims == 1 && head->dims == 2 && head->length > 1 &&
        index->length == head->rows * head->length) {
        index->dims = 2;
        index->rows = head->rows;
        index->length = head->length;
    }
}

static int read_index(struct permute *p)
{
    struct cw_array_file f;
    int status;

    if (array_open(p->index_path, -1, p->f.tmpdir, p->f.text, &f))
        return array_refused(0, p->f.text);
    p->index_name = f.path;
    p->index_bytes = cw_type_bytes(f.head.type);
    shape_text(p, &f.head);
    status = check_index(p, &f.head);
    if (!status) {
        p->index = malloc((size_t)p->m.n * p->index_bytes + 1);
        status = p->index ? DONE : complain(FAILED, "out of memory for the index");
    }
    if (!status)
        status = on_failed(cw_array_file_read(&f, 0, p->m.n, p->index));
    if (!status && f.head.dims == 2)
        status = flatten(p, f.head.type, f.head.rows, f.head.length);
    else if (!status)
        status = index_negative(p->index_name, f.head.type, p->index, p->m.n);
    cw_array_file_close(&f);
    return status;
}

static int make_index(struct permute *p)
{
    uint64_t x = p->seed;

    p->index_bytes = p->m.n >> 32 ? 8 : 4;
    p->index = malloc((size_t)p->m.n * p->index_bytes + 1);
    if (!p->index)
        return complain(FAILED, "out of memory for the index");
    for (uint64_t i = 0; i < p->m.n; i++) { /* Fisher and Yates, from the front */
        uint64_t j, y;

        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        y = x ^ x >> 33;
        j = y % (i + 1);
        if (p->index_bytes == 8) {
            uint64_t *const q = (uint64_t *)p->index;

            q[i] = q[j];
            q[j] = i;
        } else {
            uint32_t *const q = (uint32_t *)p->index;

            q[i] = q[j];
            q[j] = (uint32_t)i;
        }
    }
    return DONE;
}

/* ---- work ----------------------------------------------------------------------------------- */

static cw_status work(struct on *o, void *arg)
{
    const struct permute *const p = (const struct permute *)arg;

    return cw_permute(o->context, &p->job, p->workspace, p->m.workspace, NULL);
}

/* Once with a check of the index; then, if it is to be timed, without. */
static int run(struct permute *p)
{
    const size_t all = (size_t)p->m.n * p->m.bytes;
    void *in = NULL, *out = NULL, *index = NULL;
    int status = on_copy(&p->on, p->m.in, all, &in);

    if (!status)
        status = on_alloc(&p->on, all, &out);
    if (!status)
        status = on_copy(&p->on, p->index, (size_t)p->m.n * p->index_bytes, &index);
    p->job = (cw_permute_job){.flags = CW_CHECK | (p->gather ? CW_GATHER : 0u),
                              .n = (size_t)p->m.n,
                              .bytes = p->m.bytes,
                              .in = in,
                              .out = out,
                              .index = index,
                              .index_bytes = p->index_bytes};
    if (!status)
        status = on_failed(cw_permute_workspace(&p->job, &p->m.workspace));
    if (!status)
        status = on_alloc(&p->on, p->m.workspace, &p->workspace);
    if (!status && cw_permute(p->on.context, &p->job, p->workspace, p->m.workspace, NULL))
        status = complain(USAGE, "%s%s%s", p->index_name ? p->index_name : "",
                          p->index_name ? ": " : "", cw_last_error());
    p->job.flags &= ~(unsigned)CW_CHECK;
    if (!status && !p->index_path)
        status = on_time(&p->on, p->time, work, p, all, &p->m.timing);
    return status ? status : on_read(&p->on, p->m.out, out, all);
}

/* By a plan that was saved. */
static int run_plan(struct permute *p, const cw_plan *plan)
{
    const size_t all = (size_t)p->m.n * p->m.bytes;
    void *in = NULL, *out = NULL, *table = NULL;
    int status = on_copy(&p->on, p->m.in, all, &in);

    if (!status)
        status = on_alloc(&p->on, all, &out);
    if (!status)
        status = on_alloc(&p->on, cw_plan_table_bytes(plan), &table);
    if (!status && cw_plan_table_bytes(plan))
        status = on_failed(cw_plan_write_table(p->on.context, plan, table));
    if (!status)
        status = on_failed(cw_plan_workspace(plan, &p->m.workspace));
    if (!status)
        status = on_alloc(&p->on, p->m.workspace, &p->workspace);
    if (!status)
        status = on_failed(cw_plan_execute(p->on.context, plan, table, in, out, p->workspace,
                                           p->m.workspace, NULL));
    if (!status)
        status = on_failed(cw_wait(p->on.context, NULL));
    return status ? status : on_read(&p->on, p->m.out, out, all);
}

static int load_plan(struct permute *p, cw_plan **plan)
{
    if (cw_plan_load(p->plan_path, plan))
        return complain(USAGE, "%s%s", cw_last_error(),
                        strstr(cw_last_error(), "is not a plan")
                            ? ", as 'clearway plan -o' saves it; an array goes to --index"
                            : "");
    if (cw_plan_items(*plan) != p->m.n || cw_plan_item_bytes(*plan) != p->m.bytes)
        return complain(USAGE,
                        "%s is for %zu elements of %zu bytes, and %s has %" PRIu64 " of %zu bytes",
                        p->plan_path, cw_plan_items(*plan), cw_plan_item_bytes(*plan), p->f.in.path,
                        p->m.n, p->m.bytes);
    return DONE;
}

static void check(struct permute *p)
{
    const unsigned char *const in = (const unsigned char *)p->m.in;
    const unsigned char *const out = (const unsigned char *)p->m.out;
    const size_t bytes = p->m.bytes;

    for (uint64_t i = 0; i < p->m.n && !p->m.wrong; i++) {
        const uint64_t q = item_at(p->index, i, p->index_bytes);

        p->m.wrong =
            memcmp(out + (p->gather ? i : q) * bytes, in + (p->gather ? q : i) * bytes, bytes) != 0;
    }
}

/* What is asked of a file: DONE, or USAGE after a complaint. */
static int check_request(const struct permute *p)
{
    const char *const inputs[] = {p->index_path, p->plan_path, p->f.in_path};

    if (inputs_apart(inputs, 3))
        return USAGE;
    if (!p->f.out_path)
        return complain(USAGE,
                        "-o is missing: the file that the result goes to, - for standard output");
    if (!p->index_path && !p->plan_path)
        return complain(USAGE,
                        "--index is missing: the file that says where elements go; or --plan");
    if (p->plan_path && (p->index_path || p->gather))
        return complain(USAGE, "--plan goes without --%s: a plan knows where elements go",
                        p->index_path ? "index" : "gather");
    return outputs_apart(&p->f.out_path, 1, inputs, 2);
}

static int of_file(struct permute *p, const char *path)
{
    const struct cw_npy *const head = &p->f.in.head;
    cw_plan *plan = NULL;
    int status;

    p->f.in_path = path;
    status = check_request(p);
    if (!status)
        status = files_open(&p->f, p->type < 0 ? CW_ARRAY_RECORDS : p->type);
    if (status)
        return status;
    p->m.n = head->dims == 2 ? head->rows : head->length;
    p->m.bytes = cw_type_bytes(head->type) * (size_t)(head->dims == 2 ? head->length : 1);
    status = p->plan_path ? load_plan(p, &plan) : read_index(p);
    if (!status && p->m.n && (!p->m.bytes || p->m.bytes > CW_ELEMENT_MAX))
        status = complain(USAGE, "%s: rows of %zu bytes: 1 to %u", p->f.in.path, p->m.bytes,
                          CW_ELEMENT_MAX);
    if (!status)
        status = move_read(&p->m, &p->f, head);
    if (!status)
        status = on_open(&p->on);
    if (!status && p->m.n)
        status = plan ? run_plan(p, plan) : run(p);
    if (!status && !plan)
        check(p);
    cw_plan_destroy(plan);
    return move_to_file(&p->m, &p->f, &(struct told){.time = p->time, .json = p->json}, status);
}

static void tell_more(struct json *j, const void *arg)
{
    const struct permute *const p = (const struct permute *)arg;

    json_bool(j, "gather", p->gather);
    json_number(j, "seed", p->seed);
}

static int made(struct permute *p)
{
    int status;

    if (p->n == UINT64_MAX)
        return complain(USAGE, "which elements?  Give a file, or --n N for generated ones");
    p->m.n = p->n;
    p->m.bytes = (size_t)p->bytes;
    status = move_make(&p->m, p->seed);
    if (!status)
        status = make_index(p);
    if (!status)
        status = on_open(&p->on);
    if (!status)
        status = run(p);
    if (status)
        return status;
    check(p);
    return move_report(&p->m, &p->on, p->json ? tell_more : NULL, p);
}

int command_permute(int argc, char **argv)
{
    struct permute p = {
        .f = FILES_NONE, .on = ON_AUTO, .n = UINT64_MAX, .seed = 1, .bytes = 4, .type = -1};
    struct arguments args;
    const struct option table[] = {
        FILES_OPTIONS(&p.f),
        TEXT("index", "FILE", &p.index_path,
             "the index p: a .npy of u32, u64, i32 or i64, or --text"),
        TEXT("plan", "PLAN", &p.plan_path,
             "a plan saved by 'clearway plan -o', instead of an index"),
        WORD("type", "T", type_names, &p.type, "type of a raw file's items"),
        FLAG("gather", &p.gather, "out[i] = in[p[i]], not out[p[i]] = in[i]"),
        SIZE("n", "N", 0, DATA_MOST, &p.n, "number of elements to generate: 1000, 1e6, 2^28, 16M"),
        NUMBER(0, "bytes", "B", 1, CW_ELEMENT_MAX, &p.bytes,
               "bytes of a generated element; default 4"),
        NUMBER(0, "seed", "S", 0, UINT64_MAX, &p.seed, "seed of everything random (default 1)"),
        ON_OPTIONS(&p.on),
        FLAG("time", &p.time, "print the median time of several runs, after a warm-up"),
        FLAG("json", &p.json, "print JSON"),
        OPTIONS_END};
    int status;

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count > 1)
        return complain(
            USAGE, "one file, got '%s' too: --index FILE or --plan FILE says where elements go",
            args.word[1]);
    if (args.count && p.n != UINT64_MAX)
        return complain(USAGE, "--n is not for files");
    if (!args.count && (FILES_GIVEN(&p.f) || p.index_path || p.plan_path))
        return complain(
            USAGE, "-o, --memory, --tmpdir, --text, --index and --plan are for files: which one?");
    p.m.name = "permute";
    p.m.what = p.gather ? ", gathered" : "";
    status = args.count ? of_file(&p, args.word[0]) : made(&p);
    on_close(&p.on);
    move_free(&p.m);
    free(p.index);
    return status;
}
