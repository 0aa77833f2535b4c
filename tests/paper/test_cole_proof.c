/* Cole's mergesort: the argument.  There is room for every list, and after each stage
 * every edge is ranked and every sample covers the next one. */
#include <stdlib.h>
#include <string.h>

#include "paper/sort/cole.h"
#include "test.h"

/* ---- how long the lists are ------------------------------------------------- */

struct tree {
    cole c;
    int (*n)[3];            /* items in M(u) of each source; u = 1 is the root, 2u, 2u+1 */
    int *up, *down;         /* lengths of the lists of the edge over x */
    int *sent_up, *sent_dn; /* lengths of the samples that went over it last */
};

static int level_of(const struct tree *t, int u)
{
    int l = t->c.top + 1;

    for (; u; u /= 2)
        l--;
    return l;
}

static int index_of(const struct tree *t, int u)
{
    return u - (1 << (t->c.top - level_of(t, u)));
}

static void tree_open(struct tree *t, int h)
{
    size_t nodes;

    memset(t, 0, sizeof *t);
    t->c.h = h;
    while (1 << t->c.top < h)
        t->c.top++;
    t->c.f = t->c.f_new = COLE_BASE;
    t->c.third = t->c.stage = 1;
    nodes = (size_t)2 << (t->c.top - COLE_BASE);
    t->n = (int(*)[3])calloc(nodes, sizeof *t->n);
    t->up = (int *)calloc(nodes, 4 * sizeof *t->up);
    assert_true(t->n && t->up);
    t->down = t->up + nodes;
    t->sent_up = t->down + nodes;
    t->sent_dn = t->sent_up + nodes;
    for (int u = (int)nodes / 2; u < (int)nodes; u++)
        t->up[u] = cole_lo(&t->c, COLE_BASE, index_of(t, u) + 1) -
                   cole_lo(&t->c, COLE_BASE, index_of(t, u));
}

static void tree_close(struct tree *t)
{
    free(t->n);
    free(t->up);
}

/* The lengths after the stage that c describes: they do not depend on the data. */
static void tree_stage(struct tree *t)
{
    const int inner = 1 << (t->c.top - t->c.f); /* nodes above level f, and one */

    t->c.f_new = t->c.f + (t->c.third == 3);
    for (int u = 1; u < 2 * inner; u++) {
        t->sent_up[u] = t->up[u] / cole_rate(t->c.f, t->c.third, level_of(t, u));
        t->sent_dn[u] = t->down[u] / 4;
    }
    for (int u = 1; u < inner; u++) {
        t->n[u][0] = t->sent_up[2 * u];
        t->n[u][1] = t->sent_up[2 * u + 1];
        t->n[u][2] = t->sent_dn[u];
        t->up[u] = t->n[u][0] + t->n[u][1];
        t->down[2 * u] = t->n[u][1] + t->n[u][2];
        t->down[2 * u + 1] = t->n[u][0] + t->n[u][2];
    }
}

static void tree_next(struct tree *t)
{
    t->c.f = t->c.f_new;
    t->c.third = t->c.third % 3 + 1;
    t->c.stage++;
}

/* Do n entries of node u fit, each at a row that knows whose it is? */
static int fits(struct tree *t, int low, int u, int n)
{
    const int l = level_of(t, u), v = index_of(t, u);

    for (int i = 0; i < n; i++) {
        cole_spot at;

        t->c.row = cole_row(&t->c, low, l, v, i);
        if (t->c.row < cole_lo(&t->c, l, v) || t->c.row >= cole_lo(&t->c, l, v + 1))
            return 0;
        at = cole_mine(&t->c, low);
        if (at.l != l || at.v != v || at.i != i)
            return 0;
    }
    return 1;
}

static void every_list_has_room_in_its_own_rows(void **state)
{
    const int last = cw_long_run() ? 3000 : 500;

    (void)state;
    for (int h = 9; h <= last + 6; h++) {
        const int size = h <= last ? h : (1 << 13) + (h - last - 3); /* and around 2^13 */
        struct tree t;

        for (tree_open(&t, size); t.c.f < t.c.top; tree_next(&t)) {
            tree_stage(&t);
            for (int u = 1; u < 2 << (t.c.top - t.c.f_new); u++) {
                const int f = t.c.f_new, l = level_of(&t, u);
                const int jobs = t.sent_up[u] + t.sent_dn[u] + 1;

                if (!(l == f || fits(&t, f + 1, u, t.n[u][0] + t.n[u][1] + t.n[u][2] + 1)) ||
                    !(l == f || fits(&t, f + 1, u, t.up[u])) ||
                    !(u == 1 || fits(&t, f, u, t.down[u])) || !(u == 1 || fits(&t, f, u, jobs)))
                    fail_msg("h = %d, stage %d, node %d of level %d: no room", size, t.c.stage,
                             index_of(&t, u), l);
                if (l == f)
                    assert_int_equal(t.up[u], cole_lo(&t.c, l, index_of(&t, u) + 1) -
                                                  cole_lo(&t.c, l, index_of(&t, u)));
            }
        }
        tree_close(&t);
    }
}

