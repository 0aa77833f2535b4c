/* plan_file.c - save and load the plan of an offline permutation.
 *
 * A plan file, all numbers little-endian:
 *
 *      0   8 bytes   "CWPLAN\r\n"
 *      8   u32       version, 1
 *      12  u32       w
 *      16  u32       m
 *      20  u32       0
 *      24  u64 x wm  the entries, round by round
 *          u64       checksum of the words before it
 *
 * A step of the checksum is one-to-one in the word and in the state, so damage
 * within one word is always found; other damage but for a chance of 2^-64.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "paper/permute/plan.h"

#include "files/output.h"
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define VERSION    1
#define HEAD_WORDS 3

static const unsigned char magic[8] = {'C', 'W', 'P', 'L', 'A', 'N', '\r', '\n'};

static void put64(unsigned char *to, uint64_t word)
{
    for (int b = 0; b < 8; b++) {
        to[b] = (unsigned char)(word >> 8 * b);
    }
}

static uint64_t get64(const unsigned char *from)
{
    uint64_t word = 0;

    for (int b = 0; b < 8; b++) {
        word |= (uint64_t)from[b] << 8 * b;
    }
    return word;
}

static uint64_t checksum(uint64_t sum, const uint64_t *word, size_t count)
{
    for (size_t e = 0; e < count; e++) {
        sum = (sum ^ word[e]) * UINT64_C(0x9e3779b97f4a7c15);
        sum = sum << 32 | sum >> 32;
    }
    return sum;
}

static void make_head(uint64_t *head, uint32_t w, uint32_t m)
{
    head[0] = get64(magic);
    head[1] = (uint64_t)w << 32 | VERSION;
    head[2] = m;
}

static void write_words(struct cw_output *to, const uint64_t *word, size_t count)
{
    unsigned char bytes[8];

    for (size_t e = 0; e < count; e++) {
        put64(bytes, word[e]);
        cw_output_append(to, bytes, 8);
    }
}

cw_status cw_paper_plan_write(const struct cw_paper_plan *plan, struct cw_output *to)
{
    const size_t n = (size_t)plan->w * plan->m;
    const cw_status status = cw_paper_plan_check(plan);
    uint64_t head[HEAD_WORDS];
    uint64_t sum;

    if (status != CW_OK) {
        return status;
    }
    make_head(head, plan->w, plan->m);
    sum = checksum(checksum(0, head, HEAD_WORDS), plan->entry, n);
    write_words(to, head, HEAD_WORDS);
    write_words(to, plan->entry, n);
    write_words(to, &sum, 1);
    return cw_output_flush(to);
}

cw_status cw_paper_plan_save(const struct cw_paper_plan *plan, const char *path)
{
    struct cw_output to;
    cw_status status = cw_output_open(path, &to);

    if (status == CW_OK) {
        status = cw_paper_plan_write(plan, &to);
    }
    if (status == CW_OK) {
        status = cw_output_commit(&to);
    }
    cw_output_drop(&to);
    return status;
}

static cw_status read_words(FILE *file, const char *path, uint64_t *word, size_t count)
{
    if (fread(word, 8, count, file) != count) {
        return ferror(file) ? cw_fail(CW_ERR_IO, "cannot read %s: %s", path, strerror(errno))
                            : cw_fail(CW_ERR_FORMAT, "%s is truncated: it ends too soon", path);
    }
    for (size_t e = 0; e < count; e++) {
        word[e] = get64((const unsigned char *)&word[e]);
    }
    return CW_OK;
}

/* Is the head that of a plan, and the file as long as it says? */
static cw_status check_head(const char *path, const uint64_t *head, uint64_t bytes,
                            struct cw_paper_plan *plan)
{
    uint64_t want;

    if (head[0] != get64(magic)) {
        return cw_fail(CW_ERR_FORMAT, "%s is not a plan", path);
    }
    if (bytes < 8 * HEAD_WORDS) {
        return cw_fail(CW_ERR_FORMAT, "%s is truncated: it ends in its head", path);
    }
    if ((uint32_t)head[1] != VERSION) {
        return cw_fail(CW_ERR_FORMAT, "%s is a plan of version %" PRIu32 ", not %d", path,
                       (uint32_t)head[1], VERSION);
    }
    plan->w = (uint32_t)(head[1] >> 32);
    plan->m = (uint32_t)head[2];
    if (!cw_paper_plan_fits(plan->w, plan->m) || head[2] >> 32 != 0) {
        return cw_fail(CW_ERR_FORMAT, "%s is damaged: its shape is %" PRIu32 " x %" PRIu32, path,
                       plan->w, plan->m);
    }
    want = 8 * (HEAD_WORDS + (uint64_t)plan->w * plan->m + 1);
    if (bytes != want) {
        return cw_fail(
            CW_ERR_FORMAT,
            "%s is %s: %" PRIu64 " bytes, a plan of %" PRIu32 " x %" PRIu32 " has %" PRIu64, path,
            bytes < want ? "truncated" : "too long", bytes, plan->w, plan->m, want);
    }
    return CW_OK;
}

static cw_status load_entries(FILE *file, const char *path, uint64_t sum,
                              struct cw_paper_plan *plan)
{
    const size_t n = (size_t)plan->w * plan->m;
    uint64_t stored = 0;
    cw_status status = cw_paper_plan_room(plan);

    if (status == CW_OK) {
        status = read_words(file, path, plan->entry, n);
    }
    if (status == CW_OK) {
        status = read_words(file, path, &stored, 1);
    }
    if (status == CW_OK && checksum(sum, plan->entry, n) != stored) {
        status = cw_fail(CW_ERR_FORMAT, "%s is damaged: its checksum is wrong", path);
    }
    return status == CW_OK ? cw_paper_plan_check(plan) : status;
}

cw_status cw_paper_plan_load(struct cw_paper_plan *plan, const char *path)
{
    uint64_t head[HEAD_WORDS] = {0};
    struct stat info = {0};
    cw_status status;
    size_t words;
    FILE *file;

    *plan = (struct cw_paper_plan){0};
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return cw_fail(CW_ERR_IO, "%s is not an ordinary file", path);
    }
    file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0) {
        status = cw_fail(CW_ERR_IO, "cannot open %s: %s", path, strerror(errno));
    } else {
        words = (size_t)info.st_size / 8;
        status = read_words(file, path, head, words < HEAD_WORDS ? words : HEAD_WORDS);
    }
    if (status == CW_OK) {
        status = check_head(path, head, (uint64_t)info.st_size, plan);
    }
    if (status == CW_OK) {
        status = load_entries(file, path, checksum(0, head, HEAD_WORDS), plan);
    }
    if (status != CW_OK) {
        cw_paper_plan_free(plan);
    }
    if (file) {
        fclose(file);
    }
    return status;
}
