/* leaf.h - sort what fits into a thread's cache. */
#ifndef CW_CPU_SORT_LEAF_H
#define CW_CPU_SORT_LEAF_H

#include "cpu/sort/work.h"

/* Sort a bucket of up to s->leaf items, to CW_SIDE_OUT. */
void cw_sort_leaf(const struct cw_sorter *s, struct cw_sort_thread *t, const struct cw_bucket *p);

/* Sort n words of x to `out`, with y as room for as many; x is lost. */
typedef void cw_sort_words(const struct cw_sorter *s, struct cw_sort_thread *t, void *x, void *y,
                           void *out, uint32_t n);

cw_sort_words cw_sort_words4, cw_sort_words8;

/* Sort n words of 4 bytes where they are; now, with `others` as room for twice as many, or beside
 * others, `together` words in all, in cw_sort_runs_end4: until then `room` is taken. */
void cw_sort_run4(const struct cw_sorter *s, struct cw_sort_thread *t, void *words, void *room,
                  void *others, uint32_t n, uint32_t together);
void cw_sort_runs_end4(struct cw_sort_thread *t);

/* Of so many words from one place, so few may fall if an array is nearly sorted. */
#define CW_NEARLY_LOOK  64u
#define CW_NEARLY_FALLS 8u

/* Sort n words, any number of them, that are in order but for a few, to `out`, which is no room of
 * the thread's; 0: they are not, `out` is lost and the words are there. */
typedef int cw_sort_nearly(const struct cw_sorter *s, struct cw_sort_thread *t, const void *words,
                           void *out, uint32_t n);

cw_sort_nearly cw_sort_nearly4, cw_sort_nearly8;

/* Sort the places of n mapped keys, which differ in their lowest `width` bits only; `drop` of
 * these, the lowest, are not looked at.  Do any two keys agree in those that are? */
typedef int cw_sort_places(const struct cw_sorter *s, struct cw_sort_thread *t, const void *mapped,
                           uint32_t n, uint32_t width, uint32_t drop, uint16_t *place);

/* As words of 4 bytes (width - drop up to 16) and 8 (up to 48). */
cw_sort_places cw_sort_places4, cw_sort_places8;

#endif
