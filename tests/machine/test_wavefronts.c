/* test_wavefronts.c - a request costs what the busiest bank serves, part by part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "dev/dev_emu.h"

static struct cw_emu *make(uint32_t threads, uint32_t shared)
{
    const struct cw_emu_config config = {threads, shared};
    struct cw_emu *e;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    return e;
}

/* ---- the price of a request ----------------------------------------------- */

struct access {
    int bytes, stride; /* stride in bytes; 0: all lanes at one place */
    int kind;
};

static void one_access(struct cw_emu *s, const void *arg)
{
    const struct access *a = (const struct access *)arg;
    const uint32_t at = LANE_ID * (uint32_t)a->stride;
    const vec16 q = {1, 2, 3, 4};

    (void)s;
    if (a->kind == CW_EMU_ADD)
        (void)sh_add4(at, 1);
    else if (a->kind == CW_EMU_COUNT)
        sh_inc4(at);
    else if (a->kind == CW_EMU_WRITE && a->bytes == 4)
        sh_st4(at, 1);
    else if (a->kind == CW_EMU_WRITE && a->bytes == 8)
        sh_st8(at, 1);
    else if (a->kind == CW_EMU_WRITE)
        sh_st16(at, q);
    else if (a->bytes == 4)
        (void)sh_ld4(at);
    else if (a->bytes == 8)
        (void)sh_ld8(at);
    else
        (void)sh_ld16(at);
}

static void expect(struct access a, uint64_t wavefronts, uint64_t ideal)
{
    struct cw_emu *e = make(32, 32 * 1024);
    const struct cw_emu_place *p;
    uint32_t count;

    assert_int_equal(cw_emu_run(e, one_access, &a), CW_OK);
    p = cw_emu_list(e, &count);
    assert_int_equal(count, 1);
    assert_int_equal(p->kind, a.kind);
    assert_int_equal(p->bytes, a.bytes);
    assert_int_equal(p->requests, 1);
    assert_int_equal(p->wavefronts, wavefronts);
    assert_int_equal(p->worst, wavefronts);
    assert_int_equal(p->ideal, ideal);
    cw_emu_destroy(e);
}

static void words_a_stride_apart_cost_what_the_busiest_bank_serves(void **state)
{
    (void)state;
    for (int kind = CW_EMU_READ; kind <= CW_EMU_COUNT; kind++) {
        expect((struct access){4, 4 * 1, kind}, 1, 1);
        expect((struct access){4, 4 * 2, kind}, 2, 1);
        expect((struct access){4, 4 * 3, kind}, 1, 1);
        expect((struct access){4, 4 * 8, kind}, 8, 1);
        expect((struct access){4, 4 * 32, kind}, 32, 1);
        expect((struct access){4, 4 * 33, kind}, 1, 1);
    }
}

static void a_word_that_all_ask_for_is_shared_but_not_by_atomics(void **state)
{
    (void)state;
    expect((struct access){4, 0, CW_EMU_READ}, 1, 1);
    expect((struct access){4, 0, CW_EMU_ADD}, 32, 1);
    expect((struct access){4, 0, CW_EMU_COUNT}, 1, 1);
    expect((struct access){8, 0, CW_EMU_READ}, 1, 1);
    expect((struct access){16, 0, CW_EMU_READ}, 2, 2);
}

static void wide_accesses_go_by_half_and_quarter_warps(void **state)
{
    (void)state;
    for (int kind = CW_EMU_READ; kind <= CW_EMU_WRITE; kind += CW_EMU_WRITE) {
        expect((struct access){8, 8, kind}, 2, 2);
        expect((struct access){8, 16, kind}, 4, 2);
        expect((struct access){8, 24, kind}, 2, 2);
        expect((struct access){8, 128, kind}, 32, 2);
        expect((struct access){16, 16, kind}, 4, 4);
        expect((struct access){16, 32, kind}, 8, 4);
        expect((struct access){16, 48, kind}, 4, 4);
        expect((struct access){16, 128, kind}, 32, 4);
    }
}

