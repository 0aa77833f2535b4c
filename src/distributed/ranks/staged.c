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
    uint64_t each;     /* bytes of a piece for one rank */
    uint64_t pieces;   /* as many as the rank with most needs */
    char *host;        /* four pieces */
    uint64_t *numbers; /* 3 a rank: one piece's exchange */
    cw_status late;    /* of the last copy to the GPU, which the next step tells */
};

/* How much of `all` bytes is in piece k. */
static uint64_t part(const struct staged *s, uint64_t all, uint64_t k)
{
    const uint64_t from = k * s->each;

    return all <= from ? 0 : all - from < s->each ? all - from : s->each;
}

static char *buffer(const struct staged *s, int received, uint64_t k)
{
    return s->host + (received ? 2 + k % 2 : k % 2) * s->each * s->peers->ranks;
}

static cw_status wait(struct staged *s, cw_stream stream)
{
    const double began = cw_peers_clock();
    const cw_status status = s->on->wait(stream);

    s->peers->report->staging_seconds += cw_peers_clock() - began;
    return status;
}

/* Copy the k-th parts of all ranks but this one, from the GPU or to it. */
static cw_status copy(const struct staged *s, uint64_t k, int to_gpu)
{
    cw_status status = CW_OK;

    for (uint32_t r = 0; r < s->peers->ranks && !status; r++) {
        const uint64_t all = to_gpu ? s->x->recv_bytes[r] : s->x->send_bytes[r];
        const uint64_t now = r == s->peers->rank ? 0 : part(s, all, k);
        char *const host = buffer(s, to_gpu, k) + r * s->each;

        if (!now)
            continue;
        if (to_gpu)
            status = s->on->write_later(
                s->back[k % 2], (char *)s->x->recv + s->x->recv_at[r] + k * s->each, host, now);
        else
            status = s->on->read_later(
                s->x->stream, host, (const char *)s->x->send + s->x->send_at[r] + k * s->each, now);
    }
    return status;
}

static cw_status exchange(struct staged *s, uint64_t k)
{
    const uint32_t ranks = s->peers->ranks;
    uint64_t *const send = s->numbers, *const at = send + ranks, *const recv = at + ranks;
    const cw_exchange x = {buffer(s, 0, k), buffer(s, 1, k), send, at, recv, at, 0, 0, NULL};

    for (uint32_t r = 0; r < ranks; r++) {
        const int mine = r == s->peers->rank;

        at[r] = r * s->each;
        send[r] = mine ? 0 : part(s, s->x->send_bytes[r], k);
        recv[r] = mine ? 0 : part(s, s->x->recv_bytes[r], k);
    }
    return cw_peers_alltoallv(s->peers, &x, 0);
}

/* Piece k is on the host: begin to fetch the next one, exchange this one, begin to send it on.  A
 * copy that fails is told to all before the exchange. */
static cw_status step(struct staged *s, uint64_t k)
{
    cw_status status = s->late ? s->late : wait(s, s->x->stream);

    if (!status && k + 1 < s->pieces)
        status = copy(s, k + 1, 0);
    if (!status && k >= 2) /* the copy of piece k - 2 leaves its buffer free */
        status = wait(s, s->back[k % 2]);
    status = cw_peers_agree(s->peers, status);
    if (!status)
        status = exchange(s, k);
    if (!status)
        s->late = copy(s, k, 1);
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
    return 4 * s->each * s->peers->ranks;
}

/* So much of a piece for each rank, of what the rank with most items receives. */
static uint64_t each_of(uint64_t received, size_t piece, uint32_t ranks)
{
    uint64_t bytes = received / CW_STAGED_PIECES;

    bytes = bytes < CW_STAGED_LEAST ? CW_STAGED_LEAST : bytes;
    bytes = bytes > CW_STAGED_MOST ? CW_STAGED_MOST : bytes;
    bytes = (piece ? piece : bytes) / ranks / 64 * 64;
    return bytes ? bytes : 64;
}

static cw_status begin(struct staged *s, size_t piece)
{
    const uint32_t ranks = s->peers->ranks;
    uint64_t most[2] = {0, 0}; /* bytes for one rank; bytes of all for this one */
    cw_status status;

    for (uint32_t r = 0; r < ranks; r++) {
        if (r != s->peers->rank && s->x->send_bytes[r] > most[0])
            most[0] = s->x->send_bytes[r];
        most[1] += s->x->recv_bytes[r];
    }
    status = cw_peers_max(s->peers, most, 2);
    s->each = each_of(most[1], piece, ranks);
    s->pieces = (most[0] + s->each - 1) / s->each;
    if (status || !s->pieces)
        return status;
    s->numbers = (uint64_t *)cw_peers_alloc(s->peers, 3 * (size_t)ranks * sizeof *s->numbers);
    status = s->numbers ? cw_pinned_take(s->on, room(s), (void **)&s->host) : CW_ERR_MEMORY;
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
    if (s->host)
        (void)s->on->wait(s->x->stream);
    if (s->host)
        s->peers->held -= room(s);
    cw_pinned_give(s->on, s->host, room(s));
    cw_peers_free(s->peers, s->numbers, 3 * (size_t)s->peers->ranks * sizeof *s->numbers);
}

cw_status cw_staged_exchange(struct cw_peers *p, cw_context *context, const cw_exchange *x,
                             size_t piece)
{
    struct staged s = {.peers = p, .context = context, .on = context->on, .x = x};
    cw_status status = begin(&s, piece); /* the same on all ranks */

    if (!status) {
        status = keep_own(&s);
        if (!status && s.pieces)
            status = copy(&s, 0, 0);
        status = cw_peers_agree(p, status);
    }
    for (uint64_t k = 0; k < s.pieces && !status; k++)
        status = step(&s, k);
    if (!status)
        status = s.late;
    for (int x = 0; x < 2 && s.pieces && !status; x++)
        status = wait(&s, s.back[x]);
    if (!status)
        status = wait(&s, x->stream);
    end(&s);
    return status;
}
