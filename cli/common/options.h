/* options.h - a command's options as a table: parsed by it, and listed by it as help.
 *
 * Values follow as "-w 32", "-w32", "-w=32", "--seed 7" or "--seed=7"; "--" ends the
 * options; arguments and options may come in any order; the last of two wins.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdint.h>

enum option_kind {
    OPTION_FLAG,   /* target: int, set to 1 */
    OPTION_NUMBER, /* target: uint64_t, between min and max */
    OPTION_SIZE,   /* the same, as size.c reads it */
    OPTION_WORD,   /* target: int, the place of the value in `words` */
    OPTION_TEXT,   /* target: const char * */
    OPTION_EACH    /* target: struct texts; given again, it has another one */
};

struct texts {
    const char **at;
    uint32_t count, room;
};

struct option {
    char letter;      /* 0: none */
    const char *name; /* NULL: only a letter; no name and no letter: end of the table */
    const char *value;
    const char *help;
    enum option_kind kind;
    void *target;
    uint64_t min, max;
    const char *const *words;
};

/* Rows of a table. */
#define FLAG(name, target, help)                             \
    {                                                        \
        0, name, NULL, help, OPTION_FLAG, target, 0, 0, NULL \
    }
#define NUMBER(letter, name, value, min, max, target, help)              \
    {                                                                    \
        letter, name, value, help, OPTION_NUMBER, target, min, max, NULL \
    }
#define SIZE(name, value, min, max, target, help)                 \
    {                                                             \
        0, name, value, help, OPTION_SIZE, target, min, max, NULL \
    }
#define WORD(name, value, words, target, help)                 \
    {                                                          \
        0, name, value, help, OPTION_WORD, target, 0, 0, words \
    }
#define OUTPUT(value, target, help)                                 \
    {                                                               \
        'o', "output", value, help, OPTION_TEXT, target, 0, 0, NULL \
    }
#define TEXT(name, value, target, help)                       \
    {                                                         \
        0, name, value, help, OPTION_TEXT, target, 0, 0, NULL \
    }
#define EACH(letter, name, value, target, help)                    \
    {                                                              \
        letter, name, value, help, OPTION_EACH, target, 0, 0, NULL \
    }
#define OPTIONS_END FLAG(NULL, NULL, NULL)

#define OPTIONS_ARGUMENTS 4

struct arguments {
    const char *word[OPTIONS_ARGUMENTS]; /* what is no option */
    int count;
    int help; /* --help or -h was among the options: nothing after it was looked at */
};

/* 0, or USAGE after a complaint. */
int options_parse(const struct option *table, int argc, char **argv, struct arguments *out);

/* From now on tables are shown to `look` instead of being parsed, and options_parse returns USAGE;
 * NULL: no longer. */
void options_watch(void (*look)(const struct option *table, void *user), void *user);

void options_print(const struct option *table);

/* Text to a whole number between min and max, in any form that read_size takes: 0, or USAGE after a
 * complaint about `what`. */
int parse_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* size.c: the same, where people think of sizes and the complaint names examples. */
int parse_size(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* size.c: 1 if text is a whole number: "1000", "1_000_000", "1e6", "2^28", "512M", "1GB".
 * *over: it does not fit in 64 bits. */
int read_size(const char *text, uint64_t *out, int *over);

/* size.c: a minus sign, then digits. */
int is_negative(const char *text);

/* size.c: complains that `what` is not between min and max; returns USAGE. */
int out_of_range(const char *what, const char *text, uint64_t min, uint64_t max);

#endif
