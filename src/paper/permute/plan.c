/* plan.c - make and check the plan of an offline permutation; plan_file.c saves and loads it.
 *
 * A plan's entries are the edges of the graph that colour.h colours: the right node
 * is the destination row, the cargo is slot and column, and the colouring puts them
 * in the order of the plan.  So nothing is held twice.
 */
#include "paper/permute/plan.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

bool cw_paper_plan_fits(uint32_t w, uint32_t m)
{
    return w > 0 && m > 0 && w <= CW_PLAN_ROW_MAX && m <= CW_PLAN_SLOT_MAX &&
           (uint64_t)w * m < UINT32_MAX && (uint64_t)w * m <= SIZE_MAX / 16;
}

static cw_status no_memory(uint32_t w, uint32_t m)
{
    return cw_fail(CW_ERR_MEMORY, "no memory for a plan of %" PRIu32 " x %" PRIu32, w, m);
}

static uint64_t *make_bits(size_t n)
{
    return (uint64_t *)calloc(n / 64 + 1, sizeof(uint64_t));
}

/* Set bit x; was it set before? */
static bool set_bit(uint64_t *bits, size_t x)
{
    const uint64_t bit = (uint64_t)1 << (x % 64);
    const bool before = (bits[x / 64] & bit) != 0;

    bits[x / 64] |= bit;
    return before;
}

/* Refuse label[e], which was there before; name the one that it repeats. */
static cw_status refuse_twice(uint32_t m, const uint64_t *label, size_t e)
{
    size_t first = 0;

    while (label[first] != label[e]) {
        first++;
    }
    return cw_fail(CW_ERR_LABEL,
                   "label (%" PRIu64 ", %" PRIu64
                   ") is there twice: row %zu slot %zu, and row %zu slot %zu",
                   label[e] / m, label[e] % m, first / m, first % m, e / m, e % m);
}

static cw_status check_labels(uint32_t w, uint32_t m, const uint64_t *label)
{
    const size_t n = (size_t)w * m;
    uint64_t *seen = make_bits(n);
    cw_status status = CW_OK;

    if (!seen) {
        return no_memory(w, m);
    }
    for (size_t e = 0; e < n && status == CW_OK; e++) {
        if (label[e] >= n) {
            status = cw_fail(CW_ERR_LABEL,
                             "label of row %zu slot %zu is out of range: (%" PRIu64 ", %" PRIu64
                             ") in %" PRIu32 " x %" PRIu32,
                             e / m, e % m, label[e] / m, label[e] % m, w, m);
        } else if (set_bit(seen, label[e])) {
            status = refuse_twice(m, label, e);
        }
    }
    free(seen);
    return status;
}

cw_status cw_paper_plan_room(struct cw_paper_plan *plan)
{
    plan->entry = (uint64_t *)malloc((size_t)plan->w * plan->m * sizeof *plan->entry);
    return plan->entry ? CW_OK : no_memory(plan->w, plan->m);
}

cw_status cw_paper_plan_make(struct cw_paper_plan *plan, uint32_t w, uint32_t m,
                             const uint64_t *label, uint64_t seed)
{
    const size_t n = (size_t)w * m;
    cw_status status;

    *plan = (struct cw_paper_plan){0};
    if (w == 0 || m == 0 || !label) {
        return cw_fail(CW_ERR_ARGUMENT, "nothing to plan: %" PRIu32 " x %" PRIu32, w, m);
    }
    if (!cw_paper_plan_fits(w, m)) {
        return cw_fail(CW_ERR_SHAPE,
                       "%" PRIu32 " x %" PRIu32 " is too large for a plan: at most %" PRIu32
                       " rows, %" PRIu32 " columns and 2^32 - 2 items",
                       w, m, CW_PLAN_ROW_MAX, CW_PLAN_SLOT_MAX);
    }
    plan->w = w;
    plan->m = m;
    status = check_labels(w, m, label);
    if (status == CW_OK) {
        status = cw_paper_plan_room(plan);
    }
    for (size_t e = 0; e < n && status == CW_OK; e++) {
        const uint32_t to = (uint32_t)label[e];

        plan->entry[e] = cw_paper_plan_entry(to / m, (uint32_t)e % m, to % m);
    }
    if (status == CW_OK) {
        status = cw_colour_edges(w, m, plan->entry, seed);
    }
    if (status != CW_OK) {
        cw_paper_plan_free(plan);
    }
    return status;
}

