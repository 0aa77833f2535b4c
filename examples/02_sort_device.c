/* 02_sort_device.c - sort an array on the device: workspace, stream, values that go along.
 *
 * On a machine without a GPU CW_AUTO sorts on the host; the program is the same.
 */
#include <clearway.h>

#include <stdio.h>
#include <stdlib.h>

#define N 100000u

static void must(cw_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "%s: %s (%s)\n", what, cw_last_error(), cw_status_name(status));
        exit(1);
    }
}

int main(void)
{
    static float price[N];
    static uint32_t number[N];
    cw_stream stream = NULL; /* the default stream, or any cudaStream_t */
    cw_context *context;
    void *keys, *values, *workspace;
    size_t bytes;

    for (uint32_t i = 0; i < N; i++) {
        price[i] = (float)(i * 2654435761u >> 8) / 65536.0f;
        number[i] = i;
    }
    must(cw_context_create(CW_AUTO, &context), "context");
    must(cw_memory_alloc(context, sizeof price, &keys), "memory");
    must(cw_memory_alloc(context, sizeof number, &values), "memory");
    must(cw_memory_write(context, keys, price, sizeof price), "copy");
    must(cw_memory_write(context, values, number, sizeof number), "copy");

    /* the dearest first, in place */
    cw_array job = {.type = CW_F32,
                    .flags = CW_DESCENDING | CW_STABLE,
                    .n = N,
                    .keys_in = keys,
                    .keys_out = keys,
                    .values_in = values,
                    .values_out = values,
                    .value_bytes = sizeof number[0]};

    must(cw_sort_workspace(&job, &bytes), "workspace"); /* once, for the largest n */
    must(cw_memory_alloc(context, bytes, &workspace), "memory");
    must(cw_sort(context, &job, workspace, bytes, stream), "sort"); /* queued, not yet done */
    must(cw_wait(context, stream), "wait");

    must(cw_memory_read(context, price, keys, sizeof price), "copy");
    must(cw_memory_read(context, number, values, sizeof number), "copy");
    for (uint32_t i = 0; i + 1 < N; i++) {
        if (price[i] < price[i + 1]) {
            fprintf(stderr, "not in order at %u\n", i);
            return 1;
        }
    }
    printf("%u keys on the %s; the dearest is number %u at %.2f, the cheapest %u at %.2f\n", N,
           cw_context_backend(context) == CW_CUDA ? "GPU" : "host", number[0], price[0],
           number[N - 1], price[N - 1]);
    cw_memory_free(context, workspace);
    cw_memory_free(context, values);
    cw_memory_free(context, keys);
    cw_context_destroy(context);
    return 0;
}
