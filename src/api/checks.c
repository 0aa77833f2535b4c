/* checks.c - arrays that a call was given: alignment and overlap. */
#include "api/checks.h"

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

cw_status cw_check_given(const struct cw_given *all, size_t count)
{
    for (size_t x = 0; x < count; x++) {
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
