/* output_keep.c - owner, group, mode and extended attributes of a file that is replaced.
 *
 * An access list is an attribute, too.  It must be kept or the replacement be refused: without it
 * the mode would let more people in than the list did.  Other attributes are kept where they can.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif

#include "files/output_parts.h"

#define ACCESS_LIST "system.posix_acl_access"

static int keep_owner(int fd, const struct stat *st)
{
    struct stat now = {0};

    if (fstat(fd, &now) != 0)
        return errno;
    if (now.st_uid == st->st_uid && now.st_gid == st->st_gid)
        return 0;
    return fchown(fd, st->st_uid, st->st_gid) != 0 ? errno : 0;
}

#if defined(__linux__)
static int keep_attribute(int fd, const char *path, const char *name)
{
    const ssize_t size = lgetxattr(path, name, NULL, 0);
    char *const value = (char *)malloc(size > 0 ? (size_t)size : 1);
    int error = 0;

    if (!value)
        error = ENOMEM;
    else if (size < 0 || lgetxattr(path, name, value, (size_t)size) != size ||
             fsetxattr(fd, name, value, (size_t)size, 0) != 0)
        error = errno;
    free(value);
    return strcmp(name, ACCESS_LIST) && error != ENOMEM ? 0 : error;
}

static int keep_attributes(int fd, int folder, const char *file)
{
    const size_t room = strlen(file) + 64;
    char *const path = (char *)malloc(room), *names = NULL;
    ssize_t size = 0;
    int error = path ? 0 : ENOMEM;

    (void)fremovexattr(fd, ACCESS_LIST); /* the folder's default, which the old file may not have */
    if (path) {
        snprintf(path, room, "/proc/self/fd/%d/%s", folder, file);
        size = llistxattr(path, NULL, 0);
    }
    if (size > 0) {
        names = (char *)malloc((size_t)size);
        size = names ? llistxattr(path, names, (size_t)size) : 0;
        error = names ? 0 : ENOMEM;
    }
    for (ssize_t at = 0; at < size && !error; at += (ssize_t)strlen(names + at) + 1)
        error = keep_attribute(fd, path, names + at);
    free(names);
    free(path);
    return error;
}
#else
static int keep_attributes(int fd, int folder, const char *file)
{
    (void)fd;
    (void)folder;
    (void)file;
    return 0;
}
#endif

int cw_keep(int fd, int folder, const char *name, const struct stat *st, const char **what)
{
    int error;

    *what = "its owner cannot be kept";
    error = keep_owner(fd, st);
    if (error)
        return error;
    *what = "its attributes cannot be kept";
    error = keep_attributes(fd, folder, name);
    if (error)
        return error;
    *what = "its mode cannot be kept";
    return fchmod(fd, st->st_mode & 07777) != 0 ? errno : 0;
}
