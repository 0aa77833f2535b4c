/* colour.c - edge colouring by Euler splits, and by matchings where the degree is odd.
 *
 * Even degree d.  Pair the edges at every node, and walk the closed trails that
 * alternate between a left pair and a right pair, giving the two edges of a pair
 * to different halves: every node has d/2 edges in each half, so each is coloured
 * by itself.  Edges lie left by left, so slots x and x^1 are a left pair (d is
 * even); at a right node the edges are paired as they arrive.
 *
 * Odd degree d > 1.  A regular bipartite graph has a perfect matching: find one,
 * it is a colour, and d-1 is even.  Goel, Kapralov and Khanna (2010): from a
 * random unmatched left node walk to a random neighbour, thence along the matching
 * back to the left, until an unmatched right node is met.  With k of w nodes matched,
 * anyhow, the walk takes at most 2 + w/(w-k) rounds on average, whatever the graph, so
 * it is cut off at four times that and begun again elsewhere (chance at most 1/4).
 * The last choice made at each node, followed from the start, is the walk with its
 * loops erased: the augmenting path.  Two departures: most nodes are matched greedily
 * first, and a few walkers race until one arrives.  At worst a race of 8 does 8 times
 * the work; as hardly any walk remembers how long it has been under way it does about
 * the same, with 8 cache misses under way at a time, and is two to three times faster.
 *
 * The half of the first d/2 colours takes the first half of the range, so colour
 * k ends in edge[k*w .. k*w+w).  Two buffers take turns; the recursion is depth
 * first, so all but the first few splits run in the cache.
 *
 * Time:  O(n log m) for the splits, O(w log w) expected for a matching; at most m/2
 *        matchings, so O(n log n) in all.
 * Space: n words for the second buffer, n half words for the right pairs, 5w more.
 * Nakano cites Koenig's theorem and gives no algorithm; the choice is ours.
 */
#include "paper/permute/colour.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE         UINT32_MAX
#define MOST_WALKERS 8 /* that race for a matching */
#define GREEDY_TRIES 8

struct mate {
    uint32_t left; /* the left node, or NONE */
    uint32_t slot; /* which of its d edges */
};

struct colouring {
    uint32_t w;
    uint64_t random;   /* state of the generator */
    uint64_t *spare;   /* n: the second buffer */
    uint32_t *partner; /* n: the slot paired with this one at the right node */
    uint32_t *choice;  /* in the place of partner, which a matching has no use for */
    uint32_t walkers;  /* that race for a matching; m w words of choice hold m at least */
    uint32_t *pending; /* w: slot that waits for its partner at a right node; NONE between splits */
    uint32_t *taken;   /* w: which of its d edges a left node is matched by */
    uint32_t *single;  /* w: the left nodes not yet matched */
    struct mate *mate; /* w: whom a right node is matched with */
};

static uint32_t right_node(uint64_t edge)
{
    return (uint32_t)edge & (CW_COLOUR_ROW_MAX - 1);
}

/* A number below `bound`, by splitmix64; the bias is below bound / 2^32. */
static uint32_t random_below(struct colouring *c, uint32_t bound)
{
    uint64_t z = c->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((z >> 32) * bound) >> 32);
}

/* Pair the slots at every right node as they arrive.  No branch: half of all
 * arrivals wait, in no order that could be predicted. */
static void pair_right(struct colouring *c, const uint64_t *edge, uint32_t count)
{
    uint32_t *const partner = c->partner;
    uint32_t *const pending = c->pending;

    for (uint32_t x = 0; x < count; x++) {
        const uint32_t v = right_node(edge[x]);
        const uint32_t first = pending[v];
        const bool waits = first == NONE;

        partner[x] = first; /* written again by the partner if x waits */
        partner[waits ? x : first] = x;
        pending[v] = waits ? x : NONE;
    }
}

/* Walk every trail: slot x goes to the first half, x^1 to the second, the right
 * partner of x^1 to the first, and so on round.  partner[] becomes NONE at the
 * slots of the second half, one of each left pair.  Each trail is walked from both
 * ends until the walkers meet, so that two cache misses are under way at a time. */
static void walk_trails(uint32_t *partner, uint32_t count)
{
    for (uint32_t start = 0; start < count; start += 2) {
        uint32_t ahead = start; /* both are slots of the first half */
        uint32_t behind = start;

        if (partner[start] == NONE) {
            continue;
        }
        for (;;) {
            const uint32_t next = partner[ahead ^ 1];
            const uint32_t last = partner[behind];

            if (next == NONE) {
                break;
            }
            partner[ahead ^ 1] = NONE;
            ahead = next;
            if (partner[last] == NONE) {
                break;
            }
            partner[last] = NONE;
            behind = last ^ 1;
        }
    }
}

