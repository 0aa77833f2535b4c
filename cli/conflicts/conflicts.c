/* conflicts.c - what an access pattern of one's own kernel costs, and how to mend it. */
#define _POSIX_C_SOURCE 200809L

#include "conflicts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/common/options.h"

#define I_MAX    INT64_C(2147483648)
#define FILE_MAX 1048576u

static const char white[] = " \t\n\v\f\r";

static int help(const struct option *table)
{
    printf("usage: clearway conflicts KERNEL.cu|LINES [OPTION...]\n"
           "       clearway conflicts [EXPRESSION] --csv FILE [OPTION...]\n"
           "       clearway conflicts [KERNEL.cu|LINES] --html FILE [OPTION...]\n\n"
           "Finds the bank conflicts of a kernel, and the smallest change that mends them:\n\n"
           "    clearway conflicts kernel.cu --block 32x8 -D N=1024\n"
           "    clearway conflicts '__shared__ float t[32][32];\n"
           "                        x = t[threadIdx.x][threadIdx.y];' --block 32x8\n"
           "    clearway conflicts 't * 33'\n\n"
           "KERNEL.cu is a file with one kernel, - is standard input.  It is run for every\n"
           "thread of a block.  Loops, conditions and whole numbers are followed; what is\n"
           "not known (memory, parameters without -D) is said, with its line.\n"
           "LINES are such lines of a kernel, or an expression alone: the index of the\n"
           "element.  The names are threadIdx.x, .y, .z, blockDim.x, .y, .z, t and tid (the\n"
           "thread), lane, warp, warpSize and i.  Prints the change, the price of each line,\n"
           "the lanes that wait for each other, and a picture of lanes and banks.  What\n"
           "begins with - goes behind --, after all options.\n\n");
    options_print(table);
    return DONE;
}

/* ---- options -------------------------------------------------------------- */

/* A whole number at *s, and *s moves behind it. */
static int signed_number(const char **s, int64_t *out)
{
    char *end;

    if (!strchr("-0123456789", **s) || !**s)
        return 0;
    errno = 0;
    *out = strtoll(*s, &end, 10);
    if (errno || end == *s || *out < -I_MAX || *out > I_MAX)
        return 0;
    *s = end;
    return 1;
}

static int take_range(const char *text, struct question *q)
{
    const char *s = text;

    if (!signed_number(&s, &q->from) || *s++ != ':' || !signed_number(&s, &q->to) || *s)
        return complain(USAGE, "--i: '%s' is not LO:HI, two whole numbers up to 2^31", text);
    if (q->from >= q->to)
        return complain(USAGE, "--i %s holds no value: i goes from LO to HI - 1", text);
    q->has_i = 1;
    return DONE;
}

static int no_block(const char *text)
{
    return complain(
        USAGE,
        "--block: '%s' is no shape like 32x8: one to three numbers, of 1024 threads in all at most",
        text);
}

/* "32x8" or "8x8x4". */
static int take_block(const char *text, struct question *q)
{
    const char *s = text;
    uint64_t all = 1;

    for (int d = 0; d < 3; d++) {
        int64_t x = 1;

        if ((d == 0 || *s) && (!signed_number(&s, &x) || x < 1 || x > 1024 || (*s && *s++ != 'x')))
            return no_block(text);
        q->block[d] = (uint32_t)x;
        all *= (uint64_t)x;
    }
    if (*s || s[-1] == 'x')
        return no_block(text);
    if (all > 1024)
        return complain(USAGE, "--block %s has %" PRIu64 " threads, more than 1024", text, all);
    q->threads = (uint32_t)all;
    return DONE;
}

static int check_size(const struct question *q)
{
    const uint64_t warps = (q->threads + q->machine->lanes - 1) / q->machine->lanes;
    const uint64_t requests = warps * (uint64_t)(q->to - q->from);

    if (requests > REQUESTS_MAX)
        return complain(USAGE,
                        "%" PRIu64 " warps and %" PRId64 " values of i make %" PRIu64
                        " requests, more than %u",
                        warps, q->to - q->from, requests, REQUESTS_MAX);
    return DONE;
}

