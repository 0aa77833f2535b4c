/* verify_ncu.c - what a GPU counted: this tool again, on the GPU, under the profiler ncu.
 *
 * A launch costs the profiler up to a second, so it is asked for as little as can be: two counters that
 * one pass gives (with the whole section that they belong to a launch takes seconds), of one process,
 * of launches that there is something to say about, without rules, and caches and clocks as they
 * are.  Which cases it looks at says the tool itself (verify_bench.c).
 * The profiler writes CSV: one header, a line of units, then a line a launch, among lines of its
 * own that do not begin with a quote.  Of the many columns three are read.
 */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/files/files.h"
#include "cli/common/on.h"
#include "cli/common/progress.h"
#include "verify.h"

/* ---- CSV ------------------------------------------------------------------------------------ */

enum { NAME, WAVEFRONTS, IDEAL, COLUMNS };

static const char *const titles[COLUMNS] = {"Kernel Name", "memory_l1_wavefronts_shared",
                                            "memory_l1_wavefronts_shared_ideal"};

/* The next field of a line, without its quotes; what does not fit is cut off. */
static const char *field(const char *s, char *out, size_t size)
{
    const int quoted = *s == '"';
    size_t length = 0;

    for (s += quoted; *s && *s != '\n'; s++) {
        if (quoted && *s == '"' && *++s != '"')
            break;
        if (!quoted && *s == ',')
            break;
        if (length + 1 < size)
            out[length++] = *s;
    }
    out[length] = 0;
    while (*s && *s != ',' && *s != '\n')
        s++;
    return *s == ',' ? s + 1 : NULL;
}

/* 1 if the line is the header; where it has the columns. */
static int header(const char *line, int *column)
{
    char text[VERIFY_NAME];
    int found = 0;

    for (int x = 0; line; x++) {
        line = field(line, text, sizeof text);
        for (int k = 0; k < COLUMNS; k++) {
            if (!strcmp(text, titles[k])) {
                column[k] = x;
                found |= 1 << k;
            }
        }
    }
    return found == (1 << COLUMNS) - 1;
}

/* "1,234" and "1234.00" are whole numbers, too. */
static int number(const char *text, uint64_t *out)
{
    uint64_t x = 0;

    if (!isdigit((unsigned char)*text))
        return 0;
    for (; isdigit((unsigned char)*text) || *text == ','; text++)
        x = *text == ',' ? x : 10 * x + (uint64_t)(*text - '0');
    *out = x;
    return !*text || (*text == '.' && !text[1 + strspn(text + 1, "0")]);
}

/* Nothing is none: of a kernel that has no shared memory. */
static int figure(const char *text, uint64_t *out)
{
    return !*text || number(text, out);
}

/* A launch, 1; a line that is none, 0; -1 if it has no figures. */
static int launch(const char *line, const int *column, struct verify_note *out)
{
    char text[VERIFY_NAME];
    uint64_t id = 0;
    int found = 0;

    memset(out, 0, sizeof *out);
    for (int x = 0; line; x++) {
        line = field(line, text, sizeof text);
        if (x == 0 && !number(text, &id))
            return 0;
        if (x == column[NAME]) {
            text[strcspn(text, "( ")] = 0; /* no arguments */
            memcpy(out->what, text, sizeof out->what);
            found++;
        }
        found += x == column[WAVEFRONTS] && figure(text, &out->cost.wavefronts);
        found += x == column[IDEAL] && figure(text, &out->cost.ideal);
    }
    return found == COLUMNS ? 1 : -1;
}

struct reader {
    int column[COLUMNS];
    int begun, damaged;
    char error[VERIFY_NAME]; /* what the profiler complained about last */
    size_t seen, expected;   /* launches that it has done; that there will be, at least */
    struct progress *progress;
};

/* ==PROF== Profiling "cw_rows_classes" - 3: 0%....50%....100% - 1 pass */
static void follow(struct reader *r, const char *line, struct verify_gpu *out)
{
    const char *const end = strstr(line, "100% - ");
    const unsigned passes = end ? (unsigned)strtoul(end + 7, NULL, 10) : 0;

    if (!end || strncmp(line, "==PROF== Profiling", 18) != 0)
        return;
    out->passes = passes > out->passes ? passes : out->passes;
    r->seen++;
    if (r->progress)
        progress_tell(r->progress, r->expected ? (double)r->seen / (double)r->expected : 0);
}

/* The comparison sort's launches come last, and those that it makes of others among them: they have no
 * match on the emulator. */
static struct verify_notes *list_of(const char *name, struct verify_gpu *out)
{
    if (out->alone.count || !strncmp(name, "cw_sample_sort_", 15))
        return &out->alone;
    return verify_compared(name) ? &out->same : NULL;
}

static cw_status take_line(struct reader *r, const char *line, struct verify_gpu *out)
{
    struct verify_notes *list;
    struct verify_note x;
    int kind;

    if (!strncmp(line, "==ERROR==", 9))
        snprintf(r->error, sizeof r->error, "%.*s", (int)strcspn(line + 10, "\n"), line + 10);
    follow(r, line, out);
    if (*line != '"')
        return CW_OK;
    if (!r->begun) {
        r->begun = header(line, r->column);
        return CW_OK;
    }
    kind = launch(line, r->column, &x);
    r->damaged |= kind < 0;
    list = kind > 0 ? list_of(x.what, out) : NULL;
    return list ? verify_note_add(list, &x) : CW_OK;
}

