/* gallery.c - clearway gallery: ten runs as pages in a folder, the calculator, and a page that leads to
 * them.  All files get their names together, or none does.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/options.h"
#include "cli/files/files.h"
#include "cli/model/run.h"
#include "page.h"

struct exhibit {
    const char *file, *title, *text;
    const char *algorithm[PAGE_TRACES]; /* the second may be NULL */
    uint64_t w, m;
    const char *input; /* NULL: the usual */
    const char *link;  /* where the page begins; NULL: at the input */
};

static const struct exhibit exhibits[] = {
    {"1-with-and-without.html",
     "With conflicts, and without",
     "The paper's sort beside bitonic sort, on the same keys and one clock. Red is waiting.",
     {"sort-square", "bitonic"},
     32,
     32,
     NULL,
     NULL},
    {"2-theorem-1.html",
     "Theorem 1, key by key",
     "A square of 256 keys, with numbers in the cells: super-rows, columns, super-rows, columns, "
     "rows.",
     {"sort-square", NULL},
     16,
     16,
     NULL,
     NULL},
    {"3-proof.html",
     "The proof, as zeros and ones",
     "The same sort on zeros and ones. Dirty rows glow, until one is left: that is the theorem.",
     {"sort-square", NULL},
     32,
     32,
     "zeroone",
     "colours=mark"},
    {"4-lemma-1.html",
     "Lemma 1: deal, sort, gather",
     "A short and wide matrix. Rows are dealt out like cards, which gives each its share of zeros.",
     {"sort-short", NULL},
     8,
     64,
     NULL,
     NULL},
    {"5-tall.html",
     "Theorem 2: a tall matrix",
     "More rows than columns. Columns become rows, and what is dirty comes together.",
     {"sort-tall", NULL},
     64,
     8,
     NULL,
     NULL},
    {"6-shearsort.html",
     "Shearsort",
     "Rows and columns in turn. Each round halves the dirty rows; it is simple, and slower.",
     {"shearsort", NULL},
     16,
     16,
     NULL,
     NULL},
    {"7-padding.html",
     "What padding does, and what not",
     "Bitonic sort as it is, and with a word left free after every w.",
     {"bitonic", "padded-bitonic"},
     16,
     16,
     NULL,
     NULL},
    {"8-partition.html",
     "Partition",
     "Every item goes to the row that its label names, in time linear in m.",
     {"partition", NULL},
     16,
     16,
     NULL,
     NULL},
    {"9-permutation.html",
     "Theorem 4: permutation by colours",
     "Items go to whatever places they name. Two items of one colour never go to one row.",
     {"permute", NULL},
     32,
     32,
     NULL,
     NULL},
    {"10-transpose.html",
     "Transposition",
     "The step that all of them stand on: processor i trades with rows i + k and i - k.",
     {"transpose-square", NULL},
     16,
     16,
     NULL,
     NULL},
};

#define EXHIBITS   (sizeof exhibits / sizeof *exhibits)
#define CALCULATOR EXHIBITS
#define INDEX      (EXHIBITS + 1)
#define FILES      (EXHIBITS + 2)

struct gallery {
    const char *folder;
    struct cw_output file[FILES];
    char *said[EXHIBITS]; /* steps and conflicts */
    int made;             /* the folder was made here */
};

/* ---- one page ----------------------------------------------------------------------------------- */

static int run_one(const struct exhibit *e, const char *name, struct cw_output *trace, char *said,
                   size_t size)
{
    const struct cw_algorithm *const alg = cw_algorithm_find(name);
    struct request r;
    struct result result;
    struct input in;
    cw_status status;
    int loaded;

    request_init(&r);
    r.w = e->w;
    r.m = e->m;
    r.input = e->input;
    r.trace_to = trace;
    loaded = input_load(&r, alg->problem, &in);
    if (loaded)
        return loaded;
    status = run_algorithm(&r, alg, &in, &result);
    input_free(&in);
    if (status || !result.verified)
        return complain(FAILED, "%s: %s", name, cw_last_error());
    snprintf(said, size, "%s %" PRIu64 " × %" PRIu64 ": %" PRIu64 " steps, %" PRIu64 " conflicts",
             name, e->w, e->m, result.counters.steps, result.counters.conflicts);
    return DONE;
}

static int make_page(struct gallery *g, size_t x)
{
    const struct exhibit *const e = &exhibits[x];
    const size_t count = e->algorithm[1] ? 2 : 1;
    struct cw_output traces[PAGE_TRACES];
    char said[PAGE_TRACES][160] = {"", ""}, all[336];
    int status = DONE;

    memset(traces, 0, sizeof traces);
    for (size_t k = 0; k < count && !status; k++) {
        if (cw_output_scratch(g->folder, &traces[k]))
            status = complain(FAILED, "%s", cw_last_error());
        else
            status = run_one(e, e->algorithm[k], &traces[k], said[k], sizeof said[k]);
    }
    if (!status)
        status = view_recorded(traces, count, &g->file[x]);
    for (size_t k = 0; k < count; k++)
        cw_output_drop(&traces[k]);
    snprintf(all, sizeof all, "%s%s%s", said[0], count > 1 ? "; " : "", said[1]);
    g->said[x] = strdup(all);
    return status || g->said[x] ? status : complain(FAILED, "out of memory for a page");
}

