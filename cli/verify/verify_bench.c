/* verify_bench.c - where cases run: a context, arrays in its memory, launches and notes of them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "base/status.h"
#include "verify.h"

/* ---- notes ---------------------------------------------------------------------------------- */

cw_status verify_note_add(struct verify_notes *n, const struct verify_note *x)
{
    if (n->count == n->room) {
        const size_t room = n->room ? 2 * n->room : 256;
        struct verify_note *const more = (struct verify_note *)realloc(n->at, room * sizeof *n->at);

        if (!more)
            return cw_fail(CW_ERR_MEMORY, "out of memory for %zu launches", room);
        n->at = more;
        n->room = room;
    }
    n->at[n->count++] = *x;
    return CW_OK;
}

/* The first launch of a kernel that has conflicts and should not is told with the place in the
 * source that has most of them. */
static void tell_conflicts(struct verify *v, const struct verify_note *x, const struct cw_emu *e)
{
    uint32_t count = 0;
    struct cw_emu_place *places;

    if (!cw_kernel_free(x->kernel) || x->cost.wavefronts == x->cost.ideal || v->told[x->kernel]++)
        return;
    places = cw_emu_sorted(e, &count);
    complain(FAILED, "%s, %s: %llu wavefronts, ideal %llu, most of the excess at %s",
             cw_kernel_name(x->kernel), x->what, (unsigned long long)x->cost.wavefronts,
             (unsigned long long)x->cost.ideal, places && count ? places->site : "?");
    free(places);
}

static void note(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct verify *const v = (struct verify *)user;
    struct cw_emu_place total;
    struct verify_note x;

    memset(&x, 0, sizeof x);
    cw_emu_total(e, &total);
    x.kernel = l->kernel;
    x.number = v->cases;
    x.cost.requests = total.requests;
    x.cost.wavefronts = total.wavefronts;
    x.cost.ideal = total.ideal;
    memcpy(x.what, v->what, sizeof x.what);
    if (verify_in_part(v) &&
        (!v->aside || !strncmp(cw_kernel_name(l->kernel), "cw_sample_sort_", 11)) &&
        verify_note_add(&v->notes, &x)) {
        complain(FAILED, "%s", cw_last_error());
        v->wrong++;
    }
    tell_conflicts(v, &x, e);
    if (v->each)
        v->each(v->each_user, l, e);
}

/* ---- cases ---------------------------------------------------------------------------------- */

cw_status verify_open(struct verify *v, cw_backend backend, int only, const struct cw_gpu *as)
{
    cw_status status;

    memset(v, 0, sizeof *v);
    v->only = only;
    v->as = as;
    status = cw_context_create(backend, &v->context);
    if (!status && as)
        status = cw_context_as(v->context, as);
    if (!status) /* the same samples in every run, so that counts can be held against each other */
        status = cw_context_set_seed(v->context, 1);
    if (status) {
        cw_context_destroy(v->context);
        v->context = NULL;
    } else {
        v->context->hook = note;
        v->context->user = v;
    }
    return status;
}

void verify_close(struct verify *v)
{
    cw_context_destroy(v->context);
    free(v->notes.at);
    memset(v, 0, sizeof *v);
}

int verify_in_part(const struct verify *v)
{
    return !v->parts || (v->cases - 1u) % v->parts == v->part;
}

int verify_skip(struct verify *v, uint32_t salts)
{
    if (v->only >= 0 || !v->parts || v->cases % v->parts == v->part)
        return 0;
    v->cases++;
    v->salt += salts;
    return 1;
}

/* A profiler sees the launches of a case; not those of calls that launch other kernels on a GPU. */
static void profile(const struct verify *v, int on)
{
#if defined(CW_HAVE_CUDA)
    if (v->context->backend == CW_CUDA && verify_in_part(v) && !v->aside)
        cw_cuda_profile(on);
#endif
    (void)v;
    (void)on;
}

void verify_begin(struct verify *v, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(v->what, sizeof v->what, format, args);
    va_end(args);
    v->cases++;
    profile(v, 1);
}

void verify_end(struct verify *v, const char *wrong)
{
    profile(v, 0);
    if (!wrong)
        return;
    if (v->as && strstr(wrong, v->as->name)) { /* "..: on sm_86 a block has .." */
        v->refused++;
        return;
    }
    complain(FAILED, "%s: %s", v->what, wrong);
    v->wrong++;
}

int verify_kernel(const char *name)
{
    for (int k = 0; k < CW_KERNEL_COUNT; k++) {
        if (!strcmp(cw_kernel_name((enum cw_kernel)k), name))
            return k;
    }
    return -1;
}

uint64_t verify_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* ---- arrays --------------------------------------------------------------------------------- */

cw_status verify_array_make(struct verify *v, struct verify_array *a, size_t bytes, size_t shift)
{
    cw_status status;

    memset(a, 0, sizeof *a);
    a->host = calloc(bytes ? bytes : 1, 1);
    if (!a->host)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %zu bytes", bytes);
    status = cw_memory_alloc(v->context, bytes + shift, &a->memory);
    if (status)
        return status;
    a->there = (char *)a->memory + shift;
    a->bytes = bytes;
    return CW_OK;
}

void verify_array_free(struct verify *v, struct verify_array *a)
{
    free(a->host);
    if (a->memory)
        cw_memory_free(v->context, a->memory);
    memset(a, 0, sizeof *a);
}

cw_status verify_send(struct verify *v, const struct verify_array *a)
{
    return cw_memory_write(v->context, a->there, a->host, a->bytes);
}

cw_status verify_fetch(struct verify *v, struct verify_array *a)
{
    return cw_memory_read(v->context, a->host, a->there, a->bytes);
}

cw_status verify_launch(struct verify *v, const struct cw_launch *l, struct verify_array *const *a,
                        size_t arrays, size_t inputs)
{
    union cw_any_queue q;
    cw_status status = CW_OK;

    cw_context_queue(v->context, NULL, &q);
    for (size_t x = 0; x < arrays && !status; x++) {
        cw_queue_buffer(&q.queue, a[x]->there, a[x]->bytes, x >= inputs);
        status = verify_send(v, a[x]);
    }
    if (!status)
        status = q.queue.launch(&q.queue, l);
    if (!status)
        status = cw_wait(v->context, NULL);
    for (size_t x = inputs; x < arrays && !status; x++)
        status = verify_fetch(v, a[x]);
    return status;
}
