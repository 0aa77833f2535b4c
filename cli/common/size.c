/* size.c - sizes as people write them: 1000, 1_000_000, 1e6, 1.5e6, 2^28, 10^6, 512M, 1.5G, 1GB, 4GiB.
 *
 * K, M, G and T are powers of 1024, and so are KiB, MiB, ..; KB, MB, GB and TB are powers of 1000, as
 * dd and sort have them.  Small letters mean the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "options.h"

struct size {
    const char *at;  /* what is not read yet */
    uint64_t digits; /* the digits before it, without the point */
    unsigned after;  /* how many of them stand after the point */
    int point;       /* there was one */
    int over;        /* the number does not fit in 64 bits */
};

static void times(struct size *s, uint64_t factor)
{
    s->over |= factor && s->digits > UINT64_MAX / factor;
    s->digits *= factor;
}

static void add_digit(struct size *s, char digit)
{
    times(s, 10);
    s->over |= s->digits > UINT64_MAX - (uint64_t)(digit - '0');
    s->digits += (uint64_t)(digit - '0');
}

/* Digits, perhaps with _ between them; at least one.  Zeros at the end of those after a point say nothing. */
static int take_digits(struct size *s, int after_point)
{
    unsigned count = 0, zeros = 0;

    for (; (*s->at >= '0' && *s->at <= '9') || (*s->at == '_' && count); s->at++) {
        if (*s->at == '_') {
            if (s->at[1] < '0' || s->at[1] > '9')
                return 0;
            continue;
        }
        count++;
        if (after_point && *s->at == '0') {
            zeros++;
            continue;
        }
        for (s->after += after_point ? zeros + 1 : 0; zeros; zeros--)
            add_digit(s, '0');
        add_digit(s, *s->at);
    }
    return count > 0;
}

/* A whole number by itself: an exponent. */
static int take_exponent(struct size *s, uint64_t *out)
{
    struct size e = {.at = s->at};

    if (!take_digits(&e, 0))
        return 0;
    s->at = e.at;
    *out = e.over || e.digits > 1000 ? 1000 : e.digits;
    return 1;
}

/* Times base^exponent, or 10^exponent less the places after the point. */
static void times_power(struct size *s, uint64_t base, uint64_t exponent)
{
    for (; exponent && base != 1 && s->digits && !s->over; exponent--) {
        if (base == 10 && s->after)
            s->after--;
        else
            times(s, base);
    }
}

/* Times 2^exponent.  Places after the point go first, a 10 for a 5 and a 2, so that nothing is too large on the way. */
static void times_two(struct size *s, unsigned exponent)
{
    for (; s->after && exponent && s->digits % 5 == 0; exponent--) {
        s->digits /= 5;
        s->after--;
    }
    for (; exponent; exponent--)
        times(s, 2);
}

/* Behind the digits: ^N, eN or letters.  0: something else is there. */
static int take_rest(struct size *s)
{
    static const char letters[] = "KMGTkmgt";
    const char *letter = *s->at ? strchr(letters, *s->at) : NULL;
    uint64_t exponent;

    if (*s->at == '^' && !s->point) {
        const uint64_t base = s->digits;

        s->at++;
        s->digits = 1;
        if (!take_exponent(s, &exponent))
            return 0;
        if (!base)
            s->digits = exponent == 0;
        else
            times_power(s, base, exponent);
        return 1;
    }
    if (*s->at == 'e' || *s->at == 'E') {
        s->at += s->at[1] == '+' ? 2 : 1;
        if (!take_exponent(s, &exponent))
            return 0;
        times_power(s, 10, exponent);
        return 1;
    }
    if (letter) {
        const unsigned k = (unsigned)(letter - letters) % 4 + 1;

        s->at++;
        if (*s->at == 'B' || *s->at == 'b') {
            s->at++;
            times_power(s, 10, 3 * k);
        } else {
            s->at += *s->at == 'i' && s->at[1] == 'B' ? 2 : 0;
            times_two(s, 10 * k);
        }
    } else if (*s->at == 'B') {
        s->at++;
    }
    return 1;
}

/* Bounds as people write them: 65536, 16M, 2^40. */
static const char *show_bound(uint64_t x, char *out, size_t room)
{
    const unsigned bits = 63u - (unsigned)__builtin_clzll(x | 1);

    if (x < 1u << 20 || x & (x - 1))
        snprintf(out, room, "%" PRIu64, x);
    else if (bits < 40 && bits % 10 < 8)
        snprintf(out, room, "%u%c", 1u << bits % 10, "KMG"[bits / 10 - 1]);
    else
        snprintf(out, room, "2^%u", bits);
    return out;
}

int out_of_range(const char *what, const char *text, uint64_t min, uint64_t max)
{
    char least[32], most[32];

    return complain(USAGE, "%s must be between %s and %s, got %.40s", what,
                    show_bound(min, least, sizeof least), show_bound(max, most, sizeof most), text);
}

int is_negative(const char *text)
{
    return text[0] == '-' && text[1] && !text[1 + strspn(text + 1, "0123456789")];
}

int read_size(const char *text, uint64_t *out, int *over)
{
    struct size s = {.at = text};
    int good = take_digits(&s, 0);

    if (good && *s.at == '.') {
        s.point = 1;
        s.at++;
        good = take_digits(&s, 1);
    }
    good = good && take_rest(&s) && !*s.at;
    for (; good && s.after && !s.over; s.after--) { /* 0.5 is no size, 1.5K is one */
        good = s.digits % 10 == 0;
        s.digits /= 10;
    }
    *out = s.digits;
    *over = s.over;
    return good;
}

int parse_size(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    uint64_t x;
    int over;

    if (!read_size(text, &x, &over) && !is_negative(text))
        return complain(USAGE, "%s: '%s' is no size, like 1000, 1e6, 2^28, 512M or 1GB", what,
                        text);
    if (over || is_negative(text) || x < min || x > max)
        return out_of_range(what, text, min, max);
    *out = x;
    return DONE;
}
