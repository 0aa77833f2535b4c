/* 01_sort_rows.c - sort every row of a matrix, and ask where each key came from.
 *
 * Runs on a GPU if there is one, on the host's threads otherwise:
 *
 *      cc 01_sort_rows.c $(pkg-config --cflags --libs clearway) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>

#include "clearway.h"

#define ROWS   1000
#define LENGTH 128

static void check(cw_status status)
{
    if (status != CW_OK) {
        fprintf(stderr, "%s: %s\n", cw_status_name(status), cw_last_error());
        exit(1);
    }
}

int main(void)
{
    static float keys[ROWS * LENGTH], sorted[ROWS * LENGTH];
    static uint32_t from[ROWS * LENGTH];
    cw_context *context;
    void *in, *out, *index, *workspace;
    cw_rows job = {0};
    size_t bytes, wrong = 0;

    for (int i = 0; i < ROWS * LENGTH; i++)
        keys[i] = (float)rand() / (float)RAND_MAX - 0.5f;

    check(cw_context_create(CW_AUTO, &context));
    check(cw_memory_alloc(context, sizeof keys, &in));
    check(cw_memory_alloc(context, sizeof keys, &out));
    check(cw_memory_alloc(context, sizeof from, &index));
    check(cw_memory_write(context, in, keys, sizeof keys));

    job.type = CW_F32;
    job.rows = ROWS;
    job.length = LENGTH;
    job.keys_in = in;
    job.keys_out = out;
    job.index_out = index;
    check(cw_sort_rows_workspace(&job, &bytes));
    check(cw_memory_alloc(context, bytes, &workspace));
    check(cw_sort_rows(context, &job, workspace, bytes, NULL));
    check(cw_wait(context, NULL));

    check(cw_memory_read(context, sorted, out, sizeof sorted));
    check(cw_memory_read(context, from, index, sizeof from));
    for (int i = 0; i < ROWS * LENGTH; i++) {
        const int row = i / LENGTH * LENGTH;

        wrong += sorted[i] != keys[row + (int)from[i]];
        wrong += i > row && sorted[i - 1] > sorted[i];
    }
    printf("%d rows of %d on the %s: row 0 begins %.3f %.3f %.3f, %zu wrong\n", ROWS, LENGTH,
           cw_context_backend(context) == CW_CUDA ? "GPU" : "CPU", (double)sorted[0],
           (double)sorted[1], (double)sorted[2], wrong);

    cw_memory_free(context, in);
    cw_memory_free(context, out);
    cw_memory_free(context, index);
    cw_memory_free(context, workspace);
    cw_context_destroy(context);
    return wrong != 0;
}