/* ---- the expression ------------------------------------------------------- */

/* The line, with a caret below byte `at` of it; a long one in part. */
static void point_at(const char *text, size_t at)
{
    const size_t length = strcspn(text, "\n"), first = at > 56 ? at - 56 : 0;
    const size_t end = length < first + 72 ? length : first + 72;

    fprintf(stderr, "  %s", first ? ".." : "");
    for (size_t k = first; k < end; k++) {
        const unsigned char c = (unsigned char)text[k];

        putc(c >= '\t' && c <= '\r' ? ' ' : c < ' ' || c > '~' ? '?' : c, stderr);
    }
    fprintf(stderr, "%s\n  %*s^\n", end < length ? ".." : "", (int)(at - first + (first ? 2 : 0)),
            "");
}

/* A name may be a constant of theirs. */
static const char *hint(const struct trouble *why, const struct question *q)
{
    if (strncmp(why->error.text, "unknown name", 12) != 0)
        return "";
    return q->csv ? "" : "; -D gives one a value";
}

static int refuse(int status, const struct trouble *why, const struct question *q)
{
    const int in_file = q->file && strchr(why->text ? why->text : "", '\n');
    const char *const file = in_file ? q->file : "", *const colon = in_file ? ": " : "";
    size_t line, column;

    if (!why->located)
        return complain(status, "%s%s%s%s%s", file, colon, why->where, *why->where ? ": " : "",
                        why->error.text);
    line_and_column(why->text, why->error.at, &line, &column);
    if (strchr(why->text, '\n'))
        complain(status, "%s%s%s%sline %zu, column %zu: %s%s", file, colon, why->where,
                 *why->where ? ", " : "", line, column, why->error.text, hint(why, q));
    else
        complain(status, "%s%scolumn %zu: %s%s", why->where, *why->where ? ", " : "", column,
                 why->error.text, hint(why, q));
    point_at(why->text + why->error.at + 1 - column, column - 1);
    return status;
}

/* Without the white space around it, and with spaces for other white space. A kernel keeps its lines. */
static char *tidy(const char *text, int kernel)
{
    const char *const begin = text + (kernel ? 0 : strspn(text, white));
    size_t length = strlen(begin);
    char *const out = (char *)malloc(length + 1);

    if (!out)
        return NULL;
    while (length && strchr(white, begin[length - 1]))
        length--;
    for (size_t k = 0; k < length; k++)
        out[k] = strchr(white, begin[k]) && !(kernel && begin[k] == '\n') ? ' ' : begin[k];
    out[length] = 0;
    return out;
}

static void json_list(struct json *j, const char *key)
{
    json_open(j, NULL, '{');
    json_open(j, key, '[');
}

/* About one array: *arrays says how many there are. */
static int answer_one(struct question *q, const char *text, struct json *j, uint32_t *arrays)
{
    struct pattern p;
    struct trouble why;
    struct price price;
    struct fixes fixes;
    char *tidied;
    int status = pattern_make(q, text, &p, &why);

    if (status)
        return refuse(status, &why, q);
    *arrays = p.arrays;
    tidied = tidy(text, p.kernel);
    q->text = tidied;
    pattern_price(&p, &price);
    memset(&fixes, 0, sizeof fixes);
    status = tidied ? fixes_find(q, &p, &price, &fixes) : complain(FAILED, "out of memory");
    if (!status && j && p.arrays > 1 && q->array == 0)
        json_list(j, "arrays");
    if (!status && j)
        conflicts_json(j, q, &p, &price, &fixes);
    else if (!status)
        conflicts_print(q, &p, &price, &fixes);
    fixes_free(&fixes);
    pattern_free(&p);
    free(tidied);
    return status;
}

