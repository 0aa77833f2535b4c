#define _XOPEN_SOURCE 700

#include "slices.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cleaner.h"

#define PIECE ((uint64_t)1 << 26) /* MPI counts bytes with int; and so often progress is told */

static cw_status failed(const char *what, const char *path, int code)
{
    char why[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    if (code == MPI_SUCCESS)
        return CW_OK;
    (void)MPI_Error_string(code, why, &length);
    return cw_fail(CW_ERR_IO, "%s %s: %s", what, path, why);
}

/* Short reads are errors: the file was as long as it says a moment ago. */
static int read_piece(MPI_File file, uint64_t at, char *to, uint64_t bytes)
{
    MPI_Status status;
    int got = 0;
    const int code = MPI_File_read_at(file, (MPI_Offset)at, to, (int)bytes, MPI_BYTE, &status);

    if (code != MPI_SUCCESS)
        return code;
    (void)MPI_Get_count(&status, MPI_BYTE, &got);
    return (uint64_t)got == bytes ? MPI_SUCCESS : MPI_ERR_IO;
}

static void tell(const struct slice_told *told, uint64_t done, uint64_t bytes)
{
    if (told)
        told->tell(told->user, told->from + (told->to - told->from) * (double)done / (double)bytes);
}

cw_status slice_read(const char *path, uint64_t at, void *to, uint64_t bytes,
                     const struct slice_told *told)
{
    MPI_File file;
    int code = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);

    if (code != MPI_SUCCESS)
        return failed("cannot open", path, code);
    for (uint64_t k = 0; k < bytes && code == MPI_SUCCESS; k += PIECE) {
        code = read_piece(file, at + k, (char *)to + k, bytes - k < PIECE ? bytes - k : PIECE);
        tell(told, bytes - k < PIECE ? bytes : k + PIECE, bytes);
    }
    (void)MPI_File_close(&file);
    return failed("cannot read", path, code);
}

cw_status slice_write(const char *path, uint64_t at, const void *from, uint64_t bytes,
                      const struct slice_told *told)
{
    MPI_File file;
    int code = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &file), closed;

    if (code != MPI_SUCCESS)
        return failed("cannot open", path, code);
    for (uint64_t k = 0; k < bytes && code == MPI_SUCCESS; k += PIECE) {
        const uint64_t now = bytes - k < PIECE ? bytes - k : PIECE;

        code = MPI_File_write_at(file, (MPI_Offset)(at + k), (const char *)from + k, (int)now,
                                 MPI_BYTE, MPI_STATUS_IGNORE);
        tell(told, k + now, bytes);
    }
    if (code == MPI_SUCCESS)
        code = MPI_File_sync(file);
    closed = MPI_File_close(&file);
    return failed("cannot write", path, code == MPI_SUCCESS ? closed : code);
}

/* The words of one rank, on all: which rank, and what it says. */
static cw_status told_by(int rank, cw_status status)
{
    char text[512];
    int ranks;

    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    (void)snprintf(text, sizeof text, "%s", cw_last_error());
    if (MPI_Bcast(text, (int)sizeof text, MPI_CHAR, rank, MPI_COMM_WORLD) != MPI_SUCCESS)
        return cw_fail(CW_ERR_IO, "MPI_Bcast failed");
    return cw_fail(status, "rank %d of %d: %s", rank, ranks, text);
}

cw_status all_agree(cw_status mine)
{
    int here[2] = {(int)mine, 0}, worst[2] = {0, 0};

    (void)MPI_Comm_rank(MPI_COMM_WORLD, &here[1]);
    if (MPI_Allreduce(here, worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD) != MPI_SUCCESS)
        return cw_fail(CW_ERR_IO, "MPI_Allreduce failed");
    if (worst[0] && worst[1]) /* rank 0, which speaks, does not know */
        return told_by(worst[1], (cw_status)worst[0]);
    if (worst[0] && !mine)
        return cw_fail((cw_status)worst[0], "rank 0 failed: %s",
                       cw_status_text((cw_status)worst[0]));
    return (cw_status)worst[0];
}

/* ---- the output ------------------------------------------------------------------------------- */

static char temporary[4096];

/* On rank 0 the output itself knows its name earlier. */
static void remove_it(int number)
{
    (void)cw_output_interrupted();
    if (temporary[0])
        (void)unlink(temporary);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Where the file that was opened lies: the folder's path by its number, and the temporary name. */
static cw_status name_of(const struct cw_output *o, char *path)
{
    char link[64];
    ssize_t length;

    if (!o->named)
        return cw_fail(CW_ERR_IO, "%s: ranks can only write an ordinary file", o->path);
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", o->folder);
    length = readlink(link, path, sizeof temporary - CW_OUTPUT_TEMP - 2);
    if (length <= 0)
        return cw_fail(CW_ERR_IO, "%s: its folder has no name", o->path);
    path[length] = '/';
    (void)strcpy(path + length + 1, o->temp);
    return CW_OK;
}

cw_status shared_output_open(const char *out, struct cw_output *o, char *path)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    cw_status status = CW_OK;
    int rank;

    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    path[0] = '\0';
    cw_output_always_named = 1;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        (void)signal(ends[k], remove_it);
    if (!rank)
        status = cw_output_open(out, o);
    if (!rank && !status)
        status = name_of(o, path);
    if (!rank && !status)
        cleaner_remember(path);
    status = all_agree(status);
    if (status)
        return status;
    (void)MPI_Bcast(path, (int)sizeof temporary, MPI_CHAR, 0, MPI_COMM_WORLD);
    (void)memcpy(temporary, path, sizeof temporary);
    return CW_OK;
}
