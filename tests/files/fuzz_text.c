/* fuzz_text.c - a libFuzzer target: any bytes as numbers in a text (--text, CSV), read by the tool.
 *
 *      clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *          -I. -Iinclude -Isrc -Itests tests/files/fuzz_text.c cli/files/text.c $LIBRARY -lm -lpthread -o fuzz_text
 *      ./fuzz_text -max_len=2048 -max_total_time=120 [CORPUS]
 *
 * The reference cuts the whole text into words first, and asks the C library for the value of each.  What one takes
 * the other must take, as the same type with the same numbers; what is refused is refused with the line.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/files/text.h"
#include "support/fuzz/input.h"

struct words {
    char **at;
    size_t *length;
    size_t count;
    int decimal, semicolons; /* a comma right between a word and a digit; a semicolon */
};

static int separates(int c)
{
    return isspace(c) || c == ',' || c == ';';
}

static struct words cut(const uint8_t *data, size_t size)
{
    struct words w = {(char **)array_of(8 * size), (size_t *)array_of(8 * size), 0, 0, 0};

    const size_t mark = size >= 3 && !memcmp(data, "\xef\xbb\xbf", 3) ? 3 : 0; /* of byte order */

    for (size_t i = mark; i < size;) {
        size_t end = i;

        if (data[i] == '#') {
            while (i < size && data[i] != '\n')
                i++;
            continue;
        }
        while (end < size && !separates(data[end]) && data[end] != '#')
            end++;
        if (end > i) {
            w.at[w.count] = (char *)calloc(end - i + 1, 1);
            must(w.at[w.count] != NULL, "no memory");
            memcpy(w.at[w.count], data + i, end - i);
            w.length[w.count++] = end - i;
        }
        w.semicolons |= end == i && data[i] == ';';
        w.decimal |= end > i && end + 1 < size && data[end] == ',' && isdigit(data[end + 1]);
        i = end > i ? end : i + 1;
    }
    return w;
}

/* Is the word a number of this type?  Its bits. */
static int value(const char *word, size_t length, cw_type type, uint64_t *bits)
{
    const unsigned wide = 8 * (unsigned)cw_type_bytes(type);
    char *end;
    int64_t i;

    if (strlen(word) != length || length >= 400) /* a zero in the middle of it; too long */
        return 0;
    errno = 0;
    if (type == CW_F64 || type == CW_F32) {
        const double d = strtod(word, &end);
        const float f = strtof(word, NULL);

        memcpy(bits, type == CW_F64 ? (const void *)&d : (const void *)&f, wide / 8);
        *bits &= UINT64_MAX >> (64 - wide);
        if (type == CW_F64 ? isinf(d) : isinf(f)) /* infinite only if it says so */
            return !*end && strpbrk(word, "iI") != NULL;
        return !*end;
    }
    if (type <= CW_U64) {
        *bits = strtoull(word, &end, 10);
        return !*end && !errno && word[0] != '-' && (wide == 64 || !(*bits >> wide));
    }
    i = strtoll(word, &end, 10);
    *bits = (uint64_t)i & UINT64_MAX >> (64 - wide);
    return !*end && !errno && i >= INT64_MIN >> (64 - wide) && i <= INT64_MAX >> (64 - wide);
}

static int all_are(const struct words *w, cw_type type)
{
    uint64_t bits;

    for (size_t k = 0; k < w->count; k++)
        if (!value(w->at[k], w->length[k], type, &bits))
            return 0;
    return 1;
}

/* Only whole numbers: a sign or none, then digits. */
static int all_whole(const struct words *w)
{
    for (size_t k = 0; k < w->count; k++) {
        size_t digits = 0, i = w->at[k][0] == '-' || w->at[k][0] == '+';

        for (; i < w->length[k] && isdigit((unsigned char)w->at[k][i]); i++)
            digits++;
        if (i < w->length[k] || !digits)
            return 0;
    }
    return 1;
}

static void check(const struct words *w, int asked, cw_status status, struct cw_array_file *got)
{
    const cw_type type = asked >= 0           ? (cw_type)asked
                         : all_are(w, CW_I64) ? CW_I64
                         : all_are(w, CW_U64) ? CW_U64
                                              : CW_F64;
    const size_t bytes = cw_type_bytes(type);
    const int rounds = asked < 0 && type == CW_F64 && all_whole(w);
    const int takes = type != CW_F16 && type != CW_BF16 && all_are(w, type) && !rounds &&
                      !(w->decimal && w->semicolons);

    must(takes == !status, takes ? "numbers are refused" : "what is no number is taken");
    if (status) {
        must(status == CW_ERR_FORMAT || status == CW_ERR_TYPE, "refused with another status");
        must(cw_last_error()[0] != 0, "refused without a word");
        return;
    }
    must(got->head.type == type && got->head.length == w->count, "another type or length");
    for (size_t k = 0; k < w->count; k++) {
        uint64_t want, item = 0;

        must(cw_array_file_read(got, k, 1, &item) == CW_OK, "not read");
        must(value(w->at[k], w->length[k], type, &want) && !memcmp(&want, &item, bytes),
             "a number is wrong");
    }
    cw_array_file_close(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int type = size ? data[0] % (CW_TYPE_COUNT + 3) : 0;
    struct cw_array_file got;
    struct words words;
    int fd;

    if (!size)
        return 0;
    data++, size--;
    fd = memfd_create("text", 0);
    must(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0,
         "no file");
    words = cut(data, size);
    check(&words, type < CW_TYPE_COUNT ? type : -1,
          text_read(fd, "text", type < CW_TYPE_COUNT ? type : -1, "/tmp", &got), &got);
    for (size_t k = 0; k < words.count; k++)
        free(words.at[k]);
    free(words.at);
    free(words.length);
    return 0;
}
