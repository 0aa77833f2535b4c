/* sort.c - the commands sort and argsort. */
#include "sort.h"

#include "cli/cli.h"

static const char *const pair_sizes[] = {"0", "1", "2", "4", "8", "16", NULL};

static int help(const struct sort_request *r, const struct option *table)
{
    const char *const name = r->argsort ? "argsort" : "sort";

    printf("usage: clearway %s FILE -o FILE [--type T] [OPTION...]\n"
           "       clearway %s --n N [--type T] [--input KIND] [OPTION...]\n\n",
           name, name);
    print_wrapped(r->argsort
                      ? "Writes the indices that would sort FILE, as i64: for each key of the "
                        "sorted array, its place in FILE."
                      : "Sorts the keys of FILE.",
                  0, 0);
    print_wrapped("FILE is a .npy file, or a raw file of items of type T.  If it has two "
                  "dimensions, each row is sorted by itself.  '-' is standard input, and with -o "
                  "standard output.",
                  0, 0);
    if (!r->argsort)
        print_wrapped(
            "With --values, the items of other files move with the keys: item i with key i.  If "
            "such a file has two dimensions, its rows move whole; if FILE has two as well, items "
            "move within their rows.",
            0, 0);
    print_wrapped("A .npy file of records is sorted by one field or several: --by year,price. "
                  "These fields are numbers, bool or times.",
                  0, 0);
    print_wrapped(
        "Without a file, generates N keys, does the same with them, checks the result and prints "
        "the speed; on a GPU also as a share of a copy's.",
        0, 0);
    printf("\n");
    options_print(table);
    return DONE;
}

unsigned sort_flags(const struct sort_request *r)
{
    return (r->descending ? CW_DESCENDING : 0u) | (r->stable ? CW_STABLE : 0u) |
           (r->conflict_free ? CW_CONFLICT_FREE : 0u) | order_flags[r->order];
}

static int of_file(struct sort_request *r, struct files *f, const char *path)
{
    const struct data none = DATA_NONE;

    if (!f->out_path)
        return complain(USAGE,
                        "-o is missing: the file that the result goes to, - for standard output");
    if (r->data.n != none.n || r->data.input != none.input || r->data.seed != none.seed)
        return complain(USAGE, "--n, --input and --seed make data, but there is the file %s", path);
    if (r->pairs)
        return complain(USAGE, "--pairs is not for files");
    if (r->values.count > r->values_out.count)
        return complain(
            USAGE,
            "--values %s has no --values-output FILE, which says where its items go: one for each",
            r->values.at[r->values_out.count]);
    if (r->values.count < r->values_out.count)
        return complain(
            USAGE,
            "--values-output %s has no --values FILE, whose items would go there: one for each",
            r->values_out.at[r->values.count]);
    f->in_path = path;
    return r->values.count || r->by ? sort_moved(r, f) : sort_file(r, f);
}

static int command(int argsort, int argc, char **argv)
{
    const char *values[FILES_SIDES], *values_out[FILES_SIDES];
    struct sort_request r = {.argsort = argsort,
                             .data = DATA_NONE,
                             .on = ON_AUTO,
                             .values = {values, 0, FILES_SIDES},
                             .values_out = {values_out, 0, FILES_SIDES}};
    struct files f = FILES_NONE;
    struct arguments args;
    const struct option table[] = {
        FILES_OPTIONS(&f),
        EACH(0, "values", "FILE", &r.values,
             argsort
                 ? ""
                 : "a .npy, or --text, whose items move with the keys; may be given several times"),
        EACH(0, "values-output", "FILE", &r.values_out,
             argsort ? "" : "where to write them: one for each --values"),
        TEXT("by", "FIELDS", &r.by,
             "records: the field to sort by, or several, separated by commas"),
        DATA_OPTIONS(&r.data),
        WORD("pairs", "BYTES", pair_sizes, &r.pairs,
             argsort ? "" : "give each generated key a value of 1, 2, 4, 8 or 16 bytes"),
        FLAG("stable", &r.stable, "equal keys keep their order"),
        FLAG("descending", &r.descending, "largest first"),
        ORDER_OPTION(&r.order),
        FLAG("conflict-free", &r.conflict_free, "use only kernels without bank conflicts"),
        ON_OPTIONS(&r.on),
        FLAG("time", &r.time, "print the median time of several runs, after a warm-up"),
        FLAG("json", &r.json, "print JSON"),
        OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(&r, table);
    if (args.count > 1)
        return complain(USAGE, "one file, got '%s' too: -o FILE says where the result goes",
                        args.word[1]);
    if (argsort && (r.values.count || r.values_out.count))
        return complain(USAGE,
                        "--values is for sort: an argsort gives places; permute moves by them");
    if (argsort && r.pairs)
        return complain(USAGE, "--pairs is for sort: an argsort gives places, not pairs");
    if (args.count)
        return of_file(&r, &f, args.word[0]);
    if (FILES_GIVEN(&f) || r.values.count || r.values_out.count || r.by)
        return complain(USAGE, "%s for files: which one?",
                        r.by             ? "--by is"
                        : r.values.count ? "--values is"
                                         : "-o, --memory, --tmpdir and --text are");
    if (r.data.n == UINT64_MAX)
        return complain(
            USAGE, "which keys?  Give a file, or --n N for generated ones; - is standard input");
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
