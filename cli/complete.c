/* complete.c - what a shell may offer for the word at hand: clearway --complete WORD...
 *
 * The words are those after "clearway", the last is the one to complete.  One candidate a line, behind it
 * a tab and what it means, where that is known; none means a file, or something that only its writer
 * knows.  Options come from the tables that parse them: a command is started, and its table is looked at
 * where it would be parsed.  A value may be asked for as --type "" or as --type=, where candidates have
 * the option in front; bash hands in --type, = and the value as three words.
 */
#include <string.h>

#include "cli.h"
#include "backend/emulated/queue.h"
#include "cli/common/options.h"
#include "inputs/data.h"
#include "paper/inputs.h"
#include "tuning/gpu.h"

struct asked {
    const char *before; /* the option that the last word may be a value of; else NULL */
    size_t length;      /* of that option */
    int joined;         /* the last word holds both: --type=f */
    const char *last;
    int options;  /* print those */
    int is_value; /* the last word belongs to the option before it */
};

static int is_this(const struct option *o, const struct asked *a)
{
    if (a->before[1] == '-')
        return o->name && strlen(o->name) == a->length - 2 &&
               !strncmp(o->name, a->before + 2, a->length - 2);
    return o->letter && o->letter == a->before[1] && a->length == 2;
}

static const char *prefix = "";
static int prefix_length;

static void offer(const char *word, const char *meaning)
{
    printf(meaning && *meaning ? "%.*s%s\t%s\n" : "%.*s%s\n", prefix_length, prefix, word, meaning);
}

static void offer_all(const char *const *words)
{
    for (; *words; words++)
        offer(*words, NULL);
}

static int named(const struct option *o, const char *name)
{
    return o->kind == OPTION_TEXT && o->name && !strcmp(o->name, name);
}

static void offer_values(const struct option *o)
{
    if (o->kind == OPTION_WORD)
        offer_all(o->words);
    if (named(o, "kernel") && strstr(o->help, "all"))
        offer("all", "all kernels");
    for (int k = 0; named(o, "kernel") && k < CW_KERNEL_COUNT; k++)
        offer(cw_kernel_name((enum cw_kernel)k), NULL);
    for (size_t k = 0; named(o, "as") && cw_gpu_at(k); k++) {
        enum cw_shapes shapes;

        if (!cw_shapes_of(cw_gpu_at(k), &shapes))
            offer(cw_gpu_at(k)->name, NULL);
    }
    if (named(o, "input")) { /* of the model */
        offer_all(cw_input_names(CW_SORT));
        offer_all(cw_input_names(CW_PERMUTE));
    }
}

static void look(const struct option *table, void *user)
{
    struct asked *const a = (struct asked *)user;

    for (const struct option *o = table; o->name || o->letter; o++) {
        if (a->before && is_this(o, a) && o->kind != OPTION_FLAG) {
            a->is_value = 1;
            prefix = a->joined ? a->last : "";
            prefix_length = a->joined ? (int)a->length + 1 : 0;
            offer_values(o);
            prefix = "";
            return;
        }
    }
    for (const struct option *o = table; a->options && (o->name || o->letter); o++) {
        if (!*o->help) /* not for people */
            continue;
        if (o->name)
            printf("--%s\t%s\n", o->name, o->help);
        if (o->letter)
            printf("-%c\t%s\n", o->letter, o->help);
    }
    if (a->options)
        offer("--help", "what the command does, and its options");
}

static void offer_commands(const struct command *commands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        offer(commands[i].name, commands[i].summary);
    offer("help", "this list, or the options of a command");
    offer("version", "print the version");
    puts("--help\n--version");
}

static void offer_algorithms(void)
{
    offer("list", "what each algorithm is");
    for (uint32_t x = 0; x < cw_algorithm_count; x++)
        offer(cw_algorithms[x]->name, cw_algorithms[x]->summary);
}

/* Is the one word there that model and generate take? */
static int word_given(int argc, char **argv)
{
    const int generate = !strcmp(argv[0], "generate"), model = !strcmp(argv[0], "model");
    int given = 0;

    for (int k = 1; k < argc - 1; k++) {
        for (const char *const *name = cw_data_names; generate && *name; name++)
            given |= !strcmp(argv[k], *name);
        for (uint32_t x = 0; model && x < cw_algorithm_count; x++)
            given |= !strcmp(argv[k], cw_algorithms[x]->name);
    }
    return given;
}

/* Which option the last word may be a value of. */
static void look_before(struct asked *a, int argc, char **argv)
{
    const char *before = argc > 2 ? argv[argc - 2] : "";

    a->joined = a->last[0] == '-' && a->last[1] == '-' && strchr(a->last, '=') != NULL;
    if (a->joined)
        before = a->last;
    else if (argc > 2 && !strcmp(a->last, "="))
        a->options = 0;
    else if (argc > 3 && !strcmp(before, "="))
        before = argv[argc - 3];
    if (before[0] == '-' && before[1]) {
        a->before = before;
        a->length = strcspn(before, "=");
    }
}

int complete(const struct command *commands, size_t count, int argc, char **argv)
{
    struct asked a = {.last = argc ? argv[argc - 1] : ""};
    char *words[] = {argc ? argv[0] : NULL, NULL};

    a.options = a.last[0] == '-';
    look_before(&a, argc, argv);
    if (argc < 2 || (argc == 2 && !strcmp(argv[0], "help"))) {
        offer_commands(commands, count);
        return DONE;
    }
    if (word_given(argc, argv)) /* options are what may follow */
        a.options = 1;
    options_watch(look, &a);
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(commands[i].name, argv[0]))
            (void)commands[i].run(1, words);
    }
    options_watch(NULL, NULL);
    if (a.options && !strcmp(argv[0], "version"))
        offer("--json", "print JSON");
    if (a.options || a.is_value)
        return DONE;
    if (!strcmp(argv[0], "model"))
        offer_algorithms();
    if (!strcmp(argv[0], "generate"))
        offer_all(cw_data_names);
    return DONE;
}
