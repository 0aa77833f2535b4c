#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* alarm */
#endif

#include "group_threads.h"

#include <pthread.h>
#include <unistd.h>

struct rank {
    pthread_t thread;
    cw_group group;
    cw_context *context;
    group_body *body;
    void *user;
    int wrong;
};

static void *run(void *of)
{
    struct rank *const r = (struct rank *)of;

    r->wrong = r->body(&r->group, r->context, r->user);
    return NULL;
}

int group_threads_run(uint32_t ranks, cw_backend backend, unsigned seconds, group_body *body,
                      void *user)
{
    struct rank all[64] = {{0}};
    cw_threads *threads;
    int wrong = 0;

    if (ranks > 64 || cw_threads_create(ranks, &threads))
        return 1;
    (void)alarm(seconds);
    for (uint32_t r = 0; r < ranks; r++) {
        all[r].body = body;
        all[r].user = user;
        if (cw_threads_group(threads, r, &all[r].group) ||
            cw_context_create(backend, &all[r].context) ||
            cw_context_set_threads(all[r].context, 1))
            return 1;
    }
    for (uint32_t r = 0; r < ranks; r++) {
        if (pthread_create(&all[r].thread, NULL, run, &all[r]))
            return 1;
    }
    for (uint32_t r = 0; r < ranks; r++) {
        (void)pthread_join(all[r].thread, NULL);
        wrong += all[r].wrong != 0;
        cw_context_destroy(all[r].context);
    }
    (void)alarm(0);
    cw_threads_destroy(threads);
    return wrong;
}
