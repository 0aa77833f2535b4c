/* move_case.c - see move_case.h. */
#include "move_case.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

/* Arrays of a call: input and output on the host, and in the context's memory; the workspace. */
struct arrays {
    cw_context *context;
    size_t bytes;
    unsigned char *in, *out;
    void *there[3];
};

static void arrays_make(struct arrays *a, size_t skipped, size_t need, uint64_t seed)
{
    struct cw_random r = cw_random_from(seed);

    a->in = (unsigned char *)malloc(2 * a->bytes + 2);
    a->out = a->in + a->bytes + 1;
    assert_non_null(a->in);
    for (size_t i = 0; i < a->bytes; i++)
        a->in[i] = (unsigned char)cw_random_next(&r);
    for (int x = 0; x < 3; x++)
        assert_int_equal(
            cw_memory_alloc(a->context, x < 2 ? a->bytes + skipped : need, &a->there[x]), CW_OK);
    for (int x = 0; x < 2; x++)
        a->there[x] = (char *)a->there[x] + skipped;
    assert_int_equal(cw_memory_write(a->context, a->there[0], a->in, a->bytes), CW_OK);
}

static void arrays_end(struct arrays *a, size_t skipped)
{
    for (int x = 0; x < 3; x++)
        cw_memory_free(a->context, (char *)a->there[x] - (x < 2 ? skipped : 0));
    free(a->in);
}

/* ---- shuffles ------------------------------------------------------------------------------- */

int shuffle_case_run(cw_context *context, const cw_shuffle_job *asked)
{
    struct arrays a = {.context = context, .bytes = asked->n * asked->bytes};
    cw_shuffle_job job = *asked;
    size_t need = 0, wrong = 0;
    cw_status status;

    assert_int_equal(cw_shuffle_workspace(&job, &need), CW_OK);
    arrays_make(&a, 0, need, job.seed);
    job.in = a.there[0];
    job.out = a.there[1];
    status = cw_shuffle(context, &job, a.there[2], need, NULL);
    assert_int_equal(cw_memory_read(context, a.out, job.out, a.bytes), CW_OK);
    for (size_t i = 0; i < job.n && !status; i++) {
        const size_t to = (size_t)cw_shuffle_at(job.n, job.seed, i);
        const size_t x = job.inverse ? to : i, y = job.inverse ? i : to;

        wrong += memcmp(a.in + x * job.bytes, a.out + y * job.bytes, job.bytes) != 0;
    }
    if (status || wrong)
        print_message("shuffle n %zu, bytes %zu, inverse %d, seed %llu: %zu wrong (%s)\n", job.n,
                      job.bytes, job.inverse, (unsigned long long)job.seed, wrong,
                      status ? cw_last_error() : "done");
    arrays_end(&a, 0);
    return status || wrong;
}

/* ---- transpositions ------------------------------------------------------------------------- */

static size_t transpose_wrong(const cw_transpose_job *job, const struct arrays *a)
{
    const size_t each = job->rows * job->columns, batch = job->batch ? job->batch : 1;
    size_t wrong = 0;

    for (size_t k = 0; k < batch; k++)
        for (size_t i = 0; i < job->rows; i++)
            for (size_t j = 0; j < job->columns; j++)
                wrong +=
                    memcmp(a->in + (k * each + i * job->columns + j) * job->bytes,
                           a->out + (k * each + j * job->rows + i) * job->bytes, job->bytes) != 0;
    return wrong;
}

int transpose_case_run(cw_context *context, const cw_transpose_job *asked, int in_place, int shift,
                       uint64_t seed)
{
    struct arrays a = {.context = context,
                       .bytes = asked->rows * asked->columns * (asked->batch ? asked->batch : 1) *
                                asked->bytes};
    const size_t skipped = (size_t)shift * asked->bytes;
    cw_transpose_job job = *asked;
    size_t need = 0, wrong = 0;
    cw_status status;

    job.in = job.out = &a; /* any address: is it one or two? */
    if (!in_place)
        job.out = (char *)&a + 1;
    assert_int_equal(cw_transpose_workspace(&job, &need), CW_OK);
    arrays_make(&a, skipped, need, seed);
    job.in = a.there[0];
    job.out = a.there[!in_place];
    status = cw_transpose(context, &job, a.there[2], need, NULL);
    assert_int_equal(cw_memory_read(context, a.out, job.out, a.bytes), CW_OK);
    if (!status)
        wrong = transpose_wrong(&job, &a);
    if (status || wrong)
        print_message("%zu x %zu, batch %zu, %zu bytes, shift %d, in place %d, seed %llu: %zu "
                      "wrong (%s)\n",
                      job.rows, job.columns, job.batch, job.bytes, shift, in_place,
                      (unsigned long long)seed, wrong, status ? cw_last_error() : "done");
    arrays_end(&a, skipped);
    return status || wrong;
}
