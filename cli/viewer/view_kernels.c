/* view_kernels.c - requests to shared memory by kernel and source line, with the source around it.
 *
 * The cases of `clearway verify` run on the emulator; what every place in the source cost is added
 * up over all launches of a kernel.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/files/files.h"
#include "base/status.h"
#include "page.h"
#include "cli/verify/verify.h"

#define AROUND 3    /* lines of source shown before and after a place */
#define LINE   1024 /* longer ones are cut */

struct kernel {
    struct cw_emu_place *lines;
    uint32_t count, room;
    uint64_t launches;
};

struct tally {
    struct kernel kernels[CW_KERNEL_COUNT];
    cw_status status;
};

static const char *const kinds[] = {"read", "add", "write", "count"};

/* ---- adding up ------------------------------------------------------------------------------- */

static struct cw_emu_place *line_of(struct kernel *k, const struct cw_emu_place *p)
{
    char *site;

    for (uint32_t x = 0; x < k->count; x++) {
        struct cw_emu_place *const a = &k->lines[x];

        if (a->kind == p->kind && a->bytes == p->bytes && !strcmp(a->site, p->site))
            return a;
    }
    if (k->count == k->room) {
        const uint32_t room = k->room ? 2 * k->room : 16;
        struct cw_emu_place *const more =
            (struct cw_emu_place *)realloc(k->lines, room * sizeof *more);

        if (!more)
            return NULL;
        k->lines = more;
        k->room = room;
    }
    site = strdup(p->site); /* the emulator's own goes with it */
    if (!site)
        return NULL;
    k->lines[k->count] = *p;
    k->lines[k->count].site = site;
    k->lines[k->count].requests = k->lines[k->count].wavefronts = k->lines[k->count].ideal = 0;
    return &k->lines[k->count++];
}

static void add(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct tally *const t = (struct tally *)user;
    struct kernel *const k = &t->kernels[l->kernel];
    uint32_t count;
    const struct cw_emu_place *const places = cw_emu_list(e, &count);

    k->launches++;
    for (uint32_t x = 0; x < count && !t->status; x++) {
        struct cw_emu_place *const line = line_of(k, &places[x]);

        if (!line) {
            t->status = cw_fail(CW_ERR_MEMORY, "out of memory for source lines");
            return;
        }
        line->requests += places[x].requests;
        line->wavefronts += places[x].wavefronts;
        line->ideal += places[x].ideal;
        if (places[x].worst > line->worst)
            line->worst = places[x].worst;
    }
}

/* ---- sources --------------------------------------------------------------------------------- */

/* The file of a site, from the root of the sources: "src/..". */
static const char *file_of(const char *site, size_t *length)
{
    const char *const from = strstr(site, "src/"), *const name = from ? from : site;
    const char *const colon = strrchr(name, ':');

    *length = colon ? (size_t)(colon - name) : strlen(name);
    return name;
}

static long number_of(const char *site)
{
    const char *const colon = strrchr(site, ':');

    return colon ? strtol(colon + 1, NULL, 10) : 0;
}

static int same_file(const char *a, const char *b)
{
    size_t n, m;

    a = file_of(a, &n);
    b = file_of(b, &m);
    return n == m && !strncmp(a, b, n);
}

/* Is this line of the file near a place of any kernel? */
static int is_near(const struct tally *t, const char *site, long line)
{
    for (int k = 0; k < CW_KERNEL_COUNT; k++) {
        for (uint32_t x = 0; x < t->kernels[k].count; x++) {
            const char *const other = t->kernels[k].lines[x].site;

            if (labs(number_of(other) - line) <= AROUND && same_file(other, site))
                return 1;
        }
    }
    return 0;
}

static void json_source(struct json *j, const struct tally *t, const char *site, const char *root)
{
    size_t length;
    const char *const name = file_of(site, &length);
    char path[LINE], text[LINE], key[24];
    FILE *file;

    snprintf(path, sizeof path, "%s/%.*s", root, (int)length, name);
    file = fopen(path, "r");
    if (!file)
        return; /* the page does without */
    json_open(j, path + strlen(root) + 1, '{');
    for (long line = 1; fgets(text, sizeof text, file); line++) {
        text[strcspn(text, "\n")] = 0;
        snprintf(key, sizeof key, "%ld", line);
        if (is_near(t, site, line))
            json_text(j, key, text);
    }
    json_close(j, '}');
    (void)fclose(file);
}

