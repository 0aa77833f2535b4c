/* hello.c - ranks tell each other what they have. */
#include "distributed/ranks/hello.h"

#include <string.h>

#include "base/status.h"
#include "distributed/packed.h"
#include "inputs/random.h"

enum { N, DRAW, MOST, LEAST = MOST + CW_HELLO_FACTS, VALUES = LEAST + CW_HELLO_FACTS };

_Static_assert(VALUES <= CW_AGREE, "room for what ranks agree on");

/* The largest of each fact, and the largest of its complement, are one rank's if all have it alike. */
static int differs(const uint64_t *values, int fact)
{
    return values[MOST + fact] != ~values[LEAST + fact];
}

/* Which fact is not the same on all ranks, or CW_HELLO_FACTS. */
static int first_that_differs(const uint64_t *values)
{
    int fact = 0;

    while (fact < CW_HELLO_FACTS && !differs(values, fact))
        fact++;
    return fact;
}

/* The first rank that has the largest of a fact, and the first that has not. */
static cw_status name_two(struct cw_peers *p, int has_most)
{
    uint64_t first[2];
    cw_status status;

    first[0] = has_most ? p->ranks - p->rank : 0;
    first[1] = has_most ? 0 : p->ranks - p->rank;
    status = cw_peers_max(p, first, 2);
    if (status)
        return status;
    if (first[1] > first[0]) {
        const uint64_t kept = first[0];

        first[0] = first[1];
        first[1] = kept;
    }
    return cw_fail(CW_ERR_ARGUMENT, "ranks %u and %u were asked for different things",
                   p->ranks - (unsigned)first[0], p->ranks - (unsigned)first[1]);
}

/* Items of all ranks, each in as many bytes as the most of them take. */
static cw_status add_up(struct cw_peers *p, uint64_t n, unsigned bytes, uint8_t *all,
                        struct cw_everyone *out)
{
    const uint8_t *from = all;
    uint8_t mine[8];
    cw_status status;

    (void)cw_pack(mine, n, bytes);
    status = cw_peers_allgather(p, mine, all, bytes);
    for (uint32_t r = 0; r < p->ranks && !status; r++) {
        const uint64_t theirs = cw_unpack(&from, bytes);

        out->first += r < p->rank ? theirs : 0;
        out->total += theirs;
    }
    return status;
}

/* What one number can say goes by one reduction: a rank sends a few hundred bytes of these, however
 * many ranks there are, and then 8 at most to each. */
cw_status cw_hello(struct cw_peers *p, const struct cw_hello *mine, struct cw_everyone *out)
{
    const size_t bytes = (size_t)p->ranks * sizeof(uint64_t);
    uint8_t *const all = (uint8_t *)cw_peers_alloc(p, bytes);
    cw_status status = mine->status ? (cw_status)mine->status : all ? CW_OK : CW_ERR_MEMORY;
    uint64_t values[VALUES];
    int fact;

    memset(out, 0, sizeof *out);
    values[N] = mine->n;
    values[DRAW] = cw_mixed(mine->draw);
    for (fact = 0; fact < CW_HELLO_FACTS; fact++) {
        values[MOST + fact] = mine->facts[fact];
        values[LEAST + fact] = ~mine->facts[fact];
    }
    status = cw_peers_agree_on(p, status, values, VALUES);
    fact = first_that_differs(values);
    if (!status && fact < CW_HELLO_FACTS)
        status = name_two(p, mine->facts[fact] == values[MOST + fact]);
    if (!status && values[N])
        status = add_up(p, mine->n, cw_packed_bytes(values[N]), all, out);
    out->seed = cw_mixed(values[DRAW]);
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
