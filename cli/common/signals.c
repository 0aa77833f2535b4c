#define _XOPEN_SOURCE 700

#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "files/output.h"

static volatile sig_atomic_t due;

static void end_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void interrupted(int number)
{
    if (cw_output_interrupted())
        due = number;
    else
        end_by(number);
}

void signals_watch(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM};
    struct sigaction now, before;

    memset(&now, 0, sizeof now);
    now.sa_handler = interrupted;
    now.sa_flags = SA_NODEFER; /* raised by the handler, it ends the tool at once */
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        if (sigaction(ends[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ends[k], &now, NULL);
    }
    now.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &now, NULL);
    sigaction(SIGPIPE, &now, NULL);
}

void signals_end(void)
{
    if (due)
        end_by(due);
}
