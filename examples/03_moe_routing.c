/* 03_moe_routing.c - route tokens to 256 experts, and bring the results back.
 *
 * A router has given every token an expert.  One cw_partition puts the rows of tokens that go to one
 * expert side by side, in their order, and says where each expert's rows begin: as they lie, and with
 * every expert's rows rounded up to tiles of 16, as grouped matrix products want them.  The experts
 * work (here: each multiplies by its number).  cw_permute brings the rows back to their places.
 *
 * On a machine without a GPU CW_AUTO works on the host; the program is the same.
 */
#include <clearway.h>

#include <stdio.h>
#include <stdlib.h>

#define TOKENS  4000u
#define EXPERTS 256u
#define WIDTH   64u /* floats of a token */
#define TILE    16u /* rows that a matrix product takes at a time */

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

static float token[TOKENS][WIDTH], row[TOKENS][WIDTH];
static uint16_t expert[TOKENS];
static uint64_t offsets[EXPERTS + 1], padded[EXPERTS + 1];

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
    for (uint32_t t = 0; t < TOKENS; t++)
        for (uint32_t k = 0; k < WIDTH; k++)
            if (token[t][k] != (float)(t + k) * (float)expert[t])
                return 1;
    return 0;
}

int main(void)
{
    cw_context *context;
    size_t bytes, more;

    for (uint32_t t = 0; t < TOKENS; t++) {
        expert[t] = (uint16_t)((t * 2654435761u >> 16) % EXPERTS);
        for (uint32_t k = 0; k < WIDTH; k++)
            token[t][k] = (float)(t + k);
    }
    must(cw_context_create(CW_AUTO, &context), "context");
    void *const labels = memory(context, sizeof expert);
    void *const tokens = memory(context, sizeof token), *const rows = memory(context, sizeof row);
    void *const went_to = memory(context, TOKENS * sizeof(uint32_t));
    void *const starts = memory(context, sizeof offsets), *const tiles =
                                                              memory(context, sizeof padded);

    must(cw_memory_write(context, labels, expert, sizeof expert), "copy");
    must(cw_memory_write(context, tokens, token, sizeof token), "copy");

    /* to the experts */
    const cw_payload payload = {.in = tokens, .out = rows, .bytes = sizeof token[0]};
    const cw_partition_job there = {.type = CW_U16,
                                    .rule = CW_BY_LABEL,
                                    .flags = CW_CHECK, /* is every label an expert's number? */
                                    .n = TOKENS,
                                    .buckets = EXPERTS,
                                    .keys_in = labels,
                                    .payloads = &payload,
                                    .payload_count = 1,
                                    .offsets = (uint64_t *)starts,
                                    .padded = (uint64_t *)tiles,
                                    .pad_to = TILE,
                                    .inverse_out = went_to,
                                    .index_bytes = sizeof(uint32_t)};
    /* and back: token t is the row that it went to */
    const cw_permute_job back = {.flags = CW_GATHER,
                                 .n = TOKENS,
                                 .bytes = sizeof token[0],
                                 .in = rows,
                                 .out = tokens,
                                 .index = went_to,
                                 .index_bytes = sizeof(uint32_t)};

    must(cw_partition_workspace(&there, &bytes), "workspace");
    must(cw_permute_workspace(&back, &more), "workspace");
    bytes = more > bytes ? more : bytes;
    void *const workspace = memory(context, bytes);

    must(cw_partition(context, &there, workspace, bytes, NULL), "partition");
    must(cw_memory_read(context, offsets, starts, sizeof offsets), "copy");
    must(cw_memory_read(context, padded, tiles, sizeof padded), "copy");
    must(cw_memory_read(context, row, rows, sizeof row), "copy");
    work();
    must(cw_memory_write(context, rows, row, sizeof row), "copy");
    must(cw_permute(context, &back, workspace, bytes, NULL), "permute");
    must(cw_memory_read(context, token, tokens, sizeof token), "copy");

    if (wrong()) {
        fprintf(stderr, "a token came back wrong\n");
        return 1;
    }
    printf("%u tokens to %u experts and back; expert 1 has rows %llu .. %llu, %llu tiles of %u in "
           "all\n",
           TOKENS, EXPERTS, (unsigned long long)offsets[1], (unsigned long long)offsets[2],
           (unsigned long long)padded[EXPERTS] / TILE, TILE);
    cw_memory_free(context, workspace);
    cw_memory_free(context, tiles);
    cw_memory_free(context, starts);
    cw_memory_free(context, went_to);
    cw_memory_free(context, rows);
    cw_memory_free(context, tokens);
    cw_memory_free(context, labels);
    cw_context_destroy(context);
    return 0;
}
