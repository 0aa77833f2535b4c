/* plan.h - what a cw_plan holds, and the parts of src/offline.
 *
 *      map.c     recognise maps that need no table
 *      make.c    make a plan: recognise, or make tables (make_passes.c: tiles, buckets, runs)
 *      lay.c     where runs go, from how many items each tile has for each bucket
 *      bits.c    affine maps of index bits
 *      run.c     launches for a GPU or the emulator
 *      host.c    the same on host threads
 *      file.h    save.c and load.c: files
 */
#ifndef CW_OFFLINE_PLAN_H
#define CW_OFFLINE_PLAN_H

#include <stdio.h>
#include <string.h>

#include "clearway.h"
#include "backend/queue.h"

#define CW_PLAN_MOST       ((uint64_t)1 << 31) /* items */
#define CW_PLAN_ITEM       ((size_t)1 << 20)   /* bytes of an item, at most; of more than .. */
#define CW_PLAN_SMALL      16u                 /* .. these only gathers are made */
#define CW_PLAN_SHARED     196608u             /* bytes of a tile, at most */
#define CW_PLAN_ANY_GPU    CW_SMALL_SHARED     /* .. for any GPU */
#define CW_PLAN_PARTITIONS 2u                  /* partition passes, at most */
#define CW_PLAN_LINE       32u

enum cw_plan_way {
    CW_PLAN_TURN,      /* out[i] = in[(first + i) mod n], or (first - i) */
    CW_PLAN_TRANSPOSE, /* of rows x columns */
    CW_PLAN_BITS,      /* out[A i xor start] = in[i] */
    CW_PLAN_GATHER,    /* out[i] = in[index[i]], by a table of 4 bytes; or blocks of items */
    CW_PLAN_PASSES,    /* partition passes, then places in tiles */
    CW_PLAN_WAYS
};

/* One partition pass. */
struct cw_plan_partition {
    uint32_t group;   /* tiles whose items stay together, from tile 0 on */
    uint32_t fan;     /* tiles of a bucket */
    uint32_t buckets; /* of a group, at most */
    uint16_t *counts; /* tiles x buckets: items of a tile for a bucket of its group */
    uint64_t *lines;  /* tiles x tile/32, see offline/kernels/job.h */
    uint32_t *bases;  /* one a run */
    uint32_t *first;  /* tiles + 1: the first run of a tile; not in the table */
};

struct cw_plan {
    uint64_t n;
    uint32_t bytes;
    enum cw_plan_way way;

    uint64_t first; /* a turn */
    uint32_t back;
    uint64_t rows, columns;
    uint32_t bits, start;
    uint32_t column[32]; /* A applied to bit k */
    uint32_t *index;     /* of a gather: n, or n / columns if blocks of `columns` items are moved */

    uint32_t tile, tiles, partitions;
    struct cw_plan_partition partition[CW_PLAN_PARTITIONS];
    uint16_t *places[CW_PLAN_PARTITIONS + 1]; /* n each */
};

/* The table is these arrays, each on 256 bytes. */
enum cw_plan_piece {
    CW_PIECE_INDEX,
    CW_PIECE_PLACES, /* one a pass */
    CW_PIECE_LINES =
        CW_PIECE_PLACES + CW_PLAN_PARTITIONS + 1, /* one a partition pass, and so bases */
    CW_PIECE_BASES = CW_PIECE_LINES + CW_PLAN_PARTITIONS,
    CW_PIECES = CW_PIECE_BASES + CW_PLAN_PARTITIONS
};

struct cw_plan_table {
    const void *data[CW_PIECES];
    size_t bytes[CW_PIECES], at[CW_PIECES];
    size_t all;
};

void cw_plan_pieces(const cw_plan *plan, struct cw_plan_table *out);

/* What tests and benchmarks ask for instead of what is best; 0 means no wish. */
struct cw_plan_wish {
    int table;           /* recognise nothing */
    int gather;          /* 1: a gather, -1: passes */
    uint32_t tile;       /* items, a multiple of 32 */
    uint32_t partitions; /* plus 1 */
};

