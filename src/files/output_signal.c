/* output_signal.c - temporary names, where a handler of signals finds them.
 *
 * A handler may neither allocate nor wait for a lock.  So names lie in a few slots, each taken and
 * given back by one atomic step; one that finds no slot free is not noted.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

#include "files/output_parts.h"

#define SLOTS 32

enum { FREE, TAKEN, NOTED };

static struct slot {
    atomic_int state;
    int folder;
    char name[CW_OUTPUT_TEMP];
} slots[SLOTS];

static atomic_int commits;

int cw_risk_take(int folder, const char *name)
{
    for (int k = 0; k < SLOTS; k++) {
        int expected = FREE;

        if (!atomic_compare_exchange_strong(&slots[k].state, &expected, TAKEN))
            continue;
        slots[k].folder = folder;
        strncpy(slots[k].name, name, CW_OUTPUT_TEMP - 1);
        atomic_store(&slots[k].state, NOTED);
        return k;
    }
    return -1;
}

void cw_risk_drop(int risk)
{
    if (risk >= 0)
        atomic_store(&slots[risk].state, FREE);
}

void cw_commit_begin(void)
{
    atomic_fetch_add(&commits, 1);
}

void cw_commit_end(void)
{
    atomic_fetch_sub(&commits, 1);
}

int cw_output_interrupted(void)
{
    const int error = errno;

    if (atomic_load(&commits) > 0)
        return 1;
    for (int k = 0; k < SLOTS; k++) {
        if (atomic_load(&slots[k].state) == NOTED)
            (void)unlinkat(slots[k].folder, slots[k].name, 0);
    }
    errno = error;
    return 0;
}
