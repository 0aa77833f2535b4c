/* calls.h - one call of the public API made of the fuzzer's bytes, and held against an obvious reference. */
#ifndef CW_FUZZ_CALLS_H
#define CW_FUZZ_CALLS_H

#include "support/fuzz/input.h"
#include "clearway.h"

/* most: items, about; what the emulator takes is less than what host threads do. */
struct where {
    cw_context *context;
    size_t most;
    int emulated;
};

void fuzz_sort(const struct where *on, struct input *in);
void fuzz_rows(const struct where *on, struct input *in);
void fuzz_partition(const struct where *on, struct input *in);
void fuzz_permute(const struct where *on, struct input *in);
void fuzz_gather_sum(const struct where *on, struct input *in);
void fuzz_shuffle(const struct where *on, struct input *in);
void fuzz_transpose(const struct where *on, struct input *in);
void fuzz_plan(const struct where *on, struct input *in);

/* A length: mostly short, at times long. */
size_t fuzz_length(const struct where *on, struct input *in);

/* A type, and flags of an order: of a descending one too, if that is asked for. */
cw_type fuzz_type(struct input *in);
unsigned fuzz_order(struct input *in);

/* n keys: of the input's bytes, random ones, few values, or what is special of floats. */
void *fuzz_keys(struct input *in, cw_type type, size_t n);

/* A call must have gone well; or, if `lawful` is 0, may have been refused with a status and a text: then 0. */
int fuzz_went_well(cw_status status, int lawful, const char *call);

#endif
