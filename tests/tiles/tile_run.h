/* tile_run.h - what the tests of tiles share: one launch on the emulator, at its ideal price.
 *
 * Batches are ragged, and run with a block less than they need, so that blocks take turns.
 */
#ifndef CW_TEST_TILE_RUN_H
#define CW_TEST_TILE_RUN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "dev/kernel.h"
#include "backend/kernel_list.h"
#include "tiles/tiles.h"

#define DECLARE(name, type, free, oblivious) \
    void name##_emulated(struct cw_emu *e, const void *arg);
CW_TILES_KERNELS(DECLARE)

#define TILES 3u

struct run {
    struct cw_tiles_shape shape;
    struct cw_emu_buffer buffers[4];
    struct cw_emu_place total;
    uint64_t trace;
};

/* The machine of the last launch, kept as long as the shape fits. */
static struct cw_emu *machine;
static struct cw_emu_config machine_is;

static int end_machine(void **state)
{
    (void)state;
    cw_emu_destroy(machine);
    machine = NULL;
    return 0;
}

static struct cw_emu *machine_of(struct cw_tiles_shape s)
{
    const struct cw_emu_config config = {s.threads, s.shared};

    if (!machine || memcmp(&config, &machine_is, sizeof config) != 0) {
        cw_emu_destroy(machine);
        assert_int_equal(cw_emu_create(&config, &machine), CW_OK);
        machine_is = config;
    }
    return machine;
}

/* Run it: no error, and every request of shared memory at its ideal price (excess = 0), or not. */
static void launch_any(struct run *r, cw_emu_kernel kernel, const void *arg, uint64_t count)
{
    const uint64_t blocks = cw_tiles_blocks(r->shape, count);
    struct cw_emu *const e = machine_of(r->shape);
    const struct cw_emu_launch l = {kernel, arg, (uint32_t)(blocks > 1 ? blocks - 1 : 1),
                                    r->buffers, COUNT(r->buffers)};
    const cw_status status = cw_emu_launch(e, &l);

    if (status)
        print_message("%s\n", cw_last_error());
    assert_int_equal(status, CW_OK);
    cw_emu_total(e, &r->total);
    r->trace = cw_emu_trace(e);
}

static void launch(struct run *r, cw_emu_kernel kernel, const void *arg, uint64_t count)
{
    launch_any(r, kernel, arg, count);
    if (r->total.wavefronts != r->total.ideal)
        (void)cw_emu_report(machine, stderr);
    assert_int_equal(r->total.wavefronts, r->total.ideal);
}

static void buffer(struct run *r, uint32_t x, const void *data, size_t bytes, int writable)
{
    const struct cw_emu_buffer b = {data, bytes, writable};

    r->buffers[x] = b;
}

static void *need(size_t bytes)
{
    void *const p = aligned_alloc(16, (bytes + 31) / 16 * 16);

    assert_non_null(p);
    return p;
}

static void random_words(uint32_t *x, size_t n, uint64_t seed)
{
    struct cw_random r = cw_random_from(seed);

    for (size_t i = 0; i < n; i++)
        x[i] = (uint32_t)cw_random_next(&r);
}

#endif
