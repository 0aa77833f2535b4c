#include "support/fuzz/calls.h"

size_t fuzz_length(const struct where *on, struct input *in)
{
    const uint64_t x = input_bytes(in, 3);

    return (size_t)(x % 4 == 3 ? (x >> 2) % on->most : (x >> 2) % 70);
}

cw_type fuzz_type(struct input *in)
{
    return (cw_type)input_below(in, CW_TYPE_COUNT);
}

unsigned fuzz_order(struct input *in)
{
    static const unsigned orders[] = {0, CW_TOTAL_ORDER, CW_NAN_FIRST, CW_NAN_GREATEST};
    const uint64_t x = input_bytes(in, 1);

    return orders[x % 4] | (x & 4 ? CW_DESCENDING : 0);
}

/* Zeros, infinities and NaNs of floats, extremes of integers: one bit and its neighbours. */
static uint64_t special_key(uint64_t r, size_t bytes)
{
    const unsigned bits = 8 * (unsigned)bytes;
    uint64_t x = UINT64_MAX << r % bits;

    x = r & 64 ? ~x : x;
    x += r >> 7 & 3;
    return r & 512 ? x | UINT64_C(1) << (bits - 1) : x;
}

void *fuzz_keys(struct input *in, cw_type type, size_t n)
{
    const size_t bytes = cw_type_bytes(type);
    const unsigned kind = (unsigned)input_below(in, 4);
    const uint64_t seed = input_bytes(in, 2);
    void *const keys = array_of(n * bytes);
    uint64_t *const random = (uint64_t *)array_of(8 * n);

    array_fill(random, 8 * n, seed);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random[i] >> 8;

        item_put(keys, i, bytes,
                 kind == 0   ? input_bytes(in, bytes)
                 : kind == 1 ? random[i]
                 : kind == 2 ? special_key(r, bytes)
                             : special_key(seed + r % 5, bytes));
    }
    free(random);
    return keys;
}

int fuzz_went_well(cw_status status, int lawful, const char *call)
{
    if (!status)
        return 1;
    if (lawful) {
        fprintf(stderr, "fuzz: %s: %s: %s\n", call, cw_status_name(status), cw_last_error());
        abort();
    }
    must(status < CW_STATUS_COUNT && cw_last_error()[0] != 0, "refused without a word");
    must(status != CW_ERR_INTERNAL, "an internal error");
    return 0;
}