void cw_paper_plan_free(struct cw_paper_plan *plan)
{
    free(plan->entry);
    *plan = (struct cw_paper_plan){0};
}

struct checker {
    uint64_t *read;    /* bit i*m + s: slot s of row i has been read */
    uint64_t *written; /* bit i*m + j: column j of row i has been written */
    uint32_t *asked;   /* the last round, plus 1, in which a row was written to */
};

static cw_status check_entry(struct checker *c, const struct cw_paper_plan *plan, uint32_t k,
                             uint32_t i)
{
    const uint64_t entry = plan->entry[(size_t)k * plan->w + i];
    const uint32_t row = cw_paper_plan_row(entry);
    const uint32_t slot = cw_paper_plan_slot(entry);
    const uint32_t col = cw_paper_plan_col(entry);
    const char *fault = NULL;

    if (row >= plan->w || slot >= plan->m || col >= plan->m) {
        fault = "is out of range";
    } else if (c->asked[row] == k + 1) {
        fault = "asks a row that another asks in the same round";
    } else if (set_bit(c->read, (size_t)i * plan->m + slot)) {
        fault = "reads a slot that was read before";
    } else if (set_bit(c->written, (size_t)row * plan->m + col)) {
        fault = "writes a place that was written before";
    } else {
        c->asked[row] = k + 1;
        return CW_OK;
    }
    return cw_fail(CW_ERR_FORMAT,
                   "no plan: round %" PRIu32 ", row %" PRIu32 ": slot %" PRIu32 " to (%" PRIu32
                   ", %" PRIu32 ") %s",
                   k, i, slot, row, col, fault);
}

cw_status cw_paper_plan_check(const struct cw_paper_plan *plan)
{
    struct checker c;
    size_t n;
    cw_status status = CW_OK;

    if (!plan->entry || !cw_paper_plan_fits(plan->w, plan->m)) {
        return cw_fail(CW_ERR_FORMAT, "no plan: the shape is %" PRIu32 " x %" PRIu32, plan->w,
                       plan->m);
    }
    n = (size_t)plan->w * plan->m;
    c.read = make_bits(n);
    c.written = make_bits(n);
    c.asked = (uint32_t *)calloc(plan->w, sizeof *c.asked);
    if (!c.read || !c.written || !c.asked) {
        status = no_memory(plan->w, plan->m);
    }
    for (uint32_t k = 0; k < plan->m && status == CW_OK; k++) {
        for (uint32_t i = 0; i < plan->w && status == CW_OK; i++) {
            status = check_entry(&c, plan, k, i);
        }
    }
    free(c.read);
    free(c.written);
    free(c.asked);
    return status;
}

cw_status cw_paper_plan_serves(const struct cw_paper_plan *plan, const uint64_t *label)
{
    const size_t n = (size_t)plan->w * plan->m;

    for (size_t e = 0; e < n; e++) {
        const uint64_t entry = plan->entry[e];
        const size_t i = e % plan->w;
        const uint32_t slot = cw_paper_plan_slot(entry);
        const uint64_t to = (uint64_t)cw_paper_plan_row(entry) * plan->m + cw_paper_plan_col(entry);

        if (label[i * plan->m + slot] != to) {
            return cw_fail(CW_ERR_LABEL, "the plan is for other labels, as row %zu slot %" PRIu32,
                           i, slot);
        }
    }
    return CW_OK;
}
