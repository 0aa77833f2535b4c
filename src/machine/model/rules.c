#include "machine/model/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct cw_rules {
    uint32_t w, banks, warps;
    enum cw_model_rule rule;
    uint32_t latency;
    uint32_t *asked;   /* [warps]: words that the warp asks for in this step */
    uint64_t *address; /* [w]: which, warp by warp */
    uint32_t *load;    /* [banks], all 0 between two warps */
    uint64_t *ready;   /* [warps]: when its last request was answered */
    uint64_t pipe;     /* when the pipeline is free */
};

cw_status cw_rules_create(uint32_t w, uint32_t banks, enum cw_model_rule rule, uint32_t latency,
                          struct cw_rules **out)
{
    struct cw_rules *const r = (struct cw_rules *)calloc(1, sizeof *r);

    *out = NULL;
    if (!r)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    r->w = w;
    r->banks = banks;
    r->warps = w / banks;
    r->rule = rule;
    r->latency = latency;
    r->asked = (uint32_t *)calloc(r->warps, sizeof *r->asked);
    r->address = (uint64_t *)malloc(w * sizeof *r->address);
    r->load = (uint32_t *)calloc(banks, sizeof *r->load);
    r->ready = (uint64_t *)calloc(r->warps, sizeof *r->ready);
    if (!r->asked || !r->address || !r->load || !r->ready) {
        cw_rules_destroy(r);
        return cw_fail(CW_ERR_MEMORY, "out of memory for the requests of %u processors", w);
    }
    *out = r;
    return CW_OK;
}

void cw_rules_destroy(struct cw_rules *r)
{
    if (!r)
        return;
    free(r->asked);
    free(r->address);
    free(r->load);
    free(r->ready);
    free(r);
}

void cw_rules_reset(struct cw_rules *r)
{
    memset(r->asked, 0, r->warps * sizeof *r->asked);
    memset(r->ready, 0, r->warps * sizeof *r->ready);
    r->pipe = 0;
}

/* Linear addresses: word a lies in bank a mod banks, in address group a / banks. */
void cw_rules_ask(struct cw_rules *r, uint32_t lane, uint32_t row, uint32_t col)
{
    const uint32_t warp = lane / r->banks;
    const uint64_t group = (uint64_t)col * r->warps + row / r->banks;

    r->address[warp * r->banks + r->asked[warp]++] = group * r->banks + row % r->banks;
}

static int by_address(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* What is counted once: words (merge) or groups (UMM); the rest of the list is dropped. */
static uint32_t distinct(const struct cw_rules *r, uint64_t *a, uint32_t n)
{
    uint32_t kept = 0;

    qsort(a, n, sizeof *a, by_address);
    for (uint32_t i = 0; i < n; i++) {
        if (!kept || (r->rule == CW_MODEL_UMM ? a[i] / r->banks != a[kept - 1] / r->banks
                                              : a[i] != a[kept - 1]))
            a[kept++] = a[i];
    }
    return kept;
}

static uint32_t degree_of(struct cw_rules *r, uint32_t warp, uint64_t *conflicts)
{
    uint64_t *const a = r->address + (size_t)warp * r->banks;
    uint32_t n = r->asked[warp], most = 0;

    if (r->rule != CW_MODEL_DMM)
        n = distinct(r, a, n);
    if (r->rule == CW_MODEL_UMM) {
        *conflicts += n > 1 ? n - 1 : 0;
        return n;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t load = ++r->load[a[i] % r->banks];

        *conflicts += load > 1;
        most = load > most ? load : most;
    }
    for (uint32_t i = 0; i < n; i++)
        r->load[a[i] % r->banks] = 0;
    return most;
}

/* Nakano's pipeline.  A warp that skips takes a unit of its own. */
static void answer(struct cw_rules *r, uint32_t warp, uint32_t degree)
{
    const uint64_t start = r->ready[warp] > r->pipe ? r->ready[warp] : r->pipe;

    if (degree) {
        r->pipe = start + degree;
        r->ready[warp] = r->pipe + r->latency - 1;
    } else {
        r->ready[warp]++;
    }
}

void cw_rules_step(struct cw_rules *r, uint32_t *stages, uint32_t *degree, uint64_t *conflicts)
{
    *stages = *degree = 0;
    for (uint32_t q = 0; q < r->warps; q++) {
        const uint32_t k = degree_of(r, q, conflicts);

        answer(r, q, k);
        *stages += k;
        *degree = k > *degree ? k : *degree;
        r->asked[q] = 0;
    }
    if (!*stages)
        *stages = 1;
}

uint64_t cw_rules_time(const struct cw_rules *r)
{
    uint64_t last = 0;

    for (uint32_t q = 0; q < r->warps; q++)
        last = r->ready[q] > last ? r->ready[q] : last;
    return last;
}