static int answer(struct question *q, const char *text, int json)
{
    struct json j = {stdout, 0};
    uint32_t arrays = 1;
    int status = DONE;

    for (q->array = 0; !status && q->array < (arrays ? arrays : 1); q->array++)
        status = answer_one(q, text, json ? &j : NULL, &arrays);
    if (!status && json && arrays > 1) {
        json_close(&j, ']');
        json_close(&j, '}');
    }
    if (!status && json)
        printf("\n");
    return status;
}

/* ---- the command ---------------------------------------------------------- */

struct given {
    struct question q;
    const char *define[DEFINES_MAX];
    struct texts defines;
    const char *range, *block, *html;
    uint64_t threads;
    int size, machine, json;
};

/* Comments and pragmas become spaces, so that columns stay what they are. */
static void blank_comments(char *text)
{
    for (char *s = text; *s; s++) {
        const int line = !strncmp(s, "//", 2) || !strncmp(s, "#pragma", 7);
        const char *end;

        if (!line && strncmp(s, "/*", 2) != 0)
            continue;
        end = line ? strchr(s, '\n') : strstr(s + 2, "*/");
        end = !end ? s + strlen(s) : line ? end : end + 2;
        memset(s, ' ', (size_t)(end - s));
        s += end - s - 1;
    }
}

/* A kernel in a file; NULL after a complaint. */
static char *file_of(const char *name, int *status)
{
    FILE *const in = strcmp(name, "-") ? fopen(name, "rb") : stdin;
    char *const out = (char *)calloc(FILE_MAX + 2, 1);
    size_t length = 0;

    *status = out ? DONE : complain(FAILED, "out of memory");
    if (out && !in)
        *status = complain(USAGE, "cannot read %s: %s", name, strerror(errno));
    if (out && in) {
        length = fread(out, 1, FILE_MAX + 1, in);
        if (ferror(in))
            *status = complain(USAGE, "cannot read %s: %s", name, strerror(errno));
        else if (length > FILE_MAX)
            *status =
                complain(USAGE, "%s: more than %u bytes: one kernel is wanted", name, FILE_MAX);
        else if (strlen(out) < length)
            *status = complain(USAGE, "%s is no text: it holds a zero byte", name);
        else if (!strstr(out, "__shared__"))
            *status =
                complain(USAGE, "%s declares no array as __shared__; recorded addresses: --csv %s",
                         strcmp(name, "-") ? name : "standard input", name);
    }
    if (in && in != stdin)
        fclose(in);
    if (!*status) {
        blank_comments(out);
        return out;
    }
    free(out);
    return NULL;
}

/* A name without blanks and brackets that ends in .cu and the like, or is there, is a file. */
static int is_file(const char *text)
{
    const char *const dot = strrchr(text, '.');
    static const char *const ends[] = {".cu", ".cuh", ".c", ".h", ".cpp", ".hpp", ".cc", ".txt"};

    if (!strcmp(text, "-"))
        return 1;
    for (size_t k = 0; dot && k < sizeof ends / sizeof *ends; k++)
        if (!strcmp(dot, ends[k]) && !strpbrk(text, "[;=*"))
            return 1;
    return access(text, R_OK) == 0;
}

/* The lines, one argument or several, joined: to be freed; NULL after a complaint. */
static char *lines_of(const struct arguments *args, struct question *q, int *status)
{
    size_t room = 1;
    char *out;

    for (int k = 0; k < args->count; k++)
        room += strlen(args->word[k]) + 2;
    *status = USAGE;
    if (args->count == 1 && is_file(args->word[0])) {
        q->file = args->word[0];
        return file_of(q->file, status);
    }
    if (args->count > 1 && !strpbrk(args->word[0], "[=#")) {
        complain(USAGE, "one expression, in quotes: got '%s' too", args->word[1]);
        return NULL;
    }
    if (args->count && !args->word[0][strspn(args->word[0], white)]) {
        complain(USAGE, "the expression is empty");
        return NULL;
    }
    out = (char *)malloc(room + 1);
    if (!out) {
        *status = complain(FAILED, "out of memory");
        return NULL;
    }
    strcpy(out, args->count ? args->word[0] : "x");
    for (int k = 1; k < args->count; k++) {
        strcat(out, ";\n"); /* where a comment ends */
        strcat(out, args->word[k]);
    }
    blank_comments(out);
    *status = DONE;
    return out;
}

