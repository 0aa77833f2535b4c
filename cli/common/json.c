/* json.c - write JSON: objects on one line, strings that are always valid UTF-8. */
#include <math.h>
#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"

/* Bytes of the UTF-8 character that begins here; 0 if none does. */
static int character(const unsigned char *s)
{
    static const unsigned char least[] = {0, 0, 0x80, 0xa0, 0x90};
    const int n = s[0] < 0x80   ? 1
                  : s[0] < 0xc2 ? 0
                  : s[0] < 0xe0 ? 2
                  : s[0] < 0xf0 ? 3
                  : s[0] < 0xf5 ? 4
                                : 0;

    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    /* overlong, a surrogate, or past the last character */
    if ((s[0] == 0xe0 || s[0] == 0xf0) && s[1] < least[n])
        return 0;
    if ((s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

static void string(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    putc('"', out);
    while (*s) {
        const int n = character(s);

        if (n == 0)
            fputs("\\ufffd", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < ' ')
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)n, out);
        s += n ? n : 1;
    }
    putc('"', out);
}

static void member(struct json *j, const char *key)
{
    if (j->some)
        fputs(", ", j->out);
    j->some = 1;
    if (key) {
        string(j->out, key);
        fputs(": ", j->out);
    }
}

void json_open(struct json *j, const char *key, char bracket)
{
    member(j, key);
    putc(bracket, j->out);
    j->some = 0;
}

void json_close(struct json *j, char bracket)
{
    putc(bracket, j->out);
    j->some = 1;
}

void json_text(struct json *j, const char *key, const char *text)
{
    member(j, key);
    if (text)
        string(j->out, text);
    else
        fputs("null", j->out);
}

void json_number(struct json *j, const char *key, uint64_t x)
{
    member(j, key);
    fprintf(j->out, "%" PRIu64, x);
}

void json_real(struct json *j, const char *key, double x)
{
    member(j, key);
    if (isfinite(x))
        fprintf(j->out, "%.12g", x);
    else
        fputs("null", j->out);
}

void json_bool(struct json *j, const char *key, int x)
{
    member(j, key);
    fputs(x ? "true" : "false", j->out);
}
