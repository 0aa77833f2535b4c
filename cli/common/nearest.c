/* nearest.c - which name was meant: what other tools call it, the fewest letters put in, left out, changed or
 * swapped, or the beginning of a name. */
#include <string.h>

#include "cli/cli.h"

#define LONGEST 40

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* Letters of either case are the same. */
static int folded(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* row[i][j]: from the first i letters of a to the first j of b. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1][LONGEST + 1];
    const size_t height = strlen(a), width = strlen(b);

    for (size_t j = 0; j <= width; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= height; i++) {
        row[i][0] = i;
        for (size_t j = 1; j <= width; j++) {
            const size_t changed = row[i - 1][j - 1] + (folded(a[i - 1]) != folded(b[j - 1]));
            const int swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];

            row[i][j] = least(row[i - 1][j] + 1, row[i][j - 1] + 1, changed);
            if (swapped && row[i - 2][j - 2] + 1 < row[i][j])
                row[i][j] = row[i - 2][j - 2] + 1;
        }
    }
    return row[height][width];
}

const char *usual(const char *text, const char *const *names)
{
    static const struct {
        const char *said, *meant;
    } table[] = {
        {"uint8", "u8"},       {"uint16", "u16"},
        {"uint32", "u32"},     {"uint64", "u64"},
        {"int8", "i8"},        {"int16", "i16"},
        {"int32", "i32"},      {"int64", "i64"},
        {"float16", "f16"},    {"bfloat16", "bf16"},
        {"float32", "f32"},    {"float64", "f64"},
        {"half", "f16"},       {"float", "f32"},
        {"double", "f64"},     {"uint8_t", "u8"},
        {"uint16_t", "u16"},   {"uint32_t", "u32"},
        {"uint64_t", "u64"},   {"int8_t", "i8"},
        {"int16_t", "i16"},    {"int32_t", "i32"},
        {"int64_t", "i64"},    {"cuda", "gpu"},
        {"host", "cpu"},       {"emulator", "emu"},
        {"dtype", "type"},     {"reverse", "descending"},
        {"r", "descending"},   {"size", "n"},
        {"count", "n"},        {"length", "n"},
        {"device", "on"},      {"backend", "on"},
        {"gpu", "on"},         {"cpu", "on"},
        {"cols", "columns"},   {"permutation", "index"},
        {"indices", "index"},  {"jobs", "threads"},
        {"j", "threads"},      {"temp", "tmpdir"},
        {"key", "by"},         {"field", "by"},
        {"payload", "values"}, {"dims", "block"},
        {"column", "by"},      {"k", "by"},
        {"i", "index"},
    };

    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const char *const *name = names;

        if (strcmp(table[k].said, text) != 0)
            continue;
        while (*name && strcmp(*name, table[k].meant) != 0)
            name++;
        if (*name)
            return *name;
    }
    return NULL;
}

static const char *begun(const char *text, size_t length, const char *const *names)
{
    while (*names && (length < 2 || strncmp(*names, text, length) != 0))
        names++;
    return *names;
}

const char *nearest(const char *text, const char *const *names)
{
    const size_t length = strlen(text);
    const char *best = usual(text, names);
    size_t best_distance = length / 3 + 1 + (length > 3); /* worse than this is no slip */

    if (length > LONGEST || best)
        return best;
    for (const char *const *name = names; *name; name++) {
        const size_t d = strlen(*name) <= LONGEST ? distance(text, *name) : LONGEST;

        if (d < best_distance && d < strlen(*name)) {
            best = *name;
            best_distance = d;
        }
    }
    return best ? best : begun(text, length, names);
}
