#include "request.h"

#include <inttypes.h>
#include <string.h>

#include "cli.h"

void request_init(struct request *r)
{
    memset(r, 0, sizeof *r);
    r->seed = 1;
    r->rows = r->hash = -1;
}

int request_shape(const struct request *r)
{
    if (!r->w || !r->m)
        return complain(USAGE, "-%c is missing: the shape is -w W -m M", r->w ? 'm' : 'w');
    if (r->w * r->m > REQUEST_WORDS)
        return complain(USAGE, "-w %" PRIu64 " -m %" PRIu64 ": at most 2^30 words", r->w, r->m);
    if (r->threads % r->w)
        return complain(USAGE, "--threads %" PRIu64 " is no multiple of -w %" PRIu64, r->threads,
                        r->w);
    return DONE;
}

void request_options(const struct request *r, struct cw_options *out)
{
    memset(out, 0, sizeof *out);
    out->literal = r->literal;
    out->ways = (uint32_t)r->ways;
    out->rows = r->rows > 0 ? (enum cw_row_sort)r->rows : CW_ROWS_MERGE;
    out->key_bits = (uint32_t)r->key_bits;
    out->hash = r->hash > 0 ? (enum cw_hash)r->hash : CW_HASH_MIXER;
    out->alpha = (uint32_t)r->alpha;
    out->finish = r->finish;
    out->seed = r->seed;
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
}
