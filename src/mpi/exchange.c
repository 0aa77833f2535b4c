/* exchange.c - alltoallv for any number of bytes.
 *
 * MPI counts with int up to version 3.  An exchange that no rank has 2^31 bytes of is
 * MPI_Alltoallv's, which does small ones in few messages; of a larger one every two ranks send each
 * other what they have, in pieces of 2^30 bytes, with WINDOW partners at a time: in step s rank r
 * sends to r + s and receives from r - s, so each rank is asked by one other at a time.  MPI 4
 * counts with MPI_Count, so that its MPI_Alltoallv_c does all of them, unless pieces were asked
 * for.
 */
#include "mpi/exchange.h"

#include "clearway_mpi.h"

#define WINDOW 8
#define USUAL  ((size_t)1 << 30)

static size_t piece = USUAL;

void cw_mpi_set_piece(size_t bytes)
{
    piece = !bytes || bytes > USUAL ? USUAL : bytes;
}

static int small(struct cw_mpi *m, const cw_exchange *x)
{
    const uint32_t p = m->group.ranks;
    int *const send = m->counts, *const send_at = send + p;
    int *const recv = send_at + p, *const recv_at = recv + p;

    for (uint32_t r = 0; r < p; r++) {
        send[r] = (int)x->send_bytes[r];
        send_at[r] = (int)x->send_at[r];
        recv[r] = (int)x->recv_bytes[r];
        recv_at[r] = (int)x->recv_at[r];
    }
    return MPI_Alltoallv(x->send, send, send_at, MPI_BYTE, x->recv, recv, recv_at, MPI_BYTE,
                         m->comm);
}

#if MPI_VERSION >= 4
static int large(const struct cw_mpi *m, const cw_exchange *x)
{
    _Static_assert(sizeof(MPI_Count) == 8 && sizeof(MPI_Aint) == 8, "counts of 64 bits");

    return MPI_Alltoallv_c(x->send, (const MPI_Count *)x->send_bytes, (const MPI_Aint *)x->send_at,
                           MPI_BYTE, x->recv, (const MPI_Count *)x->recv_bytes,
                           (const MPI_Aint *)x->recv_at, MPI_BYTE, m->comm);
}
#endif

/* ---- in pieces ------------------------------------------------------------------------------- */

/* The partners of steps `from` .. from + WINDOW - 1, and how much was posted for each. */
struct window {
    MPI_Request requests[2 * WINDOW];
    MPI_Status statuses[2 * WINDOW]; /* not read; gcc warns of MPICH's MPI_STATUSES_IGNORE */
    uint64_t sent[WINDOW], received[WINDOW];
    uint32_t from, steps;
};

static size_t least(uint64_t rest)
{
    return rest < piece ? (size_t)rest : piece;
}

/* Post the next piece for every partner; how many requests there are, or -1 with *code. */
static int post(struct cw_mpi *m, const cw_exchange *x, struct window *w, int *code)
{
    const uint32_t p = m->group.ranks, rank = m->group.rank;
    int n = 0;

    for (uint32_t s = 0; s < w->steps && *code == MPI_SUCCESS; s++) {
        const uint32_t to = (rank + w->from + s) % p, of = (rank + p - w->from - s) % p;
        const size_t out = least(x->send_bytes[to] - w->sent[s]);
        const size_t in = least(x->recv_bytes[of] - w->received[s]);

        if (in)
            *code = MPI_Irecv((char *)x->recv + x->recv_at[of] + w->received[s], (int)in, MPI_BYTE,
                              (int)of, 0, m->comm, &w->requests[n++]);
        if (out && *code == MPI_SUCCESS)
            *code = MPI_Isend((const char *)x->send + x->send_at[to] + w->sent[s], (int)out,
                              MPI_BYTE, (int)to, 0, m->comm, &w->requests[n++]);
        w->sent[s] += out;
        w->received[s] += in;
    }
    return n;
}

static int in_pieces(struct cw_mpi *m, const cw_exchange *x)
{
    int code = MPI_SUCCESS;

    for (uint32_t from = 0; from < m->group.ranks && code == MPI_SUCCESS; from += WINDOW) {
        const uint32_t rest = m->group.ranks - from;
        struct window w = {.from = from, .steps = rest < WINDOW ? rest : WINDOW};
        int n = 1;

        while (n && code == MPI_SUCCESS) {
            n = post(m, x, &w, &code);
            if (code == MPI_SUCCESS)
                code = MPI_Waitall(n, w.requests, w.statuses);
        }
    }
    return code;
}

int cw_mpi_exchange(struct cw_mpi *m, const cw_exchange *x)
{
    if (x->small && piece == USUAL)
        return small(m, x);
#if MPI_VERSION >= 4
    if (piece == USUAL)
        return large(m, x);
#endif
    return in_pieces(m, x);
}
