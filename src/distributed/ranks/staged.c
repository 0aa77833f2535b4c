/* staged.c - copies, exchange and copies of pieces, two of each at a time. */
#include "distributed/ranks/staged.h"

#include <string.h>

#include "api/context.h"
#include "distributed/local.h"
#include "distributed/ranks/pinned.h"

struct staged {
    struct cw_peers *peers;
    cw_context *context;
    const struct cw_backend_table *on;
    const cw_exchange *x;
    cw_stream back[2]; /* of copies to the GPU: pieces by turns, so that one can be waited for */
    uint32_t wide;     /* ranks that a piece is for */
    uint64_t each;     /* bytes of it for each of them */
    char *host;        /* four pieces */
    uint64_t *numbers; /* 4 a rank: one piece's exchange, and .. */
    uint64_t *most; /* .. by distance, the most bytes that a rank has for the one so far behind */
    cw_status late; /* of the last copy to the GPU, which the next step tells */
};

/* A piece: the k-th of all, part `part` of what is for the ranks at distance `first` and on. */
struct piece {
    uint64_t k, part;
    uint32_t first;
};

static uint64_t parts_of(const struct staged *s, uint32_t first)
{
    uint64_t most = 0;

    for (uint32_t d = first; d < first + s->wide && d < s->peers->ranks; d++)
        most = s->most[d] > most ? s->most[d] : most;
    return (most + s->each - 1) / s->each;
}

static int is_there(const struct staged *s, const struct piece *p)
{
    return p->first < s->peers->ranks;
}

/* Of the ranks that come first with anything to send. */
static void skip(const struct staged *s, struct piece *p)
{
    while (is_there(s, p) && p->part >= parts_of(s, p->first)) {
        p->first += s->wide;
        p->part = 0;
    }
}

static struct piece next(const struct staged *s, const struct piece *p)
{
    struct piece n = {p->k + 1, p->part + 1, p->first};

    skip(s, &n);
    return n;
}

/* How much of `all` bytes is in the piece. */
static uint64_t part(const struct staged *s, uint64_t all, const struct piece *p)
{
    const uint64_t from = p->part * s->each;

    return all <= from ? 0 : all - from < s->each ? all - from : s->each;
}

/* The rank at a distance behind this one, to which it sends, or before it. */
static uint32_t rank_at(const struct staged *s, uint32_t distance, int before)
{
    const uint32_t ranks = s->peers->ranks;

    return (s->peers->rank + (before ? ranks - distance : distance)) % ranks;
}

static char *buffer(const struct staged *s, int received, const struct piece *p)
{
    return s->host + (received ? 2 + p->k % 2 : p->k % 2) * s->each * s->wide;
}

static cw_status wait(struct staged *s, cw_stream stream)
{
    const double began = cw_peers_clock();
    const cw_status status = s->on->wait(stream);

    s->peers->report->staging_seconds += cw_peers_clock() - began;
    return status;
}

/* Copy a piece from the GPU or to it. */
static cw_status copy(const struct staged *s, const struct piece *p, int to_gpu)
{
    char *host = buffer(s, to_gpu, p);
    cw_status status = CW_OK;

    for (uint32_t d = p->first; d < p->first + s->wide && d < s->peers->ranks && !status; d++) {
        const uint32_t r = rank_at(s, d, to_gpu);
        const uint64_t now = part(s, to_gpu ? s->x->recv_bytes[r] : s->x->send_bytes[r], p);
        const uint64_t at = p->part * s->each;

        if (now && to_gpu)
            status = s->on->write_later(s->back[p->k % 2],
                                        (char *)s->x->recv + s->x->recv_at[r] + at, host, now);
        else if (now)
            status = s->on->read_later(s->x->stream, host,
                                       (const char *)s->x->send + s->x->send_at[r] + at, now);
        host += s->each;
    }
    return status;
}

static cw_status exchange(struct staged *s, const struct piece *p)
{
    const uint32_t ranks = s->peers->ranks;
    uint64_t *const send = s->numbers, *const send_at = send + ranks;
    uint64_t *const recv = send_at + ranks, *const recv_at = recv + ranks;
    const cw_exchange x = {
        buffer(s, 0, p), buffer(s, 1, p), send, send_at, recv, recv_at, 0, 0, NULL};

    memset(s->numbers, 0, 4 * (size_t)ranks * sizeof *s->numbers);
    for (uint32_t d = p->first; d < p->first + s->wide && d < ranks; d++) {
        const uint32_t to = rank_at(s, d, 0), from = rank_at(s, d, 1);

        send[to] = part(s, s->x->send_bytes[to], p);
        recv[from] = part(s, s->x->recv_bytes[from], p);
        send_at[to] = recv_at[from] = (d - p->first) * s->each;
    }
    return cw_peers_alltoallv(s->peers, &x, 0);
}

