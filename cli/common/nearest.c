/* nearest.c - which name was meant: the fewest letters put in, left out or changed. */
#include <string.h>

#include "cli/cli.h"

#define LONGEST 40

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    const size_t width = strlen(b);

    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            const size_t next = least(row[j] + 1, row[j + 1] + 1, diagonal + (a[i] != b[j]));

            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    return row[width];
}

const char *nearest(const char *text, const char *const *names)
{
    const size_t length = strlen(text);
    const char *best = NULL;
    size_t best_distance = length / 3 + 2; /* worse than this is no slip */

    if (length > LONGEST)
        return NULL;
    for (; *names; names++) {
        const size_t d = strlen(*names) <= LONGEST ? distance(text, *names) : LONGEST;

        if (d < best_distance && d < strlen(*names)) {
            best = *names;
            best_distance = d;
        }
    }
    return best;
}
