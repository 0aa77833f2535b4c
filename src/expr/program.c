/* program.c - the names of a program, and its evaluation; program_read.c reads its lines. */
#include "expr/program.h"

#include <stdio.h>
#include <string.h>

#include "expr/kernel.h"
#include "expr/program_parts.h"

static cw_status refuse(struct cw_expr_error *error, size_t at, const char *text)
{
    error->at = at;
    snprintf(error->text, sizeof error->text, "%s", text);
    return CW_ERR_ARGUMENT;
}

void cw_program_begin(struct cw_program *p, const struct cw_expr_name *names)
{
    memset(p, 0, sizeof *p);
    while (p->given < CW_PROGRAM_NAMES && names[p->given].text) {
        p->names[p->given] = names[p->given];
        p->given++;
    }
}

void cw_program_free(struct cw_program *p)
{
    for (uint32_t k = 0; k < p->locals; k++)
        cw_expr_free(p->local[k].value);
    for (uint32_t k = 0; k < p->accesses; k++) {
        cw_expr_free(p->access[k].condition);
        for (uint32_t d = 0; d < p->access[k].dims; d++)
            cw_expr_free(p->access[k].index[d]);
    }
    cw_expr_free(p->condition);
    cw_expr_kernel_free(p);
    memset(p, 0, sizeof *p);
}

/* ---- names ---------------------------------------------------------------- */

int cw_program_constant(const struct cw_program *p, const struct cw_expr *e, int64_t *out,
                        struct cw_expr_error *error)
{
    int64_t values[CW_PROGRAM_NAMES + CW_PROGRAM_LOCALS] = {0};
    size_t at;

    for (uint32_t k = 0; k < p->given + p->locals; k++) {
        const struct cw_local *const l = k < p->given ? NULL : &p->local[k - p->given];

        if (cw_expr_uses(e, k, &at) && !(l && l->constant))
            return 0;
        values[k] = l ? l->is : 0;
    }
    return cw_expr_eval(e, values, out, error) == CW_OK;
}

cw_status cw_program_add(struct cw_program *p, const char *name, size_t length, size_t at,
                         struct cw_expr *value, struct cw_expr_error *error)
{
    struct cw_local *const l = &p->local[p->locals];

    if (p->locals == CW_PROGRAM_LOCALS || length >= sizeof l->name) {
        cw_expr_free(value);
        return refuse(error, at,
                      length >= sizeof l->name ? "the name is too long" : "too many names");
    }
    memcpy(l->name, name, length);
    l->name[length] = 0;
    l->value = value;
    l->constant = cw_program_constant(p, value, &l->is, error);
    p->names[p->given + p->locals].text = l->name;
    p->names[p->given + p->locals].type = cw_expr_type(value);
    p->locals++;
    return CW_OK;
}

cw_status cw_program_define(struct cw_program *p, const char *text, struct cw_expr_error *error)
{
    const size_t length = strlen(text), name = strcspn(text, "=");
    struct cw_expr *value;
    cw_status status;

    if (name == 0 || name == length)
        return refuse(error, name, "a name and its value are wanted, N=32");
    for (size_t k = 0; k < name; k++)
        if (!cw_is_letter(text[k]) && !(k && cw_is_digit(text[k])))
            return refuse(error, k, "a name is letters, digits and _");
    status = cw_expr_parse_part(text, name + 1, length, p->names, &value, error);
    if (status)
        return status;
    error->text[0] = 0;
    status = cw_program_add(p, text, name, 0, value, error);
    if (!status && !p->local[p->locals - 1].constant)
        return *error->text ? CW_ERR_ARGUMENT : refuse(error, name + 1, "the value is no constant");
    return status;
}

cw_status cw_program_only_if(struct cw_program *p, const char *text, struct cw_expr_error *error)
{
    return cw_expr_parse(text, strlen(text), p->names, &p->condition, error);
}

/* ---- evaluation ----------------------------------------------------------- */

uint64_t cw_declared_elements(const struct cw_declared *a)
{
    uint64_t all = a->dims ? 1 : 0;

    for (uint32_t d = 0; d < a->dims; d++)
        all *= a->size[d];
    return all;
}

/* Row by row, as C lays arrays out. */
cw_status cw_program_locate(const struct cw_program *p, const struct cw_access *a,
                            const int64_t *values, int64_t *index, struct cw_expr_error *error)
{
    int64_t all = 0;

    for (uint32_t d = 0; d < a->dims; d++) {
        const uint64_t size = p->array.size[d];
        int64_t x;

        if (cw_expr_eval(a->index[d], values, &x, error))
            return CW_ERR_ARGUMENT;
        if (p->array.dims && (x < 0 || (size && (uint64_t)x >= size) || x > UINT32_MAX)) {
            error->at = a->text[d].at;
            snprintf(error->text, sizeof error->text, "subscript %lld is outside [%llu]",
                     (long long)x, (unsigned long long)size);
            return CW_ERR_ARGUMENT;
        }
        all = d ? all * (int64_t)size + x : x;
    }
    *index = all;
    return CW_OK;
}

cw_status cw_program_eval(const struct cw_program *p, const int64_t *values, uint32_t which,
                          int *asks, int64_t *index, struct cw_expr_error *error)
{
    const struct cw_access *const a = &p->access[which];
    int64_t all[CW_PROGRAM_NAMES + CW_PROGRAM_LOCALS], holds = 1;

    for (uint32_t k = 0; k < p->given; k++)
        all[k] = values[k];
    for (uint32_t k = 0; k < p->locals; k++) {
        if (p->local[k].constant)
            all[p->given + k] = p->local[k].is;
        else if (cw_expr_eval(p->local[k].value, all, &all[p->given + k], error))
            return CW_ERR_ARGUMENT;
    }
    if (p->condition && cw_expr_eval(p->condition, all, &holds, error)) {
        error->at = SIZE_MAX;
        return CW_ERR_ARGUMENT;
    }
    if (holds && a->condition && cw_expr_eval(a->condition, all, &holds, error))
        return CW_ERR_ARGUMENT;
    *asks = holds != 0;
    return holds ? cw_program_locate(p, a, all, index, error) : CW_OK;
}

int cw_program_uses(const struct cw_program *p, uint32_t k, size_t *at)
{
    for (uint32_t l = 0; l < p->locals; l++)
        if (p->local[l].value && cw_expr_uses(p->local[l].value, k, at))
            return 1;
    for (uint32_t s = 0; s < p->steps; s++)
        if (p->step[s].e && cw_expr_uses(p->step[s].e, k, at))
            return 1;
    for (uint32_t x = 0; x < p->accesses; x++) {
        const struct cw_access *const a = &p->access[x];

        if (a->condition && cw_expr_uses(a->condition, k, at))
            return 1;
        for (uint32_t d = 0; d < a->dims; d++)
            if (cw_expr_uses(a->index[d], k, at))
                return 1;
    }
    return p->condition && cw_expr_uses(p->condition, k, at);
}