/* A piece is on the host: begin to fetch the next one, exchange this one, begin to send it on.  A
 * copy that fails is told to all before the exchange. */
static cw_status step(struct staged *s, const struct piece *p, const struct piece *following)
{
    cw_status status = s->late ? s->late : wait(s, s->x->stream);

    if (!status && is_there(s, following))
        status = copy(s, following, 0);
    if (!status && p->k >= 2) /* the copy of piece k - 2 leaves its buffer free */
        status = wait(s, s->back[p->k % 2]);
    status = cw_peers_agree(s->peers, status);
    if (!status)
        status = exchange(s, p);
    if (!status)
        s->late = copy(s, p, 1);
    return status;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static cw_status keep_own(const struct staged *s)
{
    const cw_exchange *const x = s->x;
    const uint32_t r = s->peers->rank;

    return cw_local_copy(s->context, x->stream, (char *)x->recv + x->recv_at[r],
                         (const char *)x->send + x->send_at[r], x->recv_bytes[r]);
}

static size_t room(const struct staged *s)
{
    return 4 * s->each * s->wide;
}

/* Numbers of all ranks, which are five for each. */
static cw_status tell(struct staged *s)
{
    const uint32_t ranks = s->peers->ranks;
    const size_t bytes = 5 * (size_t)ranks * sizeof *s->numbers;
    cw_status status;

    s->numbers = (uint64_t *)cw_peers_alloc(s->peers, bytes);
    status = cw_peers_agree(s->peers, s->numbers ? CW_OK : CW_ERR_MEMORY);
    if (status)
        return status;
    s->most = s->numbers + 4 * (size_t)ranks;
    s->most[0] = 0; /* what a rank receives */
    for (uint32_t d = 0; d < ranks; d++) {
        if (d)
            s->most[d] = s->x->send_bytes[rank_at(s, d, 0)];
        s->most[0] += s->x->recv_bytes[d];
    }
    return cw_peers_max(s->peers, s->most, ranks);
}

/* A piece of what the rank with most receives, for as many ranks as it is enough for at once. */
static void sizes(struct staged *s, size_t piece)
{
    const uint32_t ranks = s->peers->ranks;
    uint64_t bytes = s->most[0] / CW_STAGED_PIECES, most = 1;

    bytes = bytes < CW_STAGED_LEAST ? CW_STAGED_LEAST : bytes;
    bytes = bytes > CW_STAGED_MOST ? CW_STAGED_MOST : bytes;
    bytes = piece ? piece : bytes;
    for (uint32_t d = 1; d < ranks; d++)
        most = s->most[d] > most ? s->most[d] : most;
    most = bytes / most;
    s->wide = most < 1 ? 1 : most < ranks ? (uint32_t)most : ranks;
    s->each = bytes / s->wide / 64 * 64;
    s->each = s->each ? s->each : 64;
}

/* The first piece, if there is any. */
static cw_status begin(struct staged *s, size_t piece, struct piece *first)
{
    cw_status status = tell(s);

    first->first = s->peers->ranks;
    if (status)
        return status;
    sizes(s, piece);
    first->first = 1;
    skip(s, first);
    if (!is_there(s, first))
        return CW_OK;
    status = cw_pinned_take(s->on, room(s), (void **)&s->host);
    if (s->host)
        cw_peers_hold(s->peers, room(s));
    for (int x = 0; x < 2 && !status; x++)
        status = s->on->stream(&s->back[x]);
    return cw_peers_agree(s->peers, status);
}

static void end(struct staged *s)
{
    for (int x = 0; x < 2; x++) {
        if (s->back[x]) {
            (void)s->on->wait(s->back[x]); /* after a failure: the memory goes to others */
            s->on->end_stream(s->back[x]);
        }
    }
    if (s->host) {
        (void)s->on->wait(s->x->stream);
        s->peers->held -= room(s);
    }
    cw_pinned_give(s->on, s->host, room(s));
    cw_peers_free(s->peers, s->numbers, 5 * (size_t)s->peers->ranks * sizeof *s->numbers);
}

cw_status cw_staged_exchange(struct cw_peers *p, cw_context *context, const cw_exchange *x,
                             size_t piece)
{
    struct staged s = {.peers = p, .context = context, .on = context->on, .x = x};
    struct piece now = {0};
    cw_status status = begin(&s, piece, &now); /* the same on all ranks */

    if (!status) {
        status = keep_own(&s);
        if (!status && is_there(&s, &now))
            status = copy(&s, &now, 0);
        status = cw_peers_agree(p, status);
    }
    while (!status && is_there(&s, &now)) {
        const struct piece following = next(&s, &now);

        status = step(&s, &now, &following);
        now = following;
    }
    if (!status)
        status = s.late;
    for (int i = 0; i < 2 && s.back[i] && !status; i++)
        status = wait(&s, s.back[i]);
    if (!status)
        status = wait(&s, x->stream);
    end(&s);
    return status;
}
