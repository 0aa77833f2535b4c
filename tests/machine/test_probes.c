/* test_probes.c - the emulator charges for the requests of probes.h what a GPU takes.
 *
 * Two of them are known to differ: a GPU serves them in one wavefront less, by a rule that no
 * other probe shows.  With CW_FIGURES=FILE in the environment the emulator's figures are added to
 * that file, for scripts/probes to compare with the counters of the GPU at hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "probes.h"

static cw_emu_kernel kernel_of(enum probe_word word)
{
    static const cw_emu_kernel kernels[] = {probe_ld4_emulated,       probe_ld8_emulated,
                                            probe_ld16_emulated,      probe_st4_emulated,
                                            probe_st8_emulated,       probe_st16_emulated,
                                            probe_add_value_emulated, probe_add_blind_emulated,
                                            probe_add_one_emulated,   probe_inc_emulated};

    return kernels[word];
}

/* The place of the probe: the one that was reached last. */
static struct cw_emu_place run(struct cw_emu *e, const struct probe *p)
{
    uint32_t out[32];
    const struct cw_emu_buffer buffer = {out, sizeof out, 1};
    struct probe_arg a = {{0}, p->lanes, 5, 1, out};
    const struct cw_emu_launch launch = {kernel_of(p->word), &a, 1, &buffer, 1};
    const struct cw_emu_place *list;
    uint32_t count;

    probe_at(p, a.at);
    if (cw_emu_launch(e, &launch))
        fail_msg("%s: %s", p->name, cw_last_error());
    list = cw_emu_list(e, &count);
    assert_int_equal(count, 2);
    assert_int_equal(list[1].requests, 1);
    return list[1];
}

static void write_figures(const struct probe *p, const struct cw_emu_place *figures)
{
    const char *const name = getenv("CW_FIGURES");
    FILE *const file = name ? fopen(name, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "\"%s\",%llu,%llu\n", p->name, (unsigned long long)figures->wavefronts,
            (unsigned long long)figures->ideal);
    assert_int_equal(fclose(file), 0);
}

static int is_known_to_differ(const struct probe *p)
{
    return !strcmp(p->name, "ld16 a lane of each quarter, one address") ||
           !strcmp(p->name, "ld16 two lanes of each quarter, own banks");
}

static void every_probe_costs_what_it_does_on_a_gpu(void **state)
{
    const struct cw_emu_config config = {32, PROBE_BYTES};
    uint32_t differ = 0;
    struct cw_emu *e;

    (void)state;
    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    for (size_t x = 0; x < PROBES; x++) {
        const struct probe *const p = &probes[x];
        const struct cw_emu_place figures = run(e, p);
        const uint32_t more = is_known_to_differ(p) ? 1 : 0;

        if (figures.wavefronts != p->wavefronts + more || figures.ideal != p->ideal)
            print_message("%s: %llu wavefronts, ideal %llu\n", p->name,
                          (unsigned long long)figures.wavefronts,
                          (unsigned long long)figures.ideal);
        assert_int_equal(figures.wavefronts, p->wavefronts + more);
        assert_int_equal(figures.ideal, p->ideal);
        differ += more;
        write_figures(p, &figures);
    }
    assert_int_equal(differ, 2);
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_probe_costs_what_it_does_on_a_gpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
