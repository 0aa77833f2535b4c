#define _POSIX_C_SOURCE 200809L

#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

#define CHUNK 8192u /* items */

struct source {
    FILE *file;
    const char *path;
    unsigned long line;
    char token[400]; /* 1e308 as printf's %f has it is 316 long */
    int begun;
    int semicolons; /* whether there was one */
    unsigned long
        decimal; /* line of the first comma that stands right before a digit, as in 3,5; 0: none */
};

/* ---- reading --------------------------------------------------------------------------------- */

static int separates(int c)
{
    return isspace(c) || c == ',' || c == ';' || c == '#' || c == EOF;
}

/* Some editors begin a file with a byte order mark, which nobody sees. */
static void pass_mark(struct source *s)
{
    char mark[3];

    s->begun = 1;
    if (fread(mark, 1, 3, s->file) != 3 || memcmp(mark, "\xef\xbb\xbf", 3) != 0)
        (void)fseek(s->file, 0, SEEK_SET);
}

/* The next token, or 0 at the end.  One that is too long, or has a zero byte, gets a mark that no number has: else its
 * beginning would be taken for the number. */
static int next_token(struct source *s)
{
    size_t length = 0, between = 0;
    int c, comma;

    if (!s->begun)
        pass_mark(s);
    c = getc_unlocked(s->file);
    comma = c == ',' && s->token[0];
    while (c != EOF && separates(c)) {
        between++;
        s->semicolons |= c == ';';
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getc_unlocked(s->file);
        s->line += c == '\n';
        if (c != EOF)
            c = getc_unlocked(s->file);
    }
    if (c == EOF)
        return 0;
    if (comma && between == 1 && isdigit(c) && !s->decimal)
        s->decimal = s->line;
    for (; !separates(c); c = getc_unlocked(s->file)) {
        if (length < sizeof s->token - 1)
            s->token[length++] = (char)(c ? c : '?');
        else
            s->token[length - 1] = '?';
    }
    s->token[length] = 0;
    if (c != EOF)
        ungetc(c, s->file);
    return 1;
}

static cw_status cannot(const struct source *s)
{
    return cw_fail(CW_ERR_IO, "cannot read %s: %s", s->path, strerror(errno));
}

static int as_i64(const char *text, int64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoll(text, &end, 10);
    return !*end && !errno;
}

static int as_u64(const char *text, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    return !*end && !errno && text[0] != '-';
}

/* What is too large for the type is none of its numbers, though C makes it infinite. */
static int as_f64(const char *text, double *out)
{
    char *end;

    errno = 0;
    *out = strtod(text, &end);
    return !*end && !(errno == ERANGE && isinf(*out));
}

static int as_f32(const char *text, float *out)
{
    char *end;

    errno = 0;
    *out = strtof(text, &end);
    return !*end && !(errno == ERANGE && isinf(*out));
}

static int is_real(const char *text)
{
    char *end;

    (void)strtod(text, &end);
    return !*end;
}

static cw_status wrong(const struct source *s, int type)
{
    const int real = is_real(s->token);

    if (!strncmp(s->token, "\x93NUMPY", 6))
        return cw_fail(CW_ERR_FORMAT, "%s is a .npy file, not numbers as text", s->path);
    if (real && (type < 0 || type == CW_F64 || type == CW_F32))
        return cw_fail(CW_ERR_FORMAT, "%s: line %lu: '%.60s' is too large for %s", s->path, s->line,
                       s->token, cw_type_name(type == CW_F32 ? CW_F32 : CW_F64));
    return cw_fail(CW_ERR_FORMAT, "%s: line %lu: '%.60s' is no %s%s", s->path, s->line, s->token,
                   type < 0 ? "number" : cw_type_name((cw_type)type),
                   s->line == 1 && !real ? " (a header is not passed over: tail -n +2 does that)"
                                         : "");
}

/* A sign or none, then digits. */
static int is_whole(const char *text)
{
    text += *text == '-' || *text == '+';
    return *text && !text[strspn(text, "0123456789")];
}

/* 3,5;1,5 is two numbers where people write decimal commas, and four where they do not. */
static cw_status check_commas(const struct source *s)
{
    if (!s->decimal || !s->semicolons)
        return CW_OK;
    return cw_fail(CW_ERR_FORMAT,
                   "%s: line %lu: is 3,5 one number or two?  There are semicolons, too: write 3.5, "
                   "or 3, 5 with a space",
                   s->path, s->decimal);
}

/* i64 if that holds all of them, else u64, else f64; but whole numbers are not rounded unasked. */
static cw_status find_type(struct source *s, int *type)
{
    int i64 = 1, u64 = 1, whole = 1;

    while (next_token(s)) {
        int64_t i;
        uint64_t u;
        double d;

        i64 = i64 && as_i64(s->token, &i);
        u64 = u64 && as_u64(s->token, &u);
        whole = whole && is_whole(s->token);
        if (!i64 && !u64 && !as_f64(s->token, &d))
            return wrong(s, -1);
    }
    if (ferror(s->file))
        return cannot(s);
    if (check_commas(s))
        return CW_ERR_FORMAT;
    if (whole && !i64 && !u64)
        return cw_fail(CW_ERR_FORMAT,
                       "%s: neither i64 nor u64 holds all of its whole numbers; --type f64 would "
                       "round them",
                       s->path);
    *type = i64 ? CW_I64 : u64 ? CW_U64 : CW_F64;
    s->line = 1;
    s->begun = 0;
    s->token[0] = 0;
    return fseek(s->file, 0, SEEK_SET) ? cannot(s) : CW_OK;
}

