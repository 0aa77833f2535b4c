/* test_trace.c - what a trace says is what the machine did, and nothing else is read. */
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
#include <unistd.h>

#include <cmocka.h>

#include "dev/dev.h"
#include "machine/trace.h"

#define W 7
#define M 5

static char folder[] = "trace-test-XXXXXX";
static char file[64];

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/run.cwt", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)remove(file);
    return rmdir(folder); /* fails, and with it the test, if anything else was left there */
}

/* ---- programs ------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* Reads and writes all over memory, collisions and skips included; lanes end at
 * different times. */
static void wander(struct cw_model *s, const void *arg)
{
    const unsigned seed = *(const unsigned *)arg;
    const int i = lane_id(s);
    word seen[3] = {0, 0, 0};

    for (int k = 0; k < 40 + 3 * i; k++) {
        const uint64_t r = mix(seed * 1000003u + (unsigned)(i * 1009 + k));
        const int row = (int)(r % W);
        const int col = (int)(r >> 8 & 1023) % (2 * M);

        if (r >> 60 < 7)
            seen[k % 3] = bank_read(s, row, col);
        else if (r >> 60 < 11)
            bank_write(s, row, col, seen[k % 2]);
        else if (r >> 60 < 14)
            bank_write(s, row, col, r);
        else
            lane_skip(s);
        if (k == 20)
            phase_mark(s, 0, 1, W, M, M, seed & 1 ? "odd" : "even");
    }
}

/* Own rows to rows further and further away: nobody collides if w is 64. */
static void turn(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);
    const int m = *(const int *)arg;

    for (int k = 0; k < 8 * m; k++) {
        const word x = bank_read(s, i, k % m);

        bank_write(s, (i + 5 * k) % 64, m + k % m, x);
    }
}

static void meet_twice(struct cw_model *s, const void *arg)
{
    (void)arg;
    bank_write(s, lane_id(s), 0, 1);
    bank_write(s, 3, 1, 2);
}

static struct cw_model *machine(uint32_t w, uint32_t m, int count, unsigned seed)
{
    const struct cw_model_config config = {w, m, count, 3, 2 * w};
    struct cw_model *s;
    uint32_t first;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    assert_int_equal(cw_model_aux(s, "other", m, &first), CW_OK);
    for (uint32_t r = 0; r < w; r++)
        for (uint32_t c = 0; c < m; c++)
            *cw_model_at(s, r, c) = seed % 3 ? mix(seed + r * m + c) : r * m + c;
    return s;
}

static cw_status record(struct cw_model *s, void (*body)(struct cw_model *, const void *),
                        const void *arg)
{
    const struct cw_trace_info info = {"wander", "made up", 77};
    struct cw_trace *t;
    cw_status status;

    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_OK);
    cw_model_trace(s, t);
    status = cw_model_run(s, body, arg);
    assert_int_equal(cw_trace_close(t), CW_OK);
    return status;
}

