#include "options.h"

#include <string.h>

#include "cli/cli.h"

int parse_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    uint64_t x;
    int over;

    if (!read_size(text, &x, &over) && !is_negative(text))
        return complain(USAGE, "%s: '%s' is not a whole number", what, text);
    if (over || is_negative(text) || x < min || x > max)
        return out_of_range(what, text, min, max);
    *out = x;
    return DONE;
}

/* ---- one option ----------------------------------------------------------- */

static int last(const struct option *o)
{
    return !o->name && !o->letter;
}

/* The option as people write it. */
static const char *spelled(const struct option *o, char *buffer, size_t size)
{
    if (o->letter)
        snprintf(buffer, size, "-%c", o->letter);
    else
        snprintf(buffer, size, "--%s", o->name);
    return buffer;
}

static int take_word(const struct option *o, const char *what, const char *value)
{
    const char *const same = usual(value, o->words);
    const char *close;
    char all[256] = "";

    for (int i = 0; o->words[i]; i++) {
        if (!strcmp(o->words[i], same ? same : value)) {
            *(int *)o->target = i;
            return DONE;
        }
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", o->words[i]);
    }
    close = nearest(value, o->words);
    return complain(USAGE, "%s: '%s' is none of %s%s%s%s", what, value, all,
                    close ? ": did you mean " : "", close ? close : "", close ? "?" : "");
}

static int take_another(const char *what, const char *value, struct texts *all)
{
    if (all->count == all->room)
        return complain(USAGE, "%s is there more than %u times", what, all->room);
    all->at[all->count++] = value;
    return DONE;
}

static int take(const struct option *o, const char *value)
{
    char buffer[64];
    const char *what = spelled(o, buffer, sizeof buffer);

    switch (o->kind) {
    case OPTION_FLAG:
        *(int *)o->target = 1;
        return DONE;
    case OPTION_NUMBER:
        return parse_number(what, value, o->min, o->max, (uint64_t *)o->target);
    case OPTION_SIZE:
        return parse_size(what, value, o->min, o->max, (uint64_t *)o->target);
    case OPTION_WORD:
        return take_word(o, what, value);
    case OPTION_TEXT:
    case OPTION_EACH:
        break;
    }
    if (!*value)
        return complain(USAGE, "%s: the value is empty", what);
    if (o->kind == OPTION_EACH)
        return take_another(what, value, (struct texts *)o->target);
    *(const char **)o->target = value;
    return DONE;
}

/* ---- finding it ----------------------------------------------------------- */

static int unknown(const struct option *table, const char *command, const char *word)
{
    const char *names[64];
    const char *close;
    char bare[64]; /* without dashes, and without a value */
    int count = 0;

    for (; !last(table) && count < 63; table++) {
        if (table->name)
            names[count++] = table->name;
    }
    names[count] = NULL;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word + 1 + (word[1] == '-'), "="),
             word + 1 + (word[1] == '-'));
    close = word[1] == '-' ? nearest(bare, names) : usual(bare, names);
    if (close && (!strcmp(bare, "gpu") || !strcmp(bare, "cpu")))
        return complain(USAGE, "unknown option '%s': did you mean --%s %s?", word, close, bare);
    if (close)
        return complain(USAGE, "unknown option '%s': did you mean --%s?", word, close);
    return complain(USAGE, "unknown option '%s': 'clearway %s --help' lists them", word, command);
}

/* A name of one letter has one dash or two: -n is --n. */
static char letter_of(const struct option *o)
{
    return o->letter || !o->name || o->name[1] ? o->letter : o->name[0];
}

/* The option that `word` names, and the value that is part of the word, or NULL. */
static const struct option *find(const struct option *table, const char *word, const char **value)
{
    const int is_long = word[1] == '-';
    const size_t length = is_long ? strcspn(word + 2, "=") : 1;

    for (; !last(table); table++) {
        if (is_long && table->name && strlen(table->name) == length &&
            !strncmp(table->name, word + 2, length)) {
            *value = word[2 + length] ? word + 3 + length : NULL;
            return table;
        }
        if (!is_long && letter_of(table) == word[1]) {
            *value = word[2] ? word + 2 + (word[2] == '=') : NULL; /* -o=FILE as -oFILE */
            return table;
        }
    }
    return NULL;
}

/* The option at argv[*i]; moves *i on to the value if that is the next word. */
static int parse_one(const struct option *table, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    const char *value = NULL;
    const struct option *o = find(table, word, &value);
    char what[64];

    if (!o)
        return unknown(table, argv[0], word);
    if (o->kind == OPTION_FLAG) {
        if (value)
            return complain(USAGE, "%s takes no value", spelled(o, what, sizeof what));
        return take(o, NULL);
    }
    if (!value) {
        if (*i + 1 == argc)
            return complain(USAGE, "%s needs a value: %s", spelled(o, what, sizeof what), o->value);
        value = argv[++*i];
    }
    return take(o, value);
}

static void (*watcher)(const struct option *table, void *user);
static void *watcher_user;

void options_watch(void (*look)(const struct option *table, void *user), void *user)
{
    watcher = look;
    watcher_user = user;
}

int options_parse(const struct option *table, int argc, char **argv, struct arguments *out)
{
    int ended = 0;

    memset(out, 0, sizeof *out);
    if (watcher) {
        watcher(table, watcher_user);
        return USAGE;
    }
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];

        if (!ended && !strcmp(word, "--")) {
            ended = 1;
        } else if (!ended && (!strcmp(word, "--help") || !strcmp(word, "-h"))) {
            out->help = 1;
            return DONE;
        } else if (!ended && word[0] == '-' && word[1]) {
            if (parse_one(table, argc, argv, &i))
                return USAGE;
        } else if (out->count == OPTIONS_ARGUMENTS) {
            return complain(USAGE, "too many arguments, beginning with '%s'", word);
        } else {
            out->word[out->count++] = word;
        }
    }
    return DONE;
}

void options_print(const struct option *table)
{
    char left[64];

    for (; !last(table); table++) {
        const char *value = table->value ? table->value : "";

        if (!*table->help) /* not for people */
            continue;

        if (table->name && table->letter)
            snprintf(left, sizeof left, "  -%c, --%s %s", table->letter, table->name, value);
        else if (table->name)
            snprintf(left, sizeof left, "  --%s %s", table->name, value);
        else
            snprintf(left, sizeof left, "  -%c %s", table->letter, value);
        printf("%-22s ", left);
        print_wrapped(table->help, 23, 23);
    }
    printf("%-22s this text\n", "  --help");
}