static int check(struct given *g, const struct arguments *args)
{
    struct question *const q = &g->q;

    if (args->count == 0 && !q->csv && !g->html)
        return complain(USAGE,
                        "which access?  For example: clearway conflicts 't * 32'; --help has more");
    if (q->csv && (g->threads || g->range || g->block || g->html))
        return complain(USAGE, "--%s is not for --csv%s",
                        g->threads ? "threads"
                        : g->range ? "i"
                        : g->block ? "block"
                                   : "html",
                        g->html ? "" : ": the file says who asks when");
    if (g->threads && g->block)
        return complain(USAGE, "--threads or --block: one of them");
    q->machine = &cw_bank_machines[g->machine];
    q->threads = q->block[0] = g->threads ? (uint32_t)g->threads : q->machine->lanes;
    q->block[1] = q->block[2] = 1;
    q->bytes = g->size ? 1u << (g->size - 1) : q->csv ? 4 : 0;
    q->defines = g->defines.count;
    memcpy(q->define, g->define, sizeof q->define);
    if ((g->block && take_block(g->block, q)) || (g->range && take_range(g->range, q)) ||
        check_size(q))
        return USAGE;
    return DONE;
}

static int work(struct given *g, const struct arguments *args)
{
    int status;
    char *const lines = lines_of(args, &g->q, &status);

    if (lines && g->q.csv)
        status = recorded_read(&g->q);
    if (lines && !status && g->html)
        status = conflicts_page(&g->q, args->count ? lines : NULL, g->html, g->json);
    else if (lines && !status)
        status = answer(&g->q, lines, g->json);
    pattern_free(&g->q.recorded);
    free(lines);
    return status;
}

int command_conflicts(int argc, char **argv)
{
    static const char *const sizes[] = {"1", "2", "4", "8", "16", NULL};
    static const char *const machines[] = {"nvidia", "amd", "64-banks", NULL};
    struct given g = {.q = {.from = 0, .to = 1}, .defines = {NULL, 0, DEFINES_MAX}};
    struct arguments args;
    const struct option table[] = {
        NUMBER(0, "threads", "N", 1, 1024, &g.threads,
               "threads of the block, 1 to 1024; default: one warp"),
        TEXT("block", "32x8", &g.block, "or its shape, for threadIdx.x, .y and .z"),
        EACH('D', "define", "N=32", &g.defines,
             "a constant, or a type (T=float), by name; may be given again"),
        TEXT("if", "CONDITION", &g.q.only_if, "only lanes for which it holds ask"),
        WORD("bytes", "1|2|4|8|16", sizes, &g.size,
             "bytes of an element, where no array says it; default 4"),
        TEXT("i", "LO:HI", &g.range, "a request a warp for each i from LO to HI - 1"),
        FLAG("store", &g.q.write, "the access writes, also where no = says so"),
        WORD("machine", "M", machines, &g.machine,
             "whose lanes, banks and order: nvidia (default), amd or 64-banks"),
        TEXT("csv", "FILE", &g.q.csv,
             "recorded addresses, a line request,lane,address each, - for standard input; "
             "EXPRESSION is then over x, the element recorded, and lane; default x"),
        TEXT("html", "FILE", &g.html, "the same as a page that answers in a browser"),
        FLAG("json", &g.json, "print JSON"),
        OPTIONS_END};

    g.defines.at = g.define;
    g.size = -1;
    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    g.size++;
    if (check(&g, &args))
        return USAGE;
    return work(&g, &args);
}
