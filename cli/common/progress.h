/* progress.h - a bar on stderr while something lasts, if that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stddef.h>

struct progress {
    const char *what;
    double begun, told; /* by the clock */
    int on, shown;
};

void progress_begin(struct progress *p, const char *what);

/* `user` is a struct progress; done is 0 .. 1.  Cheap to call often. */
void progress_tell(void *user, double done);

/* The line for `done` after so many seconds, on a terminal of so many columns: never longer than that. */
void progress_line(const char *what, double done, double passed, int wide, char *out, size_t room);

/* Remove the bar. */
void progress_end(struct progress *p);

#endif
