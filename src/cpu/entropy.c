/* entropy.c - a number that nobody can foresee. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif

#include "cpu/entropy.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/random.h>
#endif

#include "inputs/random.h"

/* 1 if the system gave all of it. */
static int from_system(uint64_t *out)
{
    int fd, all;

#if defined(__linux__)
    if (getrandom(out, sizeof *out, GRND_NONBLOCK) == (ssize_t)sizeof *out)
        return 1;
#endif
    fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    all = read(fd, out, sizeof *out) == (ssize_t)sizeof *out;
    close(fd);
    return all;
}

uint64_t cw_entropy(void)
{
    static _Atomic uint64_t calls; /* no two are alike, even if the clock stands still */
    struct timespec now = {0, 0};
    uint64_t x;

    if (from_system(&x))
        return x;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    x = cw_mixed((uint64_t)now.tv_nsec + ((uint64_t)now.tv_sec << 32));
    x = cw_mixed(x ^ (uint64_t)(uintptr_t)&now ^ (uint64_t)getpid() << 40);
    return cw_mixed(x + atomic_fetch_add(&calls, UINT64_C(0x9e3779b97f4a7c15)));
}
