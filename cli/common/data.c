#include "data.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/common/memory.h"
#include "on.h"

#define ORDER_NAME(flag, name) name,
#define ORDER_FLAG(flag, name) flag,
const char *const order_names[] = {CW_ORDER_LIST(ORDER_NAME) NULL};
const unsigned order_flags[] = {CW_ORDER_LIST(ORDER_FLAG)};

const char *const type_names[] = {
#define NAME(constant, name, bytes) name,
    CW_TYPE_LIST(NAME)
#undef NAME
        NULL};

size_t data_bytes(const struct data *d)
{
    return (size_t)d->n * cw_type_bytes((cw_type)d->type);
}

int data_make(struct data *d, double beside)
{
    const int hard = d->input == CW_DATA_MERGE || d->input == CW_DATA_RADIX;
    double key;
    cw_status status;

    if (d->type < 0)
        d->type = CW_U32;
    key = (double)cw_type_bytes((cw_type)d->type);
    if (d->n == UINT64_MAX)
        return complain(USAGE, "--n is missing: how many keys");
    if (memory_refused((double)d->n * (key + (beside > 16 || !hard ? beside : 16))))
        return USAGE;
    d->keys = malloc(d->n ? data_bytes(d) : 1);
    if (!d->keys)
        return complain(FAILED, "out of memory for %llu keys", (unsigned long long)d->n);
    status = cw_data_make_against((enum cw_data)d->input, (cw_type)d->type, (size_t)d->n, d->seed,
                                  &d->against, d->keys);
    if (status)
        data_free(d);
    return status ? complain(status == CW_ERR_TYPE ? USAGE : FAILED, "--input %s: %s",
                             cw_data_names[d->input], cw_last_error())
                  : DONE;
}

int index_negative(const char *path, cw_type type, const void *index, uint64_t n)
{
    for (uint64_t i = 0; i < n && (type == CW_I32 || type == CW_I64); i++) {
        const int64_t x =
            type == CW_I32 ? ((const int32_t *)index)[i] : ((const int64_t *)index)[i];

        if (x < 0)
            return complain(USAGE, "%s: index %" PRIu64 " is %" PRId64 ": out of range", path, i,
                            x);
    }
    return DONE;
}

void data_free(struct data *d)
{
    free(d->keys);
    d->keys = NULL;
}
