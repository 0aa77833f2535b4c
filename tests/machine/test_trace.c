/* test_trace.c - what a trace says is what the machine did. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "trace_support.h"

static void meet_twice(struct cw_model *s, const void *arg)
{
    (void)arg;
    bank_write(s, lane_id(s), 0, 1);
    bank_write(s, 3, 1, 2);
}

/* ---- what a trace says ---------------------------------------------------- */

static void the_head_tells_shape_areas_names_and_first_words(void **state)
{
    const unsigned seed = 1;
    struct cw_model *s = machine(W, M, 1, seed);
    const struct cw_trace_head *h;
    struct cw_trace_reader *r;
    const char *name;
    uint32_t first, columns;

    (void)state;
    assert_int_equal(record(s, wander, &seed), CW_OK);
    assert_int_equal(cw_trace_read_open(file, &r), CW_OK);
    h = cw_trace_read_head(r);
    assert_int_equal(h->config.w, W);
    assert_int_equal(h->config.m, M);
    assert_int_equal(h->config.count, 1);
    assert_int_equal(h->config.latency, 3);
    assert_int_equal(h->config.threads, 2 * W);
    assert_int_equal(h->cols, 2 * M);
    assert_int_equal(h->seed, 77);
    assert_string_equal(h->algorithm, "wander");
    assert_string_equal(h->input, "made up");
    assert_true(cw_trace_read_area(r, 0, &name, &first, &columns));
    assert_string_equal(name, "other");
    assert_int_equal(first, M);
    assert_int_equal(columns, M);
    assert_false(cw_trace_read_area(r, 1, &name, &first, &columns));
    for (uint32_t row = 0; row < W; row++) {
        assert_int_equal(cw_trace_read_word(r, row, 2), mix(seed + row * M + 2));
        assert_int_equal(cw_trace_read_word(r, row, M), CW_MODEL_JUNK);
    }
    cw_trace_read_close(r);
    cw_model_destroy(s);
}

struct recount {
    uint64_t reads, conflicts, steps;
    uint32_t load[W], degree, phases;
};

static void recount_event(struct recount *k, const struct cw_trace_event *e)
{
    if (e->type == CW_TRACE_ACCESS) {
        k->reads += e->kind == CW_READ;
        k->conflicts += k->load[e->row]++ > 0;
        if (k->load[e->row] > k->degree)
            k->degree = k->load[e->row];
        assert_non_null(strstr(e->site, "trace_support.h:"));
    } else if (e->type == CW_TRACE_DEGREE) {
        assert_int_equal(e->degree, k->degree ? k->degree : 1);
        k->steps += e->degree;
        assert_int_equal(e->steps, k->steps);
        memset(k->load, 0, sizeof k->load);
        k->degree = 0;
    } else {
        assert_int_equal(e->type, CW_TRACE_PHASE);
        assert_int_equal(e->phase.group.rows, W);
        assert_int_equal(e->phase.column, M);
        assert_string_equal(e->phase.name, "odd");
        k->phases++;
    }
}

static void replaying_a_trace_gives_the_counters_and_the_memory_of_the_run(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 40; seed += 2) {
        struct cw_model *s = machine(W, M, 1, seed);
        struct recount k = {0};
        struct cw_counters counted;
        struct cw_trace_reader *r;
        struct cw_trace_event e;

        print_message("seed %u\n", seed);
        assert_int_equal(record(s, wander, &seed), CW_OK);
        cw_model_counters(s, &counted);
        assert_int_equal(cw_trace_read_open(file, &r), CW_OK);
        while (cw_trace_read_next(r, &e) == CW_OK && e.type != CW_TRACE_END)
            recount_event(&k, &e);
        assert_int_equal(cw_trace_read_next(r, &e), CW_OK);
        assert_int_equal(e.type, CW_TRACE_END);
        assert_int_equal(e.steps, counted.steps);
        assert_int_equal(e.accesses, counted.accesses);
        assert_int_equal(k.reads, counted.reads);
        assert_int_equal(k.conflicts, counted.conflicts);
        assert_int_equal(k.phases, 1);
        for (uint32_t row = 0; row < W; row++)
            for (uint32_t col = 0; col < 2 * M; col++)
                assert_int_equal(cw_trace_read_word(r, row, col), *cw_model_at(s, row, col));
        cw_trace_read_close(r);
        cw_model_destroy(s);
    }
}

