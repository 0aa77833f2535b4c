#include "machine/model/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* A waiting group.  Open addressing: at most one entry a lane can be live, the
 * table has more than twice as many, so probes stay short; an entry whose group
 * has gone on keeps its key (rows > 0, arrived == 0) until the next reset. */
struct entry {
    struct cw_group key;
    uint32_t arrived;
    uint32_t first, last; /* list of waiting lanes, in order of arrival */
    const char *site;     /* where the first of them waits */
};

struct cw_groups {
    struct entry *table;
    uint32_t mask, used, lanes;
    uint32_t *link;     /* [lanes] */
    struct entry *last; /* the entry that was asked for last */
};

cw_status cw_groups_create(uint32_t lanes, struct cw_groups **out)
{
    struct cw_groups *g = (struct cw_groups *)calloc(1, sizeof *g);
    uint32_t size = 16;

    *out = NULL;
    if (!g)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    while (size < 4 * (uint64_t)lanes)
        size *= 2;
    g->mask = size - 1;
    g->lanes = lanes;
    g->table = (struct entry *)calloc(size, sizeof *g->table);
    g->link = (uint32_t *)malloc(lanes * sizeof *g->link);
    if (!g->table || !g->link) {
        cw_groups_destroy(g);
        return cw_fail(CW_ERR_MEMORY, "out of memory for the barriers of %u lanes", lanes);
    }
    g->last = g->table;
    *out = g;
    return CW_OK;
}

void cw_groups_destroy(struct cw_groups *g)
{
    if (!g)
        return;
    free(g->table);
    free(g->link);
    free(g);
}

void cw_groups_reset(struct cw_groups *g)
{
    if (g->used)
        memset(g->table, 0, ((size_t)g->mask + 1) * sizeof *g->table);
    g->used = 0;
    g->last = g->table;
}

static int is_key(const struct entry *e, struct cw_group key)
{
    return e->key.first == key.first && e->key.rows == key.rows && e->key.stride == key.stride;
}

static struct entry *look_up(const struct cw_groups *g, struct cw_group key)
{
    uint32_t h = (key.first * 0x9e3779b1u ^ key.rows * 0x85ebca77u ^ key.stride * 0xc2b2ae3du);

    for (h ^= h >> 15;; h++) {
        struct entry *e = &g->table[h & g->mask];

        if (!e->key.rows || is_key(e, key))
            return e;
    }
}

/* Forget the groups that nobody waits for; keep the others. */
static void sweep(struct cw_groups *g)
{
    const size_t size = (size_t)g->mask + 1;
    struct entry *const old = g->table;
    struct entry *const table = (struct entry *)calloc(size, sizeof *table);

    if (!table)
        return; /* half full is still correct, only slower */
    g->table = g->last = table;
    g->used = 0;
    for (size_t x = 0; x < size; x++) {
        if (old[x].arrived) {
            *look_up(g, old[x].key) = old[x];
            g->used++;
        }
    }
    free(old);
}

static struct entry *entry_of(struct cw_groups *g, struct cw_group group)
{
    struct entry *e = g->last;

    if (is_key(e, group))
        return e;
    e = look_up(g, group);
    if (!e->key.rows) {
        if (g->used > g->mask / 2) {
            sweep(g);
            e = look_up(g, group);
        }
        e->key = group;
        g->used++;
    }
    g->last = e;
    return e;
}

static int is_in(struct cw_group group, uint32_t lane)
{
    const uint32_t off = lane - group.first;

    if (lane < group.first || !group.stride)
        return 0;
    if (group.stride == 1)
        return off < group.rows;
    return off % group.stride == 0 && off / group.stride < group.rows;
}

enum cw_arrival cw_groups_arrive(struct cw_groups *g, struct cw_group group, uint32_t lane,
                                 const char *site)
{
    struct entry *e;

    if (!is_in(group, lane))
        return CW_GROUP_WRONG;
    e = entry_of(g, group);
    g->link[lane] = CW_GROUP_END;
    if (!e->arrived++) {
        e->first = lane;
        e->site = site;
    } else {
        g->link[e->last] = lane;
    }
    e->last = lane;
    return e->arrived == group.rows ? CW_GROUP_COMPLETE : CW_GROUP_WAIT;
}

const uint32_t *cw_groups_open(struct cw_groups *g, struct cw_group group, uint32_t *first)
{
    struct entry *const e = entry_of(g, group);

    e->arrived = 0;
    *first = e->first;
    return g->link;
}

cw_status cw_groups_stuck(const struct cw_groups *g)
{
    const struct entry *e = NULL;

    for (size_t x = 0; x <= g->mask; x++)
        if (g->table[x].arrived && (!e || g->table[x].first < e->first))
            e = &g->table[x];
    if (!e)
        return cw_fail(CW_ERR_INTERNAL, "no processor can go on, yet none waits");
    return cw_fail(CW_ERR_BARRIER,
                   "barrier at %s: %u of %u processors came (the first is %u), the others have "
                   "ended or wait elsewhere",
                   e->site, e->arrived, e->key.rows, e->first);
}
