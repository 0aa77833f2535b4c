#include "machine/emu/emu_know.h"

#include <stdlib.h>

#include "machine/wavefronts.h"

void cw_emu_know_set(struct cw_emu_know **what, struct cw_emu_know *to)
{
    struct cw_emu_know *const old = *what;

    if (to)
        to->owners++;
    if (old && --old->owners == 0)
        free(old);
    *what = to;
}

/* One more at the end, unless all of its block is known that far. */
static void append(struct cw_emu_know *to, struct cw_emu_known x, struct cw_emu_known *block)
{
    if (x.key >> 11 != block->key >> 11)
        *block = (struct cw_emu_known){x.key, x.key & 2047u ? 0 : x.below};
    else if (x.below <= block->below)
        return;
    to->all[to->count++] = x;
}

int cw_emu_know_add(struct cw_emu_know **into, const struct cw_emu_known *all, uint32_t count)
{
    const struct cw_emu_know *const old = *into;
    const uint32_t most = old ? old->count : 0;
    struct cw_emu_know *const sum =
        (struct cw_emu_know *)malloc(sizeof *sum + (most + count) * sizeof *sum->all);
    struct cw_emu_known block = {UINT64_MAX, 0};
    uint32_t x = 0, y = 0;

    if (!sum)
        return 0;
    sum->owners = sum->count = 0;
    while (x < most || y < count) {
        if (y == count || (x < most && old->all[x].key < all[y].key)) {
            append(sum, old->all[x++], &block);
        } else if (x == most || all[y].key < old->all[x].key) {
            append(sum, all[y++], &block);
        } else {
            append(sum, old->all[x].below > all[y].below ? old->all[x] : all[y], &block);
            x++;
            y++;
        }
    }
    cw_emu_know_set(into, sum);
    return 1;
}

int cw_emu_know_join(struct cw_emu_know **into, struct cw_emu_know *other)
{
    if (!other || other == *into)
        return 1;
    if (!*into) {
        cw_emu_know_set(into, other);
        return 1;
    }
    return cw_emu_know_add(into, other->all, other->count);
}

static uint32_t below(const struct cw_emu_know *know, uint64_t key)
{
    uint32_t first = 0, end = know->count;

    while (first < end) {
        const uint32_t middle = (first + end) / 2;

        if (know->all[middle].key < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first < know->count && know->all[first].key == key ? know->all[first].below : 0;
}

int cw_emu_knows(const struct cw_emu_know *know, uint32_t block, uint32_t thread, uint32_t clock)
{
    return know && (clock < below(know, cw_emu_key(block, CW_EMU_OF_BLOCK)) ||
                    clock < below(know, cw_emu_key(block, CW_EMU_OF_WARP + thread / CW_WARP)) ||
                    clock < below(know, cw_emu_key(block, CW_EMU_OF_THREAD + thread)));
}
