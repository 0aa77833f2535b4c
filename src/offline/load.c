/* load.c - a plan from a file, which may be damaged, or made to deceive: see file.h. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "offline/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/threads.h"
#include "base/status.h"
#include "files/bytes.h"
#include "offline/bits.h"

static int reason(void)
{
    return errno ? errno : EIO;
}

static uint64_t padded(const struct cw_file_array *a)
{
    return (a->count * a->bytes + 7) / 8 * 8;
}

static cw_status read_bytes(FILE *file, const char *path, unsigned char *to, size_t bytes)
{
    errno = 0;
    if (fread(to, 1, bytes, file) == bytes)
        return CW_OK;
    return ferror(file) ? cw_fail(CW_ERR_IO, "cannot read %s: %s", path, strerror(reason()))
                        : cw_fail(CW_ERR_FORMAT, "%s is truncated", path);
}

static cw_status read_array(FILE *file, const char *path, const struct cw_file_array *a,
                            uint64_t *sum, unsigned char *chunk)
{
    const uint64_t each = CW_FILE_CHUNK / a->bytes;

    for (uint64_t i = 0; i < a->count; i += each) {
        const uint64_t left = a->count - i, some = left < each ? left : each;
        const size_t bytes = (some * a->bytes + 7) / 8 * 8;
        const cw_status status = read_bytes(file, path, chunk, bytes);

        if (status)
            return status;
        *sum = cw_file_sum(*sum, chunk, bytes);
        for (uint64_t k = 0; k < some; k++) {
            const uint64_t x = cw_file_get(chunk + k * a->bytes, a->bytes);

            if (a->bytes == 2)
                ((uint16_t *)a->data)[i + k] = (uint16_t)x;
            else
                ((uint32_t *)a->data)[i + k] = (uint32_t)x;
        }
    }
    return CW_OK;
}

/* Do the numbers of the head make sense together? */
static int head_holds(const cw_plan *plan, const uint64_t *field)
{
    uint32_t inverse[32];

    if (plan->n > CW_PLAN_MOST || !plan->bytes || plan->bytes > CW_PLAN_ITEM || field[3] >> 32 ||
        field[4] >= CW_PLAN_WAYS ||
        (plan->n && plan->bytes > CW_PLAN_SMALL && plan->way != CW_PLAN_GATHER))
        return 0;
    switch (plan->way) {
    case CW_PLAN_TURN:
        return field[6] < 2 && (plan->n ? plan->first < plan->n : !plan->first);
    case CW_PLAN_TRANSPOSE:
        return plan->rows && plan->columns && plan->rows <= plan->n && plan->n % plan->rows == 0 &&
               plan->n / plan->rows == plan->columns;
    case CW_PLAN_BITS:
        return field[9] <= CW_BITS_MOST && plan->bits >= cw_bits_least(cw_plan_word(plan->bytes)) &&
               plan->n == (uint64_t)1 << plan->bits && field[10] < plan->n &&
               cw_bits_invert(plan->column, plan->bits, inverse);
    case CW_PLAN_GATHER:
        return plan->n > 0 && (plan->columns < 2 || (plan->columns <= CW_PLAN_ITEM / plan->bytes &&
                                                     plan->n % plan->columns == 0));
    default:
        return plan->n > 0;
    }
}

