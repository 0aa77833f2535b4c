#include "backend/emulated/memory.h"

#include <stdlib.h>
#include <string.h>

struct cw_emulated_array {
    struct cw_emulated_array *next;
    unsigned char *data;
    size_t bytes;
    unsigned char marks[]; /* a bit a byte */
};

/* The array that these bytes lie in, or NULL. */
static struct cw_emulated_array *array_of(const struct cw_emulated_memory *m, const void *at,
                                          size_t bytes)
{
    const uintptr_t x = (uintptr_t)at;
    struct cw_emulated_array *a = m ? m->first : NULL;

    while (a && !((uintptr_t)a->data <= x && x - (uintptr_t)a->data <= a->bytes &&
                  bytes <= a->bytes - (size_t)(x - (uintptr_t)a->data)))
        a = a->next;
    return a;
}

void *cw_emulated_alloc(struct cw_emulated_memory *m, size_t bytes)
{
    const size_t room = bytes <= SIZE_MAX / 2 ? (bytes + CW_EMULATED_GAP + 255) / 256 * 256 : 0;
    struct cw_emulated_array *a = NULL;
    void *const data = room ? aligned_alloc(256, room) : NULL; /* like a GPU's */

    if (data)
        a = (struct cw_emulated_array *)calloc(1, sizeof *a + bytes / 8 + 1);
    if (!a) {
        free(data);
        return NULL;
    }
    memset(data, CW_EMU_JUNK, room);
    a->data = (unsigned char *)data;
    a->bytes = bytes;
    a->next = m->first;
    m->first = a;
    return data;
}

void cw_emulated_free(struct cw_emulated_memory *m, void *memory)
{
    struct cw_emulated_array **link = &m->first;

    while (*link && (*link)->data != memory)
        link = &(*link)->next;
    if (*link) {
        struct cw_emulated_array *const a = *link;

        *link = a->next;
        free(a);
    }
    free(memory);
}

void cw_emulated_forget(struct cw_emulated_memory *m)
{
    while (m->first) {
        struct cw_emulated_array *const a = m->first;

        m->first = a->next;
        free(a);
    }
}

/* ---- marks -------------------------------------------------------------------- */

static int is_marked(const struct cw_emulated_array *a, size_t i)
{
    return a->marks[i / 8] >> i % 8 & 1;
}

static void mark(struct cw_emulated_array *a, size_t i, size_t end)
{
    for (; i < end && i % 8; i++)
        a->marks[i / 8] |= (unsigned char)(1u << i % 8);
    memset(&a->marks[i / 8], 255, i < end ? (end - i) / 8 : 0);
    for (i = i < end ? end - end % 8 : end; i < end; i++)
        a->marks[i / 8] |= (unsigned char)(1u << i % 8);
}

void cw_emulated_wrote(struct cw_emulated_memory *m, const void *at, size_t bytes)
{
    struct cw_emulated_array *const a = array_of(m, at, bytes);
    const size_t i = a ? (size_t)((const unsigned char *)at - a->data) : 0;

    if (a)
        mark(a, i, i + bytes);
}

void cw_emulated_copied(struct cw_emulated_memory *m, const void *to, const void *from,
                        size_t bytes)
{
    const struct cw_emulated_array *const b = array_of(m, from, bytes);
    struct cw_emulated_array *const a = array_of(m, to, bytes);
    const size_t i = a ? (size_t)((const unsigned char *)to - a->data) : 0;
    const size_t j = b ? (size_t)((const unsigned char *)from - b->data) : 0;

    if (!a || !b) {
        cw_emulated_wrote(m, to, bytes);
        return;
    }
    for (size_t x = 0; x < bytes; x++) {
        if (is_marked(b, j + x))
            mark(a, i + x, i + x + 1);
        else
            a->marks[(i + x) / 8] &= (unsigned char)~(1u << (i + x) % 8);
    }
}

void cw_emulated_marks(const struct cw_emulated_memory *m, struct cw_emu_buffer *b)
{
    struct cw_emulated_array *const a = array_of(m, b->data, b->bytes);

    b->written = a ? a->marks : NULL;
    b->first = a ? (size_t)((const unsigned char *)b->data - a->data) : 0;
}