static void events_tell_lane_place_value_and_source_line(void **state)
{
    const struct cw_model_config config = {4, 2, 0, 0, 0};
    const int line = __LINE__;
    struct cw_trace_reader *r;
    struct cw_trace_event e;
    struct cw_model *s;
    char site[512];

    (void)state;
    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    assert_int_equal(record(s, meet_twice, NULL), CW_ERR_CONFLICT);
    assert_int_equal(cw_trace_read_open(file, &r), CW_OK);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(cw_trace_read_next(r, &e), CW_OK);
        assert_int_equal(e.type, CW_TRACE_ACCESS);
        assert_int_equal(e.kind, CW_WRITE);
        assert_int_equal(e.lane, i);
        assert_int_equal(e.row, i);
        assert_int_equal(e.col, 0);
        assert_int_equal(e.value, 1);
        snprintf(site, sizeof site, "%s:", __FILE__);
        assert_memory_equal(e.site, site, strlen(site));
        assert_true(atoi(e.site + strlen(site)) < line);
    }
    assert_int_equal(cw_trace_read_next(r, &e), CW_OK);
    assert_int_equal(e.type, CW_TRACE_DEGREE);
    assert_int_equal(e.degree, 1);
    assert_int_equal(cw_trace_read_next(r, &e), CW_OK);
    assert_int_equal(e.lane, 0);
    assert_int_equal(e.row, 3);
    assert_int_equal(e.col, 1);
    assert_int_equal(e.value, 2);
    assert_int_equal(cw_trace_read_next(r, &e), CW_OK);
    assert_int_equal(e.type, CW_TRACE_FAULT);
    assert_non_null(strstr(e.message, "bank conflict in step 2: bank 3"));
    assert_int_equal(cw_trace_read_next(r, &e), CW_OK);
    assert_int_equal(e.type, CW_TRACE_END);
    cw_trace_read_close(r);
    cw_model_destroy(s);
}

/* docs/trace.md shows these bytes. */
static void the_example_of_the_page_is_what_is_written(void **state)
{
    static const char expected[] = "\x43\x57\x54\x52\x41\x43\x45\x01"
                                   "\x02\x01\x00\x01\x02\x2a"
                                   "\x04\x73\x77\x61\x70\x00"
                                   "\x00"
                                   "\x8d\xe0\xf7\x86\xee\xff\x83\xee\xba\x01"
                                   "\x07\x09"
                                   "\x38\x00\x05\x73\x2e\x63\x3a\x31"
                                   "\x78"
                                   "\x06"
                                   "\x29\x00\x01\x05\x73\x2e\x63\x3a\x32"
                                   "\x69\x01"
                                   "\x06"
                                   "\x16\x00\x01\x02\x00\x01\x02\x07\x73\x77\x61\x70\x70\x65\x64"
                                   "\x26\x02\x04"
                                   "\x43\x18\x52\xdb";
    static const char here[] = "s.c:1", there[] = "s.c:2";
    const struct cw_model_config config = {2, 1, 0, 0, 0};
    const struct cw_trace_info info = {"swap", "", 42};
    const struct cw_phase phase = {"swapped", {0, 1, 2}, 0, 1};
    struct cw_model *s;
    struct cw_trace *t;
    unsigned char *bytes;
    size_t size;

    (void)state;
    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    *cw_model_at(s, 0, 0) = 7;
    *cw_model_at(s, 1, 0) = 9;
    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_OK);
    cw_trace_access(t, 0, 0, 0, 7, CW_READ, here);
    cw_trace_access(t, 1, 1, 0, 9, CW_READ, here);
    cw_trace_step(t, 1);
    cw_trace_access(t, 0, 1, 0, 7, CW_WRITE, there);
    cw_trace_access(t, 1, 0, 0, 9, CW_WRITE, there);
    cw_trace_step(t, 1);
    cw_trace_phase(t, &phase);
    assert_int_equal(cw_trace_close(t), CW_OK);
    bytes = load(&size);
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
    cw_model_destroy(s);
}

/* Every lane at a line of its own would be the worst case; this is the usual one. */
static void an_access_of_a_permutation_takes_at_most_five_bytes(void **state)
{
    const int m = 32;
    struct cw_model *s = machine(64, (uint32_t)m, 0, 1);
    struct cw_counters counted;
    struct cw_trace_reader *r;
    struct cw_trace_event e;
    struct stat at;

    (void)state;
    assert_int_equal(record(s, turn, &m), CW_OK);
    cw_model_counters(s, &counted);
    assert_int_equal(stat(file, &at), 0);
    print_message("%.2f bytes an access\n", (double)at.st_size / (double)counted.accesses);
    assert_true((uint64_t)at.st_size <= 5 * counted.accesses);
    assert_true(at.st_size > 65536); /* more than is written or read at once */
    assert_int_equal(cw_trace_read_open(file, &r), CW_OK);
    while (cw_trace_read_next(r, &e) == CW_OK && e.type != CW_TRACE_END)
        ;
    assert_int_equal(e.steps, counted.steps);
    assert_int_equal(e.accesses, counted.accesses);
    cw_trace_read_close(r);
    cw_model_destroy(s);
}

static void a_trace_takes_one_run(void **state)
{
    const unsigned seed = 3;
    struct cw_model *s = machine(W, M, 1, seed);
    struct cw_counters counted;
    struct cw_trace_reader *r;
    struct cw_trace_event e;
    struct cw_trace *t;
    const struct cw_trace_info info = {NULL, NULL, 0};

    (void)state;
    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_OK);
    cw_model_trace(s, t);
    assert_int_equal(cw_model_run(s, wander, &seed), CW_OK);
    assert_int_equal(cw_model_run(s, wander, &seed), CW_OK);
    assert_int_equal(cw_trace_close(t), CW_OK);
    cw_model_counters(s, &counted);
    assert_int_equal(cw_trace_read_open(file, &r), CW_OK);
    while (cw_trace_read_next(r, &e) == CW_OK && e.type != CW_TRACE_END)
        ;
    assert_int_equal(e.accesses, counted.accesses);
    cw_trace_read_close(r);
    cw_model_destroy(s);
}