static cw_status read_head(FILE *file, const char *path, unsigned char *head, cw_plan *plan,
                           uint64_t *field)
{
    cw_status status = read_bytes(file, path, head, 8);

    if (status || cw_file_get(head, 8) != CW_FILE_MAGIC)
        return status == CW_ERR_IO ? status : cw_fail(CW_ERR_FORMAT, "%s is not a plan", path);
    status = read_bytes(file, path, head + 8, 8 * CW_FILE_WORDS);
    if (status)
        return status;
    if (cw_file_get(head + 8, 8) != CW_FILE_VERSION)
        return cw_fail(CW_ERR_FORMAT, "%s is a plan of version %llu, not %u", path,
                       (unsigned long long)cw_file_get(head + 8, 8), CW_FILE_VERSION);
    if (cw_file_get(head + 8 * CW_FILE_WORDS, 8) != cw_file_sum(0, head, 8 * CW_FILE_WORDS))
        return cw_fail(CW_ERR_FORMAT, "%s is damaged: the checksum of its head", path);
    for (unsigned k = 0; k < CW_FILE_FIELDS; k++)
        field[k] = cw_file_get(head + 8 * k, 8);
    for (unsigned k = 0; k < 32; k++)
        plan->column[k] = (uint32_t)cw_file_get(head + 8 * CW_FILE_FIELDS + 4 * k, 4);
    plan->n = field[2];
    plan->bytes = (uint32_t)field[3];
    plan->way = (enum cw_plan_way)(field[4] < CW_PLAN_WAYS ? field[4] : 0);
    plan->first = field[5];
    plan->back = (uint32_t)field[6];
    plan->rows = field[7];
    plan->columns = field[8];
    plan->bits = (uint32_t)field[9];
    plan->start = (uint32_t)field[10];
    if (!head_holds(plan, field))
        return cw_fail(CW_ERR_FORMAT, "%s is no plan: its numbers contradict each other", path);
    return CW_OK;
}

/* Room for the arrays, if the file is as long as they say. */
static cw_status make_room(cw_plan *plan, const uint64_t *field, uint64_t bytes, const char *path)
{
    struct cw_file_array arrays[2 * CW_PLAN_PARTITIONS + 1];
    uint64_t want = 8 * CW_FILE_WORDS + 16;
    unsigned count;
    cw_status status = CW_OK;

    if (plan->way == CW_PLAN_GATHER || plan->way == CW_PLAN_PASSES) {
        if (cw_plan_blocks(plan) > bytes / 2) /* before any room is asked for */
            return cw_fail(CW_ERR_FORMAT, "%s is truncated", path);
    }
    if (plan->way == CW_PLAN_GATHER) {
        plan->index = (uint32_t *)malloc((cw_plan_blocks(plan) + 1) * sizeof *plan->index);
        if (!plan->index)
            return cw_fail(CW_ERR_MEMORY, "an index of %llu",
                           (unsigned long long)cw_plan_blocks(plan));
    }
    if (plan->way == CW_PLAN_PASSES) {
        const uint64_t tiles = field[11] ? plan->n / field[11] : 0;

        if (!field[11] || field[11] >> 32 || field[12] > CW_PLAN_PARTITIONS || !field[13] ||
            field[13] >> 32 || (field[12] && tiles * (tiles / field[13]) > bytes) ||
            (field[12] == 2 && tiles * field[13] > bytes))
            return cw_fail(CW_ERR_FORMAT, "%s is no plan: tiles of %llu, %llu partition passes",
                           path, (unsigned long long)field[11], (unsigned long long)field[12]);
        status = cw_plan_shape(plan, (uint32_t)field[11], (uint32_t)field[12], (uint32_t)field[13]);
    }
    if (status)
        return status;
    count = cw_file_arrays(plan, arrays);
    for (unsigned k = 0; k < count; k++)
        want += padded(&arrays[k]);
    if (want != bytes)
        return cw_fail(CW_ERR_FORMAT, "%s has %llu bytes, and its head asks for %llu", path,
                       (unsigned long long)bytes, (unsigned long long)want);
    return CW_OK;
}

