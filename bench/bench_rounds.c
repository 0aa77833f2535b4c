/* bench_rounds.c - the search for splitters on simulated ranks: rounds, messages and bytes.
 *
 *      bench_rounds [-a LEAST] [-p RANKS] [-n LOG] [-w] [INPUT]    2^LOG items a rank; LEAST (16), 4 times that ..
 *                                                                  RANKS (1024); one input, or all
 *
 * The very functions of cw_group_sort run on every rank (distributed/ranks/simulated.h), over sorted arrays that
 * are computed and not stored: words of 32 bits, or with -w of 64.  One CSV line a case: rounds, messages and bytes
 * a rank sent to find the splitters, on the average, if every two ranks talk directly and reductions go by
 * doubling, each beside its bound of splitters.h (of messages and bytes in as many rounds); bytes of the rank that
 * sent most; messages and items a rank then exchanges, each item once, so that the volume of the exchange is the
 * least there is; the host's memory of the rank that took most; and whether the splitters are exact.  Exit 1 if they
 * are not, or if rounds, messages or bytes are beyond the bounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/ranks/simulated.h"
#include "distributed/sort/virtual_keys.h"

struct trial {
    uint32_t ranks;
    uint64_t each;
    enum cw_virtual_input input;
    int narrow;
    uint64_t *cuts;
    cw_group_report *reports;
    cw_status status;
};

static struct cw_virtual_keys keys_of(const struct trial *t, uint32_t rank)
{
    const struct cw_virtual_keys k = {t->input, t->each, 99, rank, t->ranks, t->narrow};

    return k;
}

static uint64_t *cuts_of(const struct trial *t, uint32_t rank)
{
    return t->cuts + (size_t)rank * (t->ranks + 1);
}

static void body(const cw_group *group, void *user)
{
    struct trial *const t = (struct trial *)user;
    struct cw_virtual_keys keys = keys_of(t, group->rank);
    const struct cw_sorted sorted = cw_virtual_sorted(&keys);
    struct cw_peers peers;
    cw_status status = cw_peers_begin(&peers, group, &t->reports[group->rank]);

    if (!status)
        status =
            cw_splitters_find(&peers, &sorted, t->each * t->ranks, 4711, cuts_of(t, group->rank));
    if (status)
        t->status = status;
}

/* As many items before each splitter as there must be, and none of them above one behind it. */
static int exact(const struct trial *t)
{
    for (uint32_t j = 1; j < t->ranks; j++) {
        uint64_t before = 0, below = 0, above = UINT64_MAX;

        for (uint32_t r = 0; r < t->ranks; r++) {
            const struct cw_virtual_keys k = keys_of(t, r);
            const uint64_t cut = cuts_of(t, r)[j];
            const uint64_t last = cut ? cw_virtual_word(&k, cut - 1) : 0;
            const uint64_t next = cut < t->each ? cw_virtual_word(&k, cut) : UINT64_MAX;

            before += cut;
            below = last > below ? last : below;
            above = next < above ? next : above;
        }
        if (before != j * t->each || below > above)
            return 0;
    }
    return 1;
}

static struct cw_splitters_bound bound_of(const struct trial *t)
{
    const struct cw_splitters_case x = {t->ranks, t->each * t->ranks, t->each,
                                        t->narrow ? UINT32_MAX : UINT64_MAX};

    return cw_splitters_bound(&x, t->reports[0].rounds);
}

static int print(const struct trial *t)
{
    const struct cw_splitters_bound b = bound_of(t);
    double messages = 0, bytes = 0, most = 0, exchange = 0, leave = 0, host = 0;
    int is_right, within;

    for (uint32_t r = 0; r < t->ranks; r++) {
        const double sent = (double)t->reports[r].control_bytes;
        const double held = (double)t->reports[r].host_bytes;

        messages += (double)t->reports[r].messages;
        bytes += sent;
        most = sent > most ? sent : most;
        host = held > host ? held : host;
        for (uint32_t j = 0; j < t->ranks; j++) {
            const uint64_t items = cuts_of(t, r)[j + 1] - cuts_of(t, r)[j];

            exchange += j != r && items;
            leave += j != r ? (double)items : 0;
        }
    }
    is_right = exact(t);
    messages /= t->ranks;
    bytes /= t->ranks;
    within = t->reports[0].rounds <= b.rounds && messages <= b.messages && bytes <= b.bytes;
    printf("%u,%llu,%s,%d,%u,%u,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%s\n", t->ranks,
           (unsigned long long)t->each, cw_virtual_name(t->input), t->narrow ? 32 : 64,
           t->reports[0].rounds, b.rounds, messages, b.messages, bytes, b.bytes, most,
           exchange / t->ranks, leave / t->ranks, host, is_right ? "yes" : "NO");
    fflush(stdout);
    if (!within)
        fprintf(stderr, "%u ranks, %s: beyond the bound\n", t->ranks, cw_virtual_name(t->input));
    return !is_right || !within;
}

static int run(uint32_t ranks, uint64_t each, enum cw_virtual_input input, int narrow)
{
    struct trial t = {.ranks = ranks, .each = each, .input = input, .narrow = narrow};
    int wrong;

    t.cuts = (uint64_t *)calloc((size_t)ranks * (ranks + 1), sizeof *t.cuts);
    t.reports = (cw_group_report *)calloc(ranks, sizeof *t.reports);
    if (!t.cuts || !t.reports)
        return 1;
    if (!cw_simulated_run(ranks, body, &t) && !t.status)
        wrong = print(&t);
    else
        wrong = fprintf(stderr, "%u ranks: %s\n", ranks, cw_last_error());
    free(t.cuts);
    free(t.reports);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    uint32_t least = 16, ranks = 1024;
    uint64_t each = (uint64_t)1 << 20;
    const char *only = NULL;
    int wrong = 0, narrow = 1;

    for (int x = 1; x < argc; x++) {
        if (!strcmp(argv[x], "-p") && x + 1 < argc)
            ranks = (uint32_t)atoi(argv[++x]);
        else if (!strcmp(argv[x], "-a") && x + 1 < argc)
            least = (uint32_t)atoi(argv[++x]);
        else if (!strcmp(argv[x], "-n") && x + 1 < argc)
            each = (uint64_t)1 << atoi(argv[++x]);
        else if (!strcmp(argv[x], "-w"))
            narrow = 0;
        else
            only = argv[x];
    }
    printf("ranks,each,input,bits,rounds,rounds_bound,messages,messages_bound,control_bytes,"
           "control_bound,"
           "control_most,exchange_messages,items_leave,host_bytes,exact\n");
    for (uint32_t p = least; p <= ranks; p *= 4) {
        for (int input = 0; input < CW_VIRTUAL_COUNT; input++) {
            if (!only || !strcmp(only, cw_virtual_name((enum cw_virtual_input)input)))
                wrong |= run(p, each, (enum cw_virtual_input)input, narrow);
        }
    }
    return wrong;
}
