#include "machine/trace/cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

void cw_cursor_damaged(struct cw_cursor *c, const char *format, ...)
{
    char text[128];
    va_list args;

    if (c->status)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->status = cw_fail(CW_ERR_FORMAT, "trace damaged at byte %zu: %s", c->at, text);
}

void cw_cursor_no_memory(struct cw_cursor *c)
{
    if (!c->status)
        c->status = cw_fail(CW_ERR_MEMORY, "out of memory for a trace");
}

unsigned cw_cursor_byte(struct cw_cursor *c)
{
    if (!c->status && c->at == c->size)
        cw_cursor_damaged(c, "it ends too early");
    return c->status ? 0 : c->bytes[c->at++];
}

uint64_t cw_cursor_number(struct cw_cursor *c)
{
    uint64_t x = 0;

    for (unsigned shift = 0;; shift += 7) {
        const uint64_t b = cw_cursor_byte(c);

        if (shift == 63 && b > 1) {
            cw_cursor_damaged(c, "a number of more than 64 bits");
            return 0;
        }
        x |= (b & 127) << shift;
        if (b < 128)
            return c->status ? 0 : x;
    }
}

uint64_t cw_cursor_within(struct cw_cursor *c, uint64_t low, uint64_t high, const char *what)
{
    const uint64_t x = cw_cursor_number(c);

    if (x < low || x > high) {
        cw_cursor_damaged(c, "%s is %llu", what, (unsigned long long)x);
        return low;
    }
    return x;
}

char *cw_cursor_string(struct cw_cursor *c, size_t most)
{
    const size_t size = (size_t)cw_cursor_within(c, 0, most, "a string's length");
    char *text;

    if (!c->status && size > c->size - c->at)
        cw_cursor_damaged(c, "a string goes past the end");
    if (!c->status && memchr(c->bytes + c->at, 0, size))
        cw_cursor_damaged(c, "a string holds a zero");
    if (c->status)
        return NULL;
    text = (char *)malloc(size + 1);
    if (!text) {
        cw_cursor_no_memory(c);
        return NULL;
    }
    memcpy(text, c->bytes + c->at, size);
    text[size] = 0;
    c->at += size;
    return text;
}
