/* checks.c - arrays that a call was given: alignment, overlap, whose memory they are; and a job's
 * tail. */
#include "api/checks.h"

#include "api/context.h"
#include "base/status.h"

static int overlap(const struct cw_given *a, const struct cw_given *b)
{
    const uintptr_t x = (uintptr_t)a->data, y = (uintptr_t)b->data;

    return a->data && b->data && x < y + b->bytes && y < x + a->bytes;
}

/* Input and output of the same place may be one buffer. */
static int paired(const struct cw_given *a, const struct cw_given *b)
{
    return a->data == b->data && a->bytes == b->bytes && a->written != b->written;
}

/* A GPU that touches the host's memory fails, and all its context with it. */
static cw_status check_memory(const cw_context *context, const struct cw_given *array)
{
    if (!context->on->touches || !array->data || !array->bytes || context->on->touches(array->data))
        return CW_OK;
    return cw_fail(CW_ERR_ARGUMENT, "%s is not memory of the GPU", array->name);
}

cw_status cw_check_given(const cw_context *context, const struct cw_given *all, size_t count)
{
    for (size_t x = 0; x < count; x++) {
        if (check_memory(context, &all[x]))
            return CW_ERR_ARGUMENT;
        if ((uintptr_t)all[x].data % all[x].align)
            return cw_fail(CW_ERR_ARGUMENT, "%s is not at a multiple of %zu bytes", all[x].name,
                           all[x].align);
        for (size_t y = 0; y < x; y++) {
            const int pair = x == y + 1 && y % 2 == 0 && y < 4 && paired(&all[x], &all[y]);

            if ((all[x].written || all[y].written) && !pair && overlap(&all[x], &all[y]))
                return cw_fail(CW_ERR_OVERLAP, "%s and %s overlap", all[y].name, all[x].name);
        }
    }
    return CW_OK;
}

cw_status cw_check_workspace(const void *workspace, size_t bytes, size_t need)
{
    if (need && (!workspace || bytes < need))
        return cw_fail(CW_ERR_WORKSPACE, "workspace of %zu bytes: %zu are needed",
                       workspace ? bytes : 0, need);
    if (need && (uintptr_t)workspace % 256u)
        return cw_fail(CW_ERR_WORKSPACE, "workspace does not start on 256 bytes");
    return CW_OK;
}

cw_status cw_check_there(const void *job, const uint64_t *tail, size_t words)
{
    if (!job)
        return cw_fail(CW_ERR_ARGUMENT, "job is NULL");
    for (size_t x = 0; x < words; x++)
        if (tail[x])
            return cw_fail(CW_ERR_ARGUMENT,
                           "reserved[%zu] is not 0: this library, %s, is older than what is asked "
                           "of it, or the job was not set to 0 first",
                           x, CW_VERSION);
    return CW_OK;
}

cw_status cw_check_type(cw_type type, unsigned flags, unsigned known)
{
    if (!cw_type_bytes(type))
        return cw_fail(CW_ERR_TYPE, "type %d: there is no such", (int)type);
    if (flags & ~known)
        return cw_fail(CW_ERR_ARGUMENT, "flags 0x%x: unknown bits", flags);
    return CW_OK;
}

cw_status cw_check_bytes(size_t *bytes)
{
    if (!bytes)
        return cw_fail(CW_ERR_ARGUMENT, "bytes is NULL");
    *bytes = 0;
    return CW_OK;
}

cw_status cw_check_sorted(const void *keys_in, const void *keys_out, const void *index_out,
                          const void *values_in, const void *values_out, size_t value_bytes)
{
    if (!keys_in)
        return cw_fail(CW_ERR_ARGUMENT, "keys_in is NULL");
    if (!keys_out && !index_out)
        return cw_fail(CW_ERR_ARGUMENT, "keys_out and index_out are NULL: nothing to write");
    if (value_bytes && (!values_in || !values_out))
        return cw_fail(CW_ERR_ARGUMENT, "values of %zu bytes, but %s is NULL", value_bytes,
                       values_in ? "values_out" : "values_in");
    if (!value_bytes && (values_in || values_out))
        return cw_fail(CW_ERR_ARGUMENT, "values are given, but value_bytes is 0");
    return CW_OK;
}

size_t cw_element_align(size_t bytes)
{
    const size_t all = bytes | 16u;

    return all & (0u - all);
}

cw_status cw_check_count(const void *count, size_t count_bytes)
{
    if (count ? count_bytes != 4 && count_bytes != 8 : count_bytes != 0)
        return cw_fail(CW_ERR_ARGUMENT, "count_bytes is %zu, but count is %s: only 4 or 8, or 0",
                       count_bytes, count ? "not NULL" : "NULL");
    return CW_OK;
}

cw_status cw_check_order(unsigned flags)
{
    const unsigned order = flags & (unsigned)CW_ORDERS;

    if (order & (order - 1u))
        return cw_fail(CW_ERR_ARGUMENT, "flags 0x%x: more than one order of floats", flags);
    return CW_OK;
}