static void json_sources(struct json *j, const struct tally *t, const char *root)
{
    const char *seen[256];
    size_t count = 0;

    json_open(j, "sources", '{');
    for (int k = 0; k < CW_KERNEL_COUNT; k++) {
        for (uint32_t x = 0; x < t->kernels[k].count && count < 256; x++) {
            const char *const site = t->kernels[k].lines[x].site;
            size_t known = 0;

            while (known < count && !same_file(seen[known], site))
                known++;
            if (known < count)
                continue;
            seen[count++] = site;
            json_source(j, t, site, root);
        }
    }
    json_close(j, '}');
}

/* ---- the page -------------------------------------------------------------------------------- */

static void json_kernel(struct json *j, const struct tally *t, enum cw_kernel kernel)
{
    const struct kernel *const k = &t->kernels[kernel];

    json_open(j, NULL, '{');
    json_text(j, "name", cw_kernel_name(kernel));
    json_bool(j, "marked", cw_kernel_free(kernel));
    json_number(j, "launches", k->launches);
    json_open(j, "lines", '[');
    for (uint32_t x = 0; x < k->count; x++) {
        const struct cw_emu_place *const p = &k->lines[x];
        size_t length;

        json_open(j, NULL, '{');
        json_text(j, "site", file_of(p->site, &length));
        json_text(j, "kind", kinds[p->kind]);
        json_number(j, "bytes", p->bytes);
        json_number(j, "requests", p->requests);
        json_number(j, "wavefronts", p->wavefronts);
        json_number(j, "ideal", p->ideal);
        json_number(j, "worst", p->worst);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static int index_of(const struct tally *t, int only, const char *root, char **text, size_t *size)
{
    FILE *const out = open_memstream(text, size);
    struct json j = {out, 0};

    if (!out)
        return complain(FAILED, "out of memory for a page");
    json_open(&j, NULL, '{');
    json_open(&j, "kernels", '[');
    for (int k = 0; k < CW_KERNEL_COUNT; k++) {
        if (t->kernels[k].launches && (only < 0 || only == k))
            json_kernel(&j, t, (enum cw_kernel)k);
    }
    json_close(&j, ']');
    json_sources(&j, t, root);
    json_close(&j, '}');
    return fclose(out) ? complain(FAILED, "out of memory for a page") : DONE;
}

static int write_page(const struct tally *t, int only, const char *root, struct cw_output *to,
                      const char *html, int json)
{
    char *index = NULL;
    size_t size = 0;
    int status = index_of(t, only, root, &index, &size);

    if (!status) {
        page_begin(to, &page_viewer);
        page_data(to, "clearway-index", index, size);
        page_end(to, &page_viewer);
        status = page_commit(to, "view", html, json);
    }
    free(index);
    return status;
}

static void forget(struct tally *t)
{
    for (int k = 0; k < CW_KERNEL_COUNT; k++) {
        for (uint32_t x = 0; x < t->kernels[k].count; x++)
            free((char *)t->kernels[k].lines[x].site);
        free(t->kernels[k].lines);
    }
}

int view_kernels(int only, const char *root, const char *html, int json)
{
    static struct tally t;
    struct cw_output page;
    struct verify v;
    int status;

    memset(&t, 0, sizeof t);
    if (cw_output_open(html, &page))
        return complain(FAILED, "%s", cw_last_error());
    if (verify_open(&v, CW_EMULATOR, only, NULL)) {
        cw_output_drop(&page);
        return complain(FAILED, "%s", cw_last_error());
    }
    v.each = add;
    v.each_user = &t;
    verify_cases(&v);
    status = v.wrong ? FAILED : DONE;
    if (!status && t.status)
        status = complain(FAILED, "%s", cw_last_error());
    verify_close(&v);
    if (!status)
        status = write_page(&t, only, root, &page, html, json);
    cw_output_drop(&page);
    forget(&t);
    return status;
}
