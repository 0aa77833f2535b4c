#include "machine/emu/emu_map.h"

#include <stdlib.h>

#define FIRST_LOG 6u

static struct cw_emu_map_row *row_of(const struct cw_emu_map *m, uint64_t key)
{
    uint32_t x = cw_emu_map_place(m, key);

    while (m->rows[x].key && m->rows[x].key != key)
        x = (x + 1) & ((1u << m->log) - 1);
    return &m->rows[x];
}

static int grow(struct cw_emu_map *m)
{
    struct cw_emu_map more = {NULL, m->used, m->log ? m->log + 1 : FIRST_LOG};
    struct cw_emu_map_row *row;
    uint32_t x = 0;

    more.rows = (struct cw_emu_map_row *)calloc((size_t)1 << more.log, sizeof *more.rows);
    if (!more.rows)
        return 0;
    while ((row = cw_emu_map_next(m, &x)) != NULL)
        *row_of(&more, row->key) = *row;
    free(m->rows);
    *m = more;
    return 1;
}

void **cw_emu_map_at(struct cw_emu_map *m, uint64_t key)
{
    struct cw_emu_map_row *row;

    if ((!m->log || 2 * m->used >= 1u << m->log) && !grow(m))
        return NULL;
    row = row_of(m, key);
    if (!row->key) {
        row->key = key;
        m->used++;
    }
    return &row->value;
}

void cw_emu_map_free(struct cw_emu_map *m)
{
    free(m->rows);
    m->rows = NULL;
    m->used = m->log = 0;
}

struct cw_emu_map_row *cw_emu_map_next(const struct cw_emu_map *m, uint32_t *x)
{
    const uint32_t all = m->log ? 1u << m->log : 0;

    while (*x < all && !m->rows[*x].key)
        ++*x;
    return *x < all ? &m->rows[(*x)++] : NULL;
}
