#include "machine/emu/emu_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/sites.h"

#define MOST  4096u /* source lines with an access, at most */
#define KINDS 12u   /* kinds and sizes of access */
#define LINE  32u /* words that one line may have, as spots: its own, and those of a second part */

struct cw_emu_places {
    struct cw_sites *sites;
    uint32_t *known; /* [MOST * KINDS]: by site and kind, 1 + the place, or 0 */
    struct cw_emu_place *all;
    struct cw_emu_spot *spots; /* of each place */
    uint32_t count, room;
    struct cw_emu_spot *lines; /* [MOST]: of each site, by number; their words begin here */
    uint32_t lined;            /* sites that have one */
    struct cw_sites *files;
    const char *last_site; /* what was found last: the next lane asks for the same */
    uint32_t last_known, last_place;
};

struct cw_emu_places *cw_emu_places_create(void)
{
    struct cw_emu_places *p = (struct cw_emu_places *)calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->known = (uint32_t *)calloc(MOST * KINDS, sizeof *p->known);
    p->lines = (struct cw_emu_spot *)calloc(MOST, sizeof *p->lines);
    p->sites = cw_sites_create(MOST, UINT32_MAX);
    p->files = cw_sites_create(MOST, UINT32_MAX);
    if (p->known && p->lines && p->sites && p->files)
        return p;
    cw_emu_places_destroy(p);
    return NULL;
}

void cw_emu_places_destroy(struct cw_emu_places *p)
{
    if (!p)
        return;
    cw_sites_destroy(p->sites);
    cw_sites_destroy(p->files);
    free(p->known);
    free(p->lines);
    free(p->all);
    free(p->spots);
    free(p);
}

void cw_emu_places_reset(struct cw_emu_places *p)
{
    memset(p->known, 0, cw_sites_count(p->sites) * KINDS * sizeof *p->known);
    p->count = 0;
    p->last_site = NULL;
}

static int grow(struct cw_emu_places *p)
{
    const uint32_t room = p->room ? 2 * p->room : 64;
    struct cw_emu_place *all = (struct cw_emu_place *)realloc(p->all, room * sizeof *all);
    struct cw_emu_spot *spots;

    if (!all)
        return 0;
    p->all = all;
    spots = (struct cw_emu_spot *)realloc(p->spots, room * sizeof *spots);
    if (!spots)
        return 0;
    p->spots = spots;
    p->room = room;
    return 1;
}

/* ---- files and lines --------------------------------------------------------- */

/* File and line of "file:line" or "file:line word"; what else stands there follows the line. */
static int read_site(struct cw_emu_places *p, const char *text, struct cw_emu_spot *out)
{
    const char *const colon = strrchr(text, ':');
    char name[512], *end;
    uint32_t file;

    snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - text) : 0, text);
    file = cw_sites_name(p->files, name);
    out->file = file;
    out->line = 0;
    if (colon) {
        out->line = (uint32_t)strtoul(colon + 1, &end, 10) * LINE;
        out->line += *end ? LINE / 2 : 0;
    }
    return file != CW_SITES_NONE;
}

/* The number of a site, with its line known; CW_SITES_NONE: no room. */
static uint32_t find_site(struct cw_emu_places *p, const char *site)
{
    const uint32_t id = cw_sites_place(p->sites, site);

    if (id != CW_SITES_NONE && id == p->lined) {
        if (!read_site(p, cw_sites_text(p->sites, id), &p->lines[id]))
            return CW_SITES_NONE;
        p->lined++;
    }
    return id;
}

struct cw_emu_spot cw_emu_places_spot(const struct cw_emu_places *p, uint32_t place)
{
    return p->spots[place];
}

/* ---- places -------------------------------------------------------------------- */

static uint32_t find(struct cw_emu_places *p, const char *site, enum cw_emu_kind kind,
                     uint32_t bytes)
{
    const uint32_t id = find_site(p, site);
    uint32_t *known;

    if (id == CW_SITES_NONE)
        return CW_EMU_NO_PLACE;
    known = &p->known[id * KINDS + kind * 3 + bytes / 8];
    if (*known)
        return *known - 1;
    if (p->count == p->room && !grow(p))
        return CW_EMU_NO_PLACE;
    p->all[p->count] = (struct cw_emu_place){cw_sites_text(p->sites, id), kind, bytes, 0, 0, 0, 0};
    p->spots[p->count] = p->lines[id];
    p->spots[p->count].line += kind * 3 + bytes / 8;
    *known = ++p->count;
    return *known - 1;
}

uint32_t cw_emu_places_find(struct cw_emu_places *p, const char *site, enum cw_emu_kind kind,
                            uint32_t bytes)
{
    const uint32_t known = kind * 3 + bytes / 8;

    if (site != p->last_site || known != p->last_known) {
        p->last_place = find(p, site, kind, bytes);
        p->last_known = known;
        p->last_site = site;
    }
    return p->last_place;
}

struct cw_emu_place *cw_emu_places_all(const struct cw_emu_places *p, uint32_t *count)
{
    *count = p->count;
    return p->all;
}