static unsigned char *load(size_t *size)
{
    FILE *f = fopen(file, "rb");
    unsigned char *bytes;

    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    bytes = (unsigned char *)malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void seal(unsigned char *bytes, size_t size)
{
    uint32_t sum = cw_trace_checksum(CW_TRACE_CHECKSUM_SEED, bytes, size - 4);

    for (int x = 0; x < 4; x++, sum >>= 8)
        bytes[size - 4 + x] = (unsigned char)sum;
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
        assert_non_null(strstr(e->site, "test_trace.c:"));
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
    static const unsigned char expected[] = {
        0x43, 0x57, 0x54, 0x52, 0x41, 0x43, 0x45, 0x01, 0x02, 0x01, 0x00, 0x01, 0x02,
        0x2a, 0x04, 0x73, 0x77, 0x61, 0x70, 0x00, 0x00, 0x8d, 0xe0, 0xf7, 0x86, 0xee,
        0xff, 0x83, 0xee, 0xba, 0x01, 0x07, 0x09, 0x38, 0x00, 0x05, 0x73, 0x2e, 0x63,
        0x3a, 0x31, 0x78, 0x06, 0x29, 0x00, 0x01, 0x05, 0x73, 0x2e, 0x63, 0x3a, 0x32,
        0x69, 0x01, 0x06, 0x16, 0x00, 0x01, 0x02, 0x00, 0x01, 0x02, 0x07, 0x73, 0x77,
        0x61, 0x70, 0x70, 0x65, 0x64, 0x26, 0x02, 0x04, 0x43, 0x18, 0x52, 0xdb};
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
    assert_int_equal(size, sizeof expected);
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
    struct stat at;

    (void)state;
    assert_int_equal(record(s, turn, &m), CW_OK);
    cw_model_counters(s, &counted);
    assert_int_equal(stat(file, &at), 0);
    print_message("%.2f bytes an access\n", (double)at.st_size / (double)counted.accesses);
    assert_true((uint64_t)at.st_size <= 5 * counted.accesses);
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

/* ---- damage --------------------------------------------------------------- */

static void read_all(const unsigned char *bytes, size_t size, cw_status *status)
{
    struct cw_trace_reader *r;
    struct cw_trace_event e;

    *status = cw_trace_read_bytes(bytes, size, &r);
    if (*status) {
        assert_null(r);
        return;
    }
    do {
        *status = cw_trace_read_next(r, &e);
    } while (!*status && e.type != CW_TRACE_END);
    if (*status)
        assert_int_equal(cw_trace_read_next(r, &e), *status); /* it stays refused */
    cw_trace_read_close(r);
}

static void a_trace_cut_off_anywhere_is_refused(void **state)
{
    struct cw_model *s = machine(3, 2, 1, 0);
    unsigned char *bytes;
    cw_status status;
    size_t size;
    const int m = 2;

    (void)state;
    assert_int_equal(record(s, turn, &m), CW_ERR_BOUNDS);
    bytes = load(&size);
    read_all(bytes, size, &status);
    assert_int_equal(status, CW_OK);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = (unsigned char *)malloc(cut + 1);

        assert_non_null(part);
        memcpy(part, bytes, cut);
        read_all(part, cut, &status);
        assert_int_equal(status, CW_ERR_FORMAT);
        if (cut >= 12) { /* and when the checksum agrees */
            seal(part, cut);
            read_all(part, cut, &status);
            assert_int_equal(status, CW_ERR_FORMAT);
        }
        free(part);
    }
    free(bytes);
    cw_model_destroy(s);
}

static void a_changed_byte_is_noticed(void **state)
{
    const unsigned seed = 5;
    struct cw_model *s = machine(W, M, 1, seed);
    unsigned char *bytes;
    cw_status status;
    size_t size;

    (void)state;
    assert_int_equal(record(s, wander, &seed), CW_OK);
    bytes = load(&size);
    for (size_t x = 0; x < size; x++) {
        bytes[x] ^= (unsigned char)(1 << x % 8);
        read_all(bytes, size, &status);
        assert_int_equal(status, CW_ERR_FORMAT);
        bytes[x] ^= (unsigned char)(1 << x % 8);
    }
    free(bytes);
    cw_model_destroy(s);
}

/* With the checksum made to agree the reader meets every kind of nonsense; what it
 * must not do (leave its buffers, hang) is what the sanitizers look for. */
static void any_bytes_are_read_safely(void **state)
{
    const unsigned seed = 7;
    struct cw_model *s = machine(W, M, 1, seed);
    unsigned char *bytes, *copy;
    int refused = 0;
    size_t size;

    (void)state;
    assert_int_equal(record(s, wander, &seed), CW_OK);
    bytes = load(&size);
    copy = (unsigned char *)malloc(size);
    assert_non_null(copy);
    for (unsigned k = 0; k < 20000; k++) {
        const unsigned changes = 1 + k % 4;
        cw_status status;

        memcpy(copy, bytes, size);
        for (unsigned c = 0; c < changes; c++) {
            const uint64_t r = mix(k * 8 + c);
            const size_t most = k % 2 ? 300 : size - 8; /* half of them in the head */

            copy[8 + r % (most < size - 12 ? most : size - 12)] = (unsigned char)(r >> 40);
        }
        seal(copy, size);
        read_all(copy, size, &status);
        assert_true(status == CW_OK || status == CW_ERR_FORMAT);
        refused += status != CW_OK;
    }
    assert_true(refused > 1000);
    free(copy);
    free(bytes);
    cw_model_destroy(s);
}

/* A trace of w = m = 1 whose records are these. */
static cw_status read_records(const char *records, size_t size)
{
    static const unsigned char head[] = {
        'C', 'W', 'T', 'R', 'A', 'C', 'E', CW_TRACE_VERSION, 1, 1, 0, 1, 1, 0, 0, 0, 0, 9, 5};
    unsigned char bytes[256];
    cw_status status;

    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, records, size);
    seal(bytes, sizeof head + size + 4);
    read_all(bytes, sizeof head + size + 4, &status);
    return status;
}

