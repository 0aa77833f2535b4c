/* windows.c - a long array permuted in passes that stay in cache.
 *
 * An element sent to a random place of a long array costs a miss of every cache and of address
 * translation.  So the side that the index points at is cut into windows that a thread's cache
 * holds, and elements are first dealt by windows, gathered into lines of memory (sort/lines.h):
 *
 *      scatter   deal (element, place in its window) by windows; then window by window each
 *                element to its place
 *      gather    deal places by windows; window by window fetch the elements of the places, in
 *                the order in which these were dealt; then walk the index again and take from
 *                every window the next element that was fetched
 *
 * Each thread deals a stretch, and knows from a count before that where its share of a window goes.
 * Windows belong to one thread, so the check, that as many elements as a window has fill all of its
 * places, needs no atomics, and is done before anything is written to the output.
 *
 * Windows that fit the cache, as in radix joins: Manegold, Boncz and Kersten (2002).
 *
 * Time: the index is read twice (gather: three times), the elements twice.  Space: an array, and
 * 2 bytes an element (4 above 2^27 elements).
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "cpu/permute/work.h"
#include "cpu/sort/lines.h"
#include "base/threads.h"
#include "base/status.h"

#define WINDOWS   2048u             /* at most */
#define WINDOW    ((size_t)1 << 18) /* bytes, while there are no more than that */
#define ALIGNMENT 256u
#define PAST      ((size_t)8 << 20) /* bytes of an array written past the caches, at least */
#define A_THREAD  16384u

struct hand {
    size_t *at, *begin; /* of each window: where the next element goes, the first went */
    char *lines, *offset_lines;
    unsigned char *filled; /* a byte for each place of a window */
    size_t left_out;       /* indices out of range */
};

struct job {
    const cw_permute_job *given;
    struct cw_windows w;
    char *dealt, *offsets; /* elements and places, by windows */
    size_t *end;           /* of each window */
    struct cw_team *team;
    unsigned threads;
    struct hand *hand;
    _Atomic uint32_t bad; /* windows whose places are not all filled */
};

/* ---- windows -------------------------------------------------------------------------------- */

struct cw_windows cw_permute_windows(const cw_permute_job *job, size_t least)
{
    const size_t bytes = job->bytes;
    struct cw_windows w = {16, 0, 2};

