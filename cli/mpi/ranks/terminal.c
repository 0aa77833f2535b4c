#define _XOPEN_SOURCE 700

#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As /proc shortens them. */
static const char *const launchers[] = {"mpirun", "mpiexec", "orterun",       "orted",
                                        "prte",   "prterun", "mpiexec.hydra", "hydra_pmi_proxy",
                                        NULL};

/* Name and parent of a process: "PID (NAME) STATE PARENT .."; 0 if it has ended or is another's. */
static long parent_of(long pid, char *name, size_t room)
{
    char path[64], line[512] = "", *end;
    FILE *file;

    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(line, sizeof line, file))
        line[0] = 0;
    (void)fclose(file);
    end = strrchr(line, ')');
    if (!end || !strchr(line, '('))
        return 0;
    *end = 0;
    (void)snprintf(name, room, "%s", strchr(line, '(') + 1);
    return strlen(end + 1) > 3 ? strtol(end + 4, NULL, 10) : 0;
}

static int is_launcher(const char *name)
{
    for (size_t k = 0; launchers[k]; k++) {
        if (!strcmp(name, launchers[k]))
            return 1;
    }
    return 0;
}

static int writes_to_terminal(long pid)
{
    char path[64], to[256];
    ssize_t length;

    (void)snprintf(path, sizeof path, "/proc/%ld/fd/2", pid);
    length = readlink(path, to, sizeof to - 1);
    to[length > 0 ? length : 0] = 0;
    return !strncmp(to, "/dev/pts/", 9) || !strncmp(to, "/dev/tty", 8);
}

int seen_on_terminal(void)
{
    char name[64] = "";
    long pid = getppid(), last = 0, above;

    if (isatty(STDERR_FILENO))
        return 1;
    while (pid > 1 && (above = parent_of(pid, name, sizeof name)) && is_launcher(name)) {
        last = pid;
        pid = above;
    }
    return last && writes_to_terminal(last);
}
