#define _XOPEN_SOURCE 700

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "base/status.h"
#include "cli/common/on.h"
#include "cli/common/signals.h"
#include "files/kind.h"
#include "text.h"

FILE *open_text(const char *path)
{
    const int fd = cw_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    const int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    FILE *file = NULL;

    if (flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0)
        file = fdopen(fd, "rb");
    if (!file && fd >= 0) {
        const int error = errno;

        (void)close(fd);
        errno = error;
    }
    return file;
}

/* ---- standard input and output ------------------------------------------------------------------ */

static int is_standard(const char *path)
{
    return path && !strcmp(path, "-");
}

/* "-" by a name that is a file's. */
static const char *real_name(const char *path, const char *standard)
{
    return is_standard(path) ? standard : path;
}

const char *scratch_folder(const char *tmpdir)
{
    const char *const usual = getenv("TMPDIR");

    return tmpdir ? tmpdir : usual && *usual ? usual : "/tmp";
}

cw_status standard_input(const char *tmpdir, int *fd)
{
    static unsigned char piece[1 << 16];
    uint64_t at = 0;
    cw_status status;
    struct stat st;

    if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) &&
        lseek(STDIN_FILENO, 0, SEEK_CUR) == 0) {
        *fd = dup(STDIN_FILENO);
        return *fd < 0 ? cw_fail(CW_ERR_IO, "cannot read standard input: %s", strerror(errno))
                       : CW_OK;
    }
    status = cw_scratch_open(scratch_folder(tmpdir), fd);
    while (!status) {
        const ssize_t got = read(STDIN_FILENO, piece, sizeof piece);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = cw_fail(CW_ERR_IO, "cannot read standard input: %s", strerror(errno));
        if (got <= 0)
            break;
        status = cw_write_at(*fd, "standard input's copy", piece, (uint64_t)got, at);
        at += (uint64_t)got;
    }
    if (status && *fd >= 0)
        (void)close(*fd);
    return status;
}

