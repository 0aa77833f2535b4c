/* expr_tree.h - random expressions as trees: printed as C, and reckoned in a way of their own, by
 * mathematical values of 128 bits.
 */
#ifndef CW_EXPR_TREE_H
#define CW_EXPR_TREE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "test.h"

static const struct cw_expr_name tree_names[] = {
    {"t", CW_EXPR_INT}, {"threadIdx.x", CW_EXPR_UNSIGNED}, {"warp", CW_EXPR_LONG},
    {"i", CW_EXPR_INT}, {"size", CW_EXPR_UNSIGNED_LONG},   {NULL, CW_EXPR_INT}};

#define TREE_NAMES 5

struct node {
    int op; /* place in `operators`; -1 constant, -2 name, -3 - ~ !, -4 ?:, -5 cast */
    uint64_t value;
    int suffix; /* 1: u, 2: l, 4: hexadecimal */
    int kid[3];
};

static const struct {
    const char *text;
    int level;
} operators[] = {{"||", 2}, {"&&", 3}, {"|", 4},  {"^", 5},  {"&", 6},  {"==", 7},
                 {"!=", 7}, {"<", 8},  {"<=", 8}, {">", 8},  {">=", 8}, {"<<", 9},
                 {">>", 9}, {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11}};

static const struct {
    const char *text;
    enum cw_expr_type type;
    int bits; /* of the type that comes first, with a sign; 0: none */
} casts[] = {{"int", CW_EXPR_INT, 0},
             {"unsigned", CW_EXPR_UNSIGNED, 0},
             {"unsigned int", CW_EXPR_UNSIGNED, 0},
             {"long long", CW_EXPR_LONG, 0},
             {"size_t", CW_EXPR_UNSIGNED_LONG, 0},
             {"unsigned char", CW_EXPR_INT, 8},
             {"signed char", CW_EXPR_INT, -8},
             {"uint16_t", CW_EXPR_INT, 16},
             {"short", CW_EXPR_INT, -16},
             {"bool", CW_EXPR_INT, 1}};

struct tree {
    struct node node[64];
    int count;
    struct cw_random random;
    char text[4096];
    size_t length;
};

static int grow(struct tree *t, int depth)
{
    const int me = t->count++;
    struct node *const n = &t->node[me];
    const uint64_t kind = depth ? cw_random_below(&t->random, 12) : cw_random_below(&t->random, 3);

    n->value = 0;
    if (kind < 1) {
        n->op = -1;
        n->suffix = cw_random_below(&t->random, 3) ? 0 : (int)cw_random_below(&t->random, 8);
        n->value = cw_random_next(&t->random) >> 1 >> cw_random_below(&t->random, 63);
    } else if (kind < 3) {
        n->op = -2;
        n->value = cw_random_below(&t->random, TREE_NAMES);
    } else if (kind < 4) {
        n->op = -3;
        n->value = cw_random_below(&t->random, 3);
        n->kid[0] = grow(t, depth - 1);
    } else if (kind < 5) {
        n->op = -4;
        for (int k = 0; k < 3; k++)
            n->kid[k] = grow(t, depth - 1);
    } else if (kind < 6) {
        n->op = -5;
        n->value = cw_random_below(&t->random, COUNT(casts));
        n->kid[0] = grow(t, depth - 1);
    } else {
        n->op = (int)cw_random_below(&t->random, COUNT(operators));
        n->kid[0] = grow(t, depth - 1);
        n->kid[1] = grow(t, depth - 1);
    }
    return me;
}

static void put(struct tree *t, const char *text)
{
    static const char *const gaps[] = {" ", " ", "", "\t", "\n ", "  "};
    const char *gap = gaps[cw_random_below(&t->random, COUNT(gaps))];

    if (!*gap && t->length && (strchr("+-", *text) || strchr("=<>&|!", *text)))
        gap = " "; /* two signs, or two operators that would be one */
    t->length +=
        (size_t)snprintf(t->text + t->length, sizeof t->text - t->length, "%s%s", gap, text);
}

