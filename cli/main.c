/* main.c - the tool's door: finds the command, and sees that its output arrived. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clearway.h"
#include "cli.h"
#include "cli/common/signals.h"
#include "cli/mpi/under_mpi.h"

static const struct command commands[] = {
    {"sort", "sort the array in a file, or time a sort of generated data", command_sort},
    {"argsort", "write the indices that would sort an array", command_argsort},
    {"partition", "split the items of a file, or generated ones, into buckets", command_partition},
    {"generate", "write generated data to a file: random, sorted, adversarial, ..",
     command_generate},
    {"check", "check that a file is sorted, or a permutation of another", command_check},
    {"plan", "prepare a permutation once, to execute it many times", command_plan},
    {"permute", "move the elements of a file to where an index says", command_permute},
    {"transpose", "transpose the matrix in a file", command_transpose},
    {"model", "run one of the paper's algorithms on the model and count its steps", command_model},
    {"compare", "compare all sorting algorithms on one shape, as a table", command_compare},
    {"verify", "run every kernel on the emulator, certify the conflict-free ones", command_verify},
    {"conflicts", "find the bank conflicts of your own kernel, and a fix", command_conflicts},
    {"view", "make a page that plays recorded runs, or shows kernels' accesses", command_view},
    {"gallery", "write a folder of pages: ten runs, and the calculator", command_gallery},
    {"info", "show what was built, the GPU and its driver, limits", command_info},
};

#define COMMANDS (sizeof commands / sizeof *commands)

static int help(void)
{
    printf("clearway " CW_VERSION " - sort, partition and permute on GPUs; count bank conflicts\n\n"
           "usage: clearway COMMAND [OPTION...]\n\ncommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    printf("  %-10s %s\n", "help", "this list, or the options of a command");
    printf("  %-10s %s\n", "version", "print the version");
    printf("\n'clearway COMMAND --help' lists a command's options, 'clearway --version'\n"
           "prints the version.  Exit status: 0 done and verified, 1 the run failed,\n"
           "2 the request was wrong (usage, shape or file).\n");
    return DONE;
}

static int unknown(const char *name)
{
    const char *names[COMMANDS + 3] = {"help"};
    const char *close;

    for (size_t i = 0; i < COMMANDS; i++)
        names[i + 1] = commands[i].name;
    names[COMMANDS + 1] = "version";
    close = nearest(name, names);
    if (close)
        return complain(USAGE, "unknown command '%s': did you mean %s?", name, close);
    return complain(USAGE, "unknown command '%s': 'clearway --help' lists them", name);
}

static int run(const char *name, int argc, char **argv)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!strcmp(commands[i].name, name))
            return commands[i].run(argc, argv);
    }
    return unknown(name);
}

static int asks_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
}

static int version_help(void)
{
    printf("usage: clearway version [--json]\n\nPrints the version; so do --version, -V and -v.\n");
    return DONE;
}

static int help_on(char *name)
{
    char option[] = "--help";
    char *words[] = {name, option, NULL};

    if (!strcmp(name, "version"))
        return version_help();
    if (asks_help(name))
        return help();
    return run(name, 2, words);
}

static int version(int argc, char **argv)
{
    if (argc && asks_help(argv[0]))
        return version_help();
    if (argc == 1 && !strcmp(argv[0], "--json")) {
        printf("{\"version\": \"%s\"}\n", cw_version());
        return DONE;
    }
    if (argc)
        return complain(USAGE, "version takes nothing but --json, got '%s'", argv[0]);
    printf("clearway %s\n", cw_version());
    return DONE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        return complain(USAGE, "no command given: 'clearway --help' lists them");
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") || !strcmp(argv[1], "-v") ||
        !strcmp(argv[1], "version"))
        return version(argc - 2, argv + 2);
    if (!strcmp(argv[1], "--complete"))
        return complete(commands, COMMANDS, argc - 2, argv + 2);
    if (asks_help(argv[1]))
        return argc > 3   ? complain(USAGE, "help takes one command, got '%s' too", argv[3])
               : argc > 2 ? help_on(argv[2])
                          : help();
    if (argv[1][0] == '-')
        return complain(USAGE,
                        "unknown option '%s': a command comes first, 'clearway --help' lists them",
                        argv[1]);
    return run(argv[1], argc - 1, argv + 1);
}

/* Arrays in files are sorted by all ranks together. */
static int for_ranks(int argc, char **argv)
{
    return argc > 1 && (!strcmp(argv[1], "sort") || !strcmp(argv[1], "argsort")) && under_mpi() > 1;
}

int main(int argc, char **argv)
{
    int status;

    if (for_ranks(argc, argv))
        return become_a_rank(argv);
    signals_watch();
    status = dispatch(argc, argv);
    signals_end();
    errno = 0;
    if ((fflush(stdout) || ferror(stdout)) && status == DONE)
        status = complain(FAILED, "cannot write the output: %s",
                          errno ? strerror(errno) : "an earlier write failed");
    return status;
}
