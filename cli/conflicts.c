/* conflicts.c - what an access pattern of one's own kernel costs, and how to mend it. */
#include "conflicts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "options.h"

#define I_MAX INT64_C(2147483648)

static const char white[] = " \t\n\v\f\r";

static int help(const struct option *table)
{
    printf("usage: clearway conflicts EXPRESSION [OPTION...]\n"
           "       clearway conflicts [EXPRESSION] --csv FILE [OPTION...]\n\n"
           "The bank conflicts of an access to shared memory.  EXPRESSION is the index of\n"
           "the element that thread t asks for: C integer arithmetic over t, lane (t %% 32),\n"
           "warp (t / 32) and i.  Prints the wavefronts, the lanes that wait for each other,\n"
           "a picture of lanes and banks, and the nearest padding or swizzle that mends it.\n"
           "An expression that begins with - goes behind --, after all options.\n\n");
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

static int check_size(const struct question *q)
{
    const uint64_t warps = (q->threads + CW_WARP - 1) / CW_WARP;
    const uint64_t requests = warps * (uint64_t)(q->to - q->from);

    if (requests > REQUESTS_MAX)
        return complain(USAGE,
                        "%" PRIu64 " warps and %" PRId64 " values of i make %" PRIu64
                        " requests, more than %u",
                        warps, q->to - q->from, requests, REQUESTS_MAX);
    return DONE;
}

/* ---- the expression ------------------------------------------------------- */

/* The text, with a caret below byte `at`; a long one in part. */
static void point_at(const char *text, size_t at)
{
    const size_t length = strlen(text), first = at > 56 ? at - 56 : 0;
    const size_t end = length < first + 72 ? length : first + 72;

    fprintf(stderr, "  %s", first ? ".." : "");
    for (size_t k = first; k < end; k++) {
        const unsigned char c = (unsigned char)text[k];

        putc(c >= '\t' && c <= '\r' ? ' ' : c < ' ' || c > '~' ? '?' : c, stderr);
    }
    fprintf(stderr, "%s\n  %*s^\n", end < length ? ".." : "", (int)(at - first + (first ? 2 : 0)),
            "");
}

static int refuse(int status, const char *text, const struct trouble *why)
{
    if (!why->located)
        return complain(status, "%s%s%s", why->where, *why->where ? ": " : "", why->error.text);
    complain(status, "%s%scolumn %zu: %s", why->where, *why->where ? ", " : "", why->error.at + 1,
             why->error.text);
    point_at(text, why->error.at);
    return status;
}

/* Without the white space around it, and with spaces for other white space. */
static char *tidy(const char *text)
{
    const char *const begin = text + strspn(text, white);
    size_t length = strlen(begin);
    char *const out = (char *)malloc(length + 1);

    if (!out)
        return NULL;
    while (length && strchr(white, begin[length - 1]))
        length--;
    for (size_t k = 0; k < length; k++)
        out[k] = strchr(white, begin[k]) ? ' ' : begin[k];
    out[length] = 0;
    return out;
}

static int answer(struct question *q, const char *text, int json)
{
    struct pattern p;
    struct trouble why;
    struct price price;
    struct fixes fixes;
    char *tidied;
    int status = pattern_make(q, text, &p, &why);

    if (status)
        return refuse(status, text, &why);
    tidied = tidy(text);
    q->text = tidied;
    pattern_price(&p, &price);
    memset(&fixes, 0, sizeof fixes);
    status = tidied ? fixes_find(q, &p, &price, &fixes) : complain(FAILED, "out of memory");
    if (!status && json)
        conflicts_json(q, &p, &price, &fixes);
    else if (!status)
        conflicts_print(q, &p, &price, &fixes);
    fixes_free(&fixes);
    pattern_free(&p);
    free(tidied);
    return status;
}

int command_conflicts(int argc, char **argv)
{
    static const char *const sizes[] = {"4", "8", "16", NULL};
    struct question q = {.from = 0, .to = 1};
    const char *range = NULL;
    uint64_t threads = 0;
    int size = 0, json = 0, status = DONE;
    struct arguments args;
    const struct option table[] = {
        NUMBER(0, "threads", "N", 1, 1024, &threads, "threads of the block, 1 to 1024; default 32"),
        WORD("bytes", "4|8|16", sizes, &size, "bytes of an element; default 4"),
        TEXT("i", "LO:HI", &range, "a request a warp for each i from LO to HI - 1"),
        FLAG("store", &q.write, "the access writes; otherwise it reads"),
        TEXT("csv", "FILE", &q.csv,
             "recorded addresses, a line request,lane,address each, - for standard input; "
             "EXPRESSION is then over x, the element recorded, and lane; default x"),
        FLAG("json", &json, "print JSON"),
        OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count > 1)
        return complain(USAGE, "one expression, in quotes: got '%s' too", args.word[1]);
    if (args.count == 0 && !q.csv)
        return complain(USAGE, "which expression?  'clearway conflicts --help' shows one's form");
    if (args.count && !args.word[0][strspn(args.word[0], white)])
        return complain(USAGE, "the expression is empty");
    if (q.csv && (threads || range))
        return complain(USAGE, "--%s is not for --csv: the file says who asks when",
                        threads ? "threads" : "i");
    q.threads = threads ? (uint32_t)threads : CW_WARP;
    q.bytes = 4u << size;
    if ((range && take_range(range, &q)) || check_size(&q))
        return USAGE;
    if (q.csv)
        status = recorded_read(&q);
    if (!status)
        status = answer(&q, args.count ? args.word[0] : "x", json);
    pattern_free(&q.recorded);
    return status;
}
