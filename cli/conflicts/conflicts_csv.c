/* conflicts_csv.c - recorded addresses: a line "request,lane,address" for each.
 *
 * Lines may come in any order, as threads print them: those with one request's number make that
 * request.  A first line that says "request,lane,address", empty lines and what follows a # are
 * passed over.
 */
#include "conflicts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/files/files.h"

#define RECORDS_MAX (REQUESTS_MAX * CW_LANES_MAX)

struct record {
    uint64_t request;
    uint32_t lane, address;
    uint32_t line;
};

struct records {
    struct record *at;
    uint32_t count, room;
};

struct source {
    FILE *file;
    const char *name;
    uint32_t line;
    char text[128]; /* of the line, without its end and its comment */
};

/* ---- lines ---------------------------------------------------------------- */

/* 1 and the line's text, 0 at the end, -1 after a complaint. */
static int next_line(struct source *s)
{
    size_t length = 0;
    int comment = 0, c;

    s->line++;
    for (c = getc(s->file); c != EOF && c != '\n'; c = getc(s->file)) {
        comment |= c == '#';
        if (comment || c == '\r')
            continue;
        if (length == sizeof s->text - 1) {
            complain(USAGE, "%s:%u: the line is too long", s->name, s->line);
            return -1;
        }
        s->text[length++] = (char)(c ? c : '?');
    }
    s->text[length] = 0;
    if (c == EOF && ferror(s->file)) {
        complain(USAGE, "cannot read %s: %s", s->name, strerror(errno));
        return -1;
    }
    return c != EOF || length > 0;
}

static const char *after_blanks(const char *s)
{
    return s + strspn(s, " \t");
}

/* A whole number, decimal or 0x, and the blanks around it: what follows; NULL if there is none,
 * or none below 2^64. */
static const char *number(const char *s, uint64_t *out)
{
    const int base = after_blanks(s)[0] == '0' && (after_blanks(s)[1] | 32) == 'x' ? 16 : 10;
    char *end;

    s = after_blanks(s);
    if (!strchr("0123456789", *s) || !*s)
        return NULL;
    errno = 0;
    *out = strtoull(s, &end, base);
    return errno || (base == 16 && end == s + 1) ? NULL : after_blanks(end);
}

static int parse_line(const struct source *s, const struct question *q, struct record *out)
{
    const char *at = s->text;
    uint64_t lane = 0, address = 0;

    at = number(at, &out->request);
    at = at && *at == ',' ? number(at + 1, &lane) : NULL;
    at = at && *at == ',' ? number(at + 1, &address) : NULL;
    if (!at || *at)
        return complain(USAGE, "%s:%u: '%.40s' is not request,lane,address", s->name, s->line,
                        s->text);
    if (lane >= q->machine->lanes)
        return complain(USAGE, "%s:%u: lane %" PRIu64 " is not below %u", s->name, s->line, lane,
                        q->machine->lanes);
    if (address > UINT32_MAX)
        return complain(USAGE, "%s:%u: address %" PRIu64 " is beyond 4 GiB", s->name, s->line,
                        address);
    if (address % q->bytes)
        return complain(USAGE, "%s:%u: address %" PRIu64 " is no multiple of --bytes %u", s->name,
                        s->line, address, q->bytes);
    out->lane = (uint32_t)lane;
    out->address = (uint32_t)address;
    out->line = s->line;
    return DONE;
}

/* ---- all of them ---------------------------------------------------------- */

static int add(struct records *all, const struct record *r, const char *name)
{
    if (all->count == RECORDS_MAX)
        return complain(USAGE, "%s holds more than %u addresses", name, RECORDS_MAX);
    if (all->count == all->room) {
        const uint32_t room = all->room ? 2 * all->room : 1024;
        struct record *const more = (struct record *)realloc(all->at, room * sizeof *more);

        if (!more)
            return complain(FAILED, "out of memory for %s", name);
        all->at = more;
        all->room = room;
    }
    all->at[all->count++] = *r;
    return DONE;
}

static int read_records(struct source *s, const struct question *q, struct records *all)
{
    int more;

    while ((more = next_line(s)) > 0) {
        struct record r;
        int status;

        if (!*after_blanks(s->text) || (s->line == 1 && !strcmp(s->text, "request,lane,address")))
            continue;
        status = parse_line(s, q, &r);
        if (!status)
            status = add(all, &r, s->name);
        if (status)
            return status;
    }
    if (more == 0 && all->count == 0)
        return complain(USAGE, "%s holds no address", s->name);
    return more ? USAGE : DONE;
}

static int by_request(const void *a, const void *b)
{
    const struct record *const x = (const struct record *)a, *const y = (const struct record *)b;

    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Sorted records to requests. */
static int gather(const struct records *all, const char *name, uint32_t bytes, struct pattern *out)
{
    uint32_t count = 1;

    for (uint32_t k = 1; k < all->count; k++) {
        const struct record *const r = &all->at[k];

        if (r->request == r[-1].request && r->lane == r[-1].lane)
            return complain(USAGE, "%s:%u: request %" PRIu64 " has lane %u already, in line %u",
                            name, r->line, r->request, r->lane, r[-1].line);
        count += r->request != r[-1].request;
    }
    if (count > REQUESTS_MAX)
        return complain(USAGE, "%s holds %u requests, more than %u", name, count, REQUESTS_MAX);
    out->ask = (struct ask *)calloc(count, sizeof *out->ask);
    if (!out->ask)
        return complain(FAILED, "out of memory for %s", name);
    out->count = count;
    for (uint32_t k = 0, x = 0; k < all->count; k++) {
        const struct record *const r = &all->at[k];

        x += k > 0 && r->request != r[-1].request;
        out->ask[x].name = (int64_t)r->request;
        out->ask[x].lanes |= UINT64_C(1) << r->lane;
        out->ask[x].index[r->lane] = r->address / bytes;
    }
    return DONE;
}

int recorded_read(struct question *q)
{
    const int standard = !strcmp(q->csv, "-");
    struct source s = {NULL, standard ? "standard input" : q->csv, 0, ""};
    struct records all = {NULL, 0, 0};
    int status;

    s.file = standard ? stdin : open_text(q->csv);
    if (!s.file)
        return complain(USAGE, "cannot read %s: %s", q->csv, strerror(errno));
    status = read_records(&s, q, &all);
    if (!standard)
        fclose(s.file);
    if (!status) {
        qsort(all.at, all.count, sizeof *all.at, by_request);
        status = gather(&all, s.name, q->bytes, &q->recorded);
    }
    free(all.at);
    return status;
}
