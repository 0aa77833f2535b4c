/* samples.c - a heap of the ranks' samples. */
#include "distributed/sort/samples.h"

#include "distributed/packed.h"

static uint64_t word_of(const struct cw_samples *s, uint64_t number)
{
    const uint8_t *at = s->words + number * s->width;

    return s->low + cw_unpack(&at, s->width);
}

static int comes_first(const struct cw_run *a, const struct cw_run *b)
{
    return a->word < b->word || (a->word == b->word && a->rank < b->rank);
}

/* Let what is at place x sink to where it belongs. */
static void sink(struct cw_merged *m, uint32_t x)
{
    const struct cw_run moved = m->runs[x];

    for (uint32_t child = 2 * x + 1; child < m->left; child = 2 * x + 1) {
        if (child + 1 < m->left && comes_first(&m->runs[child + 1], &m->runs[child]))
            child++;
        if (!comes_first(&m->runs[child], &moved))
            break;
        m->runs[x] = m->runs[child];
        x = child;
    }
    m->runs[x] = moved;
}

struct cw_merged cw_merged_open(const struct cw_samples *s, void *room)
{
    struct cw_merged m = {s, (struct cw_run *)room, 0};
    uint64_t next = 0;

    for (uint32_t r = 0; r < s->ranks; r++) {
        const struct cw_run run = {s->counts[r] ? word_of(s, next) : 0, next, next + s->counts[r],
                                   r};

        if (s->counts[r])
            m.runs[m.left++] = run;
        next = run.end;
    }
    for (uint32_t x = m.left / 2; x > 0; x--)
        sink(&m, x - 1);
    return m;
}

void cw_merged_drop(struct cw_merged *m)
{
    struct cw_run *const top = m->runs;

    top->next++;
    if (top->next < top->end)
        top->word = word_of(m->samples, top->next);
    else
        *top = m->runs[--m->left];
    if (m->left)
        sink(m, 0);
}
