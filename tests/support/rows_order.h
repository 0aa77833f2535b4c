/* rows_order.h - the order of keys of every type, in the most obvious way. */
#ifndef CW_ROWS_ORDER_H
#define CW_ROWS_ORDER_H

#include <stdint.h>
#include <string.h>

#include "clearway.h"
#include "values.h"

static int is_float(cw_type t)
{
    return t >= CW_F16;
}

static uint64_t bits_at(const void *array, size_t bytes, size_t item)
{
    uint64_t x = 0;

    memcpy(&x, (const char *)array + item * bytes, bytes);
    return x;
}

struct item {
    uint64_t key, value;
    uint32_t place;
    cw_type type;
    unsigned flags;
};

static int by_key(const struct item *a, const struct item *b)
{
    return cw_value_compare(a->type, a->flags, a->key, b->key);
}

static int by_key_then_place(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const int c = by_key(a, b);

    return c ? c : (a->place > b->place) - (a->place < b->place);
}

static int by_key_then_all(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const int c = by_key(a, b);

    if (c || a->key != b->key)
        return c ? c : a->key > b->key ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

#endif
