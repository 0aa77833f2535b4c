/* check.c - is the array in a file sorted; is it a permutation of another?
 *
 * Files are read once, from beginning to end, whatever their size.  Of two dimensions each row is
 * looked at by itself.  That two rows hold the same keys is seen by two sums of hashes, of 64 bits
 * each: rows that differ have the same ones with a chance of about 2^-128.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/common/data.h"
#include "files.h"
#include "inputs/random.h"
#include "cli/verify/verify_keys.h"

#define CHUNK 65536u

struct look {
    const struct cw_array_file *file;
    unsigned flags; /* CW_DESCENDING, an order of floats */
    unsigned char *keys;
    uint64_t sum[2]; /* of the row at hand */
    int sorted;
    uint64_t row, at; /* of the first key that is not in order */
    uint64_t nans;
};

static void look_at_keys(struct look *x, uint64_t row, uint64_t first, uint32_t count,
                         uint64_t *before)
{
    const cw_type type = x->file->head.type;
    const size_t bytes = cw_type_bytes(type);
    const uint64_t shift =
        x->file->head.kind == CW_NPY_TIME && !(x->flags & CW_DESCENDING); /* NaT is last */

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bits = item_at(x->keys, i, bytes);
        const uint64_t rank = verify_rank(type, x->flags, bits - shift);

        x->nans += (uint64_t)verify_is_nan(type, bits);
        x->sum[0] += cw_mixed(bits + UINT64_C(0x9e3779b97f4a7c15));
        x->sum[1] += cw_mixed(bits ^ UINT64_C(0xd1b54a32d192ed03));
        if (first + i && rank < *before && x->sorted) {
            x->sorted = 0;
            x->row = row;
            x->at = first + i;
        }
        *before = rank;
    }
}

static cw_status look_at_row(struct look *x, uint64_t row)
{
    const uint64_t length = x->file->head.length;
    uint64_t before = 0;
    cw_status status = CW_OK;

    x->sum[0] = x->sum[1] = 0;
    for (uint64_t first = 0; !status && first < length; first += CHUNK) {
        const uint32_t count = length - first < CHUNK ? (uint32_t)(length - first) : CHUNK;

        status = cw_array_file_read(x->file, row * length + first, count, x->keys);
        if (!status)
            look_at_keys(x, row, first, count, &before);
    }
    return status;
}

struct answer {
    struct look file, original;
    int has_original, permutation;
    uint64_t row; /* the first that is none */
};

static cw_status look_at_all(struct answer *a, struct progress *progress)
{
    const uint64_t rows = a->file.file->head.rows;
    cw_status status = CW_OK;

    a->permutation = a->has_original;
    for (uint64_t row = 0; !status && row < rows; row++) {
        status = look_at_row(&a->file, row);
        if (!status && a->has_original)
            status = look_at_row(&a->original, row);
        if (a->permutation &&
            (a->file.sum[0] != a->original.sum[0] || a->file.sum[1] != a->original.sum[1])) {
            a->permutation = 0;
            a->row = row;
        }
        progress_tell(progress, (double)(row + 1) / (double)rows);
    }
    return status;
}

/* ---- what it says ------------------------------------------------------------------------------- */

static void print_json(const struct answer *a)
{
    const struct cw_npy *const head = &a->file.file->head;
    struct json j = {stdout, 0};
    char type[64];

    json_open(&j, NULL, '{');
    json_text(&j, "command", "check");
    json_text(&j, "input", a->file.file->path);
    json_text(&j, "of", a->has_original ? a->original.file->path : NULL);
    json_text(&j, "type", cw_npy_type_name(head, type));
    json_number(&j, "rows", head->rows);
    json_number(&j, "length", head->length);
    json_number(&j, "nans", a->file.nans);
    json_bool(&j, "descending", (a->file.flags & CW_DESCENDING) != 0);
    json_bool(&j, "sorted", a->file.sorted);
    if (a->has_original)
        json_bool(&j, "permutation", a->permutation);
    else
        json_text(&j, "permutation", NULL);
    json_close(&j, '}');
    printf("\n");
}

static void print_lines(const struct answer *a, const char *of)
{
    const struct cw_npy *const head = &a->file.file->head;
    const char *const path = a->file.file->path;
    char type[64];

    printf("%s: ", path);
    if (head->dims == 2)
        printf("%" PRIu64 " rows of ", head->rows);
    printf("%" PRIu64 " %s key%s", head->length, cw_npy_type_name(head, type),
           head->length == 1 ? "" : "s");
    if (a->file.nans)
        printf(", %" PRIu64 " of them NaN", a->file.nans);
    printf("\n%s%s", a->file.sorted ? "sorted" : "not sorted",
           a->file.flags & CW_DESCENDING ? ", largest first" : "");
    if (!a->file.sorted) {
        printf(": key %" PRIu64, a->file.at);
        if (head->dims == 2)
            printf(" of row %" PRIu64, a->file.row);
        printf(" should stand before key %" PRIu64, a->file.at - 1);
    }
    printf("\n");
    if (a->has_original && head->dims == 2 && !a->permutation)
        printf("no permutation of %s: row %" PRIu64 " holds other keys\n", of, a->row);
    else if (a->has_original)
        printf("%s permutation of %s\n", a->permutation ? "a" : "no", of);
}

