#define _POSIX_C_SOURCE 200809L
#include "machine/sites.h"

#include <stdlib.h>
#include <string.h>

struct place {
    const char *text; /* its address is the key */
    uint32_t id;
};

struct cw_sites {
    struct place *places; /* open addressing, half full at most while memory lasts */
    uint32_t mask, used;
    char **texts; /* by number; copies */
    uint32_t count, room;
    uint32_t most, length;
};

struct cw_sites *cw_sites_create(uint32_t most, uint32_t length)
{
    struct cw_sites *s = (struct cw_sites *)calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->most = most;
    s->length = length;
    s->mask = 63;
    s->room = 64;
    s->places = (struct place *)calloc(s->mask + 1, sizeof *s->places);
    s->texts = (char **)malloc(s->room * sizeof *s->texts);
    if (s->places && s->texts)
        return s;
    cw_sites_destroy(s);
    return NULL;
}

void cw_sites_destroy(struct cw_sites *s)
{
    if (!s)
        return;
    for (uint32_t id = 0; id < s->count; id++)
        free(s->texts[id]);
    free(s->texts);
    free(s->places);
    free(s);
}

uint32_t cw_sites_name(struct cw_sites *s, const char *text)
{
    for (uint32_t id = 0; id < s->count; id++)
        if (strncmp(s->texts[id], text, s->length) == 0)
            return id;
    if (s->count == s->most)
        return CW_SITES_NONE;
    if (s->count == s->room) {
        char **texts = (char **)realloc(s->texts, 2 * (size_t)s->room * sizeof *texts);

        if (!texts)
            return CW_SITES_NONE;
        s->texts = texts;
        s->room *= 2;
    }
    s->texts[s->count] = strndup(text, s->length);
    return s->texts[s->count] ? s->count++ : CW_SITES_NONE;
}

static struct place *find(const struct cw_sites *s, const char *text)
{
    uint32_t h = (uint32_t)((uintptr_t)text * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    while (s->places[h & s->mask].text && s->places[h & s->mask].text != text)
        h++;
    return &s->places[h & s->mask];
}

/* Twice the places; without memory for them the table fills up to its last free place,
 * and then texts are found by what they say: correct, only slower. */
static void grow(struct cw_sites *s)
{
    struct place *const old = s->places;
    const uint32_t size = s->mask + 1;
    struct place *places = (struct place *)calloc(2 * (size_t)size, sizeof *places);

    if (!places)
        return;
    s->places = places;
    s->mask = 2 * size - 1;
    for (uint32_t x = 0; x < size; x++)
        if (old[x].text)
            *find(s, old[x].text) = old[x];
    free(old);
}

uint32_t cw_sites_place(struct cw_sites *s, const char *text)
{
    struct place *p = find(s, text);
    uint32_t id;

    if (p->text)
        return p->id;
    id = cw_sites_name(s, text);
    if (2 * s->used > s->mask) {
        grow(s);
        p = find(s, text);
    }
    if (id != CW_SITES_NONE && s->used < s->mask) {
        p->text = text;
        p->id = id;
        s->used++;
    }
    return id;
}

uint32_t cw_sites_count(const struct cw_sites *s)
{
    return s->count;
}

const char *cw_sites_text(const struct cw_sites *s, uint32_t id)
{
    return s->texts[id];
}
