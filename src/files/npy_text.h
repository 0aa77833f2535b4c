/* npy_text.h - the text of a .npy file's head: a Python dictionary, as far as it is needed. */
#ifndef CW_FILES_NPY_TEXT_H
#define CW_FILES_NPY_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "clearway.h"

struct text {
    const char *at, *end;
};

static inline void blanks(struct text *t)
{
    while (t->at < t->end && strchr(" \t\r\n", *t->at) && *t->at)
        t->at++;
}

static inline int take(struct text *t, char c)
{
    blanks(t);
    if (t->at == t->end || *t->at != c)
        return 0;
    t->at++;
    return 1;
}

/* 'abc' or "abc", without anything escaped. */
static inline int take_string(struct text *t, char *out, size_t room)
{
    const char quote = take(t, '\'') ? '\'' : take(t, '"') ? '"' : 0;
    size_t length = 0;

    if (!quote)
        return 0;
    while (t->at < t->end && *t->at != quote && *t->at != '\\' && length + 1 < room)
        out[length++] = *t->at++;
    out[length] = 0;
    return t->at < t->end && *t->at++ == quote;
}

static inline int take_word(struct text *t, const char *word)
{
    const size_t length = strlen(word);

    blanks(t);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0)
        return 0;
    t->at += length;
    return 1;
}

/* A whole number, perhaps with an L behind it; -1 on overflow, 0 if there is none. */
static inline int take_number(struct text *t, uint64_t *out)
{
    int digits = 0;

    blanks(t);
    for (*out = 0; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++, digits++) {
        const uint64_t digit = (uint64_t)(*t->at - '0');

        if (*out > (INT64_MAX - digit) / 10)
            return -1;
        *out = *out * 10 + digit;
    }
    if (digits && t->at < t->end && *t->at == 'L')
        t->at++;
    return digits > 0;
}

/* npy_record.c: pass over a list of fields; the bytes of a record. */
cw_status cw_npy_record(struct text *t, uint64_t *bytes);

#endif