#define READ_RECORDS(text) read_records(text, sizeof text - 1)

static void each_rule_of_the_format_is_checked(void **state)
{
    (void)state;
    /* 46 octal is END (6 + 4 * 8); 70 octal a read that says nothing but its site */
    assert_int_equal(READ_RECORDS("\x26\0\0"), CW_OK);
    assert_int_equal(READ_RECORDS("\x38\0\1x\x78\6\x26\1\2"), CW_OK);
    assert_int_equal(READ_RECORDS("\x38\0\1x\x78\6\x26\1\3"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "1 steps and 3 accesses"));
    assert_int_equal(READ_RECORDS("\x26\0\0\0"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "follows its end"));
    assert_int_equal(READ_RECORDS(""), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "ends too early"));
    assert_int_equal(READ_RECORDS("\x38\1\1x"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "a string's number is 1"));
    assert_int_equal(READ_RECORDS("\x38\0\3x"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "past the end"));
    assert_int_equal(READ_RECORDS("\x38\0\2x\0"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "holds a zero"));
    assert_int_equal(READ_RECORDS("\xb8"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "unknown record (184)"));
    assert_int_equal(READ_RECORDS("\x3f"), CW_ERR_FORMAT);
    assert_int_equal(READ_RECORDS("\x2e"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "unknown record (5)"));
    assert_int_equal(READ_RECORDS("\x18\2\0\0"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "outside the 1 columns"));
    assert_int_equal(READ_RECORDS("\x30\1"), CW_ERR_FORMAT); /* the one lane is always next */
    assert_int_equal(READ_RECORDS("\x0e\1"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "a degree is 1"));
    assert_int_equal(READ_RECORDS("\x16\0\1\2\0\1\0\1p"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "number of rows is 2"));
    assert_int_equal(READ_RECORDS("\x3d\xff\xff\xff\xff\xff\xff\xff\xff\xff\2"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "more than 64 bits"));
    assert_int_equal(READ_RECORDS("\x1e\2no\x26\0\0"), CW_OK);
}

static void other_files_are_refused_by_name(void **state)
{
    struct cw_trace_reader *r;
    unsigned char bytes[16] = "CWTRACE\2";

    (void)state;
    assert_int_equal(cw_trace_read_bytes("GIF89a", 6, &r), CW_ERR_FORMAT);
    assert_string_equal(cw_last_error(), "not a trace: it does not begin with CWTRACE");
    assert_int_equal(cw_trace_read_bytes(bytes, sizeof bytes, &r), CW_ERR_FORMAT);
    assert_string_equal(cw_last_error(), "a trace of version 2; this reader knows version 1");
    assert_int_equal(cw_trace_read_open("no/such/file", &r), CW_ERR_IO);
    assert_string_equal(cw_last_error(),
                        "cannot read the trace no/such/file: No such file or directory");
    assert_int_equal(cw_trace_read_open(".", &r), CW_ERR_IO);
    assert_null(r);
    cw_trace_read_close(NULL);
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
    assert_non_null(strstr(cw_last_error(), "No such file or directory"));
    assert_int_equal(cw_trace_open("/dev/null", &info, s, &t), CW_ERR_IO);
    assert_string_equal(cw_last_error(), "cannot write the trace /dev/null: not a regular file");
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
    assert_non_null(strstr(cw_last_error(), "cannot write the trace"));
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
        cmocka_unit_test(a_trace_cut_off_anywhere_is_refused),
        cmocka_unit_test(a_changed_byte_is_noticed),
        cmocka_unit_test(any_bytes_are_read_safely),
        cmocka_unit_test(each_rule_of_the_format_is_checked),
        cmocka_unit_test(other_files_are_refused_by_name),
        cmocka_unit_test(a_trace_that_cannot_be_written_says_so_at_once),
        cmocka_unit_test(a_dropped_or_failed_trace_leaves_the_file_that_was_there),
        cmocka_unit_test(memory_too_large_to_replay_is_not_recorded),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