/* What cole_pack and cole_pack_place have bits for, at every node and in every stage. */
static void words_have_bits_for_the_ranks_of_2_20_rows(void **state)
{
    static const int sizes[] = {1 << 18, (1 << 18) + 1, 3 << 18, COLE_MAX_ROWS - 1, COLE_MAX_ROWS};

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct tree t;
        int most = 0;

        for (tree_open(&t, sizes[k]); t.c.f < t.c.top; tree_next(&t)) {
            tree_stage(&t);
            assert_true(t.c.stage + 1 < 1 << 6);
            for (int u = 1; u < 1 << (t.c.top - t.c.f); u++) {
                const int *const n = t.n[u];

                assert_true(n[0] < 1 << 20 && n[1] < 1 << 20 && n[2] < 1 << 17);
                assert_true(t.up[2 * u] <= 1 << 19 && t.up[2 * u + 1] <= 1 << 19);
                assert_true(u == 1 || t.down[u] < 1 << 19);
                if (level_of(&t, u) > t.c.f_new) {
                    assert_true((word)n[0] < COLE_QUARTER && (word)n[1] < COLE_QUARTER);
                    most = n[0] > most ? n[0] : most;
                }
            }
        }
        tree_close(&t);
        if (sizes[k] == COLE_MAX_ROWS)
            assert_int_equal(most, COLE_MAX_ROWS / 4);
    }
    assert_true(COLE_QUARTER * COLE_QUARTER < (word)1 << 37);
}

/* ---- what they hold ---------------------------------------------------------- */

struct run {
    struct cw_model *model;
    int h;
    uint32_t aux;
};

static void body(struct cw_model *s, const void *arg)
{
    const struct run *b = (const struct run *)arg;
    view v;

    memset(&v, 0, sizeof v);
    v.stride = 1;
    v.h = b->h;
    v.m = v.b = 1;
    cole_sort_column(s, v, 0, 0, (int)b->aux);
}

/* What the hook compares: the samples that go over each edge, last time and now. */
struct watch {
    struct tree t;
    struct run *b;
    cw_word *last[2]; /* [up, down][x * h ..]: the samples that were sent last */
    int count[2][256];
    int gap3, gap12; /* the most items seen in a gap of a sample, of a job */
    int wrong;
};

static cw_word entry(const struct watch *w, int down, int u, int i, int col)
{
    const cole *c = &w->t.c;
    const int l = level_of(&w->t, u), v = index_of(&w->t, u);
    const int r = down ? cole_row(c, c->f_new, l, v, i) : cole_up_row(c, c->f_new, l, v, i);
    const int cls = down ? COLE_D : cole_up_class(c->f_new, l);

    return *cw_model_at(w->b->model, (uint32_t)r, w->b->aux + (uint32_t)(3 * cls + col));
}

static int below(const struct watch *w, int down, int u, cw_word x)
{
    const int n = down ? w->t.down[u] : w->t.up[u];
    int k = 0;

    while (k < n && entry(w, down, u, k, COLE_KEY(0)) < x)
        k++;
    return k;
}

/* The list is sorted, its ranks in the other are right, and of its next sample no
 * gap of the last one holds more than 3. */
static void watch_list(struct watch *w, int down, int u)
{
    const cole *c = &w->t.c;
    const int n = down ? w->t.down[u] : w->t.up[u];
    const int l = level_of(&w->t, u);
    const int rate = down ? 4 : cole_rate(c->f_new, c->third % 3 + 1, l);
    cw_word *last = w->last[down] + u * w->b->h;
    const int first = c->stage == 1 && l == COLE_BASE; /* the very first sample is not kept */
    int seen = 0, gap = 0, sent = 0;

    for (int i = 0; i < n; i++) {
        const cw_word x = entry(w, down, u, i, COLE_KEY(0));
        const int asked = down || l > c->f_new || i % rate == rate - 1;

        w->wrong += i > 0 && entry(w, down, u, i - 1, COLE_KEY(0)) >= x;
        w->wrong +=
            asked && cole_field(entry(w, down, u, i, COLE_OPP(0)), 1) != below(w, !down, u, x);
        if (i % rate == rate - 1 && !first) {
            for (; seen < w->count[down][u] && last[seen] <= x; seen++)
                gap = 0;
            if (++gap > w->gap3)
                w->gap3 = gap;
        }
    }
    for (int i = rate - 1; i < n; i += rate)
        last[sent++] = entry(w, down, u, i, COLE_KEY(0));
    w->count[down][u] = sent;
}

