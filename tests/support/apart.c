/* apart.c - see apart.h. */
#include "apart.h"

#include <string.h>

#include "base/status.h"
#include "rows/job.h"
#include "test.h"

#define MOST    256u
#define BUFFERS (MOST + CW_QUEUE_BUFFERS)
#define GAP     4096u /* CW_ARENA_GAP */

struct piece {
    const uint8_t *base; /* of the arena that it was taken from */
    const uint8_t *data;
    uint64_t bytes;
    int stale; /* the arena was begun anew, and this one was not taken again yet */
};

static struct piece pieces[MOST];
static size_t piece_count, taken;
static struct cw_emulated_memory *memory;
static struct cw_backend_table table;
static const struct cw_backend_table *usual;
static cw_status (*clear_there)(struct cw_queue *q, void *at, size_t bytes);
static cw_status (*copy_there)(struct cw_queue *q, void *to, const void *from, size_t bytes);

/* ---- pieces --------------------------------------------------------------------------------- */

/* Nobody has written these bytes. */
static void unwrite(const uint8_t *data, uint64_t bytes)
{
    struct cw_emu_buffer b = {.data = data, .bytes = (size_t)bytes};

    cw_emulated_marks(memory, &b);
    for (size_t i = b.first; b.written && i < b.first + b.bytes; i++)
        b.written[i / 8] &= (unsigned char)~(1u << i % 8);
    if (b.written)
        memset((void *)(uintptr_t)data, CW_EMU_JUNK, (size_t)bytes);
}

static void drop_stale(void)
{
    size_t kept = 0;

    for (size_t x = 0; x < piece_count; x++)
        if (!pieces[x].stale)
            pieces[kept++] = pieces[x];
    piece_count = kept;
}

void cw_arena_taken(const uint8_t *base, uint64_t at, uint64_t bytes);

void cw_arena_taken(const uint8_t *base, uint64_t at, uint64_t bytes)
{
    for (size_t x = 0; x < piece_count && !at; x++)
        pieces[x].stale |= pieces[x].base == base;
    if (!bytes || !memory)
        return;
    for (size_t x = 0; x < piece_count; x++) {
        if (pieces[x].base == base && pieces[x].data == base + at && pieces[x].bytes == bytes) {
            pieces[x].stale = 0;
            return;
        }
    }
    if (piece_count == MOST)
        drop_stale();
    assert_true(piece_count < MOST);
    pieces[piece_count++] = (struct piece){base, base + at, bytes, 0};
    unwrite(base + at, bytes);
    taken++;
}

void apart_forget(void)
{
    piece_count = 0;
}

size_t apart_pieces(void)
{
    return taken;
}

/* ---- what a launch may touch ---------------------------------------------------------------- */

static struct cw_emu_buffer reached[BUFFERS];
static uint32_t reached_count;

static int lies_in(const struct cw_emu_buffer *b, const void *data)
{
    return (uintptr_t)b->data <= (uintptr_t)data && (uintptr_t)data - (uintptr_t)b->data < b->bytes;
}

static void reach(const void *data, size_t bytes, int writable)
{
    assert_true(reached_count < BUFFERS);
    reached[reached_count++] =
        (struct cw_emu_buffer){.data = data, .bytes = bytes, .writable = writable};
}

/* Rows have no arena, but offsets (rows/layout.h): a piece ends a gap before the next one. */
static int reach_rows(const struct cw_emu_buffer *b, const struct cw_rows_arg *a)
{
    const void *const all[] = {a->counts, a->lists,       a->part_rows, a->words,
                               a->joined, a->values_kept, a->keys_kept};
    const uintptr_t end = (uintptr_t)b->data + b->bytes;

    if (b->data != a->counts) /* no workspace, which they are the first of */
        return 0;

    for (size_t x = 0; x < COUNT(all); x++) {
        uintptr_t next = end;

        if (!all[x] || !lies_in(b, all[x]))
            continue;
        for (size_t y = 0; y < COUNT(all); y++)
            if (lies_in(b, all[y]) && (uintptr_t)all[y] > (uintptr_t)all[x] &&
                (uintptr_t)all[y] < next)
                next = (uintptr_t)all[y];
        taken++;
        if (next - (uintptr_t)all[x] > GAP)
            reach(all[x], next - (uintptr_t)all[x] - GAP, b->writable);
    }
    return 1;
}

/* The workspace: the last of the buffers that has pieces.  (A sort may keep some in an output, too.) */
static uint32_t workspace_of(const struct cw_queue *q)
{
    uint32_t last = q->buffer_count;

    for (uint32_t b = 0; b < q->buffer_count; b++)
        for (size_t x = 0; x < piece_count; x++)
            if (lies_in(&q->buffers[b], pieces[x].data))
                last = b;
    return last;
}

static struct cw_emu_buffer *reach_of(const struct cw_queue *q, const struct cw_launch *l,
                                      uint32_t *count)
{
    const int rows = !strncmp(cw_kernel_name(l->kernel), "cw_rows_", 8);
    uint32_t workspace;

    reached_count = 0;
    drop_stale();
    workspace = workspace_of(q);
    for (uint32_t x = 0; x < q->buffer_count; x++) {
        const struct cw_emu_buffer *const b = &q->buffers[x];

        for (size_t y = 0; y < piece_count && x == workspace; y++)
            if (lies_in(b, pieces[y].data))
                reach(pieces[y].data, (size_t)pieces[y].bytes, b->writable);
        if (x != workspace && !(rows && workspace == q->buffer_count && b->writable &&
                                reach_rows(b, (const struct cw_rows_arg *)l->arg)))
            reach(b->data, b->bytes, b->writable);
    }
    *count = reached_count;
    return reached;
}

/* ---- a context ------------------------------------------------------------------------------ */

static cw_status inside(const struct cw_queue *q, const void *at, size_t bytes, int written)
{
    for (uint32_t x = 0; x < q->buffer_count; x++) {
        const struct cw_emu_buffer *const b = &q->buffers[x];

        if (lies_in(b, at) && bytes <= b->bytes - ((uintptr_t)at - (uintptr_t)b->data) &&
            (b->writable || !written))
            return CW_OK;
    }
    return bytes ? cw_fail(CW_ERR_BOUNDS, "%zu bytes are %s outside the arrays", bytes,
                           written ? "written" : "read")
                 : CW_OK;
}

static cw_status clear(struct cw_queue *q, void *at, size_t bytes)
{
    const cw_status status = inside(q, at, bytes, 1);

    return status ? status : clear_there(q, at, bytes);
}

static cw_status copy(struct cw_queue *q, void *to, const void *from, size_t bytes)
{
    cw_status status = inside(q, to, bytes, 1);

    if (!status)
        status = inside(q, from, bytes, 0);
    return status ? status : copy_there(q, to, from, bytes);
}

static void queue(const struct cw_gpu *gpu, cw_stream stream, union cw_any_queue *out)
{
    usual->queue(gpu, stream, out);
    clear_there = out->queue.clear;
    copy_there = out->queue.copy;
    out->queue.clear = clear;
    out->queue.copy = copy;
    out->emulated.reach = reach_of;
}

void apart_begin(cw_context *context)
{
    usual = context->on == &table ? usual : context->on;
    table = *usual;
    table.queue = queue;
    context->on = &table;
    memory = context->memory;
    apart_forget();
}
