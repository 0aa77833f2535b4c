/* say.c - lines for people: complaints on stderr, and text within 80 columns. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int complain(int status, const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    }
    fprintf(stderr, "clearway: %s\n", line);
    return status;
}

void print_wrapped(const char *text, int column, int indent)
{
    int begun = 0;

    while (*text) {
        const int length = (int)strcspn(text, " ");

        if (begun && column + 1 + length > 80) {
            printf("\n%*s", indent, "");
            column = indent;
            begun = 0;
        }
        printf("%s%.*s", begun ? " " : "", length, text);
        column += begun + length;
        begun = 1;
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}