/* Bytes of the word that an item is in shared memory: 4, 8 or 16. */
static inline uint32_t cw_plan_word(uint32_t bytes)
{
    return bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
}

/* Items of a block that a gather moves as it is, and how many blocks there are. */
static inline uint64_t cw_plan_block(const cw_plan *plan)
{
    return plan->way == CW_PLAN_GATHER && plan->columns > 1 ? plan->columns : 1;
}

static inline uint64_t cw_plan_blocks(const cw_plan *plan)
{
    return plan->n / cw_plan_block(plan);
}

/* The largest power of two that divides the bytes: what arrays are aligned to. */
static inline uint32_t cw_plan_unit(uint32_t bytes)
{
    return bytes & (~bytes + 1u);
}

struct cw_team;

/* cw_plan_create with a wish, or NULL. */
cw_status cw_plan_make(const void *index, size_t index_bytes, size_t n, size_t bytes,
                       unsigned flags, unsigned threads, const struct cw_plan_wish *wish,
                       cw_plan **out);

/* Does the index follow a map that needs no table?  If so, say which in *plan. */
int cw_plan_recognise(const uint32_t *index, int gather, cw_plan *plan);

/* Items of a tile: what is best, of `most` bytes at most. */
uint32_t cw_plan_best_tile(const cw_plan *plan, uint32_t most);

/* Tiles, partition passes and room for their counts (0) and for places.  Partitions and fan of 0: what is
 * best.  CW_ERR_FORMAT for numbers that make no sense. */
cw_status cw_plan_shape(cw_plan *plan, uint32_t tile, uint32_t partitions, uint32_t fan);

/* Lines and bases of partition pass k, from its counts (lay.c).  CW_ERR_LABEL if they are not those of a
 * permutation. */
cw_status cw_plan_lay(cw_plan *plan, uint32_t k);

/* Is every tile of the last pass a permutation of its places?  0, or 1 + the tile that is not. */
uint32_t cw_plan_stray(const cw_plan *plan, uint32_t pass, struct cw_team *team);

/* Items of tile t. */
static inline uint32_t cw_plan_count(const cw_plan *plan, uint32_t t)
{
    const uint64_t left = plan->n - (uint64_t)t * plan->tile;

    return left < plan->tile ? (uint32_t)left : plan->tile;
}

/* Is the plan one transposition?  Then *job says which.  Whoever executes plans has it done: these
 * two do all others. */
static inline int cw_plan_transposes(const cw_plan *plan, const void *in, void *out,
                                     cw_transpose_job *job)
{
    memset(job, 0, sizeof *job);
    job->rows = plan->rows;
    job->columns = plan->columns;
    job->batch = 1;
    job->bytes = plan->bytes;
    job->in = in;
    job->out = out;
    return plan->way == CW_PLAN_TRANSPOSE;
}

/* Does the plan move rows: blocks, or items of more than 16 bytes?  Then *job says which. */
static inline int cw_plan_moves_rows(const cw_plan *plan, const void *table, const void *in,
                                     void *out, cw_permute_job *job)
{
    memset(job, 0, sizeof *job);
    job->flags = CW_GATHER;
    job->n = (size_t)cw_plan_blocks(plan);
    job->bytes = (size_t)cw_plan_block(plan) * plan->bytes;
    job->in = in;
    job->out = out;
    job->index = table;
    job->index_bytes = 4;
    return plan->way == CW_PLAN_GATHER && (cw_plan_block(plan) > 1 || plan->bytes > CW_PLAN_SMALL);
}

/* Items of the largest blocks that an index moves as they are, each from a multiple of its size to
 * another; 1 if there are none, or they are too short to matter (map.c). */
uint64_t cw_plan_find_block(const uint32_t *index, uint64_t n, uint32_t bytes);

cw_status cw_plan_queue(const cw_plan *plan, const unsigned char *table, const void *in, void *out,
                        void *workspace, struct cw_queue *q);

/* On threads of the host.  CW_ERR_LABEL if the table is not the plan's; nothing outside the arrays
 * is touched then. */
cw_status cw_plan_host(const cw_plan *plan, const unsigned char *table, const void *in, void *out,
                       void *workspace, struct cw_team *team);

#endif
