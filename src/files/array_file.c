#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "files/array_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/kind.h"
#include "base/status.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

void cw_swap_bytes(void *items, uint64_t count, size_t bytes)
{
    unsigned char *const p = (unsigned char *)items;

    for (uint64_t i = 0; bytes > 1 && i < count; i++) {
        for (size_t k = 0; k < bytes / 2; k++) {
            unsigned char *const a = p + i * bytes + k, *const b = p + i * bytes + bytes - 1 - k;
            const unsigned char x = *a;

            *a = *b;
            *b = x;
        }
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

int cw_npy_name(const char *path)
{
    const size_t length = strlen(path);

    return length >= 4 && !strcmp(path + length - 4, ".npy");
}

/* With the path in front of what went wrong. */
static cw_status about(const struct cw_array_file *f, cw_status status)
{
    char detail[256];

    strncpy(detail, cw_last_error(), sizeof detail - 1);
    detail[sizeof detail - 1] = 0;
    return cw_fail(status, "%s: %s", f->path, detail);
}

/* What a file is that is no array; NULL: that cannot be said. */
static const char *kind_of(const struct cw_array_file *f, uint64_t size)
{
    unsigned char bytes[CW_KIND_BYTES];
    const size_t some = size < sizeof bytes ? (size_t)size : sizeof bytes;

    return cw_read_at(f->fd, f->path, bytes, some, 0) ? NULL : cw_file_kind(bytes, some);
}

#define MAKE_ONE "only .npy files and raw binary are read (numpy.save writes .npy)"

static cw_status no_npy(const struct cw_array_file *f, uint64_t size)
{
    const char *const kind = kind_of(f, size);

    if (!size)
        return cw_fail(CW_ERR_FORMAT, "%s is empty: 0 bytes are no .npy file", f->path);
    return kind ? cw_fail(CW_ERR_FORMAT, "%s: not a .npy file, but %s: " MAKE_ONE, f->path, kind)
                : cw_fail(CW_ERR_FORMAT, "%s: not a .npy file", f->path);
}

static cw_status read_head(struct cw_array_file *f, uint64_t size)
{
    const uint64_t length = size < CW_NPY_LONGEST ? size : CW_NPY_LONGEST;
    unsigned char *const bytes = (unsigned char *)malloc(length ? length : 1);
    cw_status status;

    if (!bytes)
        return cw_fail(CW_ERR_MEMORY, "out of memory to read %s", f->path);
    status = cw_read_at(f->fd, f->path, bytes, length, 0);
    if (!status && (length < 6 || memcmp(bytes, CW_NPY_MAGIC, 6) != 0))
        status = no_npy(f, size);
    if (!status && cw_npy_parse(bytes, length, &f->head))
        status = about(f, cw_npy_parse(bytes, length, &f->head));
    free(bytes);
    if (!status && size - f->head.data_at < f->head.data_bytes)
        return cw_fail(CW_ERR_FORMAT, "%s is cut off: %llu bytes of items, its head tells of %llu",
                       f->path, (unsigned long long)(size - f->head.data_at),
                       (unsigned long long)f->head.data_bytes);
    if (!status && size - f->head.data_at > f->head.data_bytes)
        return cw_fail(CW_ERR_FORMAT, "%s: %llu bytes follow the array", f->path,
                       (unsigned long long)(size - f->head.data_at - f->head.data_bytes));
    return status;
}

static cw_status take_raw(struct cw_array_file *f, uint64_t size, int type)
{
    const size_t bytes = type < 0 ? 0 : cw_type_bytes((cw_type)type);
    const char *kind = NULL;

    if (!bytes || size % bytes)
        kind = kind_of(f, size);
    if (!bytes && kind && size)
        return cw_fail(CW_ERR_FORMAT, "%s is %s: " MAKE_ONE, f->path, kind);
    if (!bytes)
        return cw_fail(CW_ERR_ARGUMENT, "%s is %s: of which type?", f->path,
                       size ? "raw binary" : "empty");
    if (size % bytes)
        return cw_fail(CW_ERR_FORMAT, "%s has %llu bytes, which is no multiple of %zu (%s)%s%s",
                       f->path, (unsigned long long)size, bytes, cw_type_name((cw_type)type),
                       kind ? ": it is " : "", kind ? kind : "");
    if (bytes > 1 && size && cw_kind_name(f->path)) /* single bytes may be those of a text */
        kind = kind_of(f, size);
    if (kind)
        return cw_fail(CW_ERR_FORMAT, "%s is %s, not raw items of type %s", f->path, kind,
                       cw_type_name((cw_type)type));
    f->head.type = (cw_type)type;
    f->head.dims = 1;
    f->head.rows = 1;
    f->head.length = size / bytes;
    f->head.data_bytes = size;
    return CW_OK;
}

static cw_status look_at(struct cw_array_file *f, int type)
{
    char magic[6] = "";
    struct stat st = {0};
    uint64_t size;
    cw_status status = CW_OK;

    if (fstat(f->fd, &st) != 0)
        return cw_fail(CW_ERR_IO, "cannot read %s: %s", f->path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return cw_fail(
            CW_ERR_IO, "cannot read %s: it is %s", f->path,
            S_ISDIR(st.st_mode) ? "a directory"
            : S_ISFIFO(st.st_mode)
                ? "a pipe, which is read as standard input: - for the file, and < or | for the pipe"
                : "no regular file");
    size = (uint64_t)st.st_size;
    if (type < 0 && size >= 6)
        status = cw_read_at(f->fd, f->path, magic, 6, 0);
    if (status)
        return status;
    f->npy = cw_npy_name(f->path) || !memcmp(magic, CW_NPY_MAGIC, 6);
    status = f->npy ? read_head(f, size) : take_raw(f, size, type);
    if (!status && type != CW_ARRAY_RECORDS && f->head.kind == CW_NPY_RECORD)
        return cw_fail(CW_ERR_TYPE,
                       "%s holds records, which are sorted by a field, or moved as a whole",
                       f->path);
    if (!status && type >= 0 && f->head.type != (cw_type)type)
        return cw_fail(CW_ERR_ARGUMENT, "%s holds %s, not %s", f->path, cw_type_name(f->head.type),
                       cw_type_name((cw_type)type));
    return status;
}

cw_status cw_array_file_open(const char *path, int type, struct cw_array_file *out)
{
    const int fd = cw_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);

    memset(out, 0, sizeof *out);
    out->fd = -1;
    if (fd < 0)
        return cw_fail(CW_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    return cw_array_file_take(fd, path, type, out);
}

cw_status cw_array_file_take(int fd, const char *path, int type, struct cw_array_file *out)
{
    cw_status status;

    memset(out, 0, sizeof *out);
    out->path = path;
    out->fd = fd;
    status = look_at(out, type);
    if (status)
        cw_array_file_close(out);
    return status;
}

void cw_array_file_close(struct cw_array_file *f)
{
    if (f->fd >= 0)
        (void)close(f->fd);
    f->fd = -1;
}

cw_status cw_array_file_read(const struct cw_array_file *f, uint64_t first, uint64_t count,
                             void *out)
{
    const size_t bytes = cw_type_bytes(f->head.type);
    const cw_status status =
        cw_read_at(f->fd, f->path, out, count * bytes, f->head.data_at + first * bytes);

    if (!status && f->head.swapped)
        cw_swap_bytes(out, count, bytes);
    return status;
}
