/* threads.c - a team of host threads on pthreads.
 *
 * A loop is a turn.  The caller opens it under the lock, and every worker that sees it while it is
 * open goes in, with the next number.  All take shares from one counter until none is left.  Then
 * the caller closes the turn and waits for those inside; who comes later finds it closed and waits
 * for the next one.
 *
 * Waiting begins with a short spin, since the loops of one call follow each other closely.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1 /* sched_getaffinity */
#endif

#include "base/threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define STACK ((size_t)256 << 10) /* of a worker; calls need 64 KiB at most (docs/promises.md) */
#define SPINS 2000u               /* some 10 to 50 us */

struct loop {
    size_t n, grain;
    cw_share *body;
    void *user;
    _Atomic size_t next;
};

struct cw_crew {
    pid_t process; /* that the workers belong to */
    unsigned count;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t opened, empty;
    struct loop loop;
    _Atomic unsigned turn;   /* another number for each loop */
    unsigned seats;          /* workers that may still go in; 0: it is closed */
    unsigned number;         /* of the last thread that went in */
    _Atomic unsigned inside; /* workers, not the caller */
    _Atomic int leave;
    pthread_t worker[CW_THREADS_MOST];
};

static void pause_a_little(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
    __asm__ volatile("yield");
#endif
}

static unsigned processors(void)
{
    long online;
#if defined(__linux__)
    cpu_set_t mine;

    if (!sched_getaffinity(0, sizeof mine, &mine))
        return (unsigned)CPU_COUNT(&mine);
#endif
    online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

unsigned cw_team_threads(const struct cw_team *team)
{
    const unsigned all = !team ? 1 : team->wanted ? team->wanted : processors();

    return all < CW_THREADS_MOST ? all : CW_THREADS_MOST;
}

/* ---- the work ------------------------------------------------------------------------------- */

static void do_shares(struct loop *l, unsigned thread)
{
    size_t from;

    while ((from = atomic_fetch_add_explicit(&l->next, l->grain, memory_order_relaxed)) < l->n) {
        const size_t left = l->n - from;

        l->body(l->user, from, left < l->grain ? l->n : from + l->grain, thread);
    }
}

/* Wait for a turn after `seen`, and go in: the number to work under; 0: it is time to leave. */
static unsigned enter(struct cw_crew *c, unsigned *seen)
{
    unsigned number = 0;

    for (unsigned k = 0; k < SPINS && !atomic_load(&c->leave) && atomic_load(&c->turn) == *seen;
         k++)
        pause_a_little();
    pthread_mutex_lock(&c->lock);
    while (!atomic_load(&c->leave) && (atomic_load(&c->turn) == *seen || !c->seats)) {
        *seen = atomic_load(&c->turn);
        pthread_cond_wait(&c->opened, &c->lock);
    }
    if (!atomic_load(&c->leave)) {
        *seen = atomic_load(&c->turn);
        c->seats--;
        number = ++c->number;
        atomic_fetch_add(&c->inside, 1);
    }
    pthread_mutex_unlock(&c->lock);
    return number;
}

static void *work(void *crew)
{
    struct cw_crew *c = (struct cw_crew *)crew;
    unsigned seen = 0, number;

    while ((number = enter(c, &seen)) != 0) {
        do_shares(&c->loop, number);
        pthread_mutex_lock(&c->lock);
        if (atomic_fetch_sub(&c->inside, 1) == 1)
            pthread_cond_signal(&c->empty);
        pthread_mutex_unlock(&c->lock);
    }
    return NULL;
}

/* ---- workers -------------------------------------------------------------------------------- */

/* The crew of this process, which has no worker at first; NULL: no memory. */
static struct cw_crew *crew_of(struct cw_team *team)
{
    struct cw_crew *c = team->crew;

    if (c && c->process == getpid())
        return c;
    free(c); /* fork() has left its workers behind, and a lock that nobody may hold any more */
    team->crew = c = (struct cw_crew *)calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->process = getpid();
    if (pthread_mutex_init(&c->lock, NULL) || pthread_cond_init(&c->opened, NULL) ||
        pthread_cond_init(&c->empty, NULL)) {
        free(c);
        team->crew = NULL;
    }
    return team->crew;
}

/* Signals are for the program's own threads; but who crashes must be told so. */
static void signals_of_workers(sigset_t *out)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

    sigfillset(out);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        sigdelset(out, own[k]);
}