    if (job->count || job->n * bytes < least || job->n < 2 || bytes > 16 || bytes & (bytes - 1) ||
        (uint64_t)job->n > (uint64_t)1 << 40)
        return w;
    while (w.shift > 8 && bytes << w.shift > WINDOW)
        w.shift--;
    while ((job->n - 1) >> w.shift >= WINDOWS)
        w.shift++;
    w.count = (uint32_t)((job->n - 1) >> w.shift) + 1;
    w.offset_bytes = w.shift > 16 ? 4 : 2;
    return w;
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t cw_permute_windows_bytes(const cw_permute_job *job, const struct cw_windows *w)
{
    return aligned(job->n * job->bytes) + aligned(job->n * w->offset_bytes);
}

/* Where stretch t begins, and stretch t - 1 ends. */
static size_t stretch(const struct job *j, unsigned t)
{
    const size_t n = j->given->n, more = n % j->threads;

    return n / j->threads * t + (t < more ? t : more);
}

/* ---- count ---------------------------------------------------------------------------------- */

static void count(const struct job *j, unsigned t)
{
    struct hand *h = &j->hand[t];
    const size_t end = stretch(j, t + 1), n = j->given->n;
    const uint32_t shift = j->w.shift;
    size_t left_out = 0;

    memset(h->at, 0, j->w.count * sizeof *h->at);
    for (size_t x = stretch(j, t); x < end; x++) {
        const uint64_t p = cw_permute_index(j->given, x);

        if (p < n)
            h->at[p >> shift]++;
        else
            left_out++;
    }
    h->left_out = left_out;
}

static void add_up(const struct job *j)
{
    size_t all = 0;

    for (uint32_t w = 0; w < j->w.count; w++) {
        for (unsigned t = 0; t < j->threads; t++) {
            const size_t n = j->hand[t].at[w];

            j->hand[t].at[w] = j->hand[t].begin[w] = all;
            all += n;
        }
        j->end[w] = all;
    }
}

static size_t window_begin(const struct job *j, uint32_t w)
{
    return w ? j->end[w - 1] : 0;
}

/* Elements of window w. */
static size_t window_size(const struct job *j, uint32_t w)
{
    const size_t from = (size_t)w << j->w.shift, left = j->given->n - from;

    return left >> j->w.shift ? (size_t)1 << j->w.shift : left;
}

static int counts_fit(const struct job *j)
{
    for (unsigned t = 0; t < j->threads; t++)
        if (j->hand[t].left_out)
            return 0;
    for (uint32_t w = 0; w < j->w.count; w++)
        if (j->end[w] - window_begin(j, w) != window_size(j, w))
            return 0;
    return 1;
}

/* ---- deal ----------------------------------------------------------------------------------- */

/* `bytes` (0: no elements, only places) and offset_bytes are constants wherever this is called. */
CW_INLINE void deal_of(const struct job *j, unsigned t, size_t bytes, size_t offset_bytes)
{
    const struct hand *h = &j->hand[t];
    const size_t end = stretch(j, t + 1), n = j->given->n;
    const uint32_t shift = j->w.shift;
    const int past = n * j->given->bytes >= PAST;
    const struct cw_stream items =
        cw_stream_to(j->dealt, bytes ? bytes : 1, h->lines, h->begin, past);
    const struct cw_stream offsets =
        cw_stream_to(j->offsets, offset_bytes, h->offset_lines, h->begin, past);
    const char *in = (const char *)j->given->in;

    for (size_t x = stretch(j, t); x < end; x++) {
        const uint64_t p = cw_permute_index(j->given, x);
        const uint32_t offset = (uint32_t)p & ((1u << shift) - 1u); /* the low bytes come first */
        size_t to;

        if (p >= n)
            continue;
        to = h->at[p >> shift]++;
        cw_stream_put(&offsets, &offset, p >> shift, to, offset_bytes);
        if (bytes)
            cw_stream_put(&items, in + x * bytes, p >> shift, to, bytes);
    }
    cw_stream_end(&offsets, j->w.count, h->at);
    if (bytes)
        cw_stream_end(&items, j->w.count, h->at);
}

CW_INLINE void deal_with(const struct job *j, unsigned t, size_t offset_bytes)
{
#define DEAL(width) deal_of(j, t, width, offset_bytes)
    CW_BY_WIDTH(j->given->flags & CW_GATHER ? 0 : j->given->bytes, DEAL, 0)
#undef DEAL
}

static void deal(const struct job *j, unsigned t)
{
    if (j->w.offset_bytes == 2)
        deal_with(j, t, 2);
    else
        deal_with(j, t, 4);
}

/* ---- windows, one by one -------------------------------------------------------------------- */

CW_INLINE size_t offset_at(const struct job *j, size_t x, size_t offset_bytes)
{
    uint32_t offset = 0;

    memcpy(&offset, j->offsets + x * offset_bytes, offset_bytes);
    return offset;
}

CW_INLINE void mark(const struct job *j, unsigned char *filled, uint32_t w, size_t offset_bytes)
{
    for (size_t x = window_begin(j, w); x < j->end[w]; x++)
        filled[offset_at(j, x, offset_bytes)] = 1;
}

static int is_filled(const struct job *j, const struct hand *h, uint32_t w)
{
    const size_t n = window_size(j, w);

    memset(h->filled, 0, n);
    if (j->w.offset_bytes == 2)
        mark(j, h->filled, w, 2);
    else
        mark(j, h->filled, w, 4);
    return !memchr(h->filled, 0, n);
}

/* `bytes` and offset_bytes are constants wherever this is called. */
CW_INLINE void place(const struct job *j, uint32_t w, size_t bytes, size_t offset_bytes)
{
    char *out = (char *)j->given->out + ((size_t)w << j->w.shift) * bytes;
    const char *in = (const char *)j->given->in + ((size_t)w << j->w.shift) * bytes;

#if defined(__GNUC__)
    for (size_t x = 0; x < window_size(j, w) * bytes; x += 64) {
        if (j->given->flags & CW_GATHER)
            __builtin_prefetch(in + x, 0, 2);
        else
            __builtin_prefetch(out + x, 1, 2);
    }
#endif
    if (j->given->flags & CW_GATHER)
        for (size_t x = window_begin(j, w); x < j->end[w]; x++)
            memcpy(j->dealt + x * bytes, in + offset_at(j, x, offset_bytes) * bytes, bytes);
    else
        for (size_t x = window_begin(j, w); x < j->end[w]; x++)
            memcpy(out + offset_at(j, x, offset_bytes) * bytes, j->dealt + x * bytes, bytes);
}

CW_INLINE void place_of(const struct job *j, uint32_t w, size_t bytes)
{
    if (j->w.offset_bytes == 2)
        place(j, w, bytes, 2);
    else
        place(j, w, bytes, 4);
}

static void place_window(const struct job *j, uint32_t w){
#define PLACE(width) place_of(j, w, width)
    CW_BY_WIDTH(j->given->bytes, PLACE, 16)
#undef PLACE
}

/* ---- gather: take what was fetched ---------------------------------------------------------- */

CW_INLINE void take_of(const struct job *j, unsigned t, size_t bytes)
{
    struct hand *h = &j->hand[t];
    const size_t end = stretch(j, t + 1);
    char *out = (char *)j->given->out;

    memcpy(h->at, h->begin, j->w.count * sizeof *h->at);
    for (size_t x = stretch(j, t); x < end; x++) {
        const uint64_t p = cw_permute_index(j->given, x);

        if (p < j->given->n) {
            const size_t from = h->at[p >> j->w.shift]++;

#if defined(__GNUC__)
            __builtin_prefetch(j->dealt + from * bytes + 64);
#endif
            memcpy(out + x * bytes, j->dealt + from * bytes, bytes);
        }
    }
}

static void take(const struct job *j, unsigned t)
{
#define TAKE(width) take_of(j, t, width)
    CW_BY_WIDTH(j->given->bytes, TAKE, 16)
#undef TAKE
}

/* ---- the call ------------------------------------------------------------------------------- */

static char *allocate(struct job *j)
{
    const size_t places = aligned(j->w.count * sizeof(size_t)), lines = j->w.count * CW_SORT_LINE;
    const size_t filled = aligned((size_t)1 << j->w.shift),
                 hands = aligned(j->threads * sizeof *j->hand);
    const size_t each = aligned(2 * places + 2 * lines + filled);
    char *const memory = (char *)cw_team_buffers(j->team, hands + places + j->threads * each);
    char *at = memory;

    if (!memory) {
        cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", each, j->threads);
        return NULL;
    }
    j->hand = (struct hand *)at;
    j->end = (size_t *)(at + hands);
    at += hands + places;
    for (unsigned t = 0; t < j->threads; t++, at += each) {
        char *const line = at + 2 * places;
        const struct hand h = {(size_t *)at, (size_t *)(at + places),           line,
                               line + lines, (unsigned char *)line + 2 * lines, 0};

        j->hand[t] = h;
    }
    return memory;
}

/* Stretch t, window w: what threads do at a time. */

static void count_share(void *user, size_t t, size_t end, unsigned thread)
{
    (void)end;
    (void)thread;
    count((const struct job *)user, (unsigned)t);
}

static void deal_share(void *user, size_t t, size_t end, unsigned thread)
{
    (void)end;
    (void)thread;
    deal((const struct job *)user, (unsigned)t);
}

static void check_share(void *user, size_t w, size_t end, unsigned thread)
{
    struct job *j = (struct job *)user;

    (void)end;
    if (!is_filled(j, &j->hand[thread], (uint32_t)w))
        atomic_fetch_add(&j->bad, 1);
}

static void place_share(void *user, size_t w, size_t end, unsigned thread)
{
    (void)end;
    (void)thread;
    place_window((const struct job *)user, (uint32_t)w);
}

static void take_share(void *user, size_t t, size_t end, unsigned thread)
{
    (void)end;
    (void)thread;
    take((const struct job *)user, (unsigned)t);
}

static cw_status permute(struct job *j)
{
    const unsigned threads = j->threads;

    cw_team_run(j->team, threads, threads, 1, count_share, j);
    add_up(j);
    if (j->given->flags & CW_CHECK && !counts_fit(j))
        return CW_ERR_LABEL;
    cw_team_run(j->team, threads, threads, 1, deal_share, j);
    if (j->given->flags & CW_CHECK) {
        cw_team_run(j->team, threads, j->w.count, 1, check_share, j);
        if (atomic_load(&j->bad))
            return CW_ERR_LABEL;
    }
    cw_team_run(j->team, threads, j->w.count, 1, place_share, j);
    if (j->given->flags & CW_GATHER)
        cw_team_run(j->team, threads, threads, 1, take_share, j);
    return CW_OK;
}

cw_status cw_permute_by_windows(const cw_permute_job *job, const struct cw_windows *w,
                                void *workspace, struct cw_team *team)
{
    struct job j = {job, *w, (char *)workspace, NULL, NULL, team, cw_team_threads(team), NULL, 0};
    cw_status status;
    char *memory;

    j.offsets = j.dealt + aligned(job->n * job->bytes);
    if (job->n / A_THREAD < j.threads)
        j.threads = (unsigned)(job->n / A_THREAD) + 1;
    memory = allocate(&j);
    status = memory ? permute(&j) : CW_ERR_MEMORY;
    cw_team_buffers_done(team, memory);
    return status;
}