/* Is it the plan of a permutation? */
static cw_status check_arrays(cw_plan *plan, const char *path)
{
    struct cw_team team = {.wanted = 0};
    uint32_t stray = 0, pass = 0;

    if (plan->way == CW_PLAN_GATHER) {
        const uint64_t blocks = cw_plan_blocks(plan);
        uint64_t *const seen = (uint64_t *)calloc(blocks / 64 + 1, sizeof *seen);
        int good = 1;

        if (!seen)
            return cw_fail(CW_ERR_MEMORY, "%llu bits", (unsigned long long)blocks);
        for (uint64_t i = 0; i < blocks && good; i++) {
            const uint32_t x = plan->index[i];

            good = x < blocks && !(seen[x / 64] >> x % 64 & 1u);
            if (good)
                seen[x / 64] |= (uint64_t)1 << x % 64;
        }
        free(seen);
        return good ? CW_OK : cw_fail(CW_ERR_FORMAT, "%s is no plan: not a permutation", path);
    }
    if (plan->way != CW_PLAN_PASSES)
        return CW_OK;
    for (uint32_t k = 0; k < plan->partitions; k++) {
        const cw_status status = cw_plan_lay(plan, k);

        if (status)
            return status == CW_ERR_LABEL
                       ? cw_fail(CW_ERR_FORMAT, "%s is no plan: counts of pass %u", path, k)
                       : status;
    }
    for (uint32_t k = 0; k <= plan->partitions && !stray; k++) {
        stray = cw_plan_stray(plan, k, &team);
        pass = k;
    }
    cw_team_end(&team);
    if (stray)
        return cw_fail(CW_ERR_FORMAT, "%s is no plan: pass %u, tile %u", path, pass, stray - 1);
    return CW_OK;
}

static cw_status read_plan(FILE *file, uint64_t bytes, const char *path, cw_plan *plan,
                           unsigned char *chunk)
{
    unsigned char head[8 * CW_FILE_WORDS + 8], tail[8];
    struct cw_file_array arrays[2 * CW_PLAN_PARTITIONS + 1];
    uint64_t field[CW_FILE_FIELDS], sum;
    unsigned count;
    cw_status status = read_head(file, path, head, plan, field);

    if (!status)
        status = make_room(plan, field, bytes, path);
    if (status)
        return status;
    count = cw_file_arrays(plan, arrays);
    sum = cw_file_sum(0, head, sizeof head);
    for (unsigned k = 0; k < count && !status; k++)
        status = read_array(file, path, &arrays[k], &sum, chunk);
    if (!status)
        status = read_bytes(file, path, tail, 8);
    if (!status && cw_file_get(tail, 8) != sum)
        status = cw_fail(CW_ERR_FORMAT, "%s is damaged: the checksum", path);
    return status ? status : check_arrays(plan, path);
}

cw_status cw_file_read(FILE *file, uint64_t bytes, const char *path, cw_plan **out)
{
    cw_plan *const plan = (cw_plan *)calloc(1, sizeof *plan);
    unsigned char *const chunk = (unsigned char *)malloc(CW_FILE_CHUNK);
    cw_status status;

    *out = NULL;
    if (!plan || !chunk)
        status = cw_fail(CW_ERR_MEMORY, "a plan");
    else
        status = read_plan(file, bytes, path, plan, chunk);
    free(chunk);
    if (status)
        cw_plan_destroy(plan);
    else
        *out = plan;
    return status;
}

/* An ordinary file, and what it is; NULL with a status.  Opening waits for nobody, as it would for
 * the writer of a FIFO. */
static FILE *open_plan(const char *path, struct stat *there, cw_status *status)
{
    const int fd = cw_open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);
    FILE *file = NULL;

    if (fd < 0) {
        *status = cw_fail(CW_ERR_IO, "cannot open %s: %s", path, strerror(reason()));
        return NULL;
    }
    if (fstat(fd, there) || !S_ISREG(there->st_mode)) {
        *status = cw_fail(CW_ERR_IO, "%s is not an ordinary file", path);
    } else {
        errno = 0;
        file = fdopen(fd, "rb");
        if (!file)
            *status = cw_fail(errno == ENOMEM ? CW_ERR_MEMORY : CW_ERR_IO, "cannot open %s: %s",
                              path, strerror(reason()));
    }
    if (!file)
        close(fd);
    return file;
}

cw_status cw_plan_load(const char *path, cw_plan **out)
{
    struct stat there = {0};
    FILE *file;
    cw_status status;

    if (!path || !out)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", path ? "out" : "path");
    *out = NULL;
    file = open_plan(path, &there, &status);
    if (!file)
        return status;
    status = cw_file_read(file, (uint64_t)there.st_size, path, out);
    fclose(file);
    return status;
}
