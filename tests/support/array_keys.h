/* array_keys.h - keys of an array_case. */
#ifndef CW_ARRAY_KEYS_H
#define CW_ARRAY_KEYS_H

#include "array_case.h"

/* Key i, from 64 random bits. */
uint64_t array_key(const struct array_case *c, size_t i, uint64_t r);

#endif
