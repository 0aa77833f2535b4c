/* conflicts_lines.c - of a kernel: its lines, with what they cost. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "conflicts.h"

struct cost {
    uint64_t requests, wavefronts, ideal;
};

static struct cost cost_of(const struct pattern *p, uint32_t access)
{
    struct cost out = {0, 0, 0};

    for (uint32_t k = 0; k < p->count; k++) {
        struct cw_lanes_request r;
        uint32_t ideal;

        if (p->ask[k].access != access)
            continue;
        request_of(p, &p->ask[k], &r);
        out.requests++;
        out.wavefronts += cw_bank_wavefronts(p->machine, &r, &ideal);
        out.ideal += ideal;
    }
    return out;
}

/* The line of this number, without white space around it. */
static const char *line_at(const char *text, size_t line, int *length)
{
    const char *end;

    while (--line)
        text = strchr(text, '\n') + 1;
    text += strspn(text, " \t");
    end = text + strcspn(text, "\n");
    while (end > text && end[-1] == ' ')
        end--;
    *length = (int)(end - text);
    return text;
}

void print_accesses(const struct question *q, const struct pattern *p)
{
    if (!p->kernel)
        return;
    printf("  line  requests wavefronts     ideal\n");
    for (uint32_t a = 0; a < p->accesses; a++) {
        const struct cost c = cost_of(p, a);
        int length;
        const char *const text = line_at(q->text, p->line_of[a], &length);

        printf("  %4zu %9" PRIu64 " %10" PRIu64 " %9" PRIu64 "  %.*s%s\n", p->line_of[a],
               c.requests, c.wavefronts, c.ideal, length > 41 ? 39 : length, text,
               length > 41 ? ".." : "");
    }
    printf("\n");
}

void print_notes(const struct question *q, const struct pattern *p)
{
    for (uint32_t k = 0; k < p->notes; k++) {
        size_t line, column;

        line_and_column(q->text, p->note[k].at, &line, &column);
        printf("note: line %zu: %s\n", line, p->note[k].text);
    }
    if (p->notes)
        printf("\n");
}

void print_changed(const char *was, const char *is)
{
    for (size_t line = 1; *is; line++) {
        const size_t before = strcspn(was, "\n"), length = strcspn(is, "\n");
        const size_t blank = strspn(is, " \t");

        if (before != length || memcmp(was, is, length) != 0)
            printf("     line %zu: %.*s\n", line, (int)(length - blank), is + blank);
        was += before + (was[before] != 0);
        is += length + (is[length] != 0);
    }
}

void json_accesses(struct json *j, const struct pattern *p)
{
    json_open(j, "accesses", '[');
    for (uint32_t a = 0; a < p->accesses; a++) {
        const struct cost c = cost_of(p, a);

        json_open(j, NULL, '{');
        json_number(j, "line", p->line_of[a]);
        json_number(j, "requests", c.requests);
        json_number(j, "wavefronts", c.wavefronts);
        json_number(j, "ideal", c.ideal);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void json_notes(struct json *j, const struct question *q, const struct pattern *p)
{
    json_open(j, "notes", '[');
    for (uint32_t k = 0; k < p->notes; k++) {
        size_t line, column;

        line_and_column(q->text, p->note[k].at, &line, &column);
        json_open(j, NULL, '{');
        json_number(j, "line", line);
        json_text(j, "text", p->note[k].text);
        json_close(j, '}');
    }
    json_close(j, ']');
}
