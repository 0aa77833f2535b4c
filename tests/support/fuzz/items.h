/* items.h - the outcome of a sort of n items, held against a stable sort by the digit that counts. */
#ifndef CW_FUZZ_ITEMS_H
#define CW_FUZZ_ITEMS_H

#include "support/fuzz/input.h"

struct item {
    uint64_t digit; /* by which it is sorted */
    uint64_t key, value[2], place;
};

struct items {
    size_t n;
    struct item *want, *got; /* want: as they were given */
    int has_keys, has_values, has_places;
    int exact; /* equal digits keep their order */
};

static inline int by_digit(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;

    if (a->digit != b->digit)
        return a->digit < b->digit ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static inline int by_all(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const uint64_t p[] = {a->digit, a->key, a->value[0], a->value[1]};
    const uint64_t q[] = {b->digit, b->key, b->value[0], b->value[1]};

    for (int k = 0; k < 4; k++)
        if (p[k] != q[k])
            return p[k] < q[k] ? -1 : 1;
    return 0;
}

/* Digits of `got` are filled in here: those of the keys, or of what the places name. */
static inline void items_check(struct items *s, uint64_t (*digit)(const void *job, uint64_t key),
                               const void *job)
{
    for (size_t i = 0; i < s->n; i++) {
        struct item *const g = &s->got[i];

        must(!s->has_places || g->place < s->n, "an index is no place");
        g->digit = s->has_keys ? digit(job, g->key) : s->want[g->place].digit;
        must(i == 0 || s->got[i - 1].digit <= g->digit, "items are out of order");
    }
    if (s->n) {
        qsort(s->want, s->n, sizeof *s->want, s->exact ? by_digit : by_all);
        if (!s->exact)
            qsort(s->got, s->n, sizeof *s->got, by_all);
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct item *const w = &s->want[i], *const g = &s->got[i];

        must(!s->has_keys || g->key == w->key, "a key is wrong");
        must(!s->has_values || (g->value[0] == w->value[0] && g->value[1] == w->value[1]),
             "a value is wrong");
        must(!s->has_places || !s->exact || g->place == w->place, "an index is wrong");
    }
}

#endif
