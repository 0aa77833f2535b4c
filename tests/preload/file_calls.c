/* file_calls.c - loaded before the C library (LD_PRELOAD): what a program asks of files, logged, and
 * failing on demand.
 *
 *      CW_CALLS_LOG=FILE       a line for each call: "openat -100 box/x.npy 2 = 5",
 *                              "pwrite 5 128 4 01020304 = 4", ..
 *      CW_CALLS_FAIL=K:HOW     call K (from 0) fails with the errno HOW; or HOW is short (half of the
 *                              bytes are written or read), before or after (SIGKILL, there);
 *      CW_CALLS_FAIL=K+:HOW    the same for all calls from K on
 *      CW_CALLS_WITHOUT=LETTERS  t: no O_TMPFILE, x: no RENAME_EXCHANGE
 *
 * Counted are calls for paths below the folder that the program was begun in, and for files that
 * were opened so.  Calls go to the kernel by number, so this needs nothing of the library it hides.
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* these are the functions that it would change */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int begun, log_fd = -1, fail_error, fail_on;
static long calls, fail_at = -1;
static char fail_how, home[4096];
static const char *without = "";
static char ours[FILES]; /* files that are counted */

static void begin(void)
{
    const char *const log = getenv("CW_CALLS_LOG"), *fail = getenv("CW_CALLS_FAIL");

    begun = 1;
    if (syscall(SYS_getcwd, home, sizeof home) < 0)
        home[0] = 0;
    if (log)
        log_fd =
            (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fail) {
        fail_at = strtol(fail, (char **)&fail, 10);
        fail_on = *fail == '+';
        fail += fail_on;
        fail_how = fail[1]; /* a digit, or the first letter of a word */
        fail_error = atoi(fail + 1);
    }
    if (getenv("CW_CALLS_WITHOUT"))
        without = getenv("CW_CALLS_WITHOUT");
}

static void put_log(const char *text, size_t length)
{
    if (log_fd >= 0 && syscall(SYS_write, log_fd, text, length) < 0)
        log_fd = -1;
}

static void say(const char *format, ...)
{
    char line[9000];
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put_log(line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
}

static void say_bytes(const void *bytes, size_t count)
{
    const unsigned char *const b = (const unsigned char *)bytes;
    char hex[2048];

    for (size_t at = 0; log_fd >= 0 && at < count; at += sizeof hex / 2) {
        const size_t some = count - at < sizeof hex / 2 ? count - at : sizeof hex / 2;

        for (size_t k = 0; k < some; k++) {
            hex[2 * k] = "0123456789abcdef"[b[at + k] >> 4];
            hex[2 * k + 1] = "0123456789abcdef"[b[at + k] & 15];
        }
        put_log(hex, 2 * some);
    }
}

static int counted_fd(int fd)
{
    return fd >= 0 && fd < FILES && ours[fd];
}

static int counted_path(int folder, const char *path)
{
    return path[0] == '/' ? home[0] && !strncmp(path, home, strlen(home))
                          : folder == AT_FDCWD || counted_fd(folder);
}

/* One call: 1 if it is to be made, 0 if it fails; then errno is set. */
static int enter(void)
{
    const long k = calls++;

    if (fail_on ? k < fail_at : k != fail_at || fail_how == 's' || fail_how == 'a')
        return 1;
    if (fail_how == 'b')
        (void)syscall(SYS_kill, (long)getpid(), SIGKILL);
    errno = fail_error;
    return 0;
}

static void leave(void)
{
    if (calls - 1 == fail_at && fail_how == 'a')
        (void)syscall(SYS_kill, (long)getpid(), SIGKILL);
}

static size_t less(size_t bytes)
{
    return calls - 1 == fail_at && fail_how == 's' && bytes > 1 ? bytes / 2 : bytes;
}

/* The lock is not held while the program may be stopped: nothing here waits. */
static void take(void)
{
    (void)pthread_mutex_lock(&lock);
    if (!begun)
        begin();
}

static long give(long result)
{
    const int error = errno;

    leave();
    (void)pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static int do_open(int folder, const char *path, int flags, mode_t mode)
{
    long fd = -1;

    take();
    if (!counted_path(folder, path)) {
        fd = syscall(SYS_openat, folder, path, flags, mode);
        (void)pthread_mutex_unlock(&lock);
        return (int)fd;
    }
    if ((flags & O_TMPFILE) == O_TMPFILE && strchr(without, 't')) {
        (void)pthread_mutex_unlock(&lock);
        errno = EOPNOTSUPP;
        return -1;
    }
    say("openat %d %s %d", folder, path, flags);
    if (enter())
        fd = syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && fd < FILES)
        ours[fd] = 1;
    say(" = %ld\n", fd);
    return (int)give(fd);
}

#define MODE_ARGUMENT                                          \
    mode_t mode = 0;                                           \
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) { \
        va_list args;                                          \
        va_start(args, flags);                                 \
        mode = va_arg(args, mode_t);                           \
        va_end(args);                                          \
    }

