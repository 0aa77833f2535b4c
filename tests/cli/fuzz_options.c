/* fuzz_options.c - a libFuzzer target: any words as a command's arguments, numbers and sizes.
 *
 *      clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *          -I. -Iinclude -Isrc -Itests tests/cli/fuzz_options.c cli/common/options.c cli/common/size.c \
 *          cli/common/nearest.c -o fuzz_options
 *      ./fuzz_options -max_len=256 -max_total_time=120 [CORPUS]
 *
 * Zeros end words.  A table with every kind of option takes them: what is refused is refused with one line for people,
 * what is taken is in its bounds.  Every word is read as a number and as a size, too, and held against what
 * arithmetic with 128 bits says.  tests/cli/arguments.sh does the same with the tool itself and its own options.
 */
#include <stdarg.h>

#include "cli/cli.h"
#include "cli/common/options.h"
#include "support/fuzz/input.h"

#define WORDS 40

static unsigned complaints;

int complain(int status, const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    must(vsnprintf(line, sizeof line, format, args) > 0, "no word");
    va_end(args);
    complaints++;
    return status;
}

void print_wrapped(const char *words, int column, int indent)
{
    (void)words;
    (void)column;
    (void)indent;
}

/* ---- numbers -------------------------------------------------------------------------------- */

typedef unsigned __int128 wide;

#define HUGE_SIZE ((wide)1 << 110)

