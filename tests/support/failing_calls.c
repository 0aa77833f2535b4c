/* failing_calls.c - calls that fail on demand. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#undef _FORTIFY_SOURCE /* these are the functions that it would change */

#include "failing_calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>

static atomic_long count, live, fail_at = -1;
static _Atomic enum failing_kind failed;
static const char *_Atomic failed_name;

void failing_calls_begin(long k)
{
    failed = FAILING_NONE;
    failed_name = "none";
    count = 0;
    fail_at = k;
}

enum failing_kind failing_calls_end(const char **name)
{
    fail_at = -1;
    *name = failed_name;
    return failed;
}

long failing_calls_live(void)
{
    return live;
}

/* Whether this call is the one. */
static int fails(enum failing_kind kind, const char *name, int error)
{
    const long k = atomic_fetch_add(&count, 1);

    if (k != fail_at)
        return 0;
    failed = kind;
    failed_name = name;
    errno = error;
    return 1;
}

/* Declares what is wrapped, as the linker has it. */
#define WRAP(type, name, ...)        \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

/* ---- memory --------------------------------------------------------------------------------- */

static void *taken(void *block)
{
    live += block != NULL;
    return block;
}

WRAP(void *, malloc, size_t bytes)
{
    return fails(FAILING_MEMORY, "malloc", ENOMEM) ? NULL : taken(__real_malloc(bytes));
}

WRAP(void *, calloc, size_t n, size_t bytes)
{
    return fails(FAILING_MEMORY, "calloc", ENOMEM) ? NULL : taken(__real_calloc(n, bytes));
}

WRAP(void *, aligned_alloc, size_t to, size_t bytes)
{
    return fails(FAILING_MEMORY, "aligned_alloc", ENOMEM) ? NULL
                                                          : taken(__real_aligned_alloc(to, bytes));
}

WRAP(void *, realloc, void *block, size_t bytes)
{
    void *more;

    if (fails(FAILING_MEMORY, "realloc", ENOMEM))
        return NULL;
    more = __real_realloc(block, bytes);
    live += !block && more;
    return more;
}

WRAP(char *, strndup, const char *text, size_t bytes)
{
    return fails(FAILING_MEMORY, "strndup", ENOMEM) ? NULL
                                                    : (char *)taken(__real_strndup(text, bytes));
}

WRAP(void, free, void *block)
{
    live -= block != NULL;
    __real_free(block);
}

WRAP(void *, mmap, void *at, size_t bytes, int may, int flags, int fd, off_t from)
{
    void *map;

    if (fails(FAILING_MEMORY, "mmap", ENOMEM))
        return MAP_FAILED;
    map = __real_mmap(at, bytes, may, flags, fd, from);
    live += map != MAP_FAILED;
    return map;
}

WRAP(int, munmap, void *at, size_t bytes)
{
    live--;
    return __real_munmap(at, bytes);
}

/* ---- threads and chance --------------------------------------------------------------------- */

WRAP(int, pthread_create, pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
     void *user)
{
    return fails(FAILING_THREAD, "pthread_create", EAGAIN)
               ? EAGAIN
               : __real_pthread_create(thread, how, run, user);
}

WRAP(ssize_t, getrandom, void *bytes, size_t n, unsigned flags)
{
    return fails(FAILING_RANDOM, "getrandom", ENOSYS) ? -1 : __real_getrandom(bytes, n, flags);
}

/* ---- files ---------------------------------------------------------------------------------- */

WRAP(int, openat64, int folder, const char *path, int flags, mode_t mode)
{
    return fails(FAILING_FILE, "openat", EIO) ? -1 : __real_openat64(folder, path, flags, mode);
}

WRAP(int, open, const char *path, int flags, mode_t mode)
{
    return fails(FAILING_FILE, "open", EIO) ? -1 : __real_open(path, flags, mode);
}

WRAP(ssize_t, pread64, int fd, void *bytes, size_t n, off64_t at)
{
    return fails(FAILING_FILE, "pread", EIO) ? -1 : __real_pread64(fd, bytes, n, at);
}

WRAP(ssize_t, pwrite64, int fd, const void *bytes, size_t n, off64_t at)
{
    return fails(FAILING_FILE, "pwrite", ENOSPC) ? -1 : __real_pwrite64(fd, bytes, n, at);
}

WRAP(int, fsync, int fd)
{
    return fails(FAILING_FILE, "fsync", EIO) ? -1 : __real_fsync(fd);
}

WRAP(int, renameat2, int from, const char *old, int to, const char *new, unsigned flags)
{
    return fails(FAILING_FILE, "renameat2", EIO) ? -1 : __real_renameat2(from, old, to, new, flags);
}

WRAP(int, renameat, int from, const char *old, int to, const char *new)
{
    return fails(FAILING_FILE, "renameat", EIO) ? -1 : __real_renameat(from, old, to, new);
}

WRAP(int, linkat, int from, const char *old, int to, const char *new, int flags)
{
    return fails(FAILING_FILE, "linkat", EIO) ? -1 : __real_linkat(from, old, to, new, flags);
}

WRAP(FILE *, fdopen, int fd, const char *how)
{
    return fails(FAILING_FILE, "fdopen", EMFILE) ? NULL : __real_fdopen(fd, how);
}

WRAP(size_t, fread, void *bytes, size_t size, size_t n, FILE *file)
{
    return fails(FAILING_FILE, "fread", EIO) ? 0 : __real_fread(bytes, size, n, file);
}