/* One number as an item of the type: 0 if it is none. */
static int convert(const char *text, cw_type type, unsigned char *out)
{
    const size_t bytes = cw_type_bytes(type);
    uint64_t u;
    int64_t i;
    double d;
    float f;

    switch (type) {
    case CW_F64:
        if (!as_f64(text, &d))
            return 0;
        memcpy(out, &d, sizeof d);
        return 1;
    case CW_F32:
        if (!as_f32(text, &f))
            return 0;
        memcpy(out, &f, sizeof f);
        return 1;
    case CW_U8:
    case CW_U16:
    case CW_U32:
    case CW_U64:
        if (!as_u64(text, &u) || (bytes < 8 && u >> (8 * bytes)))
            return 0;
        break;
    default:
        if (!as_i64(text, &i) || (bytes < 8 && (i < -(INT64_C(1) << (8 * bytes - 1)) ||
                                                i >= INT64_C(1) << (8 * bytes - 1))))
            return 0;
        u = (uint64_t)i;
    }
    for (size_t k = 0; k < bytes; k++) { /* in this computer's byte order */
        const uint16_t one = 1;
        const size_t at = *(const unsigned char *)&one ? k : bytes - 1 - k;

        out[at] = (unsigned char)(u >> (8 * k));
    }
    return 1;
}

static cw_status copy_items(struct source *s, cw_type type, int to)
{
    static unsigned char items[CHUNK * 8];
    const size_t bytes = cw_type_bytes(type);
    uint64_t at = 0;
    size_t filled = 0;
    cw_status status = CW_OK;

    while (!status && next_token(s)) {
        if (!convert(s->token, type, items + filled))
            return wrong(s, (int)type);
        filled += bytes;
        if (filled + bytes > sizeof items) {
            status = cw_write_at(to, "the numbers' copy", items, filled, at);
            at += filled;
            filled = 0;
        }
    }
    if (!status && ferror(s->file))
        return cannot(s);
    if (!status)
        status = check_commas(s);
    return status ? status : cw_write_at(to, "the numbers' copy", items, filled, at);
}

cw_status text_read(int fd, const char *path, int type, const char *folder,
                    struct cw_array_file *out)
{
    struct source s = {fdopen(fd, "rb"), path, 1, "", 0, 0, 0};
    cw_status status = CW_OK;
    int items = -1;

    out->fd = -1;
    if (!s.file) {
        status = cannot(&s);
        (void)close(fd);
        return status;
    }
    if (type == CW_F16 || type == CW_BF16)
        status = cw_fail(CW_ERR_TYPE, "%s: text holds no %s: --type f32, say", path,
                         cw_type_name((cw_type)type));
    if (!status && type < 0)
        status = find_type(&s, &type);
    if (!status)
        status = cw_scratch_open(folder, &items);
    if (!status)
        status = copy_items(&s, (cw_type)type, items);
    (void)fclose(s.file);
    if (status && items >= 0)
        (void)close(items);
    if (status)
        return status;
    status = cw_array_file_take(items, "the numbers' copy", type, out);
    out->path = path;
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The shortest text that gives the number back. */
static int print_real(double x, int single, char out[40])
{
    int digits = single ? 6 : 15;

    for (; digits < 17; digits++) {
        snprintf(out, 40, "%.*g", digits, x);
        if (single ? strtof(out, NULL) == (float)x : strtod(out, NULL) == x)
            break;
    }
    return isnan(x) ? snprintf(out, 40, "nan") : snprintf(out, 40, "%.*g", digits, x);
}

static int print_item(cw_type type, const unsigned char *item, char out[40])
{
    uint64_t u8;
    uint32_t u4;
    uint16_t u2;
    double d;
    float f;

    memcpy(&u8, item, type == CW_U64 || type == CW_I64 ? 8 : 0);
    memcpy(&u4, item, type == CW_U32 || type == CW_I32 ? 4 : 0);
    memcpy(&u2, item, type == CW_U16 || type == CW_I16 ? 2 : 0);
    switch (type) {
    case CW_F64:
        memcpy(&d, item, sizeof d);
        return print_real(d, 0, out);
    case CW_F32:
        memcpy(&f, item, sizeof f);
        return print_real((double)f, 1, out);
    case CW_U64:
        return snprintf(out, 40, "%" PRIu64, u8);
    case CW_U32:
        return snprintf(out, 40, "%" PRIu32, u4);
    case CW_U16:
        return snprintf(out, 40, "%u", u2);
    case CW_U8:
        return snprintf(out, 40, "%u", *item);
    case CW_I64:
        return snprintf(out, 40, "%" PRId64, (int64_t)u8);
    case CW_I32:
        return snprintf(out, 40, "%" PRId32, (int32_t)u4);
    case CW_I16:
        return snprintf(out, 40, "%d", (int16_t)u2);
    default:
        return snprintf(out, 40, "%d", (int8_t)*item);
    }
}

cw_status text_write(const struct cw_output *from, const struct cw_npy *head, struct cw_output *to)
{
    static unsigned char items[CHUNK * 8];
    const size_t bytes = cw_type_bytes(head->type);
    const uint64_t n = head->rows * head->length;
    char text[40];

    for (uint64_t first = 0; first < n; first += CHUNK) {
        const uint64_t some = n - first < CHUNK ? n - first : CHUNK;
        const cw_status status =
            cw_read_at(from->fd, "the result", items, some * bytes, first * bytes);

        if (status)
            return status;
        if (head->swapped)
            cw_swap_bytes(items, some, bytes);
        for (uint64_t i = 0; i < some; i++) {
            const int ends = head->dims == 1 || (first + i + 1) % head->length == 0;
            const int length = print_item(head->type, items + i * bytes, text);

            text[length] = ends ? '\n' : ' ';
            cw_output_append(to, text, (size_t)length + 1);
        }
    }
    return cw_output_flush(to);
}
