/* move.c - the exchange of items. */
#include "distributed/move.h"

#include <string.h>

#include "api/context.h"
#include "distributed/local.h"
#include "distributed/ranks/staged.h"
#include "distributed/packed.h"

size_t cw_moves_staged;

static size_t room(const struct cw_peers *p)
{
    return 8 * (size_t)p->ranks * sizeof(uint64_t);
}

/* Each in as many bytes as the most of them takes; the rooms of `bytes` are free. */
static cw_status tell_counts(struct cw_moves *m, struct cw_peers *p, uint64_t most)
{
    const unsigned width = cw_packed_bytes(most);
    uint8_t *to = (uint8_t *)m->bytes[2];
    const uint8_t *from = (const uint8_t *)m->bytes[3];
    cw_status status;

    for (uint32_t r = 0; r < p->ranks; r++)
        to = cw_pack(to, m->send[r], width);
    status = cw_peers_alltoall(p, m->bytes[2], m->bytes[3], width, m->bytes[0]);
    for (uint32_t r = 0; r < p->ranks && !status; r++)
        m->recv[r] = cw_unpack(&from, width);
    return status;
}

cw_status cw_moves_begin(struct cw_moves *m, struct cw_peers *p, const uint64_t *cuts)
{
    uint64_t most = 0;
    cw_status status;

    memset(m, 0, sizeof *m);
    m->memory = (uint64_t *)cw_peers_alloc(p, room(p));
    for (uint32_t r = 0; r < p->ranks; r++)
        most = cuts[r + 1] - cuts[r] > most ? cuts[r + 1] - cuts[r] : most;
    status = cw_peers_agree_on(p, m->memory ? CW_OK : CW_ERR_MEMORY, &most, 1);
    if (status)
        return status;
    m->send = m->memory;
    m->send_at = m->send + p->ranks;
    m->recv = m->send_at + p->ranks;
    m->recv_at = m->recv + p->ranks;
    for (int x = 0; x < 4; x++)
        m->bytes[x] = m->recv_at + (size_t)(x + 1) * p->ranks;
    for (uint32_t r = 0; r < p->ranks; r++) {
        m->send[r] = cuts[r + 1] - cuts[r];
        m->send_at[r] = cuts[r];
        m->sent += m->send[r];
    }
    status = tell_counts(m, p, most);
    for (uint32_t r = 0; r < p->ranks && !status; r++) {
        m->recv_at[r] = m->received;
        m->received += m->recv[r];
    }
    p->report->items_out = m->received;
    return status;
}

void cw_moves_end(struct cw_moves *m, struct cw_peers *p)
{
    cw_peers_free(p, m->memory, room(p));
    m->memory = NULL;
}

/* Must the exchange be staged?  If the group cannot reach the memory of a GPU that some rank has,
 * or if some have one and others not: all ranks must do the same. */
static cw_status must_stage(struct cw_peers *p, int device, int *out)
{
    uint64_t some[2] = {device != 0, !device};
    const cw_status status = cw_peers_max(p, some, 2);

    *out = cw_moves_staged || (some[0] && (some[1] || !p->group->device));
    return status;
}

cw_status cw_moves_run(struct cw_moves *m, struct cw_peers *p, cw_context *context,
                       cw_stream stream, const void *from, void *to, size_t bytes)
{
    const cw_exchange x = {from,
                           to,
                           m->bytes[0],
                           m->bytes[1],
                           m->bytes[2],
                           m->bytes[3],
                           cw_context_backend(context) == CW_CUDA,
                           0,
                           stream};
    const double began = cw_peers_clock();
    int staged = 0;
    cw_status status;

    for (uint32_t r = 0; r < p->ranks; r++) {
        m->bytes[0][r] = m->send[r] * bytes;
        m->bytes[1][r] = m->send_at[r] * bytes;
        m->bytes[2][r] = m->recv[r] * bytes;
        m->bytes[3][r] = m->recv_at[r] * bytes;
    }
    status = cw_peers_agree(p, cw_wait(context, stream));
    if (!status)
        status = must_stage(p, x.device, &staged);
    if (!status && staged)
        status = cw_peers_agree(p, cw_staged_exchange(p, context, &x, cw_moves_staged));
    else if (!status)
        status = cw_peers_alltoallv(p, &x, 0);
    cw_local_written(context, to, m->received * bytes);
    p->report->exchange_seconds += cw_peers_clock() - began;
    return status;
}
