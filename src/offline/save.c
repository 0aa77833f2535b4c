/* save.c - a plan to a file, as files/output.h writes all files. */
#include "offline/file.h"

#include <string.h>

#include "files/output.h"
#include "base/status.h"

#define CHUNK 4096u /* bytes that are put in order at a time */

unsigned cw_file_arrays(const cw_plan *plan, struct cw_file_array *out)
{
    unsigned count = 0;

    if (plan->way == CW_PLAN_GATHER)
        out[count++] = (struct cw_file_array){plan->index, cw_plan_blocks(plan), 4};
    if (plan->way != CW_PLAN_PASSES)
        return count;
    for (uint32_t k = 0; k < plan->partitions; k++)
        out[count++] = (struct cw_file_array){
            plan->partition[k].counts, (uint64_t)plan->tiles * plan->partition[k].buckets, 2};
    for (uint32_t k = 0; k <= plan->partitions; k++)
        out[count++] = (struct cw_file_array){plan->places[k], plan->n, 2};
    return count;
}

static void make_head(const cw_plan *plan, unsigned char *head)
{
    const uint64_t field[CW_FILE_FIELDS] = {CW_FILE_MAGIC,
                                            CW_FILE_VERSION,
                                            plan->n,
                                            plan->bytes,
                                            (uint64_t)plan->way,
                                            plan->first,
                                            plan->back,
                                            plan->rows,
                                            plan->columns,
                                            plan->bits,
                                            plan->start,
                                            plan->tile,
                                            plan->partitions,
                                            plan->partitions ? plan->partition[0].fan : 1};

    for (unsigned k = 0; k < CW_FILE_FIELDS; k++)
        cw_file_put(head + 8 * k, field[k], 8);
    for (unsigned k = 0; k < 32; k++)
        cw_file_put(head + 8 * CW_FILE_FIELDS + 4 * k, plan->column[k], 4);
    cw_file_put(head + 8 * CW_FILE_WORDS, cw_file_sum(0, head, 8 * CW_FILE_WORDS), 8);
}

static void write_array(struct cw_output *to, const struct cw_file_array *a, uint64_t *sum)
{
    unsigned char chunk[CHUNK];
    const uint64_t each = CHUNK / a->bytes;

    for (uint64_t i = 0; i < a->count; i += each) {
        const uint64_t left = a->count - i, some = left < each ? left : each;
        const size_t bytes = (some * a->bytes + 7) / 8 * 8;

        memset(chunk + bytes - 8, 0, 8);
        for (uint64_t k = 0; k < some; k++)
            cw_file_put(chunk + k * a->bytes,
                        a->bytes == 2 ? ((const uint16_t *)a->data)[i + k]
                                      : ((const uint32_t *)a->data)[i + k],
                        a->bytes);
        *sum = cw_file_sum(*sum, chunk, bytes);
        cw_output_append(to, chunk, bytes);
    }
}

static void write_plan(struct cw_output *to, const cw_plan *plan)
{
    unsigned char head[8 * CW_FILE_WORDS + 8], tail[8];
    struct cw_file_array arrays[2 * CW_PLAN_PARTITIONS + 1];
    const unsigned count = cw_file_arrays(plan, arrays);
    uint64_t sum;

    make_head(plan, head);
    sum = cw_file_sum(0, head, sizeof head);
    cw_output_append(to, head, sizeof head);
    for (unsigned k = 0; k < count; k++)
        write_array(to, &arrays[k], &sum);
    cw_file_put(tail, sum, 8);
    cw_output_append(to, tail, 8);
}

cw_status cw_plan_save(const cw_plan *plan, const char *path)
{
    struct cw_output to;
    cw_status status;

    if (!plan || !path)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", plan ? "path" : "plan");
    status = cw_output_open(path, &to);
    if (status)
        return status;
    write_plan(&to, plan);
    return cw_output_commit(&to);
}
