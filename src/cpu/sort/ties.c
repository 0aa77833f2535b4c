/* ties.c - one reading of the keys, by all threads, until a pair is found. */
#include "cpu/sort/ties.h"

#include <stdatomic.h>

#include "base/threads.h"

#define STRETCH ((size_t)1 << 18) /* keys that a thread looks at, */
#define SOME    ((size_t)1 << 12) /* before it looks whether that is enough */

struct search {
    const struct cw_sort_keys *by;
    const struct cw_key_map *map;
    const char *keys;
    size_t n;
    _Atomic uint64_t minus, plus, ones, zeros;
};

static int found(struct search *all)
{
    return (atomic_load(&all->minus) && atomic_load(&all->plus)) ||
           atomic_load(&all->ones) & atomic_load(&all->zeros);
}

static void look(void *user, size_t from, size_t end, unsigned thread)
{
    struct search *all = (struct search *)user;
    const size_t bytes = all->map->bits / 8u;

    (void)thread;
    for (size_t x = from; x < end && !found(all); x += SOME) {
        const uint32_t n = (uint32_t)(end - x < SOME ? end - x : SOME);
        struct cw_ties t = {0, 0, 0, 0};

        all->by->ties(all->map, all->keys + x * bytes, n, &t);
        atomic_fetch_or(&all->minus, t.minus);
        atomic_fetch_or(&all->plus, t.plus);
        atomic_fetch_or(&all->ones, t.ones);
        atomic_fetch_or(&all->zeros, t.zeros);
    }
}

int cw_keys_tied(const struct cw_sort_keys *by, const struct cw_key_map *map, const void *keys,
                 size_t n, struct cw_team *team, unsigned threads)
{
    struct search all = {by, map, (const char *)keys, n, 0, 0, 0, 0};

    if (threads > 1 && n > STRETCH)
        cw_team_run(team, threads, n, STRETCH, look, &all);
    else
        look(&all, 0, n, 0);
    return found(&all) != 0;
}
