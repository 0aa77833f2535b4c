/* grid_sizes.h - the part of grid_table.h that sizes of workspaces follow from: no kernels.
 *
 * A source includes grid_shapes.h before.
 */
#include "kernels/grid_table.h"

static void grid_sizes(struct grid_table *t)
{
    t->key_bytes = 1u << KEY_LOG;
    t->value_bytes = GRID_VALUES;
    t->threads = GRID_THREADS;
    t->tile_threads = TILE_THREADS;
    t->tile_blocks = TILE_BLOCKS;
    t->turn_threads = GRID_VALUES ? SPLIT_THREADS : 0u;
    t->turn_blocks = SPLIT_BLOCKS;
    t->turn_items = GRID_TURN_ITEMS;
    t->turns = GRID_TURNS_MOST;
    t->bins = GRID_SPLIT_BINS;
    t->part_bins = GRID_PART_BINS;
    t->one_bins = GRID_ONE_BINS;
    t->most_bins = GRID_BINS;
    t->tree_room = GRID_TREE_ROOM;
    t->tree_least = GRID_TREE_LEAST;
    t->apart_least = GRID_APART_LEAST;
    t->narrow_least = GRID_NARROW_LEAST;
    t->counters = GRID_VALUES ? 0u : GRID_COUNTERS;
    t->processors = GRID_PROCESSORS;
    t->move_blocks = GRID_BLOCKS;
    t->alone = GRID_ALONE;
    t->chunk_least = GRID_CHUNK;
    t->huge_least = GRID_LONG;
    t->levels = GRID_LEVELS_SET;
    t->drain_least = GRID_DRAIN_LEAST;
    t->spare = GRID_SPARE;
}
