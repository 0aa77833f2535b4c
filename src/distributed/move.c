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
    return 4 * (size_t)p->ranks * sizeof(uint64_t);
}

/* Each in as many bytes as the most of them takes.  `numbers`: 4 a rank, two of which are for what is
 * told and heard. */
static cw_status tell_counts(struct cw_moves *m, struct cw_peers *p, uint64_t most,
                             uint64_t *numbers)
{
    const unsigned width = cw_packed_bytes(most);
    uint8_t *const told = (uint8_t *)(numbers + 2 * (size_t)p->ranks);
    uint8_t *const heard = told + p->ranks * sizeof *numbers;
    const uint8_t *from = heard;
    uint8_t *to = told;
    cw_status status;

    for (uint32_t r = 0; r < p->ranks; r++)
        to = cw_pack(to, m->send[r], width);
    status = cw_peers_alltoall(p, told, heard, width, numbers);
    for (uint32_t r = 0; r < p->ranks && !status; r++)
        m->recv[r] = cw_unpack(&from, width);
    return status;
}

cw_status cw_moves_begin(struct cw_moves *m, struct cw_peers *p, const uint64_t *cuts)
{
    uint64_t *const numbers = (uint64_t *)cw_peers_scratch(p, room(p));
    uint64_t most = 0;
    cw_status status;

    memset(m, 0, sizeof *m);
    m->memory = (uint64_t *)cw_peers_alloc(p, room(p));
    for (uint32_t r = 0; r < p->ranks; r++)
        most = cuts[r + 1] - cuts[r] > most ? cuts[r + 1] - cuts[r] : most;
    status = cw_peers_agree_on(p, m->memory && numbers ? CW_OK : CW_ERR_MEMORY, &most, 1);
    if (status) {
        cw_peers_scratch_free(p, numbers, room(p));
        return status;
    }
    m->send = m->memory;
    m->send_at = m->send + p->ranks;
    m->recv = m->send_at + p->ranks;
    m->recv_at = m->recv + p->ranks;
    for (uint32_t r = 0; r < p->ranks; r++) {
        m->send[r] = cuts[r + 1] - cuts[r];
        m->send_at[r] = cuts[r];
        m->sent += m->send[r];
    }
    status = tell_counts(m, p, most, numbers);
    cw_peers_scratch_free(p, numbers, room(p));
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

static void to_bytes(const struct cw_moves *m, uint32_t ranks, size_t bytes)
{
    for (size_t x = 0; x < 4 * (size_t)ranks; x++)
        m->memory[x] *= bytes;
}

static void to_items(const struct cw_moves *m, uint32_t ranks, size_t bytes)
{
    for (size_t x = 0; x < 4 * (size_t)ranks; x++)
        m->memory[x] /= bytes;
}

cw_status cw_moves_run(struct cw_moves *m, struct cw_peers *p, cw_context *context,
                       cw_stream stream, const void *from, void *to, size_t bytes)
{
    const cw_exchange x = {from,
                           to,
                           m->send,
                           m->send_at,
                           m->recv,
                           m->recv_at,
                           cw_context_backend(context) == CW_CUDA,
                           0,
                           stream};
    const double began = cw_peers_clock();
    int staged = 0;
    cw_status status = cw_peers_agree(p, cw_wait(context, stream));

    if (!status)
        status = must_stage(p, x.device, &staged);
    to_bytes(m, p->ranks, bytes);
    if (!status && staged)
        status = cw_peers_agree(p, cw_staged_exchange(p, context, &x, cw_moves_staged));
    else if (!status)
        status = cw_peers_alltoallv(p, &x, 0);
    to_items(m, p->ranks, bytes);
    cw_local_written(context, to, m->received * bytes);
    p->report->exchange_seconds += cw_peers_clock() - began;
    return status;
}