/* More texts than any table begins with, each at an address of its own. */
static void a_thousand_source_places_keep_their_names(void **state)
{
    enum { PLACES = 1000 };
    static char text[PLACES][16];
    const struct cw_trace_info info = {"", "", 0};
    struct cw_model *s = machine(W, M, 1, 0);
    struct cw_trace_reader *r;
    struct cw_trace_event e;
    struct cw_trace *t;

    (void)state;
    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_OK);
    for (int x = 0; x < 3 * PLACES; x++) {
        snprintf(text[x % PLACES], sizeof text[0], "f.c:%d", x % PLACES / 2); /* each name twice */
        cw_trace_access(t, 0, 0, 0, 0, CW_READ, text[x % PLACES]);
    }
    assert_int_equal(cw_trace_close(t), CW_OK);
    assert_int_equal(cw_trace_read_open(file, &r), CW_OK);
    for (int x = 0; x < 3 * PLACES; x++) {
        assert_int_equal(cw_trace_read_next(r, &e), CW_OK);
        assert_string_equal(e.site, text[x % PLACES]);
    }
    cw_trace_read_close(r);
    cw_model_destroy(s);
}

/* ---- failures of the recorder --------------------------------------------- */

static void a_trace_that_cannot_be_written_says_so_at_once(void **state)
{
    const struct cw_trace_info info = {"a", "b", 0};
    struct cw_model *s = machine(W, M, 1, 0);
    struct cw_trace *t;

    (void)state;
    assert_int_equal(cw_trace_open("no/such/folder/x", &info, s, &t), CW_ERR_IO);
    assert_null(t);
    assert_non_null(strstr(cw_last_error(), "there is no folder no/such/folder"));
    assert_int_equal(cw_trace_open("/dev", &info, s, &t), CW_ERR_IO);
    assert_string_equal(cw_last_error(), "cannot write /dev: it is a directory");
    cw_trace_drop(NULL);
    cw_model_destroy(s);
}

static void a_dropped_or_failed_trace_leaves_the_file_that_was_there(void **state)
{
    const struct cw_trace_info info = {"a", "b", 0};
    const unsigned seed = 3;
    struct cw_model *s = machine(W, M, 1, 0);
    struct rlimit limit, small;
    struct cw_trace *t;
    struct stat before, after;

    (void)state;
    assert_int_equal(record(s, wander, &seed), CW_OK);
    assert_int_equal(stat(file, &before), 0);
    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_OK);
    cw_trace_drop(t);

    /* a disk that is full: no file may grow past 4096 bytes */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 4096;
    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_OK);
    for (uint32_t x = 0; x < 100000; x++)
        cw_trace_access(t, x % W, 0, x % M, x, CW_WRITE, "f.c:1");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (uint32_t x = 0; x < 100000; x++)
        cw_trace_access(t, x % W, 0, x % M, x, CW_WRITE, "f.c:1");
    assert_int_equal(cw_trace_close(t), CW_ERR_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_non_null(strstr(cw_last_error(), "cannot write "));
    assert_non_null(strstr(cw_last_error(), "File too large"));

    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    assert_int_equal(after.st_size, before.st_size);
    cw_model_destroy(s);
}

static void memory_too_large_to_replay_is_not_recorded(void **state)
{
    const struct cw_model_config config = {2, 1, 0, 0, 0};
    const struct cw_trace_info info = {"a", "b", 0};
    struct cw_model *s;
    struct cw_trace *t;
    uint32_t first;

    (void)state;
    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    assert_int_equal(cw_model_aux(s, "large", 1u << 26, &first), CW_OK);
    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "too many to trace"));
    cw_model_destroy(s);
    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    for (uint32_t x = 0; x <= CW_TRACE_AREAS; x++)
        assert_int_equal(cw_model_aux(s, "small", 1, &first), CW_OK);
    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "1024 auxiliary areas"));
    cw_model_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_tells_shape_areas_names_and_first_words),
        cmocka_unit_test(replaying_a_trace_gives_the_counters_and_the_memory_of_the_run),
        cmocka_unit_test(events_tell_lane_place_value_and_source_line),
        cmocka_unit_test(the_example_of_the_page_is_what_is_written),
        cmocka_unit_test(an_access_of_a_permutation_takes_at_most_five_bytes),
        cmocka_unit_test(a_trace_takes_one_run),
        cmocka_unit_test(a_thousand_source_places_keep_their_names),
        cmocka_unit_test(a_trace_that_cannot_be_written_says_so_at_once),
        cmocka_unit_test(a_dropped_or_failed_trace_leaves_the_file_that_was_there),
        cmocka_unit_test(memory_too_large_to_replay_is_not_recorded),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
