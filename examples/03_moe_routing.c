/* 03_moe_routing.c - route tokens to experts, each token to two of them, and bring the results back.
 *
 * A router has given every token two experts, each with a weight; -1 means that it has fewer.  One cw_partition puts
 * the rows of tokens that go to one expert side by side, in their order, leaves out the -1, and says where each
 * expert's rows begin: as they lie, and with every expert's rows rounded up to tiles of 16, as grouped matrix products
 * want them, with the expert of every tile.  The experts work (here: each multiplies by its number).  cw_gather_sum
 * adds up each token's results, weighted; the partition's inverse is its index.
 *
 * On a machine without a GPU CW_AUTO works on the host; the program is the same.
 */
#include <clearway.h>

#include <stdio.h>
#include <stdlib.h>

#define TOKENS  2000u
#define CHOICES 2u
#define ROUTED  (TOKENS * CHOICES)
#define EXPERTS 256u
#define WIDTH   64u /* floats of a token */
#define TILE    16u /* rows that a matrix product takes at a time */
#define TILES   (ROUTED / TILE + EXPERTS)

static void must(cw_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "%s: %s (%s)\n", what, cw_last_error(), cw_status_name(status));
        exit(1);
    }
}

static void *memory(cw_context *context, size_t bytes)
{
    void *here;

    must(cw_memory_alloc(context, bytes, &here), "memory");
    return here;
}

static void *sent(cw_context *context, const void *host, size_t bytes)
{
    void *const here = memory(context, bytes);

    must(cw_memory_write(context, here, host, bytes), "copy");
    return here;
}

static float token[TOKENS][WIDTH], row[ROUTED][WIDTH];
static int32_t expert[TOKENS][CHOICES];
static float weight[TOKENS][CHOICES];
static uint64_t offsets[EXPERTS + 1], padded[EXPERTS + 1];
static uint32_t tile_expert[TILES];

static void make(void)
{
    for (uint32_t t = 0; t < TOKENS; t++) {
        for (uint32_t k = 0; k < WIDTH; k++)
            token[t][k] = (float)(t + k);
        for (uint32_t c = 0; c < CHOICES; c++) {
            const uint32_t x = (t * CHOICES + c) * 2654435761u >> 16;

            expert[t][c] = x % 16u ? (int32_t)(x % EXPERTS) : -1;
            weight[t][c] = c ? 0.25f : 0.75f;
        }
    }
}

/* What the experts do to the rows that came to them. */
static void work(void)
{
    for (uint32_t e = 0; e < EXPERTS; e++)
        for (uint64_t r = offsets[e]; r < offsets[e + 1]; r++)
            for (uint32_t k = 0; k < WIDTH; k++)
                row[r][k] *= (float)e;
}

static int wrong(void)
{
    for (uint32_t t = 0; t < TOKENS; t++) {
        for (uint32_t k = 0; k < WIDTH; k++) {
            float sum = 0;

            for (uint32_t c = 0; c < CHOICES; c++)
                if (expert[t][c] >= 0)
                    sum += weight[t][c] * ((float)(t + k) * (float)expert[t][c]);
            if (token[t][k] != sum)
                return 1;
        }
    }
    return 0;
}

int main(void)
{
    cw_context *context;
    size_t bytes;

    make();
    must(cw_context_create(CW_AUTO, &context), "context");
    void *const labels = sent(context, expert, sizeof expert);
    void *const weights = sent(context, weight, sizeof weight);
    void *const tokens = sent(context, token, sizeof token);
    void *const rows = memory(context, sizeof row);
    void *const went_to = memory(context, ROUTED * sizeof(uint32_t));
    void *const starts = memory(context, sizeof offsets);
    void *const tiles = memory(context, sizeof padded);
    void *const experts = memory(context, sizeof tile_expert);

    /* to the experts */
    const cw_payload payload = {.in = tokens, .out = rows, .bytes = sizeof token[0]};
    const cw_partition_job there = {.type = CW_I32,
                                    .rule = CW_BY_LABEL,
                                    .flags = CW_DROP, /* -1 goes nowhere */
                                    .n = ROUTED,
                                    .buckets = EXPERTS,
                                    .keys_in = labels,
                                    .payloads = &payload,
                                    .payload_count = 1,
                                    .offsets = (uint64_t *)starts,
                                    .padded = (uint64_t *)tiles,
                                    .pad_to = TILE,
                                    .block_buckets = (uint32_t *)experts,
                                    .block_count = TILES,
                                    .choices = CHOICES,
                                    .inverse_out = went_to,
                                    .index_bytes = sizeof(uint32_t)};
    /* and back: a token is the sum of the rows that its choices went to; -1 has no row, and adds nothing */
    const cw_gather_job back = {.type = CW_F32,
                                .n = TOKENS,
                                .rows = ROUTED,
                                .columns = WIDTH,
                                .per = CHOICES,
                                .in = rows,
                                .out = tokens,
                                .index = went_to,
                                .index_bytes = sizeof(uint32_t),
                                .weights = weights,
                                .weight_type = CW_F32};

    must(cw_partition_workspace(&there, &bytes), "workspace");
    void *const workspace = memory(context, bytes);

    must(cw_partition(context, &there, workspace, bytes, NULL), "partition");
    must(cw_memory_read(context, offsets, starts, sizeof offsets), "copy");
    must(cw_memory_read(context, padded, tiles, sizeof padded), "copy");
    must(cw_memory_read(context, tile_expert, experts, sizeof tile_expert), "copy");
    must(cw_memory_read(context, row, rows, sizeof row), "copy");
    work();
    must(cw_memory_write(context, rows, row, sizeof row), "copy");
    must(cw_gather_sum(context, &back, NULL, 0, NULL), "gather");
    must(cw_memory_read(context, token, tokens, sizeof token), "copy");

    if (wrong() || tile_expert[padded[1] / TILE] != 1) {
        fprintf(stderr, "a token came back wrong\n");
        return 1;
    }
    printf(
        "%u tokens to %u of %u experts and back, %llu choices left out; expert 1 has rows %llu .. "
        "%llu, %llu tiles of %u in all\n",
        TOKENS, CHOICES, EXPERTS, (unsigned long long)(ROUTED - offsets[EXPERTS]),
        (unsigned long long)offsets[1], (unsigned long long)offsets[2],
        (unsigned long long)padded[EXPERTS] / TILE, TILE);
    void *const all[] = {workspace, experts, tiles, starts, went_to, rows, tokens, weights, labels};

    for (size_t x = 0; x < sizeof all / sizeof *all; x++)
        cw_memory_free(context, all[x]);
    cw_context_destroy(context);
    return 0;
}
