/* data.h - data that a command makes for itself: --n, --type, --input, --seed. */
#ifndef CLI_DATA_H
#define CLI_DATA_H

#include "clearway.h"
#include "inputs/adversary.h"
#include "inputs/data.h"
#include "options.h"

extern const char *const type_names[]; /* in the order of cw_type, then NULL */

extern const char *const order_names[]; /* of floats, in the order of CW_ORDER_LIST, then NULL */
extern const unsigned order_flags[];

#define ORDER_OPTION(target)                                                                \
    WORD("order", "O", order_names, target,                                                 \
         "order of floats: numeric (NaNs last, -0 equal to +0; default), total (by bits), " \
         "nan-first or "                                                                    \
         "nan-greatest (first if descending)")

struct data {
    uint64_t n; /* UINT64_MAX: not given */
    uint64_t seed;
    int type;                    /* a cw_type; -1: not given */
    int input;                   /* an enum cw_data */
    struct cw_adversary against; /* all 0: the usual */
    void *keys;                  /* on the host */
};

#define DATA_NONE                                        \
    {                                                    \
        UINT64_MAX, 1, -1, CW_DATA_UNIFORM, {0, 0}, NULL \
    }

#define DATA_MOST (UINT64_C(1) << 40)

/* The options are also of use apart. */
#define DATA_N(d) SIZE("n", "N", 0, DATA_MOST, &(d)->n, "number of keys: 1000, 1e6, 2^28, 16M")
#define DATA_TYPE(d)                          \
    WORD("type", "T", type_names, &(d)->type, \
         "type of the keys: u8, u16, u32 (default), u64, i8, i16, i32, i64, f16, bf16, f32, f64")
#define DATA_SEED(d) \
    NUMBER(0, "seed", "S", 0, UINT64_MAX, &(d)->seed, "seed of everything random (default 1)")
#define DATA_OPTIONS(d)                                                                         \
    DATA_N(d), DATA_TYPE(d),                                                                    \
        WORD("input", "KIND", cw_data_names, &(d)->input,                                       \
             "kind of keys: uniform (default), sorted, reverse, equal, two, few, zipf, heavy, " \
             "top-equal, "                                                                      \
             "low-equal, nan, adversarial-merge, adversarial-radix"),                           \
        DATA_SEED(d)

size_t data_bytes(const struct data *d); /* of the keys */

/* Make the keys.  `beside`: bytes for each key that the command needs besides them, so that what
 * does not fit is refused before it is tried.  DONE, or USAGE or FAILED after a complaint. */
int data_make(struct data *d, double beside);
void data_free(struct data *d);

/* Refuse a negative index of a file, as it was written: DONE, or USAGE after a complaint.  The library
 * sees unsigned numbers. */
int index_negative(const char *path, cw_type type, const void *index, uint64_t n);

/* ---- is it right? (checked.c) --------------------------------------------------------------- */

/* What a sort was given and what it gave, all on the host.  Values and index may be NULL. */
struct sorted {
    cw_type type;
    unsigned flags; /* CW_DESCENDING, an order of floats */
    uint64_t n;
    const void *keys_in, *keys_out; /* keys_out NULL: by the index alone */
    const void *values_in, *values_out;
    size_t value_bytes;
    const void *index;
    size_t index_bytes;
    int rising; /* values_in do not fall */
    int stable; /* equal keys must have kept their order; an index must say so always */
};

/* NULL if all is well; else what is not, for people. */
const char *sorted_wrong(const struct sorted *s, char text[160]);

/* Values that rise and, where they are wide enough, tell each place: value i of n. */
void values_make(void *values, size_t bytes, uint64_t n);

/* Item i of an array of 1, 2, 4 or 8 bytes a piece. */
uint64_t item_at(const void *array, uint64_t i, size_t bytes);

#endif
