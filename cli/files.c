#define _XOPEN_SOURCE 700

#include "files.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* ---- signals ---------------------------------------------------------------------------------- */

static void interrupted(int number)
{
    cw_output_interrupted();
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction now, before;

    memset(&now, 0, sizeof now);
    now.sa_handler = interrupted;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        if (sigaction(ends[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ends[k], &now, NULL);
    }
    now.sa_handler = SIG_IGN; /* a file too large is a failed write */
    sigaction(SIGXFSZ, &now, NULL);
}

/* ---- open and close ---------------------------------------------------------------------------- */

int files_failed(struct files *f, cw_status status)
{
    if (!status)
        return DONE;
    progress_end(&f->progress);
    return complain(FAILED, "%s", cw_last_error());
}

int files_open(struct files *f, int type)
{
    const double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    if (!f->memory)
        f->memory = has > 0x1p25 ? (uint64_t)(has / 2) : UINT64_C(16) << 20;
    if (cw_array_file_open(f->in_path, type, &f->in)) {
        const int untyped = !f->in.npy && type < 0 && strstr(cw_last_error(), "raw binary");

        return complain(USAGE, "%s%s", cw_last_error(), untyped ? "  (--type)" : "");
    }
    return DONE;
}

int files_begin(struct files *f, const struct cw_npy *head)
{
    unsigned char bytes[CW_NPY_ROOM];
    const int npy = cw_npy_name(f->out_path);
    const size_t length = npy ? cw_npy_make(head, bytes) : 0;
    cw_status status;

    if (npy && !length)
        return complain(USAGE, "%s: .npy has no type %s, only raw files do", f->out_path,
                        cw_type_name(head->type));
    watch_signals();
    status = cw_output_open(f->out_path, &f->out);
    if (!status)
        status = cw_output_write(&f->out, bytes, length, 0);
    f->out_at = length;
    f->folder = f->tmpdir ? strdup(f->tmpdir) : cw_folder_of(f->out_path);
    if (!status && !f->folder)
        return complain(FAILED, "out of memory");
    return files_failed(f, status);
}

int files_end(struct files *f, int status)
{
    progress_end(&f->progress);
    if (!status)
        status = files_failed(f, cw_output_commit(&f->out));
    cw_output_drop(&f->out);
    cw_array_file_close(&f->in);
    free(f->folder);
    f->folder = NULL;
    return status;
}
