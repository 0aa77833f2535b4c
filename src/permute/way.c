/* way.c - by which kernels an array is permuted: a thread an element, to places by passes, or
 * requests and values by windows.  permute/plan.c says what these are. */
#include "permute/way.h"

#include "permute/job.h"
#include "permute/plain.h"

#define TINY_LEAST 300u  /* on the emulator, whose arrays are short: elements that passes move, */
#define TINY_MOST  4096u /* at least and at most */

/* The least n from which a way beats the naive kernel, on an H200; on the emulator, some. */
static uint64_t least_of(enum cw_permute_way way, unsigned log, int cuda)
{
    if (!PERMUTE_LATE(cuda))
        return TINY_LEAST;
    if (way == CW_PERMUTE_ROUTE)
        return log <= 2u ? (uint64_t)5 << (24u - log) : (uint64_t)1 << 25;
    return log <= 3u ? (uint64_t)1 << 23 : (uint64_t)1 << 25;
}

/* That two passes and places take; cursors have 32 bits. */
uint64_t cw_permute_most(const cw_permute_job *job, int cuda)
{
    const unsigned log = cw_permute_log(job->bytes);
    const unsigned bits = PERMUTE_PLACE(1, log < 4u ? log : 4u) + 2u * PERMUTE_BIN_LOG(1);

    return !PERMUTE_FULL(cuda) ? TINY_MOST : bits >= 32u ? UINT32_MAX - 1u : (uint64_t)1 << bits;
}

static int fits(const cw_permute_job *job, enum cw_permute_way way, int cuda)
{
    const unsigned log = cw_permute_log(job->bytes);

    if (log > 4u || job->n > cw_permute_most(job, cuda) || way == CW_PERMUTE_NAIVE || job->count)
        return 0;
    if (way == CW_PERMUTE_ROUTE && log > PERMUTE_ROUTE_LOG)
        return 0;
    return (way == CW_PERMUTE_ROUTE) == ((job->flags & CW_GATHER) != 0);
}

enum cw_permute_way cw_permute_way_of(const cw_permute_job *job, enum cw_permute_way way, int cuda)
{
    const unsigned log = cw_permute_log(job->bytes);
    enum cw_permute_way best = way;

    if (way == CW_PERMUTE_AUTO) {
        best = job->flags & CW_GATHER ? CW_PERMUTE_ROUTE : CW_PERMUTE_PLACE;
        if (job->n < least_of(best, log, cuda) || job->count)
            best = CW_PERMUTE_NAIVE;
    }
    return job->n && fits(job, best, cuda) ? best : CW_PERMUTE_NAIVE;
}

/* A gather with computed places is as fast as passes while what it asks for is in the L2, and for
 * elements of 16 bytes and more. */
enum cw_permute_way cw_shuffle_way_of(const cw_permute_job *job, enum cw_permute_way way, int cuda)
{
    const unsigned log = cw_permute_log(job->bytes);

    if (log > PERMUTE_ROUTE_LOG)
        return CW_PERMUTE_NAIVE;
    if (way == CW_PERMUTE_AUTO)
        way = job->n < least_of(CW_PERMUTE_ROUTE, log, cuda) ? CW_PERMUTE_NAIVE : CW_PERMUTE_PLACE;
    return job->n && fits(job, way, cuda) ? way : CW_PERMUTE_NAIVE;
}
