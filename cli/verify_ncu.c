/* verify_ncu.c - what a GPU counted: this tool again, on the GPU, under the profiler ncu.
 *
 * Only two counters are asked for: with the whole section that they belong to a launch takes seconds.
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

#include "cli.h"
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
};

static cw_status take_line(struct reader *r, const char *line, struct verify_notes *out)
{
    struct verify_note x;
    int kind;

    if (!strncmp(line, "==ERROR==", 9))
        snprintf(r->error, sizeof r->error, "%.*s", (int)strcspn(line + 10, "\n"), line + 10);
    if (*line != '"')
        return CW_OK;
    if (!r->begun) {
        r->begun = header(line, r->column);
        return CW_OK;
    }
    kind = launch(line, r->column, &x);
    r->damaged |= kind < 0;
    return kind > 0 && verify_compared(x.what) ? verify_note_add(out, &x) : CW_OK;
}

static cw_status read_all(FILE *file, struct reader *r, struct verify_notes *out)
{
    char *line = NULL;
    size_t room = 0;
    cw_status status = CW_OK;

    memset(r, 0, sizeof *r);
    while (!status && getline(&line, &room, file) >= 0)
        status = take_line(r, line, out);
    free(line);
    return status;
}

int verify_ncu_read(const char *path, struct verify_notes *out)
{
    FILE *const file = fopen(path, "r");
    struct reader r;
    cw_status status;

    if (!file)
        return complain(USAGE, "cannot read %s: %s", path, strerror(errno));
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

static void become_ncu(const char *ncu, const char *tool, const char *kernel, const int *pipe)
{
    const char *const words[] = {ncu,
                                 "--clock-control",
                                 "none",
                                 "--cache-control",
                                 "none",
                                 "--metrics",
                                 "memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal",
                                 "--kernel-name",
                                 "regex:^cw_(rows|tiles|paper)_", /* verify_compared() */
                                 "--page",
                                 "raw",
                                 "--csv",
                                 tool,
                                 "verify",
                                 "--cases-on-gpu",
                                 kernel ? "--kernel" : NULL,
                                 kernel,
                                 NULL};

    if (dup2(pipe[1], STDOUT_FILENO) >= 0) {
        close(pipe[0]);
        close(pipe[1]);
        execv(ncu, (char *const *)words);
    }
    _exit(127);
}

/* Read all that it says, and see how it ended: 0, or FAILED after a complaint. */
static int listen(int from, pid_t child, struct verify_notes *out)
{
    FILE *const file = fdopen(from, "r");
    struct reader r;
    cw_status status = CW_OK;
    int ended = 0;

    memset(&r, 0, sizeof r);
    if (file) {
        status = read_all(file, &r, out);
        fclose(file);
    }
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    if (status)
        return complain(FAILED, "%s", cw_last_error());
    if (!file || !WIFEXITED(ended) || WEXITSTATUS(ended))
        return complain(FAILED, "ncu failed%s%s", *r.error ? ": " : "", r.error);
    if (!r.begun || r.damaged)
        return complain(FAILED, "ncu did not say %s", titles[WAVEFRONTS]);
    return DONE;
}

int verify_ncu_run(int only, struct verify_notes *out)
{
    char ncu[4096], tool[4096];
    const ssize_t length = readlink("/proc/self/exe", tool, sizeof tool - 1);
    int ends[2];
    pid_t child;

    if (!find_ncu(ncu, sizeof ncu))
        return complain(FAILED, "--gpu needs the profiler ncu (Nsight Compute), which is not here");
    if (length < 0 || pipe(ends))
        return complain(FAILED, "cannot run ncu: %s", strerror(errno));
    tool[length] = 0;
    child = fork();
    if (child == 0)
        become_ncu(ncu, tool, only >= 0 ? cw_kernel_name((enum cw_kernel)only) : NULL, ends);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return complain(FAILED, "cannot run ncu: %s", strerror(errno));
    }
    return listen(ends[0], child, out);
}
