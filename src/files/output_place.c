/* output_place.c - the folder and the name that a path leads to, and whether two lead to the same.
 *
 * Links are followed one by one, because the last of them may lead to a file that does not exist
 * yet.  Files that exist are the same if device and inode are; files that do not, if their folders
 * are and their names.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/bytes.h"
#include "files/output_parts.h"
#include "base/status.h"

#define LINKS 40 /* the most that are followed, as Linux has it */

char *cw_text_copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *const copy = (char *)malloc(size);

    if (copy)
        memcpy(copy, text, size);
    return copy;
}

char *cw_folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const size_t length = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *const folder = (char *)malloc(length + 1);

    if (folder) {
        memcpy(folder, slash ? path : ".", length);
        folder[length] = 0;
    }
    return folder;
}

/* ---- files that are open already ------------------------------------------------------------- */

/* The N of /dev/fd/N and of its other names; -1: none of them. */
static int standard(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    for (int k = 0; k < 3; k++) {
        if (!strcmp(path, names[k]))
            return k;
    }
    for (int k = 0; k < 2; k++) {
        const size_t length = strlen(folders[k]);
        const char *const digits = path + length;

        if (!strncmp(path, folders[k], length) && *digits && strlen(digits) < 7 &&
            !digits[strspn(digits, "0123456789")])
            return atoi(digits);
    }
    return -1;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* What the link at `path` says, seen from where `path` is seen: to be freed.  NULL with errno 0: it
 * is no link, or nothing is there. */
static char *link_at(const char *path)
{
    char text[4096];
    const ssize_t length = readlink(path, text, sizeof text - 1);
    const char *const slash = strrchr(path, '/');
    const size_t before = slash ? (size_t)(slash + 1 - path) : 0;
    char *to;

    if (length < 0) {
        errno = errno == EINVAL || errno == ENOENT ? 0 : errno;
        return NULL;
    }
    text[length] = 0;
    to = (char *)malloc(before + (size_t)length + 1);
    if (!to)
        return NULL;
    if (text[0] == '/') {
        memcpy(to, text, (size_t)length + 1);
    } else {
        memcpy(to, path, before);
        memcpy(to + before, text, (size_t)length + 1);
    }
    return to;
}

/* The path with its last links followed, to be freed; NULL with errno. */
static char *followed(const char *path)
{
    char *at = cw_text_copy(path);

    for (int k = 0; at && k < LINKS; k++) {
        char *const next = link_at(at);

        if (!next && !errno)
            return at;
        free(at);
        at = next;
    }
    if (at)
        errno = ELOOP;
    free(at);
    return NULL;
}

/* ---- folder and name ------------------------------------------------------------------------- */

int cw_folder_open(const char *folder)
{
    int fd = cw_open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);

#if defined(O_PATH)
    if (fd < 0 && errno == EACCES)
        fd = cw_open_at(AT_FDCWD, folder, O_PATH | O_DIRECTORY, 0);
#endif
    return fd;
}

static int open_folder_of(const char *path)
{
    char *const folder = cw_folder_of(path);
    const int fd = folder ? cw_folder_open(folder) : -1, error = folder ? errno : ENOMEM;

    free(folder);
    errno = error;
    return fd;
}

static int find_file(const char *path, struct cw_place *out)
{
    char *const end = followed(path);
    const char *const slash = end ? strrchr(end, '/') : NULL, *const name = slash ? slash + 1 : end;
    struct stat now = {0};
    int error = 0;

    if (!end)
        return errno;
    out->name = cw_text_copy(name);
    if (!out->name)
        error = ENOMEM;
    else if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
        error = EISDIR;
    else
        out->folder = open_folder_of(end);
    if (!error && out->folder < 0)
        error = errno;
    free(end);
    if (error)
        return error;
    /* Links and folders may have changed between the looks at them. */
    if (fstatat(out->folder, out->name, &now, AT_SYMLINK_NOFOLLOW) != 0)
        return errno != ENOENT ? errno : out->there ? EAGAIN : 0;
    return out->there && now.st_dev == out->st.st_dev && now.st_ino == out->st.st_ino ? 0 : EAGAIN;
}

int cw_place_find(const char *path, struct cw_place *out)
{
    int error = 0;

    memset(out, 0, sizeof *out);
    out->folder = -1;
    out->stream = standard(path);
    if (out->stream >= 0) {
        out->there = 1;
        return fstat(out->stream, &out->st) ? errno : 0;
    }
    out->there = stat(path, &out->st) == 0;
    if (!out->there && errno != ENOENT)
        return errno;
    if (!out->there || S_ISREG(out->st.st_mode))
        error = find_file(path, out);
    if (error)
        cw_place_free(out);
    return error;
}

void cw_place_free(struct cw_place *p)
{
    if (p->folder >= 0)
        (void)close(p->folder);
    p->folder = -1;
    free(p->name);
    p->name = NULL;
}

/* ---- the same? ------------------------------------------------------------------------------- */

static int same(const struct cw_place *a, const struct cw_place *b)
{
    struct stat f = {0}, g = {0};

    if (a->there && b->there) /* what goes to /dev/null does not meet there */
        return a->st.st_dev == b->st.st_dev && a->st.st_ino == b->st.st_ino &&
               !S_ISCHR(a->st.st_mode);
    if (a->there || b->there || strcmp(a->name, b->name) != 0)
        return 0;
    return fstat(a->folder, &f) == 0 && fstat(b->folder, &g) == 0 && f.st_dev == g.st_dev &&
           f.st_ino == g.st_ino;
}

static cw_status apart(const char *output, const char *other, int other_is_input)
{
    struct cw_place a, b;
    const int error = cw_place_find(output, &a);
    int equal = 0;

    if (error)
        return cw_output_cannot(output, error);
    if (!cw_place_find(other, &b)) { /* an input that cannot be read is told by who reads it */
        equal = same(&a, &b);
        cw_place_free(&b);
    }
    cw_place_free(&a);
    if (!equal)
        return CW_OK;
    if (other_is_input)
        return cw_fail(CW_ERR_ARGUMENT, "%s would be written over: it is the input %s", output,
                       other);
    return cw_fail(CW_ERR_ARGUMENT, "two outputs would go to the same file: %s and %s", output,
                   other);
}

cw_status cw_outputs_apart(const char *const *outputs, size_t count, const char *const *inputs,
                           size_t input_count)
{
    cw_status status = CW_OK;

    for (size_t k = 0; k < count && !status; k++) {
        for (size_t j = 0; outputs[k] && j < input_count && !status; j++)
            status = inputs[j] ? apart(outputs[k], inputs[j], 1) : CW_OK;
        for (size_t j = 0; outputs[k] && j < k && !status; j++)
            status = outputs[j] ? apart(outputs[k], outputs[j], 0) : CW_OK;
    }
    return status;
}
