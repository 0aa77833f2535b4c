#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define _FILE_OFFSET_BITS 64

#include "files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/bytes.h"
#include "files/output_parts.h"
#include "base/status.h"

#define BUFFER 65536u

/* Is it the folder that is not there? */
static int no_folder(const char *path)
{
    char *const folder = strrchr(path, '/') ? cw_folder_of(path) : NULL;
    const int lost = folder && access(folder, F_OK) != 0;

    free(folder);
    return lost;
}

cw_status cw_output_cannot(const char *path, int error)
{
    const char *const why = error == EISDIR   ? "it is a directory"
                            : error == EAGAIN ? "it changes while it is looked at"
                            : error           ? strerror(error)
                                              : "an earlier write failed";

    if (error == ENOENT && no_folder(path))
        return cw_fail(CW_ERR_IO, "cannot write %s: there is no folder %.*s", path,
                       (int)(strrchr(path, '/') - path), path);
    return cw_fail(error == ENOMEM ? CW_ERR_MEMORY : CW_ERR_IO, "cannot write %s: %s", path, why);
}

/* ---- open ------------------------------------------------------------------------------------ */

static void nothing(struct cw_output *o)
{
    memset(o, 0, sizeof *o);
    o->fd = o->stream = o->folder = o->risk = -1;
}

static cw_status open_stream(const char *path, const struct cw_place *place, struct cw_output *o)
{
    const char *const folder = getenv("TMPDIR");

    o->stream = cw_stream_open(path, place);
    if (o->stream < 0 && errno == ENXIO && S_ISFIFO(place->st.st_mode))
        return cw_fail(CW_ERR_IO, "cannot write %s: nobody reads it", path);
    if (o->stream < 0)
        return cw_output_cannot(path, errno);
    return cw_scratch_open(folder && *folder ? folder : "/tmp", &o->fd);
}

/* What replaces a file is not for others to read before it has that file's mode. */
static cw_status open_file(const char *path, struct cw_place *place, struct cw_output *o)
{
    const char *what;
    int error;

    o->folder = place->folder;
    o->name = place->name;
    place->folder = -1;
    place->name = NULL;
    o->replaces = place->there;
    if (o->replaces && faccessat(o->folder, o->name, W_OK, AT_EACCESS) != 0)
        return cw_output_cannot(path, errno);
    if (cw_temp_open(o, o->replaces ? 0600 : 0666))
        return cw_output_cannot(path, errno);
    error = o->replaces ? cw_keep(o->fd, o->folder, o->name, &place->st, &what) : 0;
    return error ? cw_fail(error == ENOMEM ? CW_ERR_MEMORY : CW_ERR_IO, "cannot write %s: %s: %s",
                           path, what, strerror(error))
                 : CW_OK;
}

cw_status cw_output_open(const char *path, struct cw_output *out)
{
    struct cw_place place;
    const int error = cw_place_find(path, &place);
    cw_status status;

    nothing(out);
    if (error)
        return cw_output_cannot(path, error);
    out->path = cw_text_copy(path);
    if (!out->path)
        status = cw_output_cannot(path, ENOMEM);
    else if (place.there && S_ISDIR(place.st.st_mode))
        status = cw_output_cannot(path, EISDIR);
    else if (place.stream >= 0 || (place.there && !S_ISREG(place.st.st_mode)))
        status = open_stream(path, &place, out);
    else
        status = open_file(path, &place, out);
    cw_place_free(&place);
    if (status)
        cw_output_drop(out);
    return status;
}

cw_status cw_output_scratch(const char *folder, struct cw_output *out)
{
    cw_status status;

    nothing(out);
    out->path = cw_text_copy(folder);
    status = out->path ? cw_scratch_open(folder, &out->fd) : cw_output_cannot(folder, ENOMEM);
    if (status)
        cw_output_drop(out);
    return status;
}

/* ---- write ----------------------------------------------------------------------------------- */

cw_status cw_output_write(const struct cw_output *o, const void *from, uint64_t bytes, uint64_t at)
{
    return cw_write_at(o->fd, o->path, from, bytes, at);
}

static void put(struct cw_output *o, const void *from, size_t bytes)
{
    if (!o->error)
        o->error = cw_put_at(o->fd, from, bytes, o->size);
    o->size += bytes;
}

void cw_output_append(struct cw_output *o, const void *from, size_t bytes)
{
    if (!o->buffer && !o->error) {
        o->buffer = (unsigned char *)malloc(BUFFER);
        o->error = o->buffer ? 0 : ENOMEM;
    }
    if (o->error)
        return;
    if (bytes > BUFFER - o->filled) {
        put(o, o->buffer, o->filled);
        o->filled = 0;
    }
    if (bytes > BUFFER) {
        put(o, from, bytes);
    } else if (bytes) {
        memcpy(o->buffer + o->filled, from, bytes);
        o->filled += bytes;
    }
}

cw_status cw_output_flush(struct cw_output *o)
{
    if (o->filled)
        put(o, o->buffer, o->filled);
    o->filled = 0;
    return o->error ? cw_output_cannot(o->path, o->error) : CW_OK;
}

uint64_t cw_output_appended(const struct cw_output *o)
{
    return o->size + o->filled;
}

/* ---- the end --------------------------------------------------------------------------------- */

cw_status cw_output_commit(struct cw_output *o)
{
    return cw_outputs_commit(&o, 1);
}

void cw_output_drop(struct cw_output *o)
{
    if (!o->path) {
        nothing(o);
        return;
    }
    if (o->named) {
        (void)unlinkat(o->folder, o->temp, 0);
        cw_temp_forget(o);
    }
    if (o->fd >= 0)
        (void)close(o->fd);
    if (o->stream >= 0)
        (void)close(o->stream);
    if (o->folder >= 0)
        (void)close(o->folder);
    free(o->path);
    free(o->name);
    free(o->buffer);
    nothing(o);
}
