#include "distributed/ranks/pinned.h"

#include <pthread.h>

#include "api/context.h"

#define SLOTS 16u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot {
    const struct cw_backend_table *on; /* NULL: the slot is free */
    void *memory;
    size_t bytes;
} kept[SLOTS];
static size_t total;

/* The smallest that is large enough, but not twice as large: ranks with little to send leave it to
 * others. */
static struct slot *fitting(const struct cw_backend_table *on, size_t bytes)
{
    struct slot *best = NULL;

    for (struct slot *s = kept; s < kept + SLOTS; s++) {
        if (s->on == on && s->bytes >= bytes && s->bytes / 2 <= bytes &&
            (!best || s->bytes < best->bytes))
            best = s;
    }
    return best;
}

cw_status cw_pinned_take(const struct cw_backend_table *on, size_t bytes, void **out)
{
    struct slot *s;

    *out = NULL;
    (void)pthread_mutex_lock(&lock);
    s = fitting(on, bytes);
    if (s) {
        *out = s->memory;
        total -= s->bytes;
        s->on = NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    return s ? CW_OK : on->pinned(bytes, out);
}

void cw_pinned_give(const struct cw_backend_table *on, void *memory, size_t bytes)
{
    struct slot *s = kept;

    if (!memory)
        return;
    (void)pthread_mutex_lock(&lock);
    while (s < kept + SLOTS && s->on)
        s++;
    if (s < kept + SLOTS && bytes <= CW_PINNED_KEPT - total) {
        s->on = on;
        s->memory = memory;
        s->bytes = bytes;
        total += bytes;
        memory = NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    if (memory)
        on->unpinned(memory);
}

size_t cw_pinned_drop(void)
{
    size_t dropped;

    (void)pthread_mutex_lock(&lock);
    dropped = total;
    for (struct slot *s = kept; s < kept + SLOTS; s++) {
        if (s->on)
            s->on->unpinned(s->memory);
        s->on = NULL;
    }
    total = 0;
    (void)pthread_mutex_unlock(&lock);
    return dropped;
}
