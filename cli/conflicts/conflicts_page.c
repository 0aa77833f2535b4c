/* conflicts_page.c - the calculator as a page: clearway conflicts --html FILE. */
#define _POSIX_C_SOURCE 200809L

#include "conflicts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/viewer/page.h"

static void json_question(struct json *j, const struct question *q, const char *text)
{
    char range[64];

    json_open(j, NULL, '{');
    json_text(j, "text", text);
    json_open(j, "block", '[');
    for (int d = 0; d < 3; d++)
        json_number(j, NULL, q->block[d]);
    json_close(j, ']');
    json_open(j, "defines", '[');
    for (uint32_t k = 0; k < q->defines; k++)
        json_text(j, NULL, q->define[k]);
    json_close(j, ']');
    json_text(j, "if", q->only_if);
    json_number(j, "bytes", q->bytes);
    snprintf(range, sizeof range, "%" PRId64 ":%" PRId64, q->from, q->to);
    json_text(j, "i", q->has_i ? range : NULL);
    json_bool(j, "store", q->write);
    json_text(j, "machine", q->machine->name);
    json_close(j, '}');
}

int conflicts_page(const struct question *q, const char *text, const char *html, int json)
{
    struct cw_output page = {.fd = -1};
    char *index = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&index, &size);
    struct json j = {out, 0};
    int status = DONE;

    if (!out)
        return complain(FAILED, "out of memory for a page");
    json_question(&j, q, text);
    if (fclose(out))
        status = complain(FAILED, "out of memory for a page");
    else if (cw_output_open(strcmp(html, "-") ? html : "/dev/stdout", &page))
        status = complain(FAILED, "%s", cw_last_error());
    if (!status) {
        page_begin(&page, &page_calculator);
        page_data(&page, "clearway-question", index, size);
        page_end(&page, &page_calculator);
        status = page_commit(&page, "conflicts", html, json);
    }
    cw_output_drop(&page);
    free(index);
    return status;
}
