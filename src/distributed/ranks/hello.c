/* hello.c - ranks tell each other what they have. */
#include "distributed/ranks/hello.h"

#include <string.h>

#include "base/status.h"
#include "inputs/random.h"

/* The first rank whose facts are not those of rank 0; `ranks`: none. */
static uint32_t other(const struct cw_hello *all, uint32_t ranks)
{
    for (uint32_t r = 1; r < ranks; r++) {
        if (memcmp(all[r].facts, all[0].facts, sizeof all[r].facts))
            return r;
    }
    return ranks;
}

static cw_status judge(const struct cw_hello *all, const struct cw_peers *p)
{
    uint32_t worst = 0, differs;

    for (uint32_t r = 1; r < p->ranks; r++)
        worst = all[r].status > all[worst].status ? r : worst;
    if (all[worst].status && worst == p->rank)
        return (cw_status)all[worst].status; /* the detail is this rank's own */
    if (all[worst].status)
        return cw_fail((cw_status)all[worst].status, "rank %u of %u: %s", worst, p->ranks,
                       cw_status_text((cw_status)all[worst].status));
    differs = other(all, p->ranks);
    if (differs < p->ranks)
        return cw_fail(CW_ERR_ARGUMENT, "ranks 0 and %u were asked for different things", differs);
    return CW_OK;
}

cw_status cw_hello(struct cw_peers *p, const struct cw_hello *mine, struct cw_everyone *out)
{
    const size_t bytes = (size_t)p->ranks * sizeof *mine;
    struct cw_hello *const all = (struct cw_hello *)cw_peers_alloc(p, bytes);
    cw_status status = cw_peers_agree(p, all ? CW_OK : CW_ERR_MEMORY);

    memset(out, 0, sizeof *out);
    if (!status)
        status = cw_peers_allgather(p, mine, all, sizeof *mine);
    if (!status)
        status = judge(all, p);
    for (uint32_t r = 0; r < p->ranks && !status; r++) {
        out->first += r < p->rank ? all[r].n : 0;
        out->total += all[r].n;
        out->seed = cw_mixed(out->seed ^ all[r].draw);
    }
    cw_peers_free(p, all, bytes);
    p->report->items_in = mine->n;
    return status;
}

void cw_group_share(uint64_t total, uint32_t ranks, uint32_t rank, uint64_t *first, uint64_t *count)
{
    const uint64_t each = total / ranks, more = total % ranks;

    *first = rank * each + (rank < more ? rank : more);
    *count = each + (rank < more);
}
