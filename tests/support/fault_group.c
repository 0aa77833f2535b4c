/* fault_group.c - two ranks of a group, for tests that make something fail: the caller, and a thread that was made before. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fault_calls.h"
#include "test.h"

enum what { NOTHING, SORT, PERMUTE, PARTITION, END };

struct rank {
    cw_group group;
    cw_context *context;
    void *workspace;
    uint64_t *in, *out, *index;
};

struct fault_pair {
    size_t n; /* of a rank */
    cw_threads *threads;
    struct rank rank[2]; /* the caller's, and the other thread's */
    pthread_t other;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum what asked;
    cw_status status; /* the other's */
};

static cw_status make(const struct fault_pair *p, const struct rank *r, enum what what)
{
    const cw_array sort = {.type = CW_U64, .n = p->n, .keys_in = r->in, .keys_out = r->out};
    const cw_permute_job permute = {
        .n = p->n, .bytes = 8, .in = r->in, .out = r->out, .index = r->index, .index_bytes = 8};
    const cw_partition_job partition = {.type = CW_U64,
                                        .rule = CW_BY_HASH,
                                        .n = p->n,
                                        .buckets = 6,
                                        .keys_in = r->in,
                                        .keys_out = r->out};
    size_t got;

    switch (what) {
    case SORT:
        return cw_group_sort(&r->group, r->context, &sort, r->workspace, fault_room.workspace_bytes,
                             NULL, NULL);
    case PERMUTE:
        return cw_group_permute(&r->group, r->context, &permute, r->workspace,
                                fault_room.workspace_bytes, NULL, NULL);
    default:
        return cw_group_partition(&r->group, r->context, &partition, 2 * p->n, &got, r->workspace,
                                  fault_room.workspace_bytes, NULL, NULL);
    }
}

static void *other_rank(void *user)
{
    struct fault_pair *const p = (struct fault_pair *)user;

    pthread_mutex_lock(&p->lock);
    while (p->asked != END) {
        cw_status status;

        if (p->asked == NOTHING) {
            pthread_cond_wait(&p->changed, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        status = make(p, &p->rank[1], p->asked);
        pthread_mutex_lock(&p->lock);
        p->status = status;
        p->asked = NOTHING;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void ask(struct fault_pair *p, enum what what)
{
    pthread_mutex_lock(&p->lock);
    p->asked = what;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static cw_status both(struct fault_pair *p, enum what what)
{
    cw_status status;

    ask(p, what);
    status = make(p, &p->rank[0], what);
    pthread_mutex_lock(&p->lock);
    while (p->asked != NOTHING)
        pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
    assert_int_equal(status, p->status);
    return status;
}

static void open_rank(struct fault_pair *p, uint32_t x, cw_backend backend)
{
    struct rank *const r = &p->rank[x];

    assert_int_equal(cw_threads_group(p->threads, x, &r->group), CW_OK);
    assert_int_equal(cw_context_create(backend, &r->context), CW_OK);
    assert_int_equal(cw_context_set_threads(r->context, 1), CW_OK);
    assert_int_equal(cw_context_set_seed(r->context, 1), CW_OK);
    r->workspace = x ? aligned_alloc(256, FAULT_WORKSPACE) : fault_room.workspace;
    r->in = fault_room.in + x * p->n;
    r->out = x ? fault_room.values : fault_room.out;
    r->index = fault_room.index + x * p->n;
    assert_non_null(r->workspace);
}

struct fault_pair *fault_pair_begin(cw_backend backend, size_t n)
{
    struct fault_pair *const p = (struct fault_pair *)calloc(1, sizeof *p);

    assert_non_null(p);
    p->n = n / 2;
    assert_int_equal(cw_threads_create(2, &p->threads), CW_OK);
    open_rank(p, 0, backend);
    open_rank(p, 1, backend);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    assert_int_equal(pthread_create(&p->other, NULL, other_rank, p), 0);
    return p;
}

void fault_pair_end(struct fault_pair *p)
{
    if (!p)
        return;
    ask(p, END);
    pthread_join(p->other, NULL);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    cw_context_destroy(p->rank[0].context);
    cw_context_destroy(p->rank[1].context);
    cw_threads_destroy(p->threads);
    free(p->rank[1].workspace);
    free(p);
}

cw_status fault_group_sort(struct fault_scene *s)
{
    return both(s->pair, SORT);
}

cw_status fault_group_permute(struct fault_scene *s)
{
    return both(s->pair, PERMUTE);
}

cw_status fault_group_partition(struct fault_scene *s)
{
    return both(s->pair, PARTITION);
}