int open(const char *path, int flags, ...)
{
    MODE_ARGUMENT
    return do_open(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_ARGUMENT
    return do_open(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE_ARGUMENT
    return do_open(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    MODE_ARGUMENT
    return do_open(folder, path, flags, mode);
}

/* What a hardened build calls. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

int __open_2(const char *path, int flags)
{
    return do_open(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
    return do_open(AT_FDCWD, path, flags, 0);
}

int __openat_2(int folder, const char *path, int flags)
{
    return do_open(folder, path, flags, 0);
}

int __openat64_2(int folder, const char *path, int flags)
{
    return do_open(folder, path, flags, 0);
}

int close(int fd)
{
    if (counted_fd(fd)) {
        take();
        ours[fd] = 0;
        say("close %d = 0\n", fd);
        (void)pthread_mutex_unlock(&lock);
    }
    return (int)syscall(SYS_close, fd);
}

/* ---- bytes ------------------------------------------------------------------------------------ */

static ssize_t do_write(int fd, const void *bytes, size_t count, off_t at, int stream)
{
    long done = -1;

    if (!counted_fd(fd) && !(stream && fd > 2))
        return stream ? syscall(SYS_write, fd, bytes, count)
                      : syscall(SYS_pwrite64, fd, bytes, count, at);
    take();
    say(stream ? "write %d %ld %zu " : "pwrite %d %ld %zu ", fd, (long)at, count);
    say_bytes(bytes, count);
    if (enter())
        done = stream ? syscall(SYS_write, fd, bytes, less(count))
                      : syscall(SYS_pwrite64, fd, bytes, less(count), at);
    say(" = %ld\n", done);
    return give(done);
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    return do_write(fd, bytes, count, 0, 1);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at)
{
    return do_write(fd, bytes, count, at, 0);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at)
{
    return do_write(fd, bytes, count, at, 0);
}

static ssize_t do_read(int fd, void *bytes, size_t count, off_t at)
{
    long done = -1;

    if (!counted_fd(fd))
        return syscall(SYS_pread64, fd, bytes, count, at);
    take();
    say("pread %d %ld %zu", fd, (long)at, count);
    if (enter())
        done = syscall(SYS_pread64, fd, bytes, less(count), at);
    say(" = %ld\n", done);
    return give(done);
}

ssize_t pread(int fd, void *bytes, size_t count, off_t at)
{
    return do_read(fd, bytes, count, at);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at)
{
    return do_read(fd, bytes, count, at);
}

/* What a hardened build calls; it knows that the bytes have room. */
ssize_t __pread_chk(int fd, void *bytes, size_t count, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *bytes, size_t count, off64_t at, size_t room);

ssize_t __pread_chk(int fd, void *bytes, size_t count, off_t at, size_t room)
{
    return count > room ? abort(), -1 : do_read(fd, bytes, count, at);
}

ssize_t __pread64_chk(int fd, void *bytes, size_t count, off64_t at, size_t room)
{
    return count > room ? abort(), -1 : do_read(fd, bytes, count, at);
}

/* ---- one file --------------------------------------------------------------------------------- */

static int do_one(const char *name, long number, int fd, long a, long b)
{
    long result = -1;

    if (!counted_fd(fd))
        return (int)syscall(number, fd, a, b);
    take();
    say("%s %d %ld %ld", name, fd, a, b);
    if (enter())
        result = syscall(number, fd, a, b);
    say(" = %ld\n", result);
    return (int)give(result);
}

int fsync(int fd)
{
    return do_one("fsync", SYS_fsync, fd, 0, 0);
}

int fdatasync(int fd)
{
    return do_one("fsync", SYS_fdatasync, fd, 0, 0);
}

int ftruncate(int fd, off_t size)
{
    return do_one("ftruncate", SYS_ftruncate, fd, size, 0);
}

int ftruncate64(int fd, off64_t size)
{
    return do_one("ftruncate", SYS_ftruncate, fd, size, 0);
}

int fchmod(int fd, mode_t mode)
{
    return do_one("fchmod", SYS_fchmod, fd, (long)mode, 0);
}

int fchown(int fd, uid_t owner, gid_t group)
{
    return do_one("fchown", SYS_fchown, fd, (long)owner, (long)group);
}

/* ---- names ------------------------------------------------------------------------------------ */

static int do_rename(int from, const char *old, int to, const char *new, unsigned flags)
{
    long result = -1;

    if (!counted_path(to, new))
        return (int)syscall(SYS_renameat2, from, old, to, new, flags);
    if (flags && strchr(without, 'x')) {
        errno = EINVAL;
        return -1;
    }
    take();
    say("renameat %d %s %d %s %u", from, old, to, new, flags);
    if (enter())
        result = syscall(SYS_renameat2, from, old, to, new, flags);
    say(" = %ld\n", result);
    return (int)give(result);
}

int rename(const char *old, const char *new)
{
    return do_rename(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int renameat(int from, const char *old, int to, const char *new)
{
    return do_rename(from, old, to, new, 0);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    return do_rename(from, old, to, new, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    long result = -1;

    take();
    say("linkat %d %s %d %s %d", from, old, to, new, flags);
    if (enter())
        result = syscall(SYS_linkat, from, old, to, new, flags);
    say(" = %ld\n", result);
    return (int)give(result);
}

int link(const char *old, const char *new)
{
    return linkat(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int unlinkat(int folder, const char *path, int flags)
{
    long result = -1;

    if (!counted_path(folder, path))
        return (int)syscall(SYS_unlinkat, folder, path, flags);
    take();
    say("unlinkat %d %s %d", folder, path, flags);
    if (enter())
        result = syscall(SYS_unlinkat, folder, path, flags);
    say(" = %ld\n", result);
    return (int)give(result);
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}
