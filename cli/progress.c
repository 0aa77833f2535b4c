#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "on.h"

#define WIDTH 40

void progress_begin(struct progress *p, const char *what)
{
    p->what = what;
    p->begun = p->told = seconds_now();
    p->on = isatty(STDERR_FILENO);
    p->shown = 0;
}

void progress_tell(void *user, double done)
{
    struct progress *const p = (struct progress *)user;
    const double now = p->on ? seconds_now() : 0;
    const int filled = (int)(done * WIDTH);
    char bar[WIDTH + 1];

    if (!p->on || now - p->told < 0.1)
        return;
    for (int k = 0; k < WIDTH; k++)
        bar[k] = k < filled ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r%s [%s] %3.0f %%", p->what, bar, 100 * done);
    if (done > 0.02)
        fprintf(stderr, ", %.0f s left ", (now - p->begun) * (1 - done) / done);
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
