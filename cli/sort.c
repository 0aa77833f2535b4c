/* sort.c - the commands sort and argsort. */
#include "sort.h"

#include "cli.h"

static const char *const pair_sizes[] = {"0", "1", "2", "4", "8", "16", NULL};

static int help(const struct sort_request *r, const struct option *table)
{
    const char *const name = r->argsort ? "argsort" : "sort";

    printf("usage: clearway %s --n N [--type T] [--input KIND] [OPTION...]\n\n"
           "Makes N keys, %s, checks the result and prints how\n"
           "fast that was; on a GPU also as a share of a copy's speed.\n\n",
           name, r->argsort ? "finds the order that sorts them" : "sorts them");
    options_print(table);
    return DONE;
}

unsigned sort_flags(const struct sort_request *r)
{
    return (r->descending ? CW_DESCENDING : 0u) | (r->stable ? CW_STABLE : 0u) |
           (r->conflict_free ? CW_CONFLICT_FREE : 0u);
}

static int command(int argsort, int argc, char **argv)
{
    struct sort_request r = {.argsort = argsort, .data = DATA_NONE, .on = ON_AUTO};
    struct arguments args;
    const struct option table[] = {
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
    if (args.count)
        return complain(USAGE, "%s takes no argument, got '%s'", argv[0], args.word[0]);
    if (argsort && r.pairs)
        return complain(USAGE, "--pairs is for sort: an argsort gives places, not pairs");
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
