/* input.c - see input.h.
 *
 * A file is text: unsigned whole numbers between white space and commas, '#'
 * begins a comment that lasts to the end of the line; "-" is standard input.
 * Numbers may also stand in the command itself: --input 5,3,9.
 */
#define _POSIX_C_SOURCE 200809L

#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/files/files.h"
#include "paper/inputs.h"

struct source {
    FILE *file;
    const char *name;
    unsigned long line, column; /* of the character that was read last */
    char token[64];
    unsigned long token_line, token_column;
};

static int next_char(struct source *s)
{
    const int c = getc(s->file);

    s->column++;
    return c;
}

static int separates(int c)
{
    return isspace(c) || c == ',' || c == '#' || c == EOF;
}

/* The next token, or 0 at the end of the file; of a long one, its beginning. */
static int next_token(struct source *s)
{
    size_t length = 0;
    int c = next_char(s);

    while (c != EOF && separates(c)) {
        while (c == '#' && (c = next_char(s)) != '\n' && c != EOF)
            c = '#';
        if (c == '\n') {
            s->line++;
            s->column = 0;
        }
        c = c == EOF ? EOF : next_char(s);
    }
    if (c == EOF)
        return 0;
    s->token_line = s->line;
    s->token_column = s->column;
    for (; !separates(c); c = next_char(s)) {
        if (length < sizeof s->token - 1)
            s->token[length++] = (char)(c ? c : '?');
    }
    s->token[length] = 0;
    if (c != EOF) {
        ungetc(c, s->file);
        s->column--;
    }
    return 1;
}

static int parse_word(const struct source *s, cw_word *out)
{
    char *end;

    if (!strncmp(s->token, "\x93NUMPY", 6))
        return complain(USAGE, "%s is a .npy file: the model takes numbers as text", s->name);
    if (s->token[strspn(s->token, "0123456789")])
        return complain(USAGE, "%s:%lu:%lu: '%.40s' is not an unsigned whole number", s->name,
                        s->token_line, s->token_column, s->token);
    errno = 0;
    *out = strtoull(s->token, &end, 10);
    if (errno)
        return complain(USAGE, "%s:%lu:%lu: %.40s does not fit in 64 bits", s->name, s->token_line,
                        s->token_column, s->token);
    return DONE;
}

static int read_words(struct source *s, const struct request *r, cw_word *out)
{
    const uint64_t n = r->n ? r->n : r->w * r->m;
    uint64_t count = 0;

    while (next_token(s)) {
        if (count == n)
            return complain(USAGE,
                            "%s:%lu:%lu: more than the %" PRIu64 " numbers of -w %" PRIu64
                            " -m %" PRIu64,
                            s->name, s->token_line, s->token_column, n, r->w, r->m);
        if (parse_word(s, &out[count++]))
            return USAGE;
    }
    if (ferror(s->file))
        return complain(USAGE, "cannot read %s: %s", s->name, strerror(errno));
    if (count < n)
        return complain(
            USAGE, "%s holds %" PRIu64 " numbers, -w %" PRIu64 " -m %" PRIu64 " needs %" PRIu64,
            s->name, count, r->w, r->m, n);
    return DONE;
}

/* ---- a kind or a file? ----------------------------------------------------- */

static int is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static int no_such_input(const char *name, enum cw_problem problem)
{
    const char *const *names = cw_input_names(problem);
    const char *close = nearest(name, names);
    char all[128] = "";

    if (strchr(name, ','))
        return complain(USAGE, "--input %s: no such file, and no unsigned whole numbers like 5,3,9",
                        name);
    if (close)
        return complain(USAGE, "--input %s: no such kind or file; did you mean %s?", name, close);
    for (; *names; names++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? ", " : "", *names);
    return complain(USAGE, "--input %s: no such file, and no kind of input (%s)", name, all);
}

uint64_t input_numbers(const char *text)
{
    uint64_t count = 0;

    /* What is no unsigned number is refused when it is read, with its place. */
    if (!text || !strpbrk(text, ", ") || !strpbrk(text, "0123456789") ||
        text[strspn(text, "0123456789, -+.")])
        return 0;
    for (const char *at = text + strspn(text, ", "); *at; at += strspn(at, ", ")) {
        at += strcspn(at, ", ");
        count++;
    }
    return count;
}

static FILE *open_source(const char *name)
{
    if (input_numbers(name))
        return fmemopen((void *)(uintptr_t)name, strlen(name), "r");
    return strcmp(name, "-") ? open_text(name) : stdin;
}

static int begin(const char *name, enum cw_problem problem, struct source *out)
{
    *out = (struct source){.name = input_numbers(name) ? "--input"
                                   : strcmp(name, "-") ? name
                                                       : "standard input",
                           .line = 1};
    out->file = open_source(name);
    if (!out->file && errno == ENOENT)
        return no_such_input(name, problem);
    return out->file ? DONE : complain(USAGE, "cannot read %s: %s", name, strerror(errno));
}

