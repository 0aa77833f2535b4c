/* move.c - one array, read or made, and what is told of how it was moved. */
#include "move.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/common/memory.h"

static int make_room(struct move *m)
{
    const double all = (double)m->n * (double)m->bytes;
    int status = memory_refused(4 * all);

    if (status)
        return status;
    m->in = malloc((size_t)all + 1);
    m->out = malloc((size_t)all + 1);
    return m->in && m->out ? DONE
                           : complain(FAILED, "out of memory for %" PRIu64 " elements", m->n);
}

int move_read(struct move *m, struct files *f, const struct cw_npy *out)
{
    const struct cw_npy *const head = &f->in.head;
    int status;

    m->begun = seconds_now();
    if (f->limited && 4 * (double)head->data_bytes > (double)f->memory)
        return complain(USAGE,
                        "%s is too large for --memory: %s takes four times that, --memory %.0fM",
                        f->in.path, m->name, ceil(4 * (double)head->data_bytes / 0x1p20));
    status = files_begin(f, out);
    if (!status)
        status = make_room(m);
    if (!status)
        status = files_failed(f, cw_array_file_read(&f->in, 0, head->rows * head->length, m->in));
    if (!status && head->swapped) /* bytes are moved as they are */
        cw_swap_bytes(m->in, head->rows * head->length, cw_type_bytes(head->type));
    return status;
}

int move_make(struct move *m, uint64_t seed)
{
    const int status = make_room(m);
    unsigned char *const to = (unsigned char *)m->in;
    uint64_t x = seed;

    if (status)
        return status;
    for (size_t i = 0; i < m->n * m->bytes; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        to[i] = (unsigned char)(x >> 56);
    }
    return DONE;
}

static int judged(const struct move *m)
{
    return m->wrong ? complain(FAILED, "wrong: an element is not where it belongs") : DONE;
}

int move_to_file(const struct move *m, struct files *f, const struct told *told, int status)
{
    struct told t = *told;

    if (!status)
        status = judged(m);
    if (!status)
        status = files_failed(f, cw_output_write(&f->out, m->out, m->n * m->bytes, f->out_at));
    status = files_end(f, status);
    t.command = m->name;
    t.input = f->in_path;
    t.items = "items";
    t.head = &f->in.head;
    t.seconds = seconds_now() - m->begun;
    if (!status)
        files_tell(f, &t);
    return status;
}

void move_free(struct move *m)
{
    free(m->in);
    free(m->out);
    m->in = m->out = NULL;
}

static double rate_of(const struct move *m)
{
    return m->timing.seconds > 0 ? (double)m->n / m->timing.seconds : 0;
}

static void tell(const struct move *m, const struct on *on)
{
    char text[48];

    printf("%s of %" PRIu64 " element%s of %zu byte%s%s\n", m->name, m->n, m->n == 1 ? "" : "s",
           m->bytes, m->bytes > 1 ? "s" : "", m->what);
    printf("on        %s", on_name(on));
    if (on_threads(on))
        printf(", %u thread%s", on_threads(on), on_threads(on) > 1 ? "s" : "");
    printf("\ntime      %s", show_seconds(m->timing.seconds, text));
    if (m->timing.runs > 1)
        printf(" (median of %u)", m->timing.runs);
    printf("\nrate      %s\n", show_rate(rate_of(m), "element", text));
    if (m->timing.copy > 0)
        printf("copy      %.1f %% of the speed of a copy of the same bytes\n",
               100 * m->timing.copy / m->timing.seconds);
    printf("verified  %s\n", m->wrong ? "NO" : "yes");
}

static void members(struct json *j, const struct move *m, const struct on *on)
{
    json_number(j, "n", m->n);
    json_number(j, "bytes", m->bytes);
    json_text(j, "on", on_name(on));
    json_number(j, "threads", on_threads(on));
    json_number(j, "workspace", m->workspace);
    json_number(j, "runs", m->timing.runs);
    json_real(j, "seconds", m->timing.seconds);
    json_real(j, "elements_per_second", rate_of(m));
    if (m->timing.copy > 0)
        json_real(j, "share_of_copy", m->timing.copy / m->timing.seconds);
    else
        json_text(j, "share_of_copy", NULL);
    json_bool(j, "verified", !m->wrong);
}

int move_report(const struct move *m, const struct on *on,
                void (*more)(struct json *j, const void *arg), const void *arg)
{
    struct json j = {stdout, 0};

    if (more) {
        json_open(&j, NULL, '{');
        json_text(&j, "command", m->name);
        more(&j, arg);
        members(&j, m, on);
        json_close(&j, '}');
        printf("\n");
    } else {
        tell(m, on);
    }
    return judged(m);
}
