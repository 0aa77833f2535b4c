#include "machine/emu_places.h"

#include <stdlib.h>
#include <string.h>

#include "machine/sites.h"

#define MOST  4096u /* source lines with an access, at most */
#define KINDS 9u    /* kinds and sizes of access */

/* Where a place stands in its file. */
struct source {
    uint32_t file; /* length of the name, the text before the colon */
    uint32_t line;
};

struct cw_emu_places {
    struct cw_sites *sites;
    uint32_t *known; /* [MOST * KINDS]: by site and kind, 1 + the place, or 0 */
    struct cw_emu_place *all;
    struct source *sources; /* of each place */
    uint32_t count, room;
};

struct cw_emu_places *cw_emu_places_create(void)
{
    struct cw_emu_places *p = (struct cw_emu_places *)calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->known = (uint32_t *)calloc(MOST * KINDS, sizeof *p->known);
    p->sites = cw_sites_create(MOST, UINT32_MAX);
    if (p->known && p->sites)
        return p;
    cw_emu_places_destroy(p);
    return NULL;
}

void cw_emu_places_destroy(struct cw_emu_places *p)
{
    if (!p)
        return;
    cw_sites_destroy(p->sites);
    free(p->known);
    free(p->all);
    free(p->sources);
    free(p);
}

void cw_emu_places_reset(struct cw_emu_places *p)
{
    memset(p->known, 0, cw_sites_count(p->sites) * KINDS * sizeof *p->known);
    p->count = 0;
}

static int grow(struct cw_emu_places *p)
{
    const uint32_t room = p->room ? 2 * p->room : 64;
    struct cw_emu_place *all = (struct cw_emu_place *)realloc(p->all, room * sizeof *all);
    struct source *sources;

    if (!all)
        return 0;
    p->all = all;
    sources = (struct source *)realloc(p->sources, room * sizeof *sources);
    if (!sources)
        return 0;
    p->sources = sources;
    p->room = room;
    return 1;
}

uint32_t cw_emu_places_find(struct cw_emu_places *p, const char *site, enum cw_emu_kind kind,
                            uint32_t bytes)
{
    const uint32_t id = cw_sites_place(p->sites, site);
    const char *text, *colon;
    uint32_t *known;

    if (id == CW_SITES_NONE)
        return CW_EMU_NO_PLACE;
    known = &p->known[id * KINDS + kind * 3 + bytes / 8];
    if (*known)
        return *known - 1;
    if (p->count == p->room && !grow(p))
        return CW_EMU_NO_PLACE;
    text = cw_sites_text(p->sites, id);
    colon = strrchr(text, ':');
    p->all[p->count] = (struct cw_emu_place){text, kind, bytes, 0, 0, 0, 0};
    p->sources[p->count].file = colon ? (uint32_t)(colon - text) : 0;
    p->sources[p->count].line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    *known = ++p->count;
    return *known - 1;
}

int cw_emu_places_before(const struct cw_emu_places *p, uint32_t a, uint32_t b)
{
    const struct source *const x = &p->sources[a], *const y = &p->sources[b];

    if (x->file != y->file || memcmp(p->all[a].site, p->all[b].site, x->file) != 0)
        return 0;
    if (x->line != y->line)
        return x->line < y->line;
    if (p->all[a].kind != p->all[b].kind)
        return p->all[a].kind < p->all[b].kind;
    return p->all[a].bytes < p->all[b].bytes;
}

struct cw_emu_place *cw_emu_places_all(const struct cw_emu_places *p, uint32_t *count)
{
    *count = p->count;
    return p->all;
}
