/* threads.c - a group of threads of this process: they meet at a barrier. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* pthread_barrier_t */
#endif

#include <pthread.h>
#include <stdlib.h>

#include "base/status.h"
#include "distributed/ranks/seats.h"

struct cw_threads {
    uint32_t ranks;
    pthread_barrier_t barrier;
    struct cw_seat *seats;
};

static int meet(void *self)
{
    struct cw_threads *const t = (struct cw_threads *)((struct cw_seat *)self)->of;
    const int code = pthread_barrier_wait(&t->barrier);

    return code == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : code;
}

cw_status cw_threads_create(uint32_t ranks, cw_threads **out)
{
    struct cw_threads *t;

    if (!out || !ranks)
        return cw_fail(CW_ERR_ARGUMENT, "threads: %u ranks, or out is NULL", ranks);
    *out = NULL;
    t = (struct cw_threads *)calloc(1, sizeof *t);
    if (t)
        t->seats = (struct cw_seat *)calloc(ranks, sizeof *t->seats);
    if (!t || !t->seats || pthread_barrier_init(&t->barrier, NULL, ranks)) {
        if (t)
            free(t->seats);
        free(t);
        return cw_fail(CW_ERR_MEMORY, "a group of %u threads", ranks);
    }
    t->ranks = ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        const struct cw_seat seat = {t->seats, r, ranks, meet, t, NULL, NULL};

        t->seats[r] = seat;
    }
    *out = t;
    return CW_OK;
}

void cw_threads_destroy(cw_threads *threads)
{
    if (!threads)
        return;
    (void)pthread_barrier_destroy(&threads->barrier);
    free(threads->seats);
    free(threads);
}

cw_status cw_threads_group(cw_threads *threads, uint32_t rank, cw_group *out)
{
    if (!threads || !out || rank >= threads->ranks)
        return cw_fail(CW_ERR_ARGUMENT, "threads: no rank %u, or NULL", rank);
    cw_seats_group(&threads->seats[rank], out);
    return CW_OK;
}
