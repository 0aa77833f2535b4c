#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "files/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

#define ONE_CALL (UINT64_C(1) << 30) /* Linux does not do more than 2 GiB at a time */

int cw_open_at(int folder, const char *path, int flags, unsigned mode)
{
    int fd;

    do
        fd = openat(folder, path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

cw_status cw_read_at(int fd, const char *path, void *to, uint64_t bytes, uint64_t at)
{
    unsigned char *p = (unsigned char *)to;

    while (bytes) {
        const ssize_t got = pread(fd, p, bytes < ONE_CALL ? bytes : ONE_CALL, (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cw_fail(CW_ERR_IO, "cannot read %s: %s", path, strerror(errno));
        if (got == 0)
            return cw_fail(CW_ERR_IO, "cannot read %s: it became shorter", path);
        p += got;
        at += (uint64_t)got;
        bytes -= (uint64_t)got;
    }
    return CW_OK;
}

/* streams: the next bytes, and `at` is not looked at. */
static int put(int fd, const void *from, uint64_t bytes, uint64_t at, int stream)
{
    const unsigned char *p = (const unsigned char *)from;

    while (bytes) {
        const uint64_t some = bytes < ONE_CALL ? bytes : ONE_CALL;
        const ssize_t done = stream ? write(fd, p, some) : pwrite(fd, p, some, (off_t)at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 && errno ? errno : EIO;
        p += done;
        at += (uint64_t)done;
        bytes -= (uint64_t)done;
    }
    return 0;
}

int cw_put_at(int fd, const void *from, uint64_t bytes, uint64_t at)
{
    return put(fd, from, bytes, at, 0);
}

int cw_put_next(int fd, const void *from, uint64_t bytes)
{
    return put(fd, from, bytes, 0, 1);
}

cw_status cw_write_at(int fd, const char *path, const void *from, uint64_t bytes, uint64_t at)
{
    const int error = cw_put_at(fd, from, bytes, at);

    return error ? cw_fail(CW_ERR_IO, "cannot write %s: %s", path, strerror(error)) : CW_OK;
}