/* Have `wanted` workers, or as many as the system gives. */
static void hire(struct cw_crew *c, unsigned wanted)
{
    sigset_t blocked, before;
    pthread_attr_t attributes;
    int small;

    if (c->count >= wanted)
        return;
    if (pthread_attr_init(&attributes))
        return;
    small = !pthread_attr_setstacksize(&attributes, STACK);
    signals_of_workers(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    while (c->count < wanted) {
        int failed = pthread_create(&c->worker[c->count], small ? &attributes : NULL, work, c);

        if (failed == EINVAL && small) /* thread-local variables take more than that stack */
            failed = pthread_create(&c->worker[c->count], NULL, work, c);
        if (failed)
            break;
        c->count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

unsigned cw_team_workers(const struct cw_team *team)
{
    return team->crew && team->crew->process == getpid() ? team->crew->count : 0;
}

void cw_team_end(struct cw_team *team)
{
    struct cw_crew *const c = team->crew;

    if (c && c->process == getpid()) {
        pthread_mutex_lock(&c->lock);
        atomic_store(&c->leave, 1);
        pthread_cond_broadcast(&c->opened);
        pthread_mutex_unlock(&c->lock);
        for (unsigned k = 0; k < c->count; k++)
            pthread_join(c->worker[k], NULL);
        pthread_cond_destroy(&c->opened);
        pthread_cond_destroy(&c->empty);
        pthread_mutex_destroy(&c->lock);
    }
    free(c);
    team->crew = NULL;
    free(team->kept);
    team->kept = NULL;
}

/* ---- buffers -------------------------------------------------------------------------------- */

#define ALIGNMENT ((size_t)256)

void *cw_team_buffers(struct cw_team *team, size_t bytes)
{
    const size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *fresh;

    if (team && team->kept && !team->lent && team->kept_bytes >= room) {
        team->lent = 1;
        return team->kept;
    }
    fresh = aligned_alloc(ALIGNMENT, room ? room : ALIGNMENT);
    if (fresh && team && !team->lent && room / CW_TEAM_KEEPS < cw_team_threads(team)) {
        free(team->kept);
        team->kept = fresh;
        team->kept_bytes = room;
        team->lent = 1;
    }
    return fresh;
}

void cw_team_buffers_done(struct cw_team *team, void *buffers)
{
    if (team && buffers && buffers == team->kept)
        team->lent = 0;
    else
        free(buffers);
}

/* ---- loops ---------------------------------------------------------------------------------- */

static void wait_until_empty(struct cw_crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->seats = 0;
    pthread_mutex_unlock(&c->lock);
    for (unsigned k = 0; k < SPINS && atomic_load(&c->inside); k++)
        pause_a_little();
    pthread_mutex_lock(&c->lock); /* also if it is empty: who left may still hold the lock */
    while (atomic_load(&c->inside))
        pthread_cond_wait(&c->empty, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

void cw_team_run(struct cw_team *team, unsigned threads, size_t n, size_t grain, cw_share *body,
                 void *user)
{
    const size_t shares = n / grain + (n % grain != 0);
    const unsigned most = shares < threads ? (unsigned)shares : threads;
    struct cw_crew *const c = team && most > 1 ? crew_of(team) : NULL;

    if (c)
        hire(c, (most < CW_THREADS_MOST ? most : CW_THREADS_MOST) - 1);
    if (!c || !c->count) {
        for (size_t from = 0; from < n; from += grain)
            body(user, from, n - from < grain ? n : from + grain, 0);
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->loop.n = n;
    c->loop.grain = grain;
    c->loop.body = body;
    c->loop.user = user;
    atomic_store(&c->loop.next, 0);
    c->number = 0;
    c->seats = most - 1;
    atomic_fetch_add(&c->turn, 1);
    pthread_cond_broadcast(&c->opened);
    pthread_mutex_unlock(&c->lock);
    do_shares(&c->loop, 0);
    wait_until_empty(c);
}
