/* progress.h - a bar on stderr while something lasts, if that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

struct progress {
    const char *what;
    double begun, told; /* by the clock */
    int on, shown;
};

void progress_begin(struct progress *p, const char *what);

/* `user` is a struct progress; done is 0 .. 1.  Cheap to call often. */
void progress_tell(void *user, double done);

/* Remove the bar. */
void progress_end(struct progress *p);

#endif
