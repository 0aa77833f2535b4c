/* view.c - clearway view: recorded runs, or kernels, as a page to look at. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/files.h"
#include "machine/trace/trace.h"
#include "cli/common/options.h"
#include "page.h"
#include "cli/model/run.h"
#include "cli/verify/verify.h"

#define TRACE_BYTES ((size_t)128 << 20) /* the most that a browser is asked to hold */

/* A trace, read to its end: the page trusts what the tool has checked. */
struct trace {
    unsigned char *bytes;
    size_t size;
    uint64_t accesses, records; /* records: steps with no regard to conflicts */
};

/* ---- reading --------------------------------------------------------------------------------- */

static int too_large(const char *path)
{
    return complain(USAGE, "%s: more than %zu MiB are too much for a page", path,
                    TRACE_BYTES >> 20);
}

static int load(const char *path, struct trace *t)
{
    FILE *const file = open_text(path);
    int status = DONE;

    if (!file)
        return complain(USAGE, "cannot read the trace %s: %s", path, strerror(errno));
    t->bytes = (unsigned char *)malloc(TRACE_BYTES + 1);
    errno = 0;
    if (!t->bytes)
        status = complain(FAILED, "out of memory for the trace %s", path);
    else
        t->size = fread(t->bytes, 1, TRACE_BYTES + 1, file);
    if (!status && ferror(file))
        status = complain(USAGE, "cannot read the trace %s: %s", path, strerror(errno));
    else if (!status && t->size > TRACE_BYTES)
        status = too_large(path);
    (void)fclose(file);
    return status;
}

static int check(const char *path, struct trace *t)
{
    struct cw_trace_reader *reader;
    struct cw_trace_event event;
    cw_status status = cw_trace_read_bytes(t->bytes, t->size, &reader);

    if (!status) {
        do {
            status = cw_trace_read_next(reader, &event);
            t->records += event.type == CW_TRACE_DEGREE;
        } while (!status && event.type != CW_TRACE_END);
        t->accesses = event.accesses;
        cw_trace_read_close(reader);
    }
    return status ? complain(exit_of(status), "%s: %s", path, cw_last_error()) : DONE;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int index_of(const struct trace *traces, size_t count, char **text, size_t *size)
{
    FILE *const out = open_memstream(text, size);
    struct json j = {out, 0};

    if (!out)
        return complain(FAILED, "out of memory for a page");
    json_open(&j, NULL, '{');
    json_open(&j, "traces", '[');
    for (size_t x = 0; x < count; x++) {
        json_open(&j, NULL, '{');
        json_number(&j, "accesses", traces[x].accesses);
        json_number(&j, "records", traces[x].records);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    return fclose(out) ? complain(FAILED, "out of memory for a page") : DONE;
}

static int write_page(const struct trace *traces, size_t count, struct cw_output *to)
{
    char *index = NULL;
    size_t size = 0;
    const int status = index_of(traces, count, &index, &size);

    if (!status) {
        page_begin(to, &page_viewer);
        page_data(to, "clearway-index", index, size);
        for (size_t x = 0; x < count; x++) {
            char id[40];

            snprintf(id, sizeof id, "clearway-trace-%zu", x);
            page_data(to, id, traces[x].bytes, traces[x].size);
        }
        page_end(to, &page_viewer);
    }
    free(index);
    return status;
}

int view_traces(const char *const *paths, size_t count, const char *html, int json)
{
    struct trace traces[PAGE_TRACES];
    struct cw_output page = {.fd = -1};
    int status = outputs_apart(&html, 1, paths, count);

    memset(traces, 0, sizeof traces);
    if (!status && cw_output_open(html, &page))
        status = complain(FAILED, "%s", cw_last_error());
    for (size_t x = 0; x < count && !status; x++) {
        status = load(paths[x], &traces[x]);
        if (!status)
            status = check(paths[x], &traces[x]);
    }
    if (!status)
        status = write_page(traces, count, &page);
    if (!status)
        status = page_commit(&page, "view", html, json);
    cw_output_drop(&page);
    for (size_t x = 0; x < count; x++)
        free(traces[x].bytes);
    return status;
}

/* A trace that was recorded in this process. */
static int take(const struct cw_output *recorded, struct trace *t)
{
    t->size = (size_t)cw_output_appended(recorded);
    if (t->size > TRACE_BYTES)
        return too_large(recorded->path);
    t->bytes = (unsigned char *)malloc(t->size + 1);
    if (!t->bytes)
        return complain(FAILED, "out of memory for the trace of a page");
    if (cw_read_at(recorded->fd, recorded->path, t->bytes, t->size, 0))
        return complain(FAILED, "%s", cw_last_error());
    return check(recorded->path, t);
}

int view_recorded(const struct cw_output *recorded, size_t count, struct cw_output *page)
{
    struct trace traces[PAGE_TRACES];
    int status = DONE;

    memset(traces, 0, sizeof traces);
    for (size_t x = 0; x < count && !status; x++)
        status = take(&recorded[x], &traces[x]);
    if (!status)
        status = write_page(traces, count, page);
    for (size_t x = 0; x < count; x++)
        free(traces[x].bytes);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int help(const struct option *table)
{
    printf("usage: clearway view TRACE [TRACE] -o PAGE.html\n"
           "       clearway view --kernel NAME|all -o PAGE.html\n\n"
           "Makes a page that plays a run recorded by 'clearway model --trace', or two of\n"
           "them side by side: memory, the banks asked in each step, and a time line of\n"
           "phases and conflicts.  With --kernel, the requests to shared memory that\n"
           "'clearway verify' counts, by source line.  A page needs no network.\n\n");
    options_print(table);
    return DONE;
}

static int holds_sources(const char *folder)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/src/dev/kernel.h", folder);

    return n > 0 && (size_t)n < sizeof path && !access(path, R_OK);
}

int command_view(int argc, char **argv)
{
    const char *html = NULL, *kernel = NULL, *source = NULL;
    int json = 0;
    struct arguments args;
    const struct option table[] = {
        OUTPUT("PAGE", &html, "the page to write"),
        TEXT("kernel", "NAME", &kernel, "what this kernel asks of shared memory, or all of them"),
        TEXT("source", "DIR", &source,
             "kernel: where the sources of Clearway are, to show them (default .)"),
        FLAG("json", &json, "print JSON"), OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (!html)
        return complain(USAGE, "-o is missing: the page to write");
    if (!strcmp(html, "-"))
        html = "/dev/stdout";
    if (kernel) {
        const int all = !strcmp(kernel, "all"), only = all ? -1 : verify_kernel(kernel);

        if (args.count)
            return complain(USAGE, "--kernel and the trace '%s': one of them", args.word[0]);
        if (!all && only < 0)
            return verify_unknown(kernel);
        if (source && !holds_sources(source))
            return complain(USAGE,
                            "--source %s: no sources of Clearway are there: the folder that holds "
                            "src/ is wanted",
                            source);
        return view_kernels(only, source ? source : ".", html, json);
    }
    if (!args.count)
        return complain(USAGE, "which trace? 'clearway model ... --trace FILE' records one");
    if (args.count > PAGE_TRACES)
        return complain(USAGE, "at most two runs in a page: '%s' is too much", args.word[2]);
    return view_traces(args.word, (size_t)args.count, html, json);
}
