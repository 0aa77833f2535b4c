/* guarded.h - arrays that stand between canaries. */
#ifndef CW_GUARDED_H
#define CW_GUARDED_H

#include "test.h"

#define CANARY 0xa5 /* in guards, and in every array before it is written */

/* On 256 bytes. */
void *guarded_array(size_t bytes);

/* Whether nothing was written beside the array of so many bytes. */
int guards_stand(const void *array, size_t bytes);

void guarded_free(void *array);

#endif
