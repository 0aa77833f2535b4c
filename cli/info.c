/* info.c - what was built. */
#include "cli.h"
#include "clearway.h"
#include "options.h"
#include "paper/paper.h"

int command_info(int argc, char **argv)
{
    int json = 0;
    struct arguments args;
    const struct option table[] = {FLAG("json", &json, "print JSON"), OPTIONS_END};
#if defined(CW_HAVE_CUDA)
    const int cuda = 1;
#else
    const int cuda = 0;
#endif
#if defined(__clang__)
    const char *const compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    const char *const compiler = "gcc " __VERSION__;
#else
    const char *const compiler = "unknown";
#endif
#if defined(__x86_64__) || defined(__aarch64__) /* as machine/lanes.c decides */
    const char *const lanes = "assembly";
#else
    const char *const lanes = "ucontext";
#endif

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help) {
        printf("usage: clearway info [--json]\n\nWhat this tool was built with.\n\n");
        options_print(table);
        return DONE;
    }
    if (args.count)
        return complain(USAGE, "info takes no argument, got '%s'", args.word[0]);
    if (json) {
        struct json j = {stdout, 0};

        json_open(&j, NULL, '{');
        json_text(&j, "version", cw_version());
        json_text(&j, "compiler", compiler);
        json_bool(&j, "cuda", cuda);
        json_text(&j, "lanes", lanes);
        json_number(&j, "algorithms", cw_algorithm_count);
        json_close(&j, '}');
        printf("\n");
        return DONE;
    }
    printf("version     %s\n", cw_version());
    printf("compiler    %s\n", compiler);
    printf("CUDA        %s\n", cuda ? "yes" : "no");
    printf("lanes       %s\n", lanes);
    printf("algorithms  %u on the model ('clearway model list')\n", (unsigned)cw_algorithm_count);
    return DONE;
}
