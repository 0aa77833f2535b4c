/* sizes.h - the fields of radix/table.h that sizes of workspaces follow from: no kernels.
 *
 * A source includes tuning/sort_radix.h before.
 */
#include "dev/shapes.h"
#include "sort/radix/table.h"

STATIC_ASSERT(RADIX_SPLIT_BINS <= RADIX_MOST_SPLIT, "plan.c makes lists for fewer rows");

static void radix_sizes(struct radix_table *t)
{
    t->key_bytes = 1u << KEY_LOG;
    t->value_bytes = PAYLOAD_BYTES;
    t->threads = RADIX_THREADS;
    t->tile_threads = TILE_THREADS;
    t->tile_blocks = TILE_BLOCKS;
    t->ticket_threads = PAYLOAD_BYTES ? SCATTER_THREADS : 0u;
    t->ticket_blocks = SCATTER_BLOCKS;
    t->ticket_items = RADIX_TICKET_ITEMS;
    t->tickets = RADIX_TICKETS_MOST;
    t->bins = RADIX_SPLIT_BINS;
    t->few_bins = RADIX_FEW_BINS;
    t->one_bins = RADIX_ONE_BINS;
    t->most_bins = RADIX_BINS;
    t->tree_room = PAYLOAD_BYTES ? 0u : RADIX_TREE_ROOM;
    t->sample_least = RADIX_SAMPLE_LEAST;
    t->apart_least = RADIX_APART_LEAST;
    t->narrow_least = RADIX_NARROW_LEAST;
    t->counters = PAYLOAD_BYTES ? 0u : RADIX_COUNTERS;
    t->processors = RADIX_PROCESSORS;
    t->move_blocks = RADIX_BLOCKS;
    t->alone = RADIX_ALONE;
    t->alone_most = RADIX_ALONE_MOST;
    t->least = RADIX_LEAST;
    t->gated = RADIX_GATED;
    t->trees = RADIX_TREES;
    t->runs = RADIX_RUNS;
    t->open = RADIX_OPEN;
    t->chunk_least = RADIX_CHUNK;
    t->huge_least = RADIX_LONG;
    t->count_items = RADIX_COUNT_SIZE;
    t->few_items = RADIX_FEW_SIZE;
    t->wide_every = RADIX_WIDE_EVERY;
    t->passes = RADIX_PASSES_SET;
    t->drain_least = RADIX_DRAIN_LEAST;
    t->spare = RADIX_SPARE;
}
