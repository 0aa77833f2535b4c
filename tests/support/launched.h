/* launched.h - for tests of which kernels a call launches: an emulated context that counts them.
 *
 * Setup and teardown of a group of tests; one context a program.
 */
#ifndef CW_TEST_LAUNCHED_H
#define CW_TEST_LAUNCHED_H

#include <stdio.h>

#include "api/context.h"

static cw_context *context;
static unsigned launched[CW_KERNEL_COUNT];

static void launched_note(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    (void)user;
    (void)e;
    launched[l->kernel]++;
}

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(CW_EMULATOR, &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    context->hook = launched_note;
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    return 0;
}

#endif
