/* guarded.c - arrays that stand between canaries. */
#include "guarded.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 256 /* bytes of canary before and after an array */

void *guarded_array(size_t bytes)
{
    const size_t all = (bytes + 2 * GUARD + GUARD - 1) / GUARD * GUARD;
    unsigned char *p = (unsigned char *)aligned_alloc(GUARD, all);

    assert_non_null(p);
    memset(p, CANARY, all);
    return p + GUARD;
}

int guards_stand(const void *array, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)array;

    for (size_t x = 0; x < GUARD; x++)
        if ((p - GUARD)[x] != CANARY ||
            (bytes + x < (bytes + GUARD - 1) / GUARD * GUARD + GUARD && p[bytes + x] != CANARY))
            return 0;
    return 1;
}

void guarded_free(void *array)
{
    free((unsigned char *)array - GUARD);
}
