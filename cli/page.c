/* page.c - the viewer's page, the data in its middle. */
#include "page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int page_open(struct page *p, const char *path)
{
    const size_t length = strlen(path);

    memset(p, 0, sizeof *p);
    p->path = path;
    p->part = (char *)malloc(length + 6);
    if (!p->part)
        return complain(FAILED, "out of memory for a page");
    memcpy(p->part, path, length);
    memcpy(p->part + length, ".part", 6);
    p->out = fopen(p->part, "wb");
    if (!p->out) {
        const int status = complain(USAGE, "cannot write the page %s: %s", path, strerror(errno));

        free(p->part);
        return status;
    }
    fwrite(page_bytes, 1, page_split, p->out);
    return DONE;
}

static void base64(FILE *out, const unsigned char *b, size_t size)
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
            fwrite(text, 1, used, out);
            used = 0;
        }
    }
    fwrite(text, 1, used, out);
}

void page_data(struct page *p, const char *id, const void *bytes, size_t size)
{
    fprintf(p->out, "<script type=\"text/plain\" id=\"%s\">", id);
    base64(p->out, (const unsigned char *)bytes, size);
    fputs("</script>\n", p->out);
}

int page_close(struct page *p, int keep)
{
    int status = DONE, failed;

    fwrite(page_bytes + page_split, 1, page_size - page_split, p->out);
    errno = 0;
    failed = ferror(p->out);
    failed |= fclose(p->out) != 0;
    if (keep && !failed)
        failed = rename(p->part, p->path) != 0;
    if (keep && failed)
        status = complain(FAILED, "cannot write the page %s: %s", p->path,
                          errno ? strerror(errno) : "an earlier write failed");
    if (!keep || failed)
        (void)remove(p->part);
    free(p->part);
    return status;
}