static cw_status read_all(FILE *file, struct reader *r, struct verify_gpu *out)
{
    char *line = NULL;
    size_t room = 0;
    cw_status status = CW_OK;

    while (!status && getline(&line, &room, file) >= 0)
        status = take_line(r, line, out);
    free(line);
    return status;
}

int verify_ncu_read(const char *path, struct verify_gpu *out)
{
    FILE *const file = open_text(path);
    struct reader r;
    cw_status status;

    if (!file)
        return complain(USAGE, "cannot read %s: %s", path, strerror(errno));
    memset(&r, 0, sizeof r);
    status = read_all(file, &r, out);
    if (ferror(file)) {
        fclose(file);
        return complain(USAGE, "cannot read %s: %s", path, strerror(errno));
    }
    fclose(file);
    if (status)
        return complain(FAILED, "%s", cw_last_error());
    if (!r.begun)
        return complain(USAGE, "%s: no column '%s' and '%s'", path, titles[WAVEFRONTS],
                        titles[IDEAL]);
    if (r.damaged)
        return complain(USAGE, "%s: a launch without figures", path);
    return DONE;
}

/* ---- the profiler --------------------------------------------------------------------------- */

/* In PATH, or where CUDA is usually installed. */
static int find_ncu(char *out, size_t size)
{
    const char *path = getenv("PATH");

    while (path && *path) {
        const int length = (int)strcspn(path, ":");

        snprintf(out, size, "%.*s/ncu", length, path);
        if (length && !access(out, X_OK))
            return 1;
        path += length + (path[length] == ':');
    }
    snprintf(out, size, "/usr/local/cuda/bin/ncu");
    return !access(out, X_OK);
}

int verify_ncu_missing(void)
{
    char ncu[4096];

    if (find_ncu(ncu, sizeof ncu))
        return DONE;
    return complain(FAILED, "--gpu needs the profiler ncu (Nsight Compute), which is not here");
}

static void become_ncu(const char *ncu, const char *tool, const struct verify *v, const int *pipe)
{
    char part[32] = "";
    const char *words[40] = {ncu,
                             "--profile-from-start",
                             "off", /* verify_begin() starts it */
                             "--clock-control",
                             "none",
                             "--cache-control",
                             "none",
                             "--apply-rules",
                             "no",
                             "--target-processes",
                             "application-only",
                             "--print-units",
                             "base",
                             "--metrics",
                             "memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal",
                             "--kernel-name",
                             "regex:^cw_(rows|tiles|paper|plan|sample_sort)_", /* list_of() */
                             "--page",
                             "raw",
                             "--csv",
                             tool,
                             "verify",
                             "--cases-on-gpu"};
    size_t count = 0;

    while (words[count])
        count++;
    if (v->only >= 0) {
        words[count++] = "--kernel";
        words[count++] = cw_kernel_name((enum cw_kernel)v->only);
    }
    if (v->parts) {
        snprintf(part, sizeof part, "%u/%u", v->part + 1u, v->parts);
        words[count++] = "--part";
        words[count++] = part;
    }
    if (dup2(pipe[1], STDOUT_FILENO) >= 0) {
        close(pipe[0]);
        close(pipe[1]);
        execv(ncu, (char *const *)words);
    }
    _exit(127);
}

static size_t expected(const struct verify *v)
{
    size_t count = 0;

    for (size_t x = 0; x < v->notes.count; x++)
        count += verify_compared(cw_kernel_name(v->notes.at[x].kernel)) != 0;
    return count;
}

/* Read all that it says, and see how it ended: 0, or FAILED after a complaint. */
static int listen(int from, pid_t child, const struct verify *v, struct verify_gpu *out)
{
    FILE *const file = fdopen(from, "r");
    const double begun = seconds_now();
    struct progress bar;
    struct reader r;
    cw_status status = CW_OK;
    int ended = 0;

    memset(&r, 0, sizeof r);
    r.expected = expected(v);
    r.progress = &bar;
    progress_begin(&bar, "ncu");
    if (file) {
        status = read_all(file, &r, out);
        fclose(file);
    }
    progress_end(&bar);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (status)
        return complain(FAILED, "%s", cw_last_error());
    if (!file || !WIFEXITED(ended) || WEXITSTATUS(ended))
        return complain(FAILED, "ncu failed%s%s", *r.error ? ": " : "", r.error);
    if (!r.begun || r.damaged)
        return complain(FAILED, "ncu did not say %s", titles[WAVEFRONTS]);
    fprintf(stderr, "ncu: %zu launches, %.0f s, %u pass%s a launch at most\n",
            out->same.count + out->alone.count, seconds_now() - begun, out->passes,
            out->passes == 1 ? "" : "es");
    return DONE;
}

int verify_ncu_run(const struct verify *v, struct verify_gpu *out)
{
    char ncu[4096], tool[4096];
    const ssize_t length = readlink("/proc/self/exe", tool, sizeof tool - 1);
    int ends[2];
    pid_t child;

    if (!find_ncu(ncu, sizeof ncu))
        return verify_ncu_missing();
    if (length < 0 || pipe(ends))
        return complain(FAILED, "cannot run ncu: %s", strerror(errno));
    tool[length] = 0;
    child = fork();
    if (child == 0)
        become_ncu(ncu, tool, v, ends);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return complain(FAILED, "cannot run ncu: %s", strerror(errno));
    }
    return listen(ends[0], child, v, out);
}