/* Deal the slots to the two halves of `to`; left pair p gives one to each. */
static void deal(const uint32_t *partner, const uint64_t *from, uint64_t *to, uint32_t count)
{
    const uint32_t half = count / 2;

    for (uint32_t p = 0; p < half; p++) {
        const uint32_t crossed = partner[2 * p] == NONE;

        to[p] = from[2 * p + crossed];
        to[half + p] = from[2 * p + 1 - crossed];
    }
}

/* One of the d edges of a left node, but not `taken` (NONE: none is). */
static uint32_t random_edge(struct colouring *c, uint32_t d, uint32_t taken)
{
    uint32_t s;

    if (taken == NONE) {
        return random_below(c, d);
    }
    s = random_below(c, d - 1);
    return s + (s >= taken);
}

/* Match what a few tries can: left node u with an unmatched neighbour.  The nodes
 * that find none go to single[]; returns how many. */
static uint32_t match_greedily(struct colouring *c, const uint64_t *edge, uint32_t d)
{
    uint32_t left = 0;

    for (uint32_t u = 0; u < c->w; u++) {
        const uint64_t *const mine = edge + (size_t)u * d;
        uint32_t s = random_below(c, d);
        uint32_t tries = d < GREEDY_TRIES ? d : GREEDY_TRIES;

        while (tries > 0 && c->mate[right_node(mine[s])].left != NONE) {
            s = s + 1 < d ? s + 1 : 0;
            tries--;
        }
        if (tries > 0) {
            c->mate[right_node(mine[s])] = (struct mate){u, s};
        } else {
            c->single[left++] = u;
        }
    }
    return left;
}

/* Race some walks from random nodes of single[0..left); c->choice[q*w + u] is the
 * edge by which walker q left node u last.  True if one met an unmatched right node
 * in time: walker *winner, which began at single[*begin]. */
static bool race(struct colouring *c, const uint64_t *edge, uint32_t d, uint32_t left,
                 uint32_t *winner, uint32_t *begin)
{
    struct mate at[MOST_WALKERS];
    uint32_t from[MOST_WALKERS];

    for (uint32_t q = 0; q < c->walkers; q++) {
        from[q] = random_below(c, left);
        at[q] = (struct mate){c->single[from[q]], NONE};
    }
    for (uint32_t round = 4 * (2 + c->w / left); round > 0; round--) {
        for (uint32_t q = 0; q < c->walkers; q++) {
            const uint32_t u = at[q].left;
            const uint32_t s = random_edge(c, d, at[q].slot);

            c->choice[(size_t)q * c->w + u] = s;
            at[q] = c->mate[right_node(edge[(size_t)u * d + s])];
            if (at[q].left == NONE) {
                *winner = q;
                *begin = from[q];
                return true;
            }
        }
    }
    return false;
}

/* Follow a walker's last choices from u and match along them. */
static void augment(struct colouring *c, const uint64_t *edge, uint32_t d, uint32_t u,
                    const uint32_t *choice)
{
    while (u != NONE) {
        const uint32_t s = choice[u];
        struct mate *const mate = &c->mate[right_node(edge[(size_t)u * d + s])];
        const uint32_t next = mate->left;

        *mate = (struct mate){u, s};
        u = next;
    }
}

/* A perfect matching of the d-regular graph, into taken[]: which of its d edges
 * each left node gives. */
static void find_matching(struct colouring *c, const uint64_t *edge, uint32_t d)
{
    uint32_t left;

    memset(c->mate, 0xff, c->w * sizeof *c->mate);
    left = match_greedily(c, edge, d);
    while (left > 0) {
        uint32_t winner, begin;

        if (race(c, edge, d, left, &winner, &begin)) {
            augment(c, edge, d, c->single[begin], c->choice + (size_t)winner * c->w);
            c->single[begin] = c->single[--left];
        }
    }
    for (uint32_t v = 0; v < c->w; v++) {
        c->taken[c->mate[v].left] = c->mate[v].slot;
    }
}

/* Take the matching out of here[0..w*d), closing the gaps, and put it into
 * `colour`, by way of there[0..w). */