static void put_constant(struct tree *t, const struct node *n)
{
    static const char *const suffixes[] = {"", "u", "l", "uLL"};
    char text[48];

    if (n->suffix & 4)
        snprintf(text, sizeof text, "0x%" PRIx64 "%s", n->value, suffixes[n->suffix & 3]);
    else
        snprintf(text, sizeof text, "%" PRIu64 "%s", n->value, suffixes[n->suffix & 3]);
    put(t, text);
}

static void print(struct tree *t, int me, int least);

static void put_cast(struct tree *t, const struct node *n)
{
    char text[48];
    const char *const type = casts[n->value].text;
    const int cpp = cw_random_below(&t->random, 3) == 0;

    snprintf(text, sizeof text, cpp ? "%s(" : "(%s)", type);
    put(t, text);
    print(t, n->kid[0], cpp ? 1 : 12);
    if (cpp)
        put(t, ")");
}

/* Parentheses where C needs them, and now and then where it does not. */
static void print(struct tree *t, int me, int least)
{
    const struct node *const n = &t->node[me];
    const int level = n->op >= 0 ? operators[n->op].level : n->op == -4 ? 1 : n->op < -2 ? 12 : 13;
    const int wrap = level < least || cw_random_below(&t->random, 8) == 0;

    if (wrap)
        put(t, "(");
    if (n->op == -1) {
        put_constant(t, n);
    } else if (n->op == -2) {
        put(t, tree_names[n->value].text);
    } else if (n->op == -3) {
        put(t, n->value == 0 ? "-" : n->value == 1 ? "~" : "!");
        print(t, n->kid[0], 12);
    } else if (n->op == -4) {
        print(t, n->kid[0], 2);
        put(t, "?");
        print(t, n->kid[1], 1);
        put(t, ":");
        print(t, n->kid[2], 1);
    } else if (n->op == -5) {
        put_cast(t, n);
    } else {
        print(t, n->kid[0], level);
        put(t, operators[n->op].text);
        print(t, n->kid[1], level + 1);
    }
    if (wrap)
        put(t, ")");
}

/* A random expression from a seed: its text is in t->text. */
static void tree_make(struct tree *t, uint64_t seed, int64_t *values)
{
    t->random = cw_random_from(seed);
    t->count = 0;
    t->length = 0;
    grow(t, 3);
    print(t, 0, 1);
    for (int k = 0; k < TREE_NAMES; k++)
        values[k] = (int64_t)cw_random_below(&t->random, 2000) - (k == 3 ? 1000 : 0);
}

/* ---- what it is worth ----------------------------------------------------- */

__extension__ typedef __int128 wide;

/* The value of 2^bits. */
static wide power(int bits)
{
    return (wide)1 << bits;
}

static int bits_of(enum cw_expr_type type)
{
    return type >= CW_EXPR_LONG ? 64 : 32;
}

static int has_sign(enum cw_expr_type type)
{
    return type == CW_EXPR_INT || type == CW_EXPR_LONG;
}

static wide wrapped(wide x, int bits, int sign)
{
    const wide all = power(bits);

    x = (x % all + all) % all;
    return sign && x >= all / 2 ? x - all : x;
}

static wide as(enum cw_expr_type type, wide x)
{
    return wrapped(x, bits_of(type), has_sign(type));
}

/* Into the type, if it has no sign; else only if it fits. */
static int settle(enum cw_expr_type type, wide x, wide *out)
{
    *out = as(type, x);
    return !has_sign(type) || *out == x;
}

static enum cw_expr_type tree_type(const struct tree *t, int me)
{
    const struct node *const n = &t->node[me];
    enum cw_expr_type a, b;

    if (n->op == -1) {
        const int u = n->suffix & 1, hex = n->suffix & 4, large = (n->suffix & 2) != 0;

        if (!large && !u && n->value <= INT32_MAX)
            return CW_EXPR_INT;
        if (!large && (u || hex) && n->value <= UINT32_MAX)
            return CW_EXPR_UNSIGNED;
        return u ? CW_EXPR_UNSIGNED_LONG : CW_EXPR_LONG;
    }
    if (n->op == -2)
        return tree_names[n->value].type;
    if (n->op == -5)
        return casts[n->value].type;
    if (n->op == -3)
        return n->value == 2 ? CW_EXPR_INT : tree_type(t, n->kid[0]);
    if (n->op >= 0 && (operators[n->op].level <= 3 ||
                       (operators[n->op].level >= 7 && operators[n->op].level <= 8)))
        return CW_EXPR_INT;
    a = tree_type(t, n->kid[n->op == -4 ? 1 : 0]);
    b = tree_type(t, n->kid[n->op == -4 ? 2 : 1]);
    return (n->op >= 0 && operators[n->op].level == 9) || a > b ? a : b;
}

