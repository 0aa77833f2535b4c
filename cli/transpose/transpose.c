/* transpose.c - the command transpose: the matrix in a file, or one that is made, to see how
 * fast. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/permute/move.h"

struct transpose {
    struct move m;
    struct files f;
    struct on on;
    uint64_t rows, columns, bytes, seed;
    int type, in_place, time, json;
    cw_transpose_job job;
    void *workspace;
};

static int help(const struct option *table)
{
    printf("usage: clearway transpose FILE -o FILE [OPTION...]\n"
           "       clearway transpose --rows R --columns C [--bytes B] [OPTION...]\n\n");
    print_wrapped("Transposes the matrix of FILE: a .npy of two dimensions, or raw items of type T "
                  "with --rows and --columns.",
                  0, 0);
    print_wrapped("Without a file, makes a matrix of R x C elements of B bytes, transposes it, "
                  "checks the result and prints how fast that was; on a GPU also as a share of a "
                  "copy's speed.",
                  0, 0);
    printf("\n");
    options_print(table);
    return DONE;
}

static cw_status work(struct on *o, void *arg)
{
    const struct transpose *const t = (const struct transpose *)arg;

    return cw_transpose(o->context, &t->job, t->workspace, t->m.workspace, NULL);
}

static int run(struct transpose *t)
{
    const size_t all = (size_t)t->m.n * t->m.bytes;
    void *in = NULL, *out = NULL;
    int status = on_copy(&t->on, t->m.in, all, &in);

    if (!status && !t->in_place)
        status = on_alloc(&t->on, all, &out);
    t->job = (cw_transpose_job){.rows = (size_t)t->rows,
                                .columns = (size_t)t->columns,
                                .bytes = t->m.bytes,
                                .in = in,
                                .out = t->in_place ? in : out};
    if (!status)
        status = on_failed(cw_transpose_workspace(&t->job, &t->m.workspace));
    if (!status)
        status = on_alloc(&t->on, t->m.workspace, &t->workspace);
    if (!status)
        status = on_time(&t->on, t->time && !t->in_place, work, t, all, &t->m.timing);
    return status ? status : on_read(&t->on, t->m.out, t->job.out, all);
}

static void check(struct transpose *t)
{
    const unsigned char *const in = (const unsigned char *)t->m.in;
    const unsigned char *const out = (const unsigned char *)t->m.out;
    const size_t bytes = t->m.bytes;

    for (uint64_t i = 0; i < t->rows && !t->m.wrong; i++) {
        for (uint64_t j = 0; j < t->columns && !t->m.wrong; j++)
            t->m.wrong = memcmp(in + (i * t->columns + j) * bytes, out + (j * t->rows + i) * bytes,
                                bytes) != 0;
    }
}

static int of_file(struct transpose *t, const char *path)
{
    struct cw_npy head;
    int status;

    if (!t->f.out_path)
        return complain(USAGE,
                        "-o is missing: the file that the result goes to, - for standard output");
    t->f.in_path = path;
    status = files_open(&t->f, t->type);
    if (status)
        return status;
    head = t->f.in.head;
    if (head.dims == 2 &&
        ((t->rows && t->rows != head.rows) || (t->columns && t->columns != head.length)))
        status = complain(USAGE,
                          "%s is %" PRIu64 " x %" PRIu64
                          ", not what --rows and --columns say: leave them out",
                          t->f.in.path, head.rows, head.length);
    if (head.dims == 2) {
        t->rows = head.rows;
        t->columns = head.length;
    }
    t->m.n = head.rows * head.length;
    t->m.bytes = cw_type_bytes(head.type);
    if (!status && (!t->rows != !t->columns || (t->m.n && !t->rows)))
        status = complain(USAGE,
                          "%s: --rows and --columns are missing: how do its %" PRIu64 " items lie?",
                          t->f.in.path, t->m.n);
    else if (!status &&
             (t->columns ? t->rows != t->m.n / t->columns || t->m.n % t->columns : t->m.n > 0))
        status = complain(USAGE, "%s: %" PRIu64 " items are not %" PRIu64 " x %" PRIu64,
                          t->f.in.path, t->m.n, t->rows, t->columns);
    head.dims = 2;
    head.rows = t->columns;
    head.length = t->rows;
    if (!status)
        status = move_read(&t->m, &t->f, &head);
    if (!status)
        status = on_open(&t->on);
    if (!status && t->m.n)
        status = run(t);
    if (!status)
        check(t);
    return move_to_file(&t->m, &t->f, &(struct told){.time = t->time, .json = t->json}, status);
}

static void tell_more(struct json *j, const void *arg)
{
    const struct transpose *const t = (const struct transpose *)arg;

    json_number(j, "rows", t->rows);
    json_number(j, "columns", t->columns);
    json_bool(j, "in_place", t->in_place);
    json_number(j, "seed", t->seed);
}

static int made(struct transpose *t)
{
    int status;

    if (!t->rows || !t->columns)
        return complain(USAGE,
                        "which matrix?  Give a file, or --rows and --columns for a generated one");
    if (t->rows > DATA_MOST / t->columns)
        return complain(USAGE, "%" PRIu64 " x %" PRIu64 ": too large", t->rows, t->columns);
    t->m.n = t->rows * t->columns;
    t->m.bytes = (size_t)t->bytes;
    status = move_make(&t->m, t->seed);
    if (!status)
        status = on_open(&t->on);
    if (!status)
        status = run(t);
    if (status)
        return status;
    check(t);
    return move_report(&t->m, &t->on, t->json ? tell_more : NULL, t);
}

int command_transpose(int argc, char **argv)
{
    struct transpose t = {.f = FILES_NONE, .on = ON_AUTO, .bytes = 4, .seed = 1, .type = -1};
    struct arguments args;
    const struct option table[] = {
        FILES_OPTIONS(&t.f),
        WORD("type", "T", type_names, &t.type, "type of a raw file's items"),
        SIZE("rows", "R", 1, DATA_MOST, &t.rows, "rows of a raw file, or of a generated matrix"),
        SIZE("columns", "C", 1, DATA_MOST, &t.columns, "columns of it"),
        NUMBER(0, "bytes", "B", 1, 16, &t.bytes,
               "bytes of a generated element, 1 to 16; default 4"),
        FLAG("in-place", &t.in_place, "transpose without a second matrix in memory"),
        NUMBER(0, "seed", "S", 0, UINT64_MAX, &t.seed, "seed of everything random (default 1)"),
        ON_OPTIONS(&t.on),
        FLAG("time", &t.time,
             "print the median time of several runs, after a warm-up; in place: one run"),
        FLAG("json", &t.json, "print JSON"),
        OPTIONS_END};
    int status;

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count > 1)
        return complain(USAGE, "one file, got '%s' too: -o FILE says where the result goes",
                        args.word[1]);
    if (!args.count && FILES_GIVEN(&t.f))
        return complain(USAGE, "-o, --memory and --tmpdir are for files: which one?");
    t.m.name = "transpose";
    t.m.what = t.in_place ? ", in place" : "";
    status = args.count ? of_file(&t, args.word[0]) : made(&t);
    on_close(&t.on);
    move_free(&t.m);
    return status;
}
