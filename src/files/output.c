#define _GNU_SOURCE       /* O_TMPFILE */
#define _FILE_OFFSET_BITS 64

#include "files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/array_file.h"
#include "base/status.h"

#define ATTEMPTS 100

/* The name that a handler of signals removes; one output at a time has one. */
static char at_risk[4096];
static volatile int risky;

int cw_output_always_named;

void cw_output_interrupted(void)
{
    if (risky)
        (void)unlink(at_risk);
}

char *cw_folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const size_t length = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *const folder = (char *)malloc(length + 1);

    if (folder) {
        memcpy(folder, slash ? path : ".", length);
        folder[length] = 0;
    }
    return folder;
}

/* "FOLDER/.clearway-PID-ATTEMPT" */
static char *temporary(const char *path, int attempt)
{
    const size_t room = strlen(path) + 64;
    const char *const slash = strrchr(path, '/');
    char *const name = (char *)malloc(room);

    if (name)
        snprintf(name, room, "%.*s.clearway-%ld-%d", slash ? (int)(slash + 1 - path) : 0, path,
                 (long)getpid(), attempt);
    return name;
}

static cw_status cannot(const char *path)
{
    return cw_fail(CW_ERR_IO, "cannot write %s: %s", path, strerror(errno));
}

static mode_t default_mode(void)
{
    const mode_t mask = umask(0);

    umask(mask);
    return 0666 & ~mask;
}

/* A file without a name in the folder of `path`; -1 where there is no such thing. */
static int open_nameless(const char *folder)
{
#if defined(O_TMPFILE)
    if (!cw_output_always_named && access("/proc/self/fd", X_OK) == 0)
        return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    (void)folder;
    errno = EOPNOTSUPP;
    return -1;
}

static int open_named(struct cw_output *o)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        free(o->temp);
        o->temp = temporary(o->path, attempt);
        if (!o->temp || strlen(o->temp) >= sizeof at_risk)
            return -1;
        strcpy(at_risk, o->temp);
        o->fd = open(o->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (o->fd >= 0) {
            risky = 1;
            o->named = 1;
            return 0;
        }
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

static cw_status look_at_place(const char *path, struct cw_output *o, mode_t *mode)
{
    struct stat st;

    *mode = default_mode();
    o->path = realpath(path, NULL);
    if (!o->path && errno == ENOENT)
        o->path = strdup(path);
    if (!o->path)
        return cannot(path);
    if (stat(o->path, &st) == 0) {
        if (!S_ISREG(st.st_mode))
            return cw_fail(CW_ERR_IO, "cannot write %s: it is %s", path,
                           S_ISDIR(st.st_mode) ? "a directory" : "no regular file");
        if (access(o->path, W_OK) != 0)
            return cannot(path);
        o->replaces = 1;
        *mode = st.st_mode & 07777;
    }
    return CW_OK;
}

cw_status cw_output_open(const char *path, struct cw_output *out)
{
    char *folder;
    mode_t mode;
    cw_status status;

    memset(out, 0, sizeof *out);
    out->fd = -1;
    status = look_at_place(path, out, &mode);
    if (!status) {
        folder = cw_folder_of(out->path);
        if (folder)
            out->fd = open_nameless(folder);
        free(folder);
        if (out->fd < 0 && open_named(out))
            status = cannot(path);
    }
    if (!status && fchmod(out->fd, mode) != 0)
        status = cannot(path);
    if (status)
        cw_output_drop(out);
    return status;
}

cw_status cw_output_write(const struct cw_output *o, const void *from, uint64_t bytes, uint64_t at)
{
    return cw_write_at(o->fd, o->path, from, bytes, at);
}

/* A name for what has none, which `path` is then exchanged for. */
static int give_name(struct cw_output *o)
{
    char self[64];

    snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        free(o->temp);
        o->temp = temporary(o->path, attempt);
        if (!o->temp || strlen(o->temp) >= sizeof at_risk)
            return -1;
        strcpy(at_risk, o->temp);
        if (linkat(AT_FDCWD, self, AT_FDCWD, o->temp, AT_SYMLINK_FOLLOW) == 0) {
            risky = 1;
            o->named = 1;
            return 0;
        }
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

cw_status cw_output_commit(struct cw_output *o)
{
    cw_status status = CW_OK;
    int closed;

    if (o->replaces && fsync(o->fd) != 0)
        status = cannot(o->path);
    if (!status && !o->named && give_name(o))
        status = cannot(o->path);
    closed = close(o->fd); /* a failed write may be told only here */
    o->fd = -1;
    if (!status && (closed != 0 || rename(o->temp, o->path) != 0))
        status = cannot(o->path);
    if (!status)
        o->named = risky = 0;
    cw_output_drop(o);
    return status;
}

void cw_output_drop(struct cw_output *o)
{
    if (o->fd >= 0 && o->path)
        (void)close(o->fd);
    if (o->named) {
        (void)unlink(o->temp);
        risky = 0;
    }
    free(o->path);
    free(o->temp);
    memset(o, 0, sizeof *o);
    o->fd = -1;
}

cw_status cw_scratch_open(const char *folder, int *fd)
{
    const size_t room = strlen(folder) + 32;
    char *name;

    *fd = open_nameless(folder);
    if (*fd >= 0)
        return CW_OK;
    name = (char *)malloc(room);
    if (!name)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    snprintf(name, room, "%s/.clearway-XXXXXX", folder);
    *fd = mkostemp(name, O_CLOEXEC);
    if (*fd < 0) {
        free(name);
        return cw_fail(CW_ERR_IO, "cannot write to the folder %s: %s", folder, strerror(errno));
    }
    (void)unlink(name);
    free(name);
    return CW_OK;
}