/* Standard input, or a file of numbers as text. */
static cw_status open_input(const char *path, const char *tmpdir, int *fd)
{
    struct stat st;

    if (is_standard(path)) {
        if (isatty(STDIN_FILENO))
            return cw_fail(CW_ERR_ARGUMENT, "standard input is a terminal: nothing to read there");
        return standard_input(tmpdir, fd);
    }
    *fd = cw_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (*fd < 0)
        return cw_fail(CW_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
        return CW_OK;
    (void)close(*fd);
    return cw_fail(
        CW_ERR_IO, "cannot read %s: it is %s", path,
        S_ISFIFO(st.st_mode)
            ? "a pipe, which is read as standard input: - for the file, and < or | for the pipe"
        : S_ISDIR(st.st_mode) ? "a directory"
                              : "no regular file");
}

cw_status array_open(const char *path, int type, const char *tmpdir, int text,
                     struct cw_array_file *out)
{
    const char *const name = is_standard(path) ? "standard input" : path;
    cw_status status;
    int fd = -1;

    text = text && !cw_npy_name(path);
    out->fd = -1;
    if (!*path)
        return cw_fail(CW_ERR_ARGUMENT, "the name of a file is empty");
    if (!is_standard(path) && !text)
        return cw_array_file_open(path, type, out);
    status = open_input(path, tmpdir, &fd);
    if (status)
        return status;
    return text ? text_read(fd, name, type < 0 ? -1 : type, scratch_folder(tmpdir), out)
                : cw_array_file_take(fd, name, type, out);
}

int array_refused(int type, int text)
{
    const char *const why = cw_last_error();
    const char *hint = "";

    if (strstr(why, "of which type?"))
        hint = type < 0 ? "  (--type f32, or another)" : "  (a .npy file says it)";
    else if (!text && (strstr(why, " text: ") || strstr(why, " text")))
        hint = "; numbers as text: --text";
    else if (strstr(why, " holds records"))
        hint = "  (sort, argsort: --by FIELD,..; partition: --labels FILE; check takes none)";
    return complain(USAGE, "%s%s", why, hint);
}

/* ---- outputs -------------------------------------------------------------------------------------- */

int outputs_apart(const char *const *outputs, size_t count, const char *const *inputs,
                  size_t input_count)
{
    const char *out[8], *in[8];
    cw_status status;

    for (size_t k = 0; k < count && k < 8; k++)
        out[k] = real_name(outputs[k], "/dev/stdout");
    for (size_t k = 0; k < input_count && k < 8; k++)
        in[k] = real_name(inputs[k], "/dev/stdin");
    status = cw_outputs_apart(out, count, in, input_count);
    return status ? complain(status == CW_ERR_ARGUMENT ? USAGE : FAILED, "%s", cw_last_error())
                  : DONE;
}

int standard_refused(const char *option, const char *path)
{
    return is_standard(path)
               ? complain(USAGE, "%s -: standard output has the report: name a file", option)
               : DONE;
}

int inputs_apart(const char *const *inputs, size_t count)
{
    int standard = 0;

    for (size_t k = 0; k < count; k++)
        standard += is_standard(inputs[k]);
    return standard > 1 ? complain(USAGE, "standard input (-) can be only one of the files") : DONE;
}

int outputs_commit(struct cw_output *const *outputs, size_t count)
{
    const cw_status status = cw_outputs_commit(outputs, count);

    signals_end();
    return status ? complain(FAILED, "%s", cw_last_error()) : DONE;
}

/* ---- open and close ---------------------------------------------------------------------------- */

int files_failed(struct files *f, cw_status status)
{
    if (!status)
        return DONE;
    progress_end(&f->progress);
    return on_failed(status);
}

int tmpdir_refused(const char *tmpdir)
{
    struct stat st;

    if (!tmpdir || (stat(tmpdir, &st) == 0 && S_ISDIR(st.st_mode)))
        return DONE;
    return complain(FAILED, "--tmpdir %s: there is no such folder", tmpdir);
}

int files_open(struct files *f, int type)
{
    const double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    f->limited = f->memory != 0;
    if (!f->memory)
        f->memory = has > 0x1p25 ? (uint64_t)(has / 2) : UINT64_C(16) << 20;
    if (tmpdir_refused(f->tmpdir))
        return FAILED;
    if (array_open(f->in_path, type, f->tmpdir, f->text, &f->in))
        return array_refused(f->untyped ? 0 : type, f->text);
    return DONE;
}

/* A stream is like what was read: .npy, unless that is raw. */
static int writes_npy(const struct files *f, const struct cw_npy *head)
{
    if (!is_standard(f->out_path))
        return cw_npy_name(f->out_path);
    return f->in.fd >= 0 ? f->in.npy : head->type != CW_BF16;
}

/* An open file is written where it is, not replaced: it must not be the one that is read. */
static int stream_apart(const struct files *f, const struct cw_output *o)
{
    struct stat to;

    if (o->stream < 0 || !f->in_path || fstat(o->stream, &to) != 0 || !S_ISREG(to.st_mode))
        return DONE;
    return outputs_apart(&f->out_path, 1, &f->in_path, 1);
}

/* Items go to a file without a name, and from there as text to the output. */
static int begin_text(struct files *f, const struct cw_npy *head)
{
    cw_status status;

    if (head->kind == CW_NPY_RECORD || head->type == CW_F16 || head->type == CW_BF16)
        return complain(USAGE, "%s: --text cannot write items of this type; a %s can", f->out_path,
                        head->type == CW_BF16 ? "raw file" : ".npy");
    f->as_text = 1;
    f->out_head = *head;
    f->folder = strdup(scratch_folder(f->tmpdir));
    if (!f->folder)
        return complain(FAILED, "out of memory");
    status = cw_output_open(real_name(f->out_path, "/dev/stdout"), &f->written);
    if (!status)
        status = cw_output_scratch(f->folder, &f->out);
    return status ? files_failed(f, status) : stream_apart(f, &f->written);
}

/* A name that promises text. */
static int text_name(const char *path)
{
    static const char *const ends[] = {".txt", ".csv", ".tsv", ".json"};
    const char *const end = strrchr(path, '.');

    for (size_t k = 0; end && k < sizeof ends / sizeof *ends; k++) {
        if (!strcasecmp(end, ends[k]))
            return 1;
    }
    return 0;
}

int files_begin(struct files *f, const struct cw_npy *head)
{
    unsigned char bytes[CW_NPY_ROOM];
    const int npy = writes_npy(f, head);
    const size_t length = npy ? cw_npy_make(head, bytes) : 0;
    cw_status status;

    if (cw_kind_name(f->out_path) && !text_name(f->out_path))
        return complain(USAGE, "%s would hold %s, not what its name says: .npy, or another name",
                        f->out_path, f->text ? "text" : "raw items");
    if (f->text && !cw_npy_name(f->out_path))
        return begin_text(f, head);
    if (!f->text && text_name(f->out_path))
        return complain(USAGE,
                        "%s would get raw items: --text writes numbers as text; a raw file or .npy "
                        "has another name",
                        f->out_path);
    if (npy && !length)
        return complain(USAGE, "%s: .npy has no type %s, only raw files do", f->out_path,
                        cw_type_name(head->type));
    if (is_standard(f->out_path) && isatty(STDOUT_FILENO))
        return complain(USAGE, "standard output is a terminal: -o FILE, or a pipe");
    status = cw_output_open(real_name(f->out_path, "/dev/stdout"), &f->out);
    if (!status)
        status = cw_output_write(&f->out, bytes, length, 0);
    f->out_at = length;
    f->folder = f->tmpdir || is_standard(f->out_path) ? strdup(scratch_folder(f->tmpdir))
                                                      : cw_folder_of(f->out_path);
    if (!status && !f->folder)
        return complain(FAILED, "out of memory");
    return status ? files_failed(f, status) : stream_apart(f, &f->out);
}

/* The main result gets its name last. */
static int commit(struct files *f)
{
    struct cw_output *all[FILES_SIDES + 1];

    for (int k = 0; k <= f->side_count; k++) {
        struct files *const x = k < f->side_count ? f->sides[k] : f;

        if (x->as_text && text_write(&x->out, &x->out_head, &x->written))
            return complain(FAILED, "%s", cw_last_error());
        all[k] = x->as_text ? &x->written : &x->out;
    }
    return outputs_commit(all, (size_t)f->side_count + 1);
}

int files_end(struct files *f, int status)
{
    progress_end(&f->progress);
    if (!status)
        status = commit(f);
    for (int k = 0; k < f->side_count; k++) {
        cw_output_drop(&f->sides[k]->written);
        cw_output_drop(&f->sides[k]->out);
    }
    cw_output_drop(&f->written);
    cw_output_drop(&f->out);
    cw_array_file_close(&f->in);
    free(f->folder);
    f->folder = NULL;
    return status;
}

void files_tell(const struct files *f, const struct told *t)
{
    const struct cw_npy *const head = t->head;
    FILE *const to = is_standard(f->out_path) ? stderr : stdout; /* which has the result */
    const double rate = t->seconds > 0 ? (double)head->data_bytes / t->seconds : 0;
    struct json j = {to, 0};
    char text[48], type[64];

    if (t->json) {
        json_open(&j, NULL, '{');
        json_text(&j, "command", t->command);
        json_text(&j, "input", t->input);
        json_text(&j, "output", f->out_path);
        json_text(&j, "type", cw_npy_type_name(head, type));
        json_number(&j, "rows", head->rows);
        json_number(&j, "length", head->length);
        json_real(&j, "seconds", t->seconds);
        json_real(&j, "bytes_per_second", rate);
        json_close(&j, '}');
        fprintf(to, "\n");
    } else if (t->time) {
        fprintf(to, "%s of ", t->command);
        if (head->dims == 2)
            fprintf(to, "%" PRIu64 " rows of ", head->rows);
        fprintf(to, "%" PRIu64 " %s %s: %s", head->length, cw_npy_type_name(head, type), t->items,
                show_seconds(t->seconds, text));
        fprintf(to, ", %s\n", show_rate(rate, "B", text));
    }
}
