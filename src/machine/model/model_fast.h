/* model_fast.h - the model's access, inline: the part of model.h that must be fast.
 *
 * An access checks its bounds and its bank, moves the word, joins those that have
 * acted and switches to the next lane.  Whatever is not usual goes to a function in
 * steps.c: a place outside memory, a bank asked before, the end of a step, a trace.
 *
 * A bank needs one stamp, the number of the step that it was asked in.  Who asked, and
 * for what, is written where each lane keeps its own last request, so that the error
 * can name both sides; that is a store to a line that the switch needs anyway.
 */
#ifndef CW_MACHINE_MODEL_MODEL_FAST_H
#define CW_MACHINE_MODEL_MODEL_FAST_H

#include <stdint.h>

#include "machine/lanes.h"

/* Lanes whose stacks are fetched ahead of time. */
#define CW_MODEL_AHEAD 8

/* A bank is one word: the stamp of the step that asked it last in the upper half, how
 * many steps have asked it (since stamps began) in the lower one. */
typedef uint64_t cw_model_bank;

/* The first member of struct cw_model. */
struct cw_model_hot {
    struct cw_lane *cur;                   /* the lane that runs */
    struct cw_lane **acted, **head, **end; /* acted <= head: queue .. acted have acted in this
                                              step, head .. end may still do so */
    uint32_t rows, cols; /* no access beyond is usual; rows is 0 with a trace, else w */
    uint64_t stamp;      /* of this step, in the upper half; never 0 */
    cw_model_bank *banks;
    cw_word *words; /* column-major: (row, col) is words[col * w + row] */
    uint64_t w, reads;
};

cw_word cw_model_read_slow(struct cw_model *s, uint32_t row, uint32_t col, const char *site);
void cw_model_write_slow(struct cw_model *s, uint32_t row, uint32_t col, cw_word x,
                         const char *site);

/* All lanes have acted or wait, one has acted: begin the next step, take its first lane. */
struct cw_lane *cw_model_turn(struct cw_model *s);

/* The running lane `me` stops; `to` goes on. */
void cw_model_switch(struct cw_model *s, struct cw_lane *me, struct cw_lane *to);

#define CW_MODEL_INLINE static inline __attribute__((always_inline, unused))

/* Fetch what a lane a little further on will need (what stands past the end of the
 * queue are lanes too). */
CW_MODEL_INLINE void cw_model_fetch(struct cw_lane **head)
{
    const char *const sp = (const char *)head[CW_MODEL_AHEAD]->sp;

    __builtin_prefetch(sp, 1);
    __builtin_prefetch(sp + 64, 1);
}

/* The current lane has acted: go on with the next. */
CW_MODEL_INLINE void cw_model_pass(struct cw_model *s)
{
    struct cw_model_hot *const h = (struct cw_model_hot *)s;
    struct cw_lane *const me = h->cur;
    struct cw_lane **const head = h->head;
    struct cw_lane *to;

    *h->acted++ = me;
    if (__builtin_expect(head != h->end, 1)) {
        to = *head;
        h->head = head + 1;
        cw_model_fetch(head);
    } else {
        to = cw_model_turn(s);
    }
    h->cur = to;
#ifdef CW_LANES_INLINE
    cw_lane_jump(me, to);
#else
    cw_model_switch(s, me, to);
#endif
}

/* Take the bank for an access that needs no further thought, and return the word's
 * place; NULL for any other access. */
CW_MODEL_INLINE cw_word *cw_model_claim(struct cw_model *s, uint32_t row, uint32_t col,
                                        const char *site)
{
    struct cw_model_hot *const h = (struct cw_model_hot *)s;
    cw_model_bank bank;
    cw_word *at;

    if (__builtin_expect(row >= h->rows || col >= h->cols, 0))
        return NULL;
    bank = h->banks[row];
    if (__builtin_expect(bank >= h->stamp, 0))
        return NULL;
    h->banks[row] = h->stamp + 1 + (uint32_t)bank;
    at = &h->words[col * h->w + row];
    h->cur->site = site;
    h->cur->at = at;
    return at;
}

CW_MODEL_INLINE cw_word cw_model_read(struct cw_model *s, uint32_t row, uint32_t col,
                                      const char *site)
{
    const cw_word *const at = cw_model_claim(s, row, col, site);
    cw_word x;

    if (__builtin_expect(!at, 0))
        return cw_model_read_slow(s, row, col, site);
    x = *at;
    ((struct cw_model_hot *)s)->reads++;
    cw_model_pass(s);
    return x;
}

CW_MODEL_INLINE void cw_model_write(struct cw_model *s, uint32_t row, uint32_t col, cw_word x,
                                    const char *site)
{
    cw_word *const at = cw_model_claim(s, row, col, site);

    if (__builtin_expect(!at, 0)) {
        cw_model_write_slow(s, row, col, x, site);
        return;
    }
    *at = x;
    cw_model_pass(s);
}

CW_MODEL_INLINE uint32_t cw_model_lane(const struct cw_model *s)
{
    return ((const struct cw_model_hot *)s)->cur->id;
}

#endif
