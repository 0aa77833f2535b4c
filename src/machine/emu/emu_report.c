/* emu_report.c - what a run cost, by source line. */
#include "machine/emu/emu_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

const struct cw_emu_place *cw_emu_list(const struct cw_emu *e, uint32_t *count)
{
    return cw_emu_places_all(e->places, count);
}

void cw_emu_total(const struct cw_emu *e, struct cw_emu_place *total)
{
    uint32_t count;
    const struct cw_emu_place *const all = cw_emu_places_all(e->places, &count);

    memset(total, 0, sizeof *total);
    total->site = "";
    for (uint32_t x = 0; x < count; x++) {
        total->requests += all[x].requests;
        total->wavefronts += all[x].wavefronts;
        total->ideal += all[x].ideal;
        if (all[x].worst > total->worst)
            total->worst = all[x].worst;
    }
}

static int by_text(const char *a, const char *b)
{
    const char *const x = strrchr(a, ':'), *const y = strrchr(b, ':');
    const size_t n = x ? (size_t)(x - a) : strlen(a);
    const size_t m = y ? (size_t)(y - b) : strlen(b);
    const int names = strncmp(a, b, n < m ? n : m);
    const long line = x ? strtol(x + 1, NULL, 10) : 0, other = y ? strtol(y + 1, NULL, 10) : 0;

    if (names || n != m)
        return names ? names : n < m ? -1 : 1;
    return line != other ? (line < other ? -1 : 1) : strcmp(a, b);
}

static int by_excess(const void *left, const void *right)
{
    const struct cw_emu_place *const a = (const struct cw_emu_place *)left;
    const struct cw_emu_place *const b = (const struct cw_emu_place *)right;
    const uint64_t x = a->wavefronts - a->ideal, y = b->wavefronts - b->ideal;
    const int text = by_text(a->site, b->site);

    if (x != y)
        return x < y ? 1 : -1;
    if (text)
        return text;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

struct cw_emu_place *cw_emu_sorted(const struct cw_emu *e, uint32_t *count)
{
    const struct cw_emu_place *const all = cw_emu_places_all(e->places, count);
    struct cw_emu_place *list = (struct cw_emu_place *)malloc((*count + 1) * sizeof *list);

    if (!list)
        return NULL;
    if (*count)
        memcpy(list, all, *count * sizeof *list);
    qsort(list, *count, sizeof *list, by_excess);
    return list;
}

static void print(FILE *out, const struct cw_emu_place *p, const char *what, const char *site)
{
    fprintf(out, "%-13s %12llu %12llu %12llu %12llu %6u  %s\n", what,
            (unsigned long long)p->requests, (unsigned long long)p->wavefronts,
            (unsigned long long)p->ideal, (unsigned long long)(p->wavefronts - p->ideal), p->worst,
            site);
}

cw_status cw_emu_report(const struct cw_emu *e, FILE *out)
{
    uint32_t count;
    struct cw_emu_place *list = cw_emu_sorted(e, &count);
    struct cw_emu_place total;

    if (!list)
        return cw_fail(CW_ERR_MEMORY, "out of memory for a list of %u places", count);
    fprintf(out, "%-13s %12s %12s %12s %12s %6s  %s\n", "access", "requests", "wavefronts", "ideal",
            "excess", "worst", "place");
    for (uint32_t x = 0; x < count; x++) {
        char what[32];

        snprintf(what, sizeof what, "%s %u", cw_emu_kind_names[list[x].kind], list[x].bytes);
        print(out, &list[x], what, list[x].site);
    }
    free(list);
    cw_emu_total(e, &total);
    print(out, &total, "in all", "");
    return ferror(out) ? cw_fail(CW_ERR_IO, "the report could not be written") : CW_OK;
}
