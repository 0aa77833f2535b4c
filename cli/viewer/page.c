/* page.c - a page, the data in its middle. */
#include "page.h"

#include <stdio.h>
#include <string.h>

#include "cli/files/files.h"

void page_begin(struct cw_output *to, const struct page *page)
{
    cw_output_append(to, page->bytes, page->split);
}

static void base64(struct cw_output *to, const unsigned char *b, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4096];
    size_t used = 0;

    for (size_t x = 0; x < size; x += 3) {
        const size_t have = size - x < 3 ? size - x : 3;
        const unsigned second = have > 1 ? b[x + 1] : 0, third = have > 2 ? b[x + 2] : 0;
        const unsigned three = (unsigned)b[x] << 16 | second << 8 | third;

        for (unsigned k = 0; k < 4; k++)
            text[used++] = k <= have ? digits[three >> (18 - 6 * k) & 63] : '=';
        if (used == sizeof text) {
            cw_output_append(to, text, used);
            used = 0;
        }
    }
    cw_output_append(to, text, used);
}

void page_data(struct cw_output *to, const char *id, const void *bytes, size_t size)
{
    char tag[128];

    snprintf(tag, sizeof tag, "<script type=\"text/plain\" id=\"%s\">", id);
    cw_output_append(to, tag, strlen(tag));
    base64(to, (const unsigned char *)bytes, size);
    cw_output_append(to, "</script>\n", strlen("</script>\n"));
}

void page_end(struct cw_output *to, const struct page *page)
{
    cw_output_append(to, page->bytes + page->split, page->size - page->split);
}

int page_commit(struct cw_output *to, const char *command, const char *html, int json)
{
    const uint64_t bytes = cw_output_appended(to);
    const int status = outputs_commit(&to, 1);
    FILE *const said = strcmp(html, "/dev/stdout") && strcmp(html, "-") ? stdout : stderr;
    struct json j = {said, 0};

    if (!status && json) {
        json_open(&j, NULL, '{');
        json_text(&j, "command", command);
        json_text(&j, "output", html);
        json_number(&j, "bytes", bytes);
        json_close(&j, '}');
        fprintf(said, "\n");
    }
    return status;
}