/* Between samples of either end no more than COLE_GAP items of a list. */
static void watch_jobs(struct watch *w, int u)
{
    for (int down = 0; down < 2; down++) {
        int at[2] = {0, 0}, before = 0;

        while (at[0] <= w->count[0][u] && at[1] <= w->count[1][u]) {
            const cw_word x = at[0] < w->count[0][u] ? w->last[0][u * w->b->h + at[0]] : WORD_MAX;
            const cw_word y = at[1] < w->count[1][u] ? w->last[1][u * w->b->h + at[1]] : WORD_MAX;
            const int now = below(w, down, u, x < y ? x : y);

            if (now - before > w->gap12)
                w->gap12 = now - before;
            before = now;
            at[x < y ? 0 : 1]++;
        }
    }
}

static void watch_stage(void *arg, const struct cw_phase *phase)
{
    struct watch *w = (struct watch *)arg;

    if (strcmp(phase->name, "cole-stage") != 0)
        return;
    tree_stage(&w->t);
    for (int u = 2; u < 2 << (w->t.c.top - w->t.c.f_new); u++) {
        if (w->t.c.stage > 1)
            watch_jobs(w, u);
        watch_list(w, 0, u);
        watch_list(w, 1, u);
    }
    tree_next(&w->t);
}

/* Distinct items: at random, in order, backwards, every block of every size. */
static void fill(struct cw_model *model, int h, int kind)
{
    uint64_t x = (uint64_t)kind;

    for (int i = 0; i < h; i++) {
        const cw_word k = (cw_word)i, n = (cw_word)h;

        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        *cw_model_at(model, (uint32_t)i, 0) = kind == 1   ? k
                                              : kind == 2 ? n - k
                                              : kind == 3 ? k % 8 * n + k
                                                          : (x >> 32) * n + k;
    }
}

static void watch_run(struct watch *w, int h, int kind)
{
    struct cw_model_config config;
    struct run b;

    memset(&config, 0, sizeof config);
    config.w = (uint32_t)h;
    config.m = 1;
    b.h = h;
    assert_int_equal(cw_model_create(&config, &b.model), CW_OK);
    assert_int_equal(cw_model_aux(b.model, "cole", COLE_WORDS, &b.aux), CW_OK);
    fill(b.model, h, kind);
    w->b = &b;
    tree_open(&w->t, h);
    memset(w->count, 0, sizeof w->count);
    for (int d = 0; d < 2; d++) {
        w->last[d] = (cw_word *)calloc(256 * (size_t)h, sizeof(cw_word));
        assert_non_null(w->last[d]);
    }
    cw_model_hook(b.model, watch_stage, w);
    assert_int_equal(cw_model_run(b.model, body, &b), CW_OK);
    assert_int_equal(w->t.c.f, w->t.c.top); /* the hook saw every stage */
    for (int i = 1; i < h; i++)
        assert_true(*cw_model_at(b.model, (uint32_t)i - 1, 0) <
                    *cw_model_at(b.model, (uint32_t)i, 0));
    free(w->last[0]);
    free(w->last[1]);
    tree_close(&w->t);
    cw_model_destroy(b.model);
}

static void every_edge_is_ranked_and_covered_after_each_stage(void **state)
{
    const int sizes[] = {16, 33, 64, 100, 127, 256, 511};
    struct watch w;

    (void)state;
    memset(&w, 0, sizeof w);
    for (int k = 0; k < (int)COUNT(sizes); k++)
        for (int kind = 0; kind < (cw_long_run() ? 100 : 10); kind++)
            watch_run(&w, sizes[k], kind);
    print_message("at most %d in a gap of a sample, %d in one of a job\n", w.gap3, w.gap12);
    assert_int_equal(w.wrong, 0);
    assert_int_equal(w.gap3, 3);
    assert_in_range(w.gap12, 6, COLE_GAP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_list_has_room_in_its_own_rows),
        cmocka_unit_test(words_have_bits_for_the_ranks_of_2_20_rows),
        cmocka_unit_test(every_edge_is_ranked_and_covered_after_each_stage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