static wide capped(wide x, wide factor)
{
    return factor && x > HUGE_SIZE / factor ? HUGE_SIZE : x * factor;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits with single _ between them, to *x with what it had before; how many digits, -1 if _ is somewhere else. */
static int digits(const char **s, wide *x)
{
    int count = 0;

    for (; is_digit(**s) || **s == '_'; ++*s) {
        if (**s == '_' && (!count || !is_digit((*s)[1])))
            return **s == '_' && !count ? 0 : -1;
        if (**s != '_') {
            *x = capped(*x, 10) + (wide)(**s - '0');
            *x = *x > HUGE_SIZE ? HUGE_SIZE : *x;
            count++;
        }
    }
    return count;
}

/* As the head of size.c says: 0 if that is no size, HUGE_SIZE if none of 64 bits. */
static int size_of(const char *s, wide *out)
{
    static const char *const units[] = {"",    "B", "K",  "KB",  "KiB", "M",  "MB",
                                        "MiB", "G", "GB", "GiB", "T",   "TB", "TiB"};
    wide x = 0, down = 1, e = 0;
    int after = 0, n = digits(&s, &x);

    if (n <= 0)
        return 0;
    if (*s == '.') {
        s++;
        after = digits(&s, &x);
        if (after <= 0 || n + after > 20)
            return after <= 0 ? 0 : -1; /* too fine for HUGE_SIZE: not judged */
        for (int k = 0; k < after; k++)
            down *= 10;
    }
    if (*s == '^' && !after) {
        const wide base = x;

        s++;
        if (digits(&s, &e) <= 0 || *s)
            return 0;
        for (x = 1; e && x < HUGE_SIZE && base > 1; e--)
            x = capped(x, base);
        if (!base)
            x = e == 0;
        *out = base >= (wide)1 << 64 ? HUGE_SIZE : x;
        return 1;
    }
    if (*s == 'e' || *s == 'E') {
        s += s[1] == '+' ? 2 : 1;
        if (digits(&s, &e) <= 0 || *s)
            return 0;
        if (after && e > 12)
            return -1;
        for (; e && x && x < HUGE_SIZE; e--)
            x = capped(x, 10);
    } else {
        size_t k = 0;

        for (; k < sizeof units / sizeof *units; k++) {
            char lower[4] = "";

            snprintf(lower, sizeof lower, "%s", units[k]);
            if (k > 1)
                lower[0] = (char)(lower[0] | 32);
            if (!strcmp(s, units[k]) || (k > 1 && !strcmp(s, lower)) ||
                (lower[1] == 'B' && (s[0] | 32) == lower[0] && !strcmp(s + 1, "b")))
                break;
        }
        if (k == sizeof units / sizeof *units)
            return 0;
        for (size_t p = k < 2 ? 0 : (k - 2) / 3 + 1; p; p--)
            x = capped(x, k >= 2 && (k - 2) % 3 == 1 ? 1000 : 1024);
    }
    if (x < HUGE_SIZE && x % down)
        return 0;
    *out = x < HUGE_SIZE ? x / down : x;
    return 1;
}

/* A number may be written as a size may. */
static void check_number(const char *word, uint64_t min, uint64_t max)
{
    typedef int (*parser)(const char *, const char *, uint64_t, uint64_t, uint64_t *);
    static const parser parse[] = {parse_number, parse_size};
    wide want = 0;
    const int good = size_of(word, &want);

    for (int k = 0; k < 2 && good >= 0; k++) {
        uint64_t got = 7;
        int status;

        complaints = 0;
        status = parse[k]("N", word, min, max, &got);
        must(!status == (good && want >= min && want <= max), "a number or size is judged wrong");
        must(complaints == (status != DONE) && (status ? got == 7 : got == want),
             "a number or size is wrong");
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

static const char *const colours[] = {"red", "green", "blue", NULL};

struct values {
    int flag, colour;
    uint64_t number, size;
    const char *text, *each[3];
    struct texts all;
};

static int parse(int argc, char **argv, struct values *v, struct arguments *a)
{
    const struct option table[] = {
        FLAG("flag", &v->flag, "a flag"),
        NUMBER('w', "width", "N", 1, 64, &v->number, "a number"),
        SIZE("n", "N", 0, 1 << 20, &v->size, "a size"),
        WORD("colour", "C", colours, &v->colour, "a word"),
        OUTPUT("FILE", &v->text, "a text"),
        EACH('D', "define", "X", &v->all, "several"),
        OPTIONS_END,
    };

    memset(v, 0, sizeof *v);
    v->number = 1;
    v->all.at = v->each;
    v->all.room = 3;
    complaints = 0;
    return options_parse(table, argc, argv, a);
}

/* Does the text stand in one of the words, up to its end? */
static int of_words(const char *s, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (s >= argv[i] && s <= argv[i] + strlen(argv[i]))
            return 1;
    return 0;
}

static void check_table(int argc, char **argv)
{
    struct values v;
    struct arguments a;
    const int status = parse(argc, argv, &v, &a);

    must(status == DONE || status == USAGE, "another status");
    must(complaints == (status != DONE), "not one line for people");
    must((v.flag | 1) == 1 && v.colour >= 0 && v.colour < 3, "a flag or a word is none");
    must(v.number >= 1 && v.number <= 64 && v.size <= 1 << 20, "a number is out of its bounds");
    must(!v.text || (*v.text && of_words(v.text, argc, argv)), "a text from nowhere");
    must(a.count <= OPTIONS_ARGUMENTS && v.all.count <= v.all.room, "too many");
    for (uint32_t k = 0; k < v.all.count; k++)
        must(*v.each[k] && of_words(v.each[k], argc, argv), "a text from nowhere");
    for (int k = 0; k < a.count; k++)
        must(of_words(a.word[k], argc, argv), "an argument from nowhere");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const words = (char *)array_of(size + 1);
    char *argv[WORDS + 1];
    int argc = 0;

    memcpy(words, data, size);
    words[size] = 0;
    for (size_t at = 0; at <= size && argc < WORDS; at += strlen(words + at) + 1)
        argv[argc++] = words + at;
    argv[argc] = NULL;
    check_table(argc, argv);
    for (int i = 0; i < argc; i++) {
        check_number(argv[i], 0, UINT64_MAX);
        check_number(argv[i], 3, 1000000);
    }
    free(words);
    return 0;
}
