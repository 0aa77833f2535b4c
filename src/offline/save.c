/* save.c - a plan to a file: under another name, flushed to the disk, and renamed. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "offline/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

unsigned cw_file_arrays(const cw_plan *plan, struct cw_file_array *out)
{
    unsigned count = 0;

    if (plan->way == CW_PLAN_GATHER)
        out[count++] = (struct cw_file_array){plan->index, cw_plan_blocks(plan), 4};
    if (plan->way != CW_PLAN_PASSES)
        return count;
    for (uint32_t k = 0; k < plan->parts; k++)
        out[count++] = (struct cw_file_array){plan->level[k].counts,
                                              (uint64_t)plan->tiles * plan->level[k].buckets, 2};
    for (uint32_t k = 0; k <= plan->parts; k++)
        out[count++] = (struct cw_file_array){plan->places[k], plan->n, 2};
    return count;
}

static void make_head(const cw_plan *plan, unsigned char *head)
{
    const uint64_t field[CW_FILE_FIELDS] = {CW_FILE_MAGIC,
                                            CW_FILE_VERSION,
                                            plan->n,
                                            plan->bytes,
                                            (uint64_t)plan->way,
                                            plan->first,
                                            plan->back,
                                            plan->rows,
                                            plan->columns,
                                            plan->bits,
                                            plan->start,
                                            plan->tile,
                                            plan->parts,
                                            plan->parts ? plan->level[0].fan : 1};

    for (unsigned k = 0; k < CW_FILE_FIELDS; k++)
        cw_file_put(head + 8 * k, field[k], 8);
    for (unsigned k = 0; k < 32; k++)
        cw_file_put(head + 8 * CW_FILE_FIELDS + 4 * k, plan->column[k], 4);
    cw_file_put(head + 8 * CW_FILE_WORDS, cw_file_sum(0, head, 8 * CW_FILE_WORDS), 8);
}

static int write_array(FILE *file, const struct cw_file_array *a, uint64_t *sum,
                       unsigned char *chunk)
{
    const uint64_t each = CW_FILE_CHUNK / a->bytes;

    for (uint64_t i = 0; i < a->count; i += each) {
        const uint64_t left = a->count - i, some = left < each ? left : each;
        const size_t bytes = (some * a->bytes + 7) / 8 * 8;

        memset(chunk + bytes - 8, 0, 8);
        for (uint64_t k = 0; k < some; k++)
            cw_file_put(chunk + k * a->bytes,
                        a->bytes == 2 ? ((const uint16_t *)a->data)[i + k]
                                      : ((const uint32_t *)a->data)[i + k],
                        a->bytes);
        *sum = cw_file_sum(*sum, chunk, bytes);
        if (fwrite(chunk, 1, bytes, file) != bytes)
            return 0;
    }
    return 1;
}

static int write_plan(FILE *file, const cw_plan *plan)
{
    unsigned char *const chunk = (unsigned char *)malloc(CW_FILE_CHUNK);
    unsigned char head[8 * CW_FILE_WORDS + 8], tail[8];
    struct cw_file_array arrays[2 * CW_PLAN_PARTS + 1];
    const unsigned count = cw_file_arrays(plan, arrays);
    uint64_t sum;
    int good = chunk != NULL;

    make_head(plan, head);
    sum = cw_file_sum(0, head, sizeof head);
    good = good && fwrite(head, 1, sizeof head, file) == sizeof head;
    for (unsigned k = 0; k < count && good; k++)
        good = write_array(file, &arrays[k], &sum, chunk);
    cw_file_put(tail, sum, 8);
    good = good && fwrite(tail, 1, 8, file) == 8 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    free(chunk);
    return good;
}

static int reason(void)
{
    return errno ? errno : EIO;
}

/* Under a name that no one has, beside `path`, then renamed; 0 or errno, with nothing left. */
static int write_beside(const char *path, char *name, size_t room, const cw_plan *plan)
{
    FILE *file = NULL;
    int error = EEXIST;

    for (int attempt = 0; !file && error == EEXIST && attempt < 100; attempt++) {
        snprintf(name, room, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        file = fopen(name, "wbx");
        error = reason();
    }
    if (!file)
        return error;
    errno = 0;
    error = write_plan(file, plan) ? 0 : reason();
    if (fclose(file) && !error)
        error = reason();
    if (!error && rename(name, path))
        error = reason();
    if (error)
        unlink(name);
    return error;
}

cw_status cw_plan_save(const cw_plan *plan, const char *path)
{
    struct stat there;
    size_t room;
    char *name;
    int error;

    if (!plan || !path)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", plan ? "path" : "plan");
    if (!stat(path, &there) && !S_ISREG(there.st_mode))
        return cw_fail(CW_ERR_IO, "%s is not an ordinary file; the plan is not saved", path);
    room = strlen(path) + 64;
    name = (char *)malloc(room);
    if (!name)
        return cw_fail(CW_ERR_MEMORY, "a name of %zu bytes", room);
    error = write_beside(path, name, room, plan);
    free(name);
    if (error)
        return cw_fail(CW_ERR_IO, "cannot save the plan to %s: %s", path, strerror(error));
    return CW_OK;
}
