/* checked.c - was it sorted, and is nothing lost?
 *
 * Order is looked at by ranks of their own (verify_keys.c), not by the map that the library sorts
 * with.  That nothing is lost is seen by the index, place by place, where there is one; else by the
 * sum of a hash of every item, before and after: a loss that it does not see has a chance of 2^-64.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/data.h"
#include "inputs/random.h"
#include "cli/verify/verify_keys.h"

uint64_t item_at(const void *array, uint64_t i, size_t bytes)
{
    const unsigned char *const p = (const unsigned char *)array + i * bytes;
    uint16_t x2;
    uint32_t x4;
    uint64_t x8;

    if (bytes == 1)
        return *p;
    if (bytes == 2)
        return memcpy(&x2, p, 2), x2;
    if (bytes == 4)
        return memcpy(&x4, p, 4), x4;
    return memcpy(&x8, p, 8), x8;
}

/* The first 8 bytes of a value: those of 16 hold a number twice. */
static uint64_t value_at(const struct sorted *s, const void *values, uint64_t i)
{
    if (s->value_bytes <= 8)
        return item_at(values, i, s->value_bytes);
    return item_at(values, 2 * i, 8);
}

void values_make(void *values, size_t bytes, uint64_t n)
{
    const uint64_t most = bytes < 8 ? UINT64_C(1) << 8 * bytes : UINT64_MAX;
    const uint64_t step = n / most + 1;

    for (uint64_t i = 0; i < n; i++) {
        const uint64_t x = i / step;
        unsigned char *const p = (unsigned char *)values + i * bytes;
        const uint8_t x1 = (uint8_t)x;
        const uint16_t x2 = (uint16_t)x;
        const uint32_t x4 = (uint32_t)x;

        if (bytes == 1)
            memcpy(p, &x1, 1);
        else if (bytes == 2)
            memcpy(p, &x2, 2);
        else if (bytes == 4)
            memcpy(p, &x4, 4);
        else
            memcpy(p, &x, 8);
        if (bytes == 16)
            memcpy(p + 8, &x, 8);
    }
}

static uint64_t hashed(const struct sorted *s, const void *keys, const void *values, uint64_t i)
{
    uint64_t x = cw_mixed(item_at(keys, i, cw_type_bytes(s->type)) + UINT64_C(0x9e3779b97f4a7c15));

    if (values)
        x = cw_mixed(x ^ value_at(s, values, i));
    if (values && s->value_bytes == 16)
        x = cw_mixed(x + item_at(values, 2 * i + 1, 8));
    return x;
}

static const char *by_hash(const struct sorted *s, char text[160])
{
    uint64_t before = 0, after = 0;

    for (uint64_t i = 0; i < s->n; i++) {
        before += hashed(s, s->keys_in, s->values_in, i);
        after += hashed(s, s->keys_out, s->values_out, i);
    }
    if (before == after)
        return NULL;
    snprintf(text, 160, "the output does not hold the %s of the input",
             s->values_in ? "pairs" : "keys");
    return text;
}

static const char *by_index(const struct sorted *s, char text[160])
{
    unsigned char *const seen = (unsigned char *)calloc(s->n / 8 + 1, 1);
    const char *wrong = NULL;

    if (!seen)
        return "out of memory to look at the index";
    for (uint64_t j = 0; !wrong && j < s->n; j++) {
        const uint64_t i = item_at(s->index, j, s->index_bytes);

        if (i >= s->n || seen[i / 8] >> i % 8 & 1) {
            snprintf(text, 160, "index %" PRIu64 " is %" PRIu64 ": %s", j, i,
                     i >= s->n ? "there is no such place" : "it came before");
            wrong = text;
        } else {
            seen[i / 8] |= (unsigned char)(1u << i % 8);
        }
    }
    free(seen);
    return wrong;
}

static uint64_t bits_at(const struct sorted *s, uint64_t j)
{
    const size_t bytes = cw_type_bytes(s->type);

    if (s->keys_out)
        return item_at(s->keys_out, j, bytes);
    return item_at(s->keys_in, item_at(s->index, j, s->index_bytes), bytes);
}

/* Do items j - 1 and j of equal keys stand as they stood? */
static int kept(const struct sorted *s, uint64_t j)
{
    if (s->index)
        return item_at(s->index, j - 1, s->index_bytes) < item_at(s->index, j, s->index_bytes);
    if (s->stable && s->rising && s->values_out)
        return value_at(s, s->values_out, j - 1) <= value_at(s, s->values_out, j);
    return 1;
}

static const char *in_order(const struct sorted *s, char text[160])
{
    uint64_t before = 0;

    for (uint64_t j = 0; j < s->n; j++) {
        const uint64_t bits = bits_at(s, j), rank = verify_rank(s->type, s->flags, bits);

        if (j && rank < before) {
            snprintf(text, 160, "keys %" PRIu64 " and %" PRIu64 " are not in order", j - 1, j);
            return text;
        }
        if (j && rank == before && !kept(s, j)) {
            snprintf(text, 160, "equal keys %" PRIu64 " and %" PRIu64 " have changed their order",
                     j - 1, j);
            return text;
        }
        before = rank;
    }
    return NULL;
}

const char *sorted_wrong(const struct sorted *s, char text[160])
{
    const char *wrong = s->index ? by_index(s, text) : NULL;

    if (!wrong && s->keys_out)
        wrong = by_hash(s, text);
    return wrong ? wrong : in_order(s, text);
}