static void take_matching(struct colouring *c, uint64_t *here, uint64_t *there, uint32_t d,
                          uint64_t *colour)
{
    uint64_t *to = here;

    for (uint32_t i = 0; i < c->w; i++) {
        const uint64_t *from = here + (size_t)i * d;
        const uint32_t t = c->taken[i];

        there[i] = from[t];
        memmove(to, from, t * sizeof *to);
        memmove(to + t, from + t + 1, (d - 1 - t) * sizeof *to);
        to += d - 1;
    }
    memmove(colour, there, c->w * sizeof *colour);
}

/* Colour the d-regular graph in here[0..w*d), with there[0..w*d) to work in; the
 * colours end in `here` if stay, else in `there`. */
static void colour(struct colouring *c, uint64_t *here, uint64_t *there, uint32_t d, bool stay)
{
    const size_t w = c->w;
    uint64_t *const out = stay ? here : there;
    size_t half;

    if (d % 2 == 1 && d > 1) {
        find_matching(c, here, d);
        take_matching(c, here, there, d, out + (d - 1) * w);
        d--;
    }
    if (d == 1) {
        if (!stay) {
            memcpy(there, here, w * sizeof *there);
        }
        return;
    }
    half = d / 2 * w;
    pair_right(c, here, (uint32_t)(d * w));
    walk_trails(c->partner, (uint32_t)(d * w));
    deal(c->partner, here, there, (uint32_t)(d * w));
    colour(c, there, here, d / 2, !stay);
    colour(c, there + half, here + half, d / 2, !stay);
}

/* Every right node must be below w and have m edges; count[] is w words of room. */
static cw_status check_regular(uint32_t w, uint32_t m, const uint64_t *edge, uint32_t *count)
{
    const size_t n = (size_t)w * m;

    memset(count, 0, w * sizeof *count);
    for (size_t e = 0; e < n; e++) {
        const uint32_t v = right_node(edge[e]);

        if (v >= w) {
            return cw_fail(CW_ERR_LABEL, "edge %zu goes to row %" PRIu32 " of %" PRIu32, e, v, w);
        }
        if (count[v]++ == m) {
            return cw_fail(CW_ERR_LABEL,
                           "edge %zu is one too many to row %" PRIu32 ", which takes %" PRIu32, e,
                           v, m);
        }
    }
    return CW_OK; /* n edges, at most m to each of w rows: exactly m to each */
}

static cw_status allocate(struct colouring *c, uint32_t w, uint32_t m)
{
    const size_t n = (size_t)w * m;

    c->w = w;
    c->walkers = m < MOST_WALKERS ? m : MOST_WALKERS;
    c->spare = (uint64_t *)malloc(n * sizeof *c->spare);
    c->partner = (uint32_t *)malloc(n * sizeof *c->partner);
    c->pending = (uint32_t *)malloc(3 * (size_t)w * sizeof *c->pending);
    c->mate = (struct mate *)malloc(w * sizeof *c->mate);
    if (!c->spare || !c->partner || !c->pending || !c->mate) {
        return cw_fail(CW_ERR_MEMORY, "no memory to colour %" PRIu32 " x %" PRIu32 " edges", w, m);
    }
    c->choice = c->partner;
    c->taken = c->pending + w;
    c->single = c->taken + w;
    return CW_OK;
}

size_t cw_colour_scratch(uint32_t w, uint32_t m)
{
    return (size_t)w * m * (sizeof(uint64_t) + sizeof(uint32_t)) + 5 * (size_t)w * sizeof(uint32_t);
}

cw_status cw_colour_edges(uint32_t w, uint32_t m, uint64_t *edge, uint64_t seed)
{
    struct colouring c = {.random = seed};
    cw_status status;

    if (w == 0 || m == 0 || !edge) {
        return cw_fail(CW_ERR_ARGUMENT, "no edges to colour: %" PRIu32 " x %" PRIu32, w, m);
    }
    if (w > CW_COLOUR_ROW_MAX || (uint64_t)w * m >= NONE || (uint64_t)w * m > SIZE_MAX / 16) {
        return cw_fail(CW_ERR_SHAPE,
                       "%" PRIu32 " x %" PRIu32 " is too large to colour: at most %" PRIu32
                       " rows and 2^32 - 2 edges",
                       w, m, CW_COLOUR_ROW_MAX);
    }
    status = allocate(&c, w, m);
    if (status == CW_OK) {
        status = check_regular(w, m, edge, c.pending);
    }
    if (status == CW_OK) {
        memset(c.pending, 0xff, w * sizeof *c.pending);
        colour(&c, edge, c.spare, m, true);
    }
    free(c.spare);
    free(c.partner);
    free(c.pending);
    free(c.mate);
    return status;
}