/* Standard input becomes a file, so that it can be read twice. */
static int begin_standard(struct source *out)
{
    int fd = -1;

    *out = (struct source){.name = "standard input", .line = 1};
    if (standard_input(NULL, &fd))
        return complain(USAGE, "%s", cw_last_error());
    if (dup2(fd, STDIN_FILENO) >= 0 && lseek(fd, 0, SEEK_SET) == 0)
        out->file = fdopen(fd, "rb");
    if (out->file)
        return DONE;
    (void)close(fd);
    return complain(FAILED, "cannot read standard input: %s", strerror(errno));
}

/* How many numbers are in a file; 0: no file, or a pipe by its name, which is read once. */
static int count_numbers(const struct request *r, enum cw_problem problem, uint64_t *out)
{
    const int standard = r->input && !strcmp(r->input, "-");
    struct source s;
    struct stat st;
    int status;

    if (!r->input || is_one_of(r->input, cw_input_names(problem)))
        return DONE;
    status = standard ? begin_standard(&s) : begin(r->input, problem, &s);
    if (status)
        return status;
    if (fstat(fileno(s.file), &st) != 0 || !S_ISREG(st.st_mode)) {
        fclose(s.file);
        return DONE;
    }
    while (next_token(&s))
        ++*out;
    if (standard) /* the two share their place */
        (void)lseek(STDIN_FILENO, 0, SEEK_SET);
    fclose(s.file);
    return *out ? DONE : complain(USAGE, "%s holds no numbers", s.name);
}

int input_shape(struct request *r, enum cw_problem problem)
{
    const int fewer = problem == CW_SORT || problem == CW_PERMUTE; /* than w x m items */
    uint64_t given = input_numbers(r->input);
    int status = DONE;

    if (!given && !r->m && !r->n && r->w && fewer)
        status = count_numbers(r, problem, &given);
    if (given && !r->n && fewer && given != r->w * r->m)
        r->n = given;
    return status;
}

static int from_file(const char *name, const struct request *r, enum cw_problem problem,
                     cw_word *out)
{
    struct source s;
    int status = begin(name, problem, &s);

    if (status)
        return status;
    status = read_words(&s, r, out);
    if (s.file != stdin)
        fclose(s.file);
    return status;
}

const char *input_path(const struct request *r, enum cw_problem problem)
{
    return !r->input || !strcmp(r->input, "-") || input_numbers(r->input) ||
                   is_one_of(r->input, cw_input_names(problem))
               ? NULL
               : r->input;
}

/* Items n .. are above all others, or stay where they are. */
static void pad(const struct request *r, enum cw_problem problem, cw_word *items)
{
    const cw_word most =
        r->key_bits && r->key_bits < 64 ? (UINT64_C(1) << r->key_bits) - 1 : UINT64_MAX;

    for (uint64_t i = r->n; r->n && i < r->w * r->m; i++)
        items[i] = problem == CW_PERMUTE ? i : most;
}

/* Do the labels of a permutation stay below n, where the padding has its places? */
static int labels_fit(const struct request *r, enum cw_problem problem, const struct input *in)
{
    for (uint64_t i = 0; problem == CW_PERMUTE && i < r->n; i++) {
        if (in->items[i] >= r->n)
            return complain(
                USAGE, "%s: item %" PRIu64 ": label %" PRIu64 " is no place, there are %" PRIu64,
                in->name, i, in->items[i], r->n);
    }
    return DONE;
}

static int fill(const struct request *r, enum cw_problem problem, struct input *in)
{
    const uint32_t w = (uint32_t)r->w, m = (uint32_t)r->m, bits = (uint32_t)r->key_bits;
    cw_status status;

    if (is_one_of(in->name, cw_input_names(problem))) {
        if (r->n && problem == CW_PERMUTE)
            return complain(USAGE, "-n goes with a file of labels: the kind %s fills the matrix",
                            in->name);
        status = cw_input_make(in->name, problem, w, m, bits, r->seed, in->items);
        pad(r, problem, in->items);
    } else {
        if (from_file(in->name, r, problem, in->items) || labels_fit(r, problem, in))
            return USAGE;
        pad(r, problem, in->items);
        status = cw_input_check(problem, w, m, bits, in->items);
    }
    if (status == CW_ERR_LABEL)
        return complain(USAGE, "%s: %s", in->name, cw_last_error());
    return status ? complain(FAILED, "%s", cw_last_error()) : DONE;
}

int input_load(const struct request *r, enum cw_problem problem, struct input *out)
{
    const uint64_t n = r->w * r->m;
    int status;

    out->plan = NULL;
    out->name = r->input ? r->input : cw_input_names(problem)[0];
    out->items = (cw_word *)malloc(n * sizeof *out->items);
    if (!out->items)
        return complain(FAILED, "out of memory for %" PRIu64 " words", n);
    status = fill(r, problem, out);
    if (status) {
        input_free(out);
    } else if (cw_problem_has_labels(problem)) {
        cw_input_items(n, out->items);
    }
    return status;
}

void input_free(struct input *in)
{
    free(in->items);
    in->items = NULL;
}
