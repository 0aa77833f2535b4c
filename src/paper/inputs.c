#include "paper/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static const char *const key_names[] = {"uniform", "sorted", "reverse", "equal",
                                        "zeroone", "few",    "organ",   NULL};
static const char *const label_names[] = {"random",       "identity", "reverse", "transpose",
                                          "bit-reversal", "rotate",   "blocks",  NULL};

int cw_problem_has_labels(enum cw_problem problem)
{
    return problem == CW_PARTITION || problem == CW_PERMUTE;
}

const char *const *cw_input_names(enum cw_problem problem)
{
    return cw_problem_has_labels(problem) ? label_names : key_names;
}

/* ---- random words -------------------------------------------------------- */

/* A counter through a 64-bit mixer: every state is on one cycle of length 2^64. */
static uint64_t draw(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Below `limit`, each value as likely: the last, incomplete round of values is redrawn. */
static uint64_t draw_below(uint64_t *state, uint64_t limit)
{
    const uint64_t odd = (UINT64_MAX % limit + 1) % limit;
    uint64_t x;

    do
        x = draw(state);
    while (x > UINT64_MAX - odd);
    return x % limit;
}

static void shuffle(uint64_t *state, uint64_t n, cw_word *x)
{
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = draw_below(state, i);
        const cw_word t = x[i - 1];

        x[i - 1] = x[j];
        x[j] = t;
    }
}

/* ---- keys ---------------------------------------------------------------- */

/* Rank r of n as a key: r itself if all ranks fit in `bits`, otherwise r scaled down. */
static cw_word rank_key(uint64_t r, uint64_t n, uint32_t bits)
{
    if (bits == 0 || bits >= 32 || n <= UINT64_C(1) << bits)
        return r;
    return (r << bits) / n;
}

static void make_keys(const char *name, uint64_t n, uint32_t bits, uint64_t seed, cw_word *out)
{
    const uint64_t mask = bits == 0 || bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t state = seed;
    cw_word few[16];

    for (int i = 0; i < 16; i++)
        few[i] = draw(&state) & mask;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t back = n - 1 - i;

        if (!strcmp(name, "uniform"))
            out[i] = draw(&state) & mask;
        else if (!strcmp(name, "sorted"))
            out[i] = rank_key(i, n, bits);
        else if (!strcmp(name, "reverse"))
            out[i] = rank_key(back, n, bits);
        else if (!strcmp(name, "equal"))
            out[i] = few[0];
        else if (!strcmp(name, "zeroone"))
            out[i] = draw(&state) >> 63;
        else if (!strcmp(name, "few"))
            out[i] = few[draw(&state) >> 60];
        else
            out[i] = rank_key(i < back ? i : back, n, bits);
    }
}

/* ---- labels -------------------------------------------------------------- */

static void bit_reversal(uint64_t n, cw_word *out)
{
    uint64_t i = 0;
    uint32_t bits = 0;

    while (UINT64_C(1) << bits < n)
        bits++;
    for (uint64_t x = 0; i < n; x++) {
        uint64_t place = 0;

        for (uint32_t b = 0; b < bits; b++)
            place |= (x >> b & 1) << (bits - 1 - b);
        if (place < n)
            out[i++] = place;
    }
}

static cw_status blocks(uint32_t w, uint32_t m, uint64_t *state, cw_word *out)
{
    cw_word *const rows = (cw_word *)malloc(w * sizeof *rows);

    if (!rows)
        return cw_fail(CW_ERR_MEMORY, "out of memory for the labels of %u rows", w);
    for (uint32_t i = 0; i < w; i++)
        rows[i] = i;
    shuffle(state, w, rows);
    for (uint32_t i = 0; i < w; i++) {
        cw_word *const row = out + (size_t)i * m;

        for (uint32_t j = 0; j < m; j++)
            row[j] = rows[i] * m + j;
        shuffle(state, m, row);
    }
    free(rows);
    return CW_OK;
}

