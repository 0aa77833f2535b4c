/* fuzz_csv.c - a libFuzzer target: any bytes as recorded addresses, "request,lane,address" in each line.
 *
 *      clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *          -I. -Iinclude -Isrc -Itests tests/expr/fuzz_csv.c cli/conflicts/conflicts_csv.c src/machine/banks.c -o fuzz_csv
 *      ./fuzz_csv -max_len=1024 -max_total_time=120 [CORPUS]
 *
 * The reference cuts the text into lines and these at commas.  What one refuses the other must refuse, with a line for
 * people; what is taken has every address where its line says, and no others.
 */
#include <errno.h>
#include <stdarg.h>

#include "cli/cli.h"
#include "cli/conflicts/conflicts.h"
#include "cli/files/files.h"
#include "support/fuzz/input.h"

static const uint8_t *text;
static size_t text_size;
static unsigned complaints;

int complain(int status, const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    must(vsnprintf(line, sizeof line, format, args) > 0, "no word");
    va_end(args);
    complaints++;
    return status;
}

FILE *open_text(const char *path)
{
    (void)path;
    return text_size ? fmemopen((void *)(uintptr_t)text, text_size, "rb") : tmpfile();
}

struct line {
    uint64_t request, lane, address;
};

/* A field without its blanks as a number below 2^64: decimal, or 0x. */
static int number(const char *from, const char *to, uint64_t *out)
{
    char digits[160], *end;
    int hex;

    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    while (from < to && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    snprintf(digits, sizeof digits, "%.*s", (int)(to - from), from);
    hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (hex ? !digits[2] || digits[2 + strspn(digits + 2, "0123456789abcdefABCDEF")]
            : !digits[0] || digits[strspn(digits, "0123456789")])
        return 0;
    errno = 0;
    *out = strtoull(digits, &end, hex ? 16 : 10);
    return !errno && !*end;
}

/* A line without comment and end: 1 and its numbers, 0 if there is nothing in it, -1 if it is wrong. */
static int read_line(const char *s, const struct question *q, struct line *out)
{
    const char *const first = strchr(s, ','), *const second = first ? strchr(first + 1, ',') : NULL;

    if (!s[strspn(s, " \t")])
        return 0;
    if (!second || !number(s, first, &out->request) || !number(first + 1, second, &out->lane) ||
        !number(second + 1, s + strlen(s), &out->address))
        return -1;
    return out->lane < q->machine->lanes && out->address <= UINT32_MAX &&
                   out->address % q->bytes == 0
               ? 1
               : -1;
}

/* All lines; -1 if one is wrong. */
static long read_all(const struct question *q, struct line *all)
{
    char s[128];
    size_t length = 0, number_of = 1, count = 0;
    int comment = 0;

    for (size_t i = 0; i <= text_size; i++) {
        const int end = i == text_size || text[i] == '\n';

        comment |= !end && text[i] == '#';
        if (!end && !comment && text[i] != '\r') {
            if (length == sizeof s - 1)
                return -1;
            s[length++] = (char)(text[i] ? text[i] : '?');
        }
        if (end) {
            int there;

            s[length] = 0;
            there = number_of == 1 && !strcmp(s, "request,lane,address")
                        ? 0
                        : read_line(s, q, &all[count]);
            if (there < 0)
                return -1;
            count += (size_t)there;
            length = 0;
            comment = 0;
            number_of++;
        }
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            if (all[a].request == all[b].request && all[a].lane == all[b].lane)
                return -1;
    return count ? (long)count : -1;
}

static const struct ask *find(const struct pattern *p, uint64_t request)
{
    for (uint32_t k = 0; k < p->count; k++)
        if (p->ask[k].name == (int64_t)request)
            return &p->ask[k];
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct question q = {.csv = "input", .bytes = 1u << (size ? data[0] % 5 : 0)};
    struct line *const all = (struct line *)array_of((size + 1) * sizeof *all);
    long count, asked = 0;
    int status;

    q.machine = &cw_bank_machines[size ? data[0] / 5 % 2 : 0];
    text = data + (size != 0);
    text_size = size - (size != 0);
    complaints = 0;
    count = read_all(&q, all);
    status = recorded_read(&q);
    must((count < 0) == (status == USAGE), count < 0 ? "what is wrong is taken" : "refused");
    must(complaints == (status != DONE), "not one line for people");
    for (uint32_t k = 0; !status && k < q.recorded.count; k++)
        asked += __builtin_popcountll(q.recorded.ask[k].lanes);
    must(status || asked == count, "more addresses, or fewer");
    for (long k = 0; !status && k < count; k++) {
        const struct ask *const a = find(&q.recorded, all[k].request);

        must(a && a->lanes >> all[k].lane & 1 && a->index[all[k].lane] == all[k].address / q.bytes,
             "an address is not where its line says");
    }
    free(q.recorded.ask);
    free(all);
    return 0;
}
