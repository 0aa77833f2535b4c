#define _DEFAULT_SOURCE

#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "on.h"

#define WIDTH_MOST \
    60 /* characters of the bar; it gives way to the text where the terminal is narrow */

static int columns(void)
{
    struct winsize size;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* "12 s", "3:05", "1:02:07" */
static void show_left(double seconds, char *out, size_t room)
{
    const unsigned long s = seconds < 1e7 ? (unsigned long)(seconds + 0.5) : 9999999ul;

    if (s < 60)
        snprintf(out, room, ", %lu s left", s);
    else if (s < 3600)
        snprintf(out, room, ", %lu:%02lu left", s / 60, s % 60);
    else
        snprintf(out, room, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
}

void progress_begin(struct progress *p, const char *what)
{
    p->what = what;
    p->begun = p->told = seconds_now();
    p->on = isatty(STDERR_FILENO);
    p->shown = 0;
}

void progress_line(const char *what, double done, double passed, int wide, char *out, size_t room)
{
    char bar[WIDTH_MOST + 3] = "", left[40] = "";
    int width;

    if (done > 0.02)
        show_left(passed * (1 - done) / done, left, sizeof left);
    width = wide - 1 - (int)strlen(what) - (int)strlen(" [] 100 %, 0:00:00 left");
    width = width > WIDTH_MOST ? WIDTH_MOST : width;
    if (width >= 5) {
        const int filled = (int)(done * width);

        bar[0] = '[';
        for (int k = 0; k < width; k++)
            bar[k + 1] = k < filled ? '#' : '.';
        strcpy(bar + width + 1, "]");
    }
    snprintf(out, room, "%s %s%s%3.0f %%%s", what, bar, *bar ? " " : "", 100 * done, left);
    if ((int)strlen(out) >= wide && wide > 0)
        out[wide - 1] = 0;
}

void progress_tell(void *user, double done)
{
    struct progress *const p = (struct progress *)user;
    const double now = p->on ? seconds_now() : 0;
    char line[200];

    if (!p->on || now - p->told < 0.1)
        return;
    progress_line(p->what, done, now - p->begun, columns(), line, sizeof line);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    p->told = now;
    p->shown = 1;
}

void progress_end(struct progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = 0;
}