static int verdict(const struct answer *a, const char *of)
{
    if (a->has_original && !a->permutation)
        return complain(FAILED, "%s is no permutation of %s", a->file.file->path, of);
    if (!a->has_original && !a->file.sorted)
        return complain(FAILED, "%s is not sorted", a->file.file->path);
    return DONE;
}

/* ---- the command --------------------------------------------------------------------------------- */

static int same_shape(const struct cw_array_file *a, const struct cw_array_file *b)
{
    const struct cw_npy *const x = &a->head, *const y = &b->head;

    if (x->type != y->type)
        return complain(FAILED, "%s holds %s and %s holds %s", a->path, cw_type_name(x->type),
                        b->path, cw_type_name(y->type));
    if (x->rows != y->rows || x->length != y->length)
        return complain(FAILED,
                        "%s has %" PRIu64 " x %" PRIu64 " keys and %s has %" PRIu64 " x %" PRIu64,
                        a->path, x->rows, x->length, b->path, y->rows, y->length);
    return DONE;
}

static int check(struct cw_array_file *file, struct cw_array_file *original, const char *of,
                 unsigned flags, int json)
{
    struct answer a = {.file = {.file = file, .flags = flags, .sorted = 1},
                       .original = {.file = original, .sorted = 1},
                       .has_original = of != NULL};
    struct progress progress;
    cw_status status;

    a.file.keys = a.original.keys = (unsigned char *)malloc((size_t)CHUNK * 8);
    if (!a.file.keys)
        return complain(FAILED, "out of memory");
    progress_begin(&progress, "check");
    status = look_at_all(&a, &progress);
    progress_end(&progress);
    free(a.file.keys);
    if (status)
        return complain(FAILED, "%s", cw_last_error());
    if (json)
        print_json(&a);
    else
        print_lines(&a, of);
    return verdict(&a, of);
}

static int help(const struct option *table)
{
    printf("usage: clearway check FILE [--of ORIGINAL] [OPTION...]\n\n"
           "Says whether the array in FILE is sorted or, with --of, whether it holds the\n"
           "keys of ORIGINAL in any order.  Rows of two dimensions are checked one by one.\n"
           "'-' is standard input.  Exit status 0: yes; 1: no.\n\n");
    options_print(table);
    return DONE;
}

int command_check(int argc, char **argv)
{
    struct data d = DATA_NONE;
    struct cw_array_file file = {.fd = -1}, original = {.fd = -1};
    const char *of = NULL;
    const char *tmpdir = NULL;
    uint64_t memory = 0; /* CHUNK keys are less than the least of it */
    int descending = 0, order = 0, json = 0, text = 0, status = DONE;
    struct arguments args;
    const struct option table[] = {
        TEXT("of", "ORIGINAL", &of, "the file that FILE should be a permutation of"),
        WORD("type", "T", type_names, &d.type, "type of the keys in raw files"),
        FLAG("descending", &descending, "sorted means: largest first"),
        ORDER_OPTION(&order),
        FILES_MEMORY(&memory, "most memory to use, like 512M or 1GB; a check needs less than 16M"),
        TEXT("tmpdir", "FOLDER", &tmpdir, "folder for temporary files; default $TMPDIR, else /tmp"),
        FILES_TEXT(&text),
        FLAG("json", &json, "print JSON"),
        OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count != 1)
        return complain(USAGE,
                        args.count ? "one file, got '%s' too: --of FILE compares" : "which file?%s",
                        args.count ? args.word[1] : "");
    if (of && !strcmp(of, "-") && !strcmp(args.word[0], "-"))
        return complain(USAGE, "both files are standard input");
    if (tmpdir_refused(tmpdir))
        return FAILED;
    if (array_open(args.word[0], d.type, tmpdir, text, &file) ||
        (of && array_open(of, d.type, tmpdir, text, &original)))
        status = array_refused(d.type, text);
    if (!status && of)
        status = same_shape(&file, &original);
    if (!status)
        status = check(&file, &original, of, (descending ? CW_DESCENDING : 0u) | order_flags[order],
                       json);
    cw_array_file_close(&file);
    cw_array_file_close(&original);
    return status;
}
