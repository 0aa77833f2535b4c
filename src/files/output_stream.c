/* output_stream.c - devices, FIFOs and pipes: written where they are, never replaced. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "files/bytes.h"
#include "files/output_parts.h"

#define PIECE     (UINT64_C(1) << 20)
#define NAP       10000000l /* nanoseconds between two looks for a reader */
#define FIFO_LOOK 100       /* of them */

/* A FIFO that nobody reads would hold us up for ever. */
int cw_stream_open(const char *path, const struct cw_place *place)
{
    static const struct timespec nap = {0, NAP};
    int fd, flags, looks = 0;

    if (place->stream >= 0)
        return fcntl(place->stream, F_DUPFD_CLOEXEC, 3);
    do {
        fd = cw_open_at(AT_FDCWD, path, O_WRONLY | O_NONBLOCK | O_NOCTTY, 0);
        if (fd >= 0 || errno != ENXIO || !S_ISFIFO(place->st.st_mode))
            break;
        (void)nanosleep(&nap, NULL);
        errno = ENXIO;
    } while (++looks < FIFO_LOOK);
    flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

static int send(const struct cw_output *o, uint64_t size)
{
    const uint64_t room = size < PIECE ? size : PIECE;
    unsigned char *const piece = (unsigned char *)malloc(room ? (size_t)room : 1);
    int error = piece ? 0 : ENOMEM;

    for (uint64_t at = 0; at < size && !error; at += room) {
        const uint64_t some = size - at < room ? size - at : room;

        error = cw_read_at(o->fd, o->path, piece, some, at) ? EIO : 0;
        if (!error)
            error = cw_put_next(o->stream, piece, some);
    }
    free(piece);
    return error;
}

/* A reader that went away is an error to report, not a signal that ends the caller. */
int cw_stream_send(const struct cw_output *o)
{
    sigset_t pipe, before, due;
    struct stat st = {0}, to = {0};
    int error, had, number;

    if (fstat(o->fd, &st) != 0 || fstat(o->stream, &to) != 0)
        return errno;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    had = sigpending(&due) == 0 && sigismember(&due, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe, &before);
    error = send(o, (uint64_t)st.st_size);
    if (!error && (S_ISREG(to.st_mode) || S_ISBLK(to.st_mode)) && fsync(o->stream) != 0)
        error = errno;
    if (error == EPIPE && !had && sigpending(&due) == 0 && sigismember(&due, SIGPIPE))
        (void)sigwait(&pipe, &number); /* it is there: this takes it away */
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