/* 1 and *out, or 0 where C says nothing; of operands in this type. */
static int plain(const char *op, enum cw_expr_type type, wide a, wide b, wide *out)
{
    const char o = op[0], second = op[1];

    if (second == o && (o == '<' || o == '>')) {
        if (b < 0 || b >= bits_of(type))
            return 0;
        if (o == '<')
            return settle(type, a * power((int)b), out);
        *out = a < 0 ? -((-a + power((int)b) - 1) / power((int)b)) : a / power((int)b);
        return 1;
    }
    if (o == '/' || o == '%')
        return b != 0 && settle(type, a / b, out) && settle(type, o == '/' ? a / b : a % b, out);
    if (o == '*' && !has_sign(type)) { /* 128 bits do not hold it */
        *out = as(type, (wide)(uint64_t)((uint64_t)a * (uint64_t)b));
        return 1;
    }
    if (o == '+' || o == '-' || o == '*')
        return settle(type, o == '+' ? a + b : o == '-' ? a - b : a * b, out);
    *out = second == '=' ? (o == '='   ? a == b
                            : o == '!' ? a != b
                            : o == '<' ? a <= b
                                       : a >= b)
                         : (o == '<'   ? a < b
                            : o == '>' ? a > b
                            : o == '&' ? as(type, (wide)((uint64_t)a & (uint64_t)b))
                            : o == '|' ? as(type, (wide)((uint64_t)a | (uint64_t)b))
                                       : as(type, (wide)((uint64_t)a ^ (uint64_t)b)));
    return 1;
}

static int reckon(const struct tree *t, int me, const int64_t *values, wide *out);

static int reckon_binary(const struct tree *t, const struct node *n, const int64_t *values, wide a,
                         wide *out)
{
    const enum cw_expr_type left = tree_type(t, n->kid[0]), right = tree_type(t, n->kid[1]);
    const int level = operators[n->op].level;
    const enum cw_expr_type type = level == 9 || left > right ? left : right;
    wide b;

    if (level <= 3) { /* || && */
        *out = level == 2;
        if ((a != 0) == *out)
            return 1;
        if (!reckon(t, n->kid[1], values, &b))
            return 0;
        *out = b != 0;
        return 1;
    }
    return reckon(t, n->kid[1], values, &b) &&
           plain(operators[n->op].text, type, as(type, a), level == 9 ? b : as(type, b), out);
}

static int reckon(const struct tree *t, int me, const int64_t *values, wide *out)
{
    const struct node *const n = &t->node[me];
    const enum cw_expr_type type = tree_type(t, me);
    wide a;

    if (n->op == -1 || n->op == -2) {
        *out = n->op == -1 ? (wide)n->value : as(type, values[n->value]);
        return 1;
    }
    if (!reckon(t, n->kid[0], values, &a))
        return 0;
    if (n->op == -3) {
        *out = n->value == 2 ? a == 0 : as(type, -1 - a);
        return n->value ? 1 : settle(type, -a, out);
    }
    if (n->op == -5) {
        const int bits = casts[n->value].bits;

        *out = as(type, bits == 1 ? a != 0 : bits ? wrapped(a, abs(bits), bits < 0) : a);
        return 1;
    }
    if (n->op == -4) {
        if (!reckon(t, n->kid[a ? 1 : 2], values, &a))
            return 0;
        *out = as(type, a);
        return 1;
    }
    return reckon_binary(t, n, values, a, out);
}

/* The whole: 0 where C says nothing, or where it is no int64_t. */
static inline int tree_value(const struct tree *t, const int64_t *values, int64_t *out)
{
    wide x;

    if (!reckon(t, 0, values, &x) || x > INT64_MAX)
        return 0;
    *out = (int64_t)x;
    return 1;
}

#endif