/* The place that each item goes to. */
static cw_status make_places(const char *name, uint32_t w, uint32_t m, uint64_t seed, cw_word *out)
{
    const uint64_t n = (uint64_t)w * m;
    uint64_t state = seed;

    if (!strcmp(name, "blocks"))
        return blocks(w, m, &state, out);
    if (!strcmp(name, "bit-reversal")) {
        bit_reversal(n, out);
        return CW_OK;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (!strcmp(name, "reverse"))
            out[i] = n - 1 - i;
        else if (!strcmp(name, "transpose"))
            out[i] = i % m * w + i / m;
        else if (!strcmp(name, "rotate"))
            out[i] = (i + m + 1) % n;
        else
            out[i] = i;
    }
    if (!strcmp(name, "random"))
        shuffle(&state, n, out);
    return CW_OK;
}

static int known(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

cw_status cw_input_make(const char *name, enum cw_problem problem, uint32_t w, uint32_t m,
                        uint32_t key_bits, uint64_t seed, cw_word *out)
{
    const uint64_t n = (uint64_t)w * m;
    cw_status status;

    if (!known(name, cw_input_names(problem)))
        return cw_fail(CW_ERR_ARGUMENT, "unknown input '%s'", name);
    if (!cw_problem_has_labels(problem)) {
        make_keys(name, n, key_bits, seed, out);
        return CW_OK;
    }
    status = make_places(name, w, m, seed, out);
    for (uint64_t i = 0; !status && problem == CW_PARTITION && i < n; i++)
        out[i] /= m;
    return status;
}

/* ---- are they what the problem demands? ---------------------------------- */

static cw_status check_keys(uint64_t n, uint32_t bits, const cw_word *in)
{
    for (uint64_t i = 0; bits > 0 && bits < 64 && i < n; i++) {
        if (in[i] >> bits)
            return cw_fail(CW_ERR_LABEL, "item %llu: key %llu is not below 2^%u",
                           (unsigned long long)i, (unsigned long long)in[i], bits);
    }
    return CW_OK;
}

static cw_status check_rows(uint32_t w, uint32_t m, const cw_word *in, uint32_t *used)
{
    for (uint64_t i = 0; i < (uint64_t)w * m; i++) {
        if (in[i] >= w)
            return cw_fail(CW_ERR_LABEL, "item %llu: label %llu is no row, there are %u",
                           (unsigned long long)i, (unsigned long long)in[i], w);
        if (++used[in[i]] > m)
            return cw_fail(CW_ERR_LABEL,
                           "item %llu: label %llu once too often, a row takes %u items",
                           (unsigned long long)i, (unsigned long long)in[i], m);
    }
    return CW_OK;
}

static cw_status check_places(uint32_t w, uint32_t m, const cw_word *in, uint32_t *used)
{
    const uint64_t n = (uint64_t)w * m;

    for (uint64_t i = 0; i < n; i++) {
        const unsigned long long label = in[i];

        if (label >= n)
            return cw_fail(CW_ERR_LABEL, "item %llu: label %llu is no place, there are %llu",
                           (unsigned long long)i, label, (unsigned long long)n);
        if (used[label])
            return cw_fail(CW_ERR_LABEL,
                           "item %llu: label %llu, row %llu and column %llu, is item %u's already",
                           (unsigned long long)i, label, label / m, label % m, used[label] - 1);
        used[label] = (uint32_t)i + 1;
    }
    return CW_OK;
}

cw_status cw_input_check(enum cw_problem problem, uint32_t w, uint32_t m, uint32_t key_bits,
                         const cw_word *in)
{
    const uint64_t n = (uint64_t)w * m;
    uint32_t *used;
    cw_status status;

    if (!cw_problem_has_labels(problem))
        return check_keys(n, key_bits, in);
    used = (uint32_t *)calloc(problem == CW_PARTITION ? w : n, sizeof *used);
    if (!used)
        return cw_fail(CW_ERR_MEMORY, "out of memory to check %llu labels", (unsigned long long)n);
    status = problem == CW_PARTITION ? check_rows(w, m, in, used) : check_places(w, m, in, used);
    free(used);
    return status;
}

void cw_input_items(uint64_t n, cw_word *labels)
{
    for (uint64_t i = 0; i < n; i++)
        labels[i] = CW_ITEM(labels[i], i);
}
