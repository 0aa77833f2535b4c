/* misuse.h - a job that is right, changed so that it is not; called, and held to leave all as it was.
 *
 * A source defines struct room, with every array of the job and `workspace`, and MISUSE_JOB, the type
 * of the job, includes this, and says what `fill` and `call` do.
 */
#include <stdlib.h>
#include <string.h>

#include "clearway.h"
#include "test.h"

struct fixture {
    cw_context *context;
    struct room *room, *before; /* on 256 bytes; what was there */
    MISUSE_JOB job;
    size_t need; /* bytes of workspace */
};

static const cw_backend backends[] = {CW_CPU, CW_EMULATOR};

/* Input, and a job that is right; how much workspace that needs.  All of both begins as something. */
static void fill(struct fixture *f);

/* The job with its workspace. */
static cw_status call(struct fixture *f);

static void begin(struct fixture *f, cw_backend backend)
{
    memset(f, 0, sizeof *f);
    f->room = (struct room *)aligned_alloc(256, sizeof *f->room);
    f->before = (struct room *)malloc(sizeof *f->before);
    assert_non_null(f->room);
    assert_non_null(f->before);
    memset(f->room, 0x3c, sizeof *f->room);
    fill(f);
    assert_in_range(f->need, 1, sizeof f->room->workspace);
    assert_int_equal(cw_context_create(backend, &f->context), CW_OK);
    memcpy(f->before, f->room, sizeof *f->room);
}

static void end(struct fixture *f)
{
    cw_context_destroy(f->context);
    free(f->room);
    free(f->before);
}

/* Refused with this status, a message that says `what`, and nothing written. */
static void refused(struct fixture *f, cw_status status, cw_status expected, const char *what)
{
    if (status != expected || !strstr(cw_last_error(), what))
        print_message("%s (%s), expected %s (.. %s ..)\n", cw_status_name(status), cw_last_error(),
                      cw_status_name(expected), what);
    assert_int_equal(status, expected);
    assert_non_null(strstr(cw_last_error(), what));
    assert_memory_equal(f->room, f->before, sizeof *f->room);
}

#define REFUSES(change, expected, what)                   \
    do {                                                  \
        for (size_t b_ = 0; b_ < COUNT(backends); b_++) { \
            struct fixture f_, *const f = &f_;            \
                                                          \
            begin(f, backends[b_]);                       \
            change;                                       \
            refused(f, call(f), expected, what);          \
            end(f);                                       \
        }                                                 \
    } while (0)
