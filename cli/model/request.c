#define _POSIX_C_SOURCE 200809L

#include "request.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/common/memory.h"
#include "base/status.h"

#define LANE_BYTES 8192 /* of its stack, what a lane comes to touch */
#define MATRICES   4    /* the machine's, the input, the output and the reference for it */

void request_init(struct request *r)
{
    memset(r, 0, sizeof *r);
    r->seed = 1;
    r->rows = r->hash = r->prefer = r->charge = -1;
}

cw_status request_fits(const struct request *r, uint64_t extra)
{
    const double has = memory_free();
    const double words = (double)r->w * (double)(r->m * MATRICES + extra);
    const double needs = words * sizeof(cw_word) + (double)r->w * LANE_BYTES;

    if (has > 0 && needs > has)
        return cw_fail(CW_ERR_ARGUMENT,
                       "%" PRIu64 " x %" PRIu64 " needs about %.0f GiB of memory, this computer "
                       "has %.0f free",
                       r->w, r->m, ceil(needs / 0x1p30), floor(has / 0x1p30));
    return CW_OK;
}

int request_shape(struct request *r)
{
    if (r->n && r->w && !r->m)
        r->m = (r->n + r->w - 1) / r->w;
    if (!r->w || !r->m)
        return complain(USAGE, "-%c is missing: the shape is -w W -m M", r->w ? 'm' : 'w');
    if (r->n > r->w * r->m)
        return complain(USAGE,
                        "-n %" PRIu64 " are more than the %" PRIu64 " places of -w %" PRIu64
                        " -m %" PRIu64,
                        r->n, r->w * r->m, r->w, r->m);
    if (r->w * r->m > REQUEST_WORDS)
        return complain(USAGE, "-w %" PRIu64 " -m %" PRIu64 ": at most 2^30 words", r->w, r->m);
    if (r->banks && r->w % r->banks)
        return complain(USAGE, "-w %" PRIu64 " is no multiple of --banks %" PRIu64, r->w, r->banks);
    if ((r->rule || r->banks) && r->threads)
        return complain(USAGE, "--threads are matrices of their own: not with --rule or --banks");
    if (r->threads % r->w)
        return complain(USAGE, "--threads %" PRIu64 " is no multiple of -w %" PRIu64, r->threads,
                        r->w);
    if (request_fits(r, 0))
        return complain(USAGE, "%s", cw_last_error());
    return DONE;
}

void request_options(const struct request *r, struct cw_options *out)
{
    memset(out, 0, sizeof *out);
    out->literal = r->as_printed ? 2 : r->literal;
    out->group = (uint32_t)r->group;
    out->ways = (uint32_t)r->ways;
    out->rows = r->rows >= 0 ? (enum cw_row_sort)r->rows : CW_ROWS_BEST;
    out->key_bits = (uint32_t)r->key_bits;
    out->hash = r->hash >= 0 ? (enum cw_hash)r->hash : CW_HASH_MIXER;
    out->alpha = (uint32_t)r->alpha;
    out->finish = r->finish;
    out->seed = r->seed;
    out->prefer = r->prefer >= 0 ? (enum cw_prefer)r->prefer : CW_PREFER_STEPS;
    out->charge = r->charge >= 0 ? (enum cw_charge)r->charge : CW_CHARGE_SEEN;
    cw_options_fill(out);
}

void request_config(const struct request *r, const struct cw_algorithm *alg,
                    struct cw_model_config *out)
{
    memset(out, 0, sizeof *out);
    out->w = (uint32_t)r->w;
    out->m = (uint32_t)r->m;
    out->count = r->count || !alg->conflict_free;
    out->latency = (uint32_t)r->latency;
    out->threads = (uint32_t)r->threads;
    out->count |= r->rule != CW_MODEL_DMM || (r->banks && r->banks < r->w);
}

void request_rules(const struct request *r, struct cw_model_rules *out)
{
    memset(out, 0, sizeof *out);
    out->rule = (enum cw_model_rule)r->rule;
    out->banks = (uint32_t)r->banks;
    out->dmms = (uint32_t)r->dmms;
    out->global = (uint32_t)r->global;
}