static unsigned draw(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Lanes that are served at a time.  Neighbours that ask for one address, or of which one asks, are
 * as one: then there are half as many to serve. */
static uint32_t part_of(const struct cw_request *r)
{
    const uint32_t part = 128 / r->bytes;
    int apart = 0;

    for (int i = 0; i < 16; i++)
        apart += r->lanes >> 2 * i & 1 && r->lanes >> (2 * i + 1) & 1 &&
                 r->at[2 * i] != r->at[2 * i + 1];
    return part < 32 && !r->write && !apart ? 2 * part : part;
}

/* Serve as a memory would: in each wavefront every bank gives one word, to all that want
 * it, or to the first if it is an atomic. */
static uint32_t serve_plainly(const struct cw_request *r)
{
    const uint32_t part = part_of(r);
    uint32_t wavefronts = 0;

    for (uint32_t first = 0; first < 32; first += part) {
        uint32_t want[64], n = 0;

        for (uint32_t i = first; i < first + part; i++)
            for (uint32_t x = 0; x < r->bytes / 4 && r->lanes >> i & 1; x++)
                want[n++] = r->at[i] / 4 + x;
        while (n) {
            uint32_t given[32], gave = 0, left = 0;

            for (uint32_t x = 0; x < n; x++) {
                int taken = 0, shared = 0;

                for (uint32_t y = 0; y < gave; y++) {
                    taken |= given[y] % 32 == want[x] % 32;
                    shared |= given[y] == want[x] && !r->atomic;
                }
                if (!taken)
                    given[gave++] = want[x];
                else if (!shared)
                    want[left++] = want[x];
            }
            n = left;
            wavefronts++;
        }
    }
    return wavefronts;
}

/* Wavefronts that the bytes of all lanes fill. */
static uint32_t filled(const struct cw_request *r)
{
    uint32_t bytes = 0;

    for (int i = 0; i < 32; i++)
        bytes += r->lanes >> i & 1 ? r->bytes : 0;
    return bytes / 128 + (bytes % 128 != 0);
}

static void any_request_costs_what_a_plain_memory_takes(void **state)
{
    unsigned less = 0, merged = 0; /* requests that take less than they fill; with larger parts */

    (void)state;
    for (unsigned seed = 0; seed < 20000; seed++) {
        unsigned x = seed;
        const unsigned range = 1u << draw(&x, 10), share = draw(&x, 4) ? 0 : 1;
        struct cw_request r = {.bytes = 4u << draw(&x, 3)};
        uint32_t wavefronts, ideal;

        r.atomic = r.bytes == 4 && draw(&x, 2);
        r.write = !r.atomic && draw(&x, 2);
        r.lanes = draw(&x, 3) ? UINT32_MAX : draw(&x, 1u << 24) << 8 | draw(&x, 256) | 1;
        if (!draw(&x, 4))
            r.lanes &= 0x99999999u; /* of two neighbours one */
        for (int i = 0; i < 32; i++)
            r.at[i] = share && i % 2 ? r.at[i - 1] : r.bytes * draw(&x, range);
        wavefronts = cw_wavefronts(&r, &ideal);
        if (wavefronts != serve_plainly(&r))
            print_message("seed %u\n", seed);
        assert_int_equal(wavefronts, serve_plainly(&r));
        assert_int_equal(ideal, wavefronts < filled(&r) ? wavefronts : filled(&r));
        less += wavefronts < filled(&r);
        merged += part_of(&r) * r.bytes > 128;
    }
    assert_true(less > 100 && merged > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_a_stride_apart_cost_what_the_busiest_bank_serves),
        cmocka_unit_test(a_word_that_all_ask_for_is_shared_but_not_by_atomics),
        cmocka_unit_test(wide_accesses_go_by_half_and_quarter_warps),
        cmocka_unit_test(any_request_costs_what_a_plain_memory_takes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