/* ---- the page that leads to them ------------------------------------------------------------------ */

static void append(struct cw_output *to, const char *text)
{
    cw_output_append(to, text, strlen(text));
}

static void append_item(struct cw_output *to, const char *file, const char *link, const char *title,
                        const char *text, const char *said)
{
    const char *const parts[] = {"  <li><a href=\"", file,  link ? "#" : "",      link ? link : "",
                                 "\"><strong>",      title, "</strong><span>",    text,
                                 "</span><small>",   said,  "</small></a></li>\n"};

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        append(to, parts[k]);
}

static void make_index(struct gallery *g)
{
    struct cw_output *const to = &g->file[INDEX];

    page_begin(to, &page_gallery);
    append(to, "\n");
    for (size_t x = 0; x < EXHIBITS; x++)
        append_item(to, exhibits[x].file, exhibits[x].link, exhibits[x].title, exhibits[x].text,
                    g->said[x]);
    append_item(to, "calculator.html", NULL, "Your own access",
                "Paste a line of your kernel: what it costs in wavefronts, and the smallest change "
                "that mends it.",
                "clearway conflicts --html");
    page_end(to, &page_gallery);
    page_begin(&g->file[CALCULATOR], &page_calculator);
    page_end(&g->file[CALCULATOR], &page_calculator);
}

/* ---- all of it -------------------------------------------------------------------------------------- */

static const char *name_of(size_t x)
{
    return x < EXHIBITS ? exhibits[x].file : x == CALCULATOR ? "calculator.html" : "index.html";
}

static int open_all(struct gallery *g)
{
    struct stat st;

    if (mkdir(g->folder, 0777) == 0)
        g->made = 1;
    else if (errno != EEXIST)
        return complain(FAILED, "cannot make the folder %s: %s", g->folder, strerror(errno));
    else if (stat(g->folder, &st) == 0 && !S_ISDIR(st.st_mode))
        return complain(FAILED, "%s is a file, and -o is a folder here", g->folder);
    for (size_t x = 0; x < FILES; x++) {
        const size_t size = strlen(g->folder) + strlen(name_of(x)) + 2;
        char *const path = (char *)malloc(size);
        cw_status status;

        if (!path)
            return complain(FAILED, "out of memory for a page");
        snprintf(path, size, "%s/%s", g->folder, name_of(x));
        status = cw_output_open(path, &g->file[x]);
        free(path);
        if (status)
            return complain(FAILED, "%s", cw_last_error());
    }
    return DONE;
}

static int commit_all(struct gallery *g)
{
    struct cw_output *all[FILES];

    for (size_t x = 0; x < FILES; x++)
        all[x] = &g->file[x];
    return outputs_commit(all, FILES);
}

static int make_gallery(const char *folder, int json)
{
    struct gallery g;
    struct json j = {stdout, 0};
    int status;

    memset(&g, 0, sizeof g);
    g.folder = folder;
    status = open_all(&g);
    for (size_t x = 0; x < EXHIBITS && !status; x++)
        status = make_page(&g, x);
    if (!status) {
        make_index(&g);
        status = commit_all(&g);
    }
    for (size_t x = 0; x < FILES; x++)
        cw_output_drop(&g.file[x]);
    for (size_t x = 0; x < EXHIBITS; x++)
        free(g.said[x]);
    if (status && g.made)
        (void)rmdir(folder);
    if (status)
        return status;
    if (json) {
        json_open(&j, NULL, '{');
        json_text(&j, "command", "gallery");
        json_text(&j, "folder", folder);
        json_number(&j, "pages", FILES);
        json_close(&j, '}');
        printf("\n");
    } else {
        printf("%s/index.html leads to %zu runs and the calculator\n", folder, EXHIBITS);
    }
    return DONE;
}

int command_gallery(int argc, char **argv)
{
    const char *folder = NULL;
    int json = 0;
    struct arguments args;
    const struct option table[] = {
        OUTPUT("FOLDER", &folder, "where the pages go; made if it is not there"),
        FLAG("json", &json, "print JSON"), OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help) {
        printf("usage: clearway gallery -o FOLDER\n\n"
               "Runs ten algorithms on the model and writes each as a page that plays it, with\n"
               "captions; a page for accesses of your own; and index.html, which leads to them.\n"
               "Pages need no network and no server.\n\n");
        options_print(table);
        return DONE;
    }
    if (args.count)
        return complain(USAGE, "-o is missing before '%s'? gallery takes nothing else",
                        args.word[0]);
    if (!folder)
        return complain(USAGE, "-o is missing: the folder to write");
    if (!strcmp(folder, "-"))
        return complain(USAGE, "-o -: pages go to a folder, not to standard output");
    return make_gallery(folder, json);
}
