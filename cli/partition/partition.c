/* partition.c - the command partition. */
#include "partition.h"

#include <inttypes.h>

#include "cli/cli.h"
#include "prim/key_map.h"
#include "cli/verify/verify_keys.h"

static const char *const rules[] = {"label", "bits", "splitters", "hash", NULL};
static const char *const pair_sizes[] = {"0", "1", "2", "4", "8", "16", NULL};

int partition_job(const struct partition_request *r, cw_type type, size_t n, cw_partition_job *out)
{
    const uint64_t bits = 8 * cw_type_bytes(type), b = r->buckets;

    *out = (cw_partition_job){.type = type,
                              .rule = (cw_rule)r->rule,
                              .flags = CW_CHECK | (r->unstable ? CW_UNSTABLE : 0u) |
                                       order_flags[r->order],
                              .n = n,
                              .buckets = (uint32_t)b,
                              .first_bit = (unsigned)r->first_bit,
                              .multiplier = PARTITION_MULTIPLIER};
    if (r->rule == CW_BY_LABEL && cw_key_map_of(type, 0, 0).flip)
        return complain(USAGE, "%s: labels are whole numbers, not %s",
                        r->labels          ? r->labels
                        : r->files.in_path ? r->files.in.path
                                           : "--by label",
                        cw_type_name(type));
    if (r->rule == CW_BY_BITS && (b & (b - 1)))
        return complain(USAGE, "--by bits: --buckets %" PRIu64 " is no power of two", b);
    if (r->rule == CW_BY_BITS &&
        (r->first_bit >= bits || (b - 1) >> (bits - 1 - r->first_bit) >> 1)) /* b - 1: the last */
        return complain(USAGE,
                        "--by bits: keys of %s have not bits for %" PRIu64
                        " buckets from bit %" PRIu64 " on",
                        cw_type_name(type), b, r->first_bit);
    return DONE;
}

uint64_t partition_bucket(const cw_partition_job *job, const void *splitters, uint64_t bits)
{
    const struct cw_key_map map = cw_key_map_of(job->type, job->flags, 1);
    const size_t bytes = cw_type_bytes(job->type);
    uint64_t low = 0, high = job->buckets - 1;

    switch (job->rule) {
    case CW_BY_LABEL:
        return bits < job->buckets ? bits : UINT64_MAX;
    case CW_BY_BITS: /* of the number that keys are sorted by */
        bits = CW_KEY_TO_WORD(&map, bits);
        return CW_WORD_TO_RANK(&map, bits) >> job->first_bit & (job->buckets - 1);
    case CW_BY_HASH:
        return ((bits * job->multiplier) >> 32) * job->buckets >> 32;
    case CW_BY_SPLITTER:
        break;
    }
    while (low < high) {
        const uint64_t middle = (low + high) / 2;

        if (verify_rank(job->type, job->flags, item_at(splitters, middle, bytes)) <=
            verify_rank(job->type, job->flags, bits))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int help(const struct option *table)
{
    printf("usage: clearway partition FILE -o FILE --buckets B [--by RULE] [OPTION...]\n"
           "       clearway partition --n N --buckets B [--by RULE] [OPTION...]\n\n");
    print_wrapped(
        "Groups the items of FILE by bucket: bucket 0 first, then bucket 1, and so on.  Items of a "
        "bucket keep their order.  FILE is a .npy file of one dimension or a raw file of items of "
        "type T; "
        "with --labels it may have two dimensions or hold records, which move whole.  '-' is "
        "standard input, and with -o standard output.",
        0, 0);
    print_wrapped(
        "RULE says which bucket an item belongs to.  label: the item itself, or its label in "
        "another file, is the number of its bucket.  bits: some bits of the item, from "
        "--first-bit up.  splitters: the number of splitters that are not above the "
        "item.  hash: a hash of the item.",
        0, 0);
    print_wrapped(
        "Without a file, generates N keys, does the same with them, checks the result and "
        "prints the speed; on a GPU also as a share of a copy's.",
        0, 0);
    printf("\n");
    options_print(table);
    return DONE;
}

static int of_file(struct partition_request *r, const char *path)
{
    if (!r->files.out_path)
        return complain(USAGE,
                        "-o is missing: the file that the result goes to, - for standard output");
    if (r->data.n != UINT64_MAX || r->data.input != CW_DATA_UNIFORM || r->data.seed != 1)
        return complain(USAGE, "--n, --input and --seed make data, but there is the file %s", path);
    if (r->pairs)
        return complain(USAGE, "--pairs is not for files");
    if (r->labels && r->rule != CW_BY_LABEL)
        return complain(USAGE, "--labels is for --by label");
    if (!r->splitters != (r->rule != CW_BY_SPLITTER))
        return complain(USAGE, r->splitters ? "--splitters is for --by splitters"
                                            : "--splitters is missing: a file of them, sorted");
    return partition_file(r, path);
}

int command_partition(int argc, char **argv)
{
    struct partition_request r = {
        .data = DATA_NONE, .on = ON_AUTO, .files = FILES_NONE, .rule = -1, .buckets = 256};
    struct arguments args;
    const struct option table[] = {
        SIZE("buckets", "B", 1, CW_BUCKETS_MAX, &r.buckets,
             "number of buckets, 1 to 65536; default 256"),
        WORD("by", "RULE", rules, &r.rule,
             "how an item's bucket is found: label, bits, splitters or hash; default: what "
             "--labels or --splitters say, else bits"),
        NUMBER(0, "first-bit", "K", 0, 63, &r.first_bit,
               "--by bits: the lowest of the bits to take; default 0"),
        FILES_OPTIONS(&r.files),
        TEXT("labels", "FILE", &r.labels,
             "a .npy of whole numbers, or --text: a label for each item"),
        TEXT("splitters", "FILE", &r.splitters,
             "a .npy of B - 1 sorted splitters, of the items' type, or --text"),
        TEXT("offsets", "FILE", &r.offsets,
             "write the B + 1 places where buckets begin and end, as i64"),
        DATA_OPTIONS(&r.data),
        WORD("pairs", "BYTES", pair_sizes, &r.pairs,
             "give each generated key a value of 1, 2, 4, 8 or 16 bytes"),
        FLAG("unstable", &r.unstable, "items of a bucket may come in any order, which is faster"),
        ORDER_OPTION(&r.order),
        ON_OPTIONS(&r.on),
        FLAG("time", &r.time, "print the median time of several runs, after a warm-up"),
        FLAG("json", &r.json, "print JSON"),
        OPTIONS_END};

    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help)
        return help(table);
    if (args.count > 1)
        return complain(USAGE, "one file, got '%s' too: -o FILE says where the result goes",
                        args.word[1]);
    if (r.rule < 0) /* a file of labels or splitters says it, too */
        r.rule = r.labels ? CW_BY_LABEL : r.splitters ? CW_BY_SPLITTER : CW_BY_BITS;
    if (args.count)
        return of_file(&r, args.word[0]);
    if (FILES_GIVEN(&r.files) || r.labels || r.splitters || r.offsets)
        return complain(USAGE,
                        "-o, --memory, --tmpdir, --labels, --splitters and --offsets are for "
                        "files: which one?");
    if (r.data.n == UINT64_MAX)
        return complain(
            USAGE, "which keys?  Give a file, or --n N for generated ones; - is standard input");
    return partition_made(&r);
}
