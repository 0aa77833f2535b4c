/* output_commit.c - several files get their names, or none.
 *
 *      1  every file is flushed to the disk
 *      2  streams get their bytes: what cannot be taken back comes before all that can
 *      3  files that will replace others get temporary names
 *      4  one by one they take their places, and the folder is flushed after each
 *      5  the files that were replaced go
 *
 * A failure in 1 to 3 leaves all as it was.  In 4, places that were taken are given back: a file
 * that is new is removed, one that replaced another is exchanged for it again (RENAME_EXCHANGE;
 * where there is no such thing, the old file has a second name until the end).  A single file needs
 * none of that: it is renamed, and the old one is gone in the same step.
 *
 * Signals wait during 4 and 5, which take no longer than the disk needs to flush folders.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* renameat2 */
#endif
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/output_parts.h"
#include "base/status.h"

enum { WAITING, MADE, REPLACED, EXCHANGED, LINKED };

int cw_output_no_exchange;

static int flush(int fd)
{
    int failed;

    do
        failed = fsync(fd);
    while (failed && errno == EINTR);
    return failed ? errno : 0;
}

/* Some file systems cannot flush a folder, and one that may not be read cannot be. */
static int flush_folder(const struct cw_output *o)
{
    const int error = flush(o->folder);

    return error == EINVAL || error == EBADF || error == ENOTSUP ? 0 : error;
}

static int exchange(const struct cw_output *o)
{
#if defined(RENAME_EXCHANGE)
    if (!cw_output_no_exchange)
        return renameat2(o->folder, o->temp, o->folder, o->name, RENAME_EXCHANGE);
#endif
    (void)o;
    errno = ENOSYS;
    return -1;
}

/* ---- 1 to 3 ---------------------------------------------------------------------------------- */

static cw_status prepare(struct cw_output *const *o, size_t count)
{
    cw_status status = CW_OK;
    int error = 0;

    for (size_t k = 0; k < count && !status; k++) {
        if (!o[k]->path || (o[k]->stream < 0 && o[k]->folder < 0))
            return cw_fail(CW_ERR_INTERNAL, "an output that has no place");
        status = cw_output_flush(o[k]);
        if (!status && o[k]->stream < 0)
            error = flush(o[k]->fd);
        if (error)
            return cw_output_cannot(o[k]->path, error);
    }
    for (size_t k = 0; k < count && !status; k++) {
        error = o[k]->stream >= 0 ? cw_stream_send(o[k]) : 0;
        if (error)
            return cw_output_cannot(o[k]->path, error);
    }
    for (size_t k = 0; k < count && !status; k++) {
        if (o[k]->stream < 0 && o[k]->replaces && cw_temp_name(o[k]))
            return cw_output_cannot(o[k]->path, errno);
    }
    return status;
}

/* ---- 4 --------------------------------------------------------------------------------------- */

/* The old file stays, under another name, if that can be done. */
static int replace(struct cw_output *o, int keep_old)
{
    int linked = 0;

    if (keep_old && exchange(o) == 0) {
        o->placed = EXCHANGED;
        return 0;
    }
    if (keep_old) {
        cw_temp_invent(o->old);
        linked = linkat(o->folder, o->name, o->folder, o->old, 0) == 0;
    }
    if (renameat(o->folder, o->temp, o->folder, o->name) != 0) {
        const int error = errno;

        if (linked)
            (void)unlinkat(o->folder, o->old, 0);
        return error;
    }
    cw_temp_forget(o);
    o->placed = linked ? LINKED : o->replaces ? REPLACED : MADE;
    return 0;
}

/* 0, or errno.  It may have taken its place all the same: then the folder could not be flushed. */
static int place(struct cw_output *o, int keep_old)
{
    int error = 0;

    if (o->stream >= 0)
        return 0;
    if (!o->named && cw_temp_link(o, o->name) == 0) {
        o->placed = MADE;
    } else {
        if (!o->named && (errno != EEXIST || cw_temp_name(o)))
            return errno;
        if (!o->replaces) /* somebody made such a file in the meantime */
            o->replaces = faccessat(o->folder, o->name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        error = replace(o, keep_old);
    }
    return error ? error : flush_folder(o);
}

/* Not 0: it has its place for good. */
static int take_back(struct cw_output *o)
{
    struct stat ours = {0}, now = {0};
    int failed = 0;

    if (o->placed == MADE) {
        failed = fstat(o->fd, &ours) != 0 ||
                 fstatat(o->folder, o->name, &now, AT_SYMLINK_NOFOLLOW) != 0 ||
                 ours.st_ino != now.st_ino || unlinkat(o->folder, o->name, 0) != 0;
    } else if (o->placed == EXCHANGED) {
        failed = exchange(o) != 0;
        if (failed)
            cw_temp_forget(o); /* that name is the old file's: it must not be removed */
    } else if (o->placed == LINKED) {
        failed = renameat(o->folder, o->old, o->folder, o->name) != 0;
    } else if (o->placed == REPLACED) {
        failed = 1;
    }
    if (o->placed != WAITING && !failed)
        (void)flush_folder(o);
    return failed;
}

static cw_status take_all_back(struct cw_output *const *o, size_t failed, int error)
{
    const struct cw_output *stays = NULL;

    for (size_t k = failed + 1; k-- > 0;) {
        if (take_back(o[k]))
            stays = o[k];
    }
    if (!stays)
        return cw_output_cannot(o[failed]->path, error);
    if (stays->placed == REPLACED || stays->placed == MADE)
        return cw_fail(CW_ERR_IO, "cannot write %s for good: %s; the new %s is there",
                       o[failed]->path, strerror(error), stays->path);
    return cw_fail(CW_ERR_IO, "cannot write %s: %s; the old %s is beside it as %s", o[failed]->path,
                   strerror(error), stays->path,
                   stays->placed == LINKED ? stays->old : stays->temp);
}

/* ---- all ------------------------------------------------------------------------------------- */

static cw_status place_all(struct cw_output *const *o, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const int error = place(o[k], count > 1);

        if (error)
            return take_all_back(o, k, error);
    }
    for (size_t k = 0; k < count; k++) { /* what is named still is the old file */
        if (o[k]->placed == LINKED)
            (void)unlinkat(o[k]->folder, o[k]->old, 0);
    }
    return CW_OK;
}

cw_status cw_outputs_commit(struct cw_output *const *outputs, size_t count)
{
    sigset_t all, before;
    cw_status status = prepare(outputs, count);

    cw_commit_begin();
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!status)
        status = place_all(outputs, count);
    for (size_t k = 0; k < count; k++)
        cw_output_drop(outputs[k]);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    cw_commit_end();
    return status;
}
