/* fuzz_trace.c - a libFuzzer target: any bytes as a trace, read from its head to its end.
 *
 *      clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *          -Iinclude -Isrc tests/machine/fuzz_trace.c src/machine/trace/trace_read.c src/machine/trace/cursor.c \
 *          src/base/status.c -o fuzz_trace
 *      ./fuzz_trace -max_len=4096 -max_total_time=120 [CORPUS]
 *
 * Magic, version and checksum are made right first, so that the fuzzer gets past them; the last byte
 * says of some inputs that they are left as they are.  What is refused is refused with a status and
 * a text; what is told is told of places that are there, and counts only rise.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/trace/trace.h"

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz_trace: %s\n", what);
        abort();
    }
}

/* The trace's own checksum lives beside its writer. */
uint32_t cw_trace_checksum(uint32_t sum, const unsigned char *bytes, size_t size)
{
    for (size_t x = 0; x < size; x++)
        sum = (sum ^ bytes[x]) * 16777619u;
    return sum;
}

static void check_event(const struct cw_trace_reader *r, const struct cw_trace_head *head,
                        const struct cw_trace_event *e, const struct cw_trace_event *before)
{
    must(e->steps >= before->steps && e->accesses >= before->accesses, "a count falls");
    switch (e->type) {
    case CW_TRACE_ACCESS:
        must(e->lane < head->config.w && e->row < head->config.w && e->col < head->cols,
             "an access outside memory");
        must(cw_trace_read_word(r, e->row, e->col) == e->value, "memory holds another value");
        must(e->site != NULL, "an access without a site");
        break;
    case CW_TRACE_DEGREE:
        must(e->degree > 0, "a step of degree 0");
        break;
    case CW_TRACE_PHASE:
        must(e->phase.name != NULL, "a phase without a name");
        break;
    case CW_TRACE_FAULT:
        must(e->message != NULL, "a fault without a message");
        break;
    default:
        must(e->type == CW_TRACE_END, "an event of no type");
    }
}

static void check(const unsigned char *bytes, size_t size)
{
    struct cw_trace_event event, before;
    const struct cw_trace_head *head;
    struct cw_trace_reader *r;
    cw_status status = cw_trace_read_bytes(bytes, size, &r);

    memset(&before, 0, sizeof before);
    if (status) {
        must(!r && cw_last_error()[0], "refused without a word");
        return;
    }
    head = cw_trace_read_head(r);
    must(head->config.w > 0 && head->config.m > 0 && head->cols >= head->config.m, "its shape");
    do {
        status = cw_trace_read_next(r, &event);
        if (!status) {
            check_event(r, head, &event, &before);
            before = event;
        }
    } while (!status && event.type != CW_TRACE_END);
    must(!status || cw_last_error()[0], "damaged without a word");
    if (!status)
        must(!cw_trace_read_next(r, &event) && event.type == CW_TRACE_END, "no end after the end");
    cw_trace_read_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *const copy = (unsigned char *)malloc(size + 1);
    uint32_t sum;

    if (!copy)
        return 0;
    memcpy(copy, data, size);
    if (size >= 13 && data[size - 1] % 8) {
        memcpy(copy, CW_TRACE_MAGIC, 7);
        copy[7] = CW_TRACE_VERSION;
        sum = cw_trace_checksum(CW_TRACE_CHECKSUM_SEED, copy, size - 4);
        for (size_t x = 0; x < 4; x++)
            copy[size - 4 + x] = (unsigned char)(sum >> 8 * x);
    }
    check(copy, size);
    free(copy);
    return 0;
}
