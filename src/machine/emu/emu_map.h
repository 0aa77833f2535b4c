/* emu_map.h - from addresses to pointers: a table with open addressing. */
#ifndef CW_MACHINE_EMU_EMU_MAP_H
#define CW_MACHINE_EMU_EMU_MAP_H

#include <stddef.h>
#include <stdint.h>

struct cw_emu_map_row {
    uint64_t key; /* never 0 */
    void *value;  /* NULL: none yet */
};

struct cw_emu_map {
    struct cw_emu_map_row *rows;
    uint32_t used, log; /* log: of the number of rows */
};

static inline uint32_t cw_emu_map_place(const struct cw_emu_map *m, uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - m->log));
}

/* The value of a key, or NULL. */
static inline void *cw_emu_map_get(const struct cw_emu_map *m, uint64_t key)
{
    uint32_t x;

    if (!m->used)
        return NULL;
    for (x = cw_emu_map_place(m, key); m->rows[x].key; x = (x + 1) & ((1u << m->log) - 1))
        if (m->rows[x].key == key)
            return m->rows[x].value;
    return NULL;
}

/* Where the value of a key stands, which is made if it is not there; NULL: out of memory. */
void **cw_emu_map_at(struct cw_emu_map *m, uint64_t key);
void cw_emu_map_free(struct cw_emu_map *m);

/* Every row that is used, by number; NULL behind the last. */
struct cw_emu_map_row *cw_emu_map_next(const struct cw_emu_map *m, uint32_t *x);

#endif
