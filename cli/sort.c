/* sort.c - the commands sort and argsort. */
#include "sort.h"

#include "cli.h"

static const char *const pair_sizes[] = {"0", "1", "2", "4", "8", "16", NULL};

static int help(const struct sort_request *r, const struct option *table)
{
    const char *const name = r->argsort ? "argsort" : "sort";

    printf("usage: clearway %s FILE -o FILE [--type T] [OPTION...]\n"
           "       clearway %s --n N [--type T] [--input KIND] [OPTION...]\n\n",
           name, name);
    print_wrapped(r->argsort ? "Writes the places (i64) that the keys of FILE, sorted, come from."
                             : "Sorts the keys of FILE.",
                  0, 0);
    print_wrapped(
        "FILE is a .npy of one dimension, or of two, whose rows are sorted each by itself, "
        "or raw items of type T; '-' is standard input, and with -o standard output.",
        0, 0);
    print_wrapped("Without a file, makes N keys, does the same with them, checks the result and "
                  "prints how fast that was; on a GPU also as a share of a copy's speed.",
                  0, 0);
    printf("\n");
    options_print(table);
    return DONE;
}

unsigned sort_flags(const struct sort_request *r)
{
    return (r->descending ? CW_DESCENDING : 0u) | (r->stable ? CW_STABLE : 0u) |
           (r->conflict_free ? CW_CONFLICT_FREE : 0u);
}

static int of_file(struct sort_request *r, struct files *f, const char *path)
{
    const struct data none = DATA_NONE;

    if (!f->out_path)
        return complain(USAGE, "-o is missing: the file that the result goes to");
    if (r->data.n != none.n || r->data.input != none.input || r->data.seed != none.seed)
        return complain(USAGE, "--n, --input and --seed make data, but there is the file %s", path);
    if (r->pairs)
        return complain(USAGE, "--pairs is not for files");
    f->in_path = path;
    return sort_file(r, f);
}

static int command(int argsort, int argc, char **argv)
{
    struct sort_request r = {.argsort = argsort, .data = DATA_NONE, .on = ON_AUTO};
    struct files f = FILES_NONE;
    struct arguments args;
    const struct option table[] = {
        FILES_OPTIONS(&f),
        DATA_OPTIONS(&r.data),
        WORD("pairs", "BYTES", pair_sizes, &r.pairs,
             "values of 1, 2, 4, 8 or 16 bytes move with the keys"),
        FLAG("stable", &r.stable, "equal keys keep their order"),
        FLAG("descending", &r.descending, "largest first; NaNs are last all the same"),
        FLAG("conflict-free", &r.conflict_free, "only kernels that never ask a bank twice"),
        ON_OPTIONS(&r.on),
        FLAG("time", &r.time, "the median of several runs, after a warm-up"),
        FLAG("json", &r.json, "print JSON"),
        OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(&r, table);
    if (args.count > 1)
        return complain(USAGE, "one file, got '%s' too", args.word[1]);
    if (argsort && r.pairs)
        return complain(USAGE, "--pairs is for sort: an argsort gives places, not pairs");
    if (args.count)
        return of_file(&r, &f, args.word[0]);
    if (FILES_GIVEN(&f))
        return complain(USAGE, "-o, --memory and --tmpdir are for files: which one?");
    if (r.data.n == UINT64_MAX)
        return complain(USAGE, "a file, or --n: which keys?");
    if (r.data.type < 0)
        r.data.type = CW_U32;
    return sort_made(&r);
}

int command_sort(int argc, char **argv)
{
    return command(0, argc, argv);
}

int command_argsort(int argc, char **argv)
{
    return command(1, argc, argv);
}
