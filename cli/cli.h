/* cli.h - what all commands of the tool share.
 *
 * A command parses its options (options.h), works, prints to stdout and returns
 * an exit status.  Whatever goes wrong is told in one line on stderr.
 */
#ifndef CLI_H
#define CLI_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { DONE = 0, FAILED = 1, USAGE = 2 }; /* exit: fine; the run failed; asked for wrongly */

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
};

int command_model(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_sort(int argc, char **argv);
int command_argsort(int argc, char **argv);
int command_partition(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_check(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_permute(int argc, char **argv);
int command_transpose(int argc, char **argv);
int command_conflicts(int argc, char **argv);
int command_view(int argc, char **argv);
int command_gallery(int argc, char **argv);
int command_info(int argc, char **argv);

/* complete.c: `clearway --complete WORD...`, for shells. */
int complete(const struct command *commands, size_t count, int argc, char **argv);

/* "clearway: ..." on stderr, in one line whatever the arguments hold; returns `status`,
 * so that a command can say: return complain(USAGE, "no such thing"). */
int complain(int status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The name of the list that `text` may be a slip of, or the beginning of; NULL if none comes close. */
const char *nearest(const char *text, const char *const *names);

/* The name of the list that other tools call `text`: f32, for float32; NULL if there is none. */
const char *usual(const char *text, const char *const *names);

/* Print text in lines of at most 80 columns, each after the first indented;
 * `column` is where the cursor stands. */
void print_wrapped(const char *text, int column, int indent);

/* ---- json.c: just enough to write one value after another ----------------- */

struct json {
    FILE *out;
    int some; /* the object or list at hand has a member already */
};

void json_open(struct json *j, const char *key, char bracket); /* '{' or '[' */
void json_close(struct json *j, char bracket);
void json_text(struct json *j, const char *key, const char *text); /* NULL: null */
void json_number(struct json *j, const char *key, uint64_t x);
void json_real(struct json *j, const char *key, double x); /* not finite: null */
void json_bool(struct json *j, const char *key, int x);

#endif
