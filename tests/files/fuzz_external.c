/* fuzz_external.c - a libFuzzer target: arrays in files, sorted with buckets and memory of any size, held against qsort.
 *
 *      clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *          -Iinclude -Isrc -Itests tests/files/fuzz_external.c src/files/external.c src/files/external_bucket.c \
 *          src/files/external_pass.c src/files/external_split.c src/files/array_file.c src/files/bytes.c \
 *          $LIBRARY -lm -lpthread -o fuzz_external
 *      ./fuzz_external -max_len=4096 -max_total_time=120 [CORPUS]
 *
 * LIBRARY is a libclearway.a, for the sort in memory.  An input says type, order, byte order, sizes of buckets and
 * keys; or the adversary makes these, for the seed that is used.
 */
#include <unistd.h>

#include "files/array_file.h"
#include "files/external.h"
#include "inputs/adversary.h"
#include "support/fuzz/input.h"
#include "support/fuzz/items.h"
#include "support/fuzz/order.h"

#define MOST 6000u

static uint64_t digit_of(const void *of, uint64_t key)
{
    const struct cw_external *const x = (const struct cw_external *)of;

    return rank_of(x->type, x->flags, key);
}

/* Keys as the file has them; few values, at times. */
static void make_keys(struct input *in, struct cw_external *x, void *keys)
{
    const size_t bytes = cw_type_bytes(x->type);
    const uint64_t kind = input_below(in, 4), seed = input_bytes(in, 2);
    const uint64_t values = 1 + input_below(in, 9);

    if (kind == 3 && bytes == 8) {
        must(cw_adversary_external(x->seed, x->n, 1 + seed % 3, (uint64_t *)keys) == CW_OK,
             "no memory");
        return;
    }
    array_fill(keys, x->n * bytes, seed);
    for (uint64_t i = 0; kind && i < x->n; i++)
        item_put(keys, i, bytes,
                 kind == 1 ? input_bytes(in, bytes) : item_get(keys, i % values, bytes));
}

static void choose(struct input *in, struct cw_external *x)
{
    static const unsigned orders[] = {0, CW_TOTAL_ORDER, CW_NAN_FIRST, CW_NAN_GREATEST};
    const uint64_t what = input_bytes(in, 2);

    memset(x, 0, sizeof *x);
    x->type = (cw_type)input_below(in, CW_TYPE_COUNT);
    x->flags = orders[what & 3] | (what & 4 ? CW_DESCENDING : 0) | (what & 8 ? CW_STABLE : 0);
    x->places = (what & 16) != 0;
    x->swapped = (what & 32) != 0;
    x->n = input_below(in, what & 64 ? MOST : 100);
    x->at = input_below(in, 40);
    x->out_at = input_below(in, 40);
    x->memory = CW_EXTERNAL_MEMORY << (what >> 7 & 1);
    x->threads = 1 + (what >> 8 & 1);
    x->seed = 1 + input_bytes(in, 2);
    x->foreseen = (what & 512) != 0;
    x->bucket_items = what & 1024 ? 1 + input_below(in, 500) : 0;
    x->buckets = what & 2048 ? 2 + (uint32_t)input_below(in, 20) : 0;
    x->path = "input";
    x->folder = "/tmp";
}

/* Stable, or an argsort: exact; else equal floats may come in any order. */
static void check(const struct cw_external *x, const void *keys)
{
    const size_t bytes = cw_type_bytes(x->type), out = x->places ? 8 : bytes;
    unsigned char *const result = (unsigned char *)array_of(x->n * out);
    struct items s = {.n = x->n,
                      .want = (struct item *)calloc(x->n + 1, sizeof *s.want),
                      .got = (struct item *)calloc(x->n + 1, sizeof *s.got),
                      .has_keys = !x->places,
                      .has_places = x->places,
                      .exact = x->places || x->flags & CW_STABLE};

    must(s.want && s.got, "no memory");
    must(cw_read_at(x->out->fd, "output", result, x->n * out, x->out_at) == CW_OK, "no result");
    if (x->swapped && !x->places)
        cw_swap_bytes(result, x->n, bytes);
    for (size_t i = 0; i < x->n; i++) {
        s.want[i].place = i;
        s.want[i].key = item_get(keys, i, bytes);
        s.want[i].digit = digit_of(x, s.want[i].key);
        s.got[i].key = x->places ? 0 : item_get(result, i, bytes);
        s.got[i].place = x->places ? item_get(result, i, 8) : 0;
    }
    items_check(&s, digit_of, x);
    free(s.want);
    free(s.got);
    free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct cw_external x;
    struct cw_output output;
    void *keys, *sent;
    size_t bytes;

    choose(&in, &x);
    bytes = cw_type_bytes(x.type);
    keys = array_of(x.n * bytes);
    make_keys(&in, &x, keys);
    sent = array_copy(keys, x.n * bytes);
    if (x.swapped)
        cw_swap_bytes(sent, x.n, bytes);
    must(cw_scratch_open(x.folder, &x.fd) == CW_OK, "no file");
    must(cw_write_at(x.fd, "input", sent, x.n * bytes, x.at) == CW_OK, "no room");
    must(cw_output_scratch(x.folder, &output) == CW_OK, "no file");
    x.out = &output;
    if (cw_external_sort(&x)) {
        fprintf(stderr, "fuzz: %s\n", cw_last_error());
        abort();
    }
    check(&x, keys);
    cw_output_drop(&output);
    close(x.fd);
    free(keys);
    free(sent);
    return 0;
}
