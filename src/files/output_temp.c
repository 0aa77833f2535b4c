/* output_temp.c - files without a name, or with one that nobody else has. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/random.h>
#endif

#include "files/bytes.h"
#include "files/output_parts.h"
#include "base/status.h"

#define ATTEMPTS 100

int cw_output_always_named;

void cw_temp_invent(char name[CW_OUTPUT_TEMP])
{
    uint64_t number = 0;
    struct timespec now = {0, 0};

#if defined(__linux__)
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
        number = 0;
#endif
    if (!number) { /* it need not be a secret: a name that exists is not taken */
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        number = ((uint64_t)getpid() << 40) ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
    }
    snprintf(name, CW_OUTPUT_TEMP, ".clearway-%016" PRIx64, number);
}

/* -1 where there is no such thing. */
static int open_nameless(int folder, mode_t mode)
{
#if defined(O_TMPFILE)
    if (!cw_output_always_named && access("/proc/self/fd", X_OK) == 0)
        return cw_open_at(folder, ".", O_TMPFILE | O_RDWR, mode);
#endif
    (void)folder;
    (void)mode;
    errno = EOPNOTSUPP;
    return -1;
}

/* Noted before it is made, so that a signal finds it at any time. */
static void try_name(struct cw_output *o)
{
    cw_temp_invent(o->temp);
    o->risk = cw_risk_take(o->folder, o->temp);
    o->named = 1;
}

void cw_temp_forget(struct cw_output *o)
{
    cw_risk_drop(o->risk);
    o->risk = -1;
    o->named = 0;
}

/* After a name that could not be made: is it worth trying another one?  errno stays. */
static int name_was_taken(struct cw_output *o)
{
    const int error = errno;

    cw_temp_forget(o);
    errno = error;
    return error == EEXIST;
}

int cw_temp_open(struct cw_output *o, mode_t mode)
{
    o->fd = open_nameless(o->folder, mode);
    for (int attempt = 0; o->fd < 0 && attempt < ATTEMPTS; attempt++) {
        try_name(o);
        o->fd = cw_open_at(o->folder, o->temp, O_CREAT | O_EXCL | O_RDWR, mode);
        if (o->fd >= 0 || !name_was_taken(o))
            break;
    }
    return o->fd < 0 ? -1 : 0;
}

int cw_temp_link(const struct cw_output *o, const char *name)
{
    char self[64];

    snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
    return linkat(AT_FDCWD, self, o->folder, name, AT_SYMLINK_FOLLOW);
}

int cw_temp_name(struct cw_output *o)
{
    for (int attempt = 0; !o->named && attempt < ATTEMPTS; attempt++) {
        try_name(o);
        if (cw_temp_link(o, o->temp) == 0 || !name_was_taken(o))
            break;
    }
    return o->named ? 0 : -1;
}

cw_status cw_scratch_open(const char *folder, int *fd)
{
    struct cw_output o;
    int error = 0;

    memset(&o, 0, sizeof o);
    o.risk = -1;
    *fd = -1;
    o.folder = cw_folder_open(folder);
    if (o.folder < 0 || cw_temp_open(&o, 0600))
        error = errno;
    if (!error && o.named) {
        (void)unlinkat(o.folder, o.temp, 0);
        cw_temp_forget(&o);
    }
    if (o.folder >= 0)
        (void)close(o.folder);
    if (error)
        return cw_fail(CW_ERR_IO, "cannot write to the folder %s: %s", folder, strerror(error));
    *fd = o.fd;
    return CW_OK;
}
