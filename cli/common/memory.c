/* memory.c - how much memory this computer has left. */
#define _POSIX_C_SOURCE 200809L

#include "cli/common/memory.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"

double memory_free(void)
{
    FILE *const file = fopen("/proc/meminfo", "r");
    double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), kib;
    char line[128];

    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1 && (all <= 0 || kib * 1024 < all))
            all = kib * 1024;
    }
    if (file)
        fclose(file);
    return all;
}

int memory_refused(double bytes)
{
    const double has = memory_free();

    if (has > 0 && bytes > has)
        return complain(USAGE,
                        "this needs about %.0f GiB of memory, and this computer has %.0f free: ask "
                        "for less",
                        ceil(bytes / 0x1p30), floor(has / 0x1p30));
    return DONE;
}
