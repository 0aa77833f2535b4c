/* test_convert.c - between row-major and column-major order without conflicts.
 *
 * Every cell holds a word of its own, so a wrong move shows.  The machine is strict:
 * that a run ends well says that no bank was asked twice.
 */
#include "test.h"

#include <string.h>

#include "paper/convert/convert_in_place.h"
#include "paper/paper.h"
#include "paper/convert/transpose.h"

enum move { R2C, C2R, R2C_IN_PLACE, C2R_IN_PLACE, R2C_UNTURNED, SQUARE };

/* What a run does, and on which rows; the others must be left alone. */
struct plan {
    enum move move;
    view v;
    int real; /* columns of the column-major side that exist */
    int flip; /* odd rows are read backwards */
};

/* r2c without the rotation: the mistake that the rotation is there for. */
static void r2c_unturned(mem s, view v)
{
    const int p = view_row(s, v);
    const view to = view_flip(v);

    view_sync(s, v);
    for (int j = 0; j < v.m; j++) {
        const unsigned place = (unsigned)p * (unsigned)v.m + (unsigned)j;
        const word x = get(s, v, p, j);

        put(s, to, place % (unsigned)v.h, place / (unsigned)v.h, x);
    }
    view_sync(s, v);
}

static void body(struct cw_model *s, const void *arg)
{
    const struct plan *p = (const struct plan *)arg;
    const int i = lane_id(s) - p->v.first;

    if (i < 0 || i % p->v.stride || i / p->v.stride >= p->v.h)
        return;
    switch (p->move) {
    case R2C:
        r2c_part(s, p->v, p->real, p->flip);
        break;
    case C2R:
        c2r_part(s, p->v, p->real);
        break;
    case R2C_IN_PLACE:
        r2c_in_place(s, p->v);
        break;
    case C2R_IN_PLACE:
        c2r_in_place(s, p->v);
        break;
    case R2C_UNTURNED:
        r2c_unturned(s, p->v);
        break;
    case SQUARE:
        transpose_square(s, p->v);
        break;
    }
}

/* ---- one machine, several moves -------------------------------------------- */

static struct cw_model *machine(uint32_t w, uint32_t cols, int count)
{
    const struct cw_model_config config = {w, cols, count, 0, 0};
    struct cw_model *s;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    return s;
}

static cw_word name_of(uint32_t r, uint32_t c)
{
    return (cw_word)r << 32 | c;
}

static cw_status move(struct cw_model *s, const struct plan *p, struct cw_counters *counters)
{
    const struct cw_model_config *config = cw_model_settings(s);
    cw_status status;

    for (uint32_t r = 0; r < config->w; r++)
        for (uint32_t c = 0; c < config->m; c++)
            *cw_model_at(s, r, c) = name_of(r, c);
    status = cw_model_run(s, body, p);
    cw_model_counters(s, counters);
    return status;
}

/* The word that a cell of the view must hold in the end. */
static cw_word wanted(const struct plan *p, int r, int c, int at)
{
    const view v = p->v;
    const int forth = p->move != C2R && p->move != C2R_IN_PLACE;
    const int place = forth ? c * v.h + r : r * v.m + c;
    const int row = forth ? place / v.m : place % v.h;
    const int col = forth ? place % v.m : place / v.h;
    const int missing = (forth ? c : col) >= p->real;

    if (p->move == SQUARE)
        return name_of((uint32_t)(v.first + c * v.stride), (uint32_t)(v.a + r));
    if (missing)
        return name_of((uint32_t)(v.first + r * v.stride), (uint32_t)(at + c));
    return name_of((uint32_t)(v.first + row * v.stride),
                   (uint32_t)(v.a + (p->flip && row % 2 ? v.m - 1 - col : col)));
}

/* Run the move; the words must be where they belong, after `steps` steps. */
static void moves(struct cw_model *s, const struct plan *p, uint64_t steps)
{
    const view v = p->v;
    const int at = p->move == R2C || p->move == C2R ? v.b : v.a;
    struct cw_counters counters;

    if (move(s, p, &counters))
        fail_msg("%d x %d, move %d: %s", v.h, v.m, p->move, cw_last_error());
    for (int r = 0; r < v.h; r++)
        for (int c = 0; c < v.m; c++)
            if (*cw_model_at(s, (uint32_t)(v.first + r * v.stride), (uint32_t)(at + c)) !=
                wanted(p, r, c, at))
                fail_msg("%d x %d, move %d: wrong at (%d, %d)", v.h, v.m, p->move, r, c);
    if (counters.steps != steps || counters.conflicts)
        fail_msg("%d x %d, move %d: %llu steps, not %llu; %llu conflicts", v.h, v.m, p->move,
                 (unsigned long long)counters.steps, (unsigned long long)steps,
                 (unsigned long long)counters.conflicts);
}

static struct plan plan_of(enum move move, int w, int m)
{
    const struct plan p = {move, view_make(0, w, m, 0, m, 4), m, 0};

    return p;
}

/* ---- the conversions ------------------------------------------------------- */

static void converts_there_and_back(uint32_t w, uint32_t m)
{
    struct cw_model *s = machine(w, 2 * m, 0);
    const uint64_t in_place = (gcd((int)w, (int)m) > 1 ? 6 : 4) * (uint64_t)m;
    struct plan p = plan_of(R2C, (int)w, (int)m);

    moves(s, &p, 2 * (uint64_t)m);
    p.move = C2R;
    moves(s, &p, 2 * (uint64_t)m);
    p.move = R2C_IN_PLACE;
    moves(s, &p, in_place);
    p.move = C2R_IN_PLACE;
    moves(s, &p, in_place);
    cw_model_destroy(s);
}

static void every_shape_is_converted_without_conflicts(void **state)
{
    const uint32_t limit = cw_long_run() ? 130 : 40;

    (void)state;
    for (uint32_t w = 1; w <= limit; w++)
        for (uint32_t m = 1; m <= limit; m++)
            converts_there_and_back(w, m);
}

static void long_shapes_are_converted_without_conflicts(void **state)
{
    (void)state;
    converts_there_and_back(3, 2000);
    converts_there_and_back(2000, 3);
    converts_there_and_back(1, 2000);
    converts_there_and_back(2000, 1);
    converts_there_and_back(64, 96);
    converts_there_and_back(96, 64);
    converts_there_and_back(97, 131);
}

/* For column sorts of shapes that are padded to a multiple. */
static void columns_that_do_not_exist_are_left_out(void **state)
{
    (void)state;
    for (int w = 1; w <= 12; w++) {
        for (int q = 1; q <= 3; q++) {
            struct cw_model *s = machine((uint32_t)w, (uint32_t)(2 * q * w), 0);

            for (int real = 0; real <= q * w; real++) {
                struct plan p = plan_of(R2C, w, q * w);

                p.real = real;
                moves(s, &p, 2 * (uint64_t)(q * w));
                p.flip = 1;
                moves(s, &p, 2 * (uint64_t)(q * w));
                p.flip = 0;
                p.move = C2R;
                moves(s, &p, 2 * (uint64_t)(q * w));
            }
            cw_model_destroy(s);
        }
    }
}

static void odd_rows_may_be_read_backwards_for_nothing(void **state)
{
    (void)state;
    for (int w = 1; w <= 20; w++) {
        for (int m = 1; m <= 20; m++) {
            struct cw_model *s = machine((uint32_t)w, (uint32_t)(2 * m), 0);
            struct plan p = plan_of(R2C, w, m);

            p.flip = 1;
            moves(s, &p, 2 * (uint64_t)m);
            cw_model_destroy(s);
        }
    }
}

static void assert_others_untouched(struct cw_model *s, const struct plan *p)
{
    const struct cw_model_config *config = cw_model_settings(s);
    const uint32_t first = (uint32_t)p->v.first, stride = (uint32_t)p->v.stride;

    for (uint32_t r = 0; r < config->w; r++)
        for (uint32_t c = 0; c < config->m; c++)
            if (r < first || (r - first) % stride || (r - first) / stride >= (uint32_t)p->v.h)
                assert_int_equal(*cw_model_at(s, r, c), name_of(r, c));
}

static void a_view_of_some_rows_is_converted_and_no_other_is_touched(void **state)
{
    static const struct {
        int first, stride, h;
    } rows[] = {{1, 3, 4}, {0, 2, 6}, {5, 1, 7}, {11, 1, 1}, {2, 5, 2}};

    (void)state;
    for (size_t x = 0; x < COUNT(rows); x++) {
        for (int m = 1; m <= 14; m++) {
            struct cw_model *s = machine(12, 2 * (uint32_t)m + 3, 0);

            for (enum move move = R2C; move <= C2R_IN_PLACE; move++) {
                struct plan p = plan_of(move, rows[x].h, m);
                const int coprime = gcd(p.v.h, m) == 1;

                p.v.first = rows[x].first;
                p.v.stride = rows[x].stride;
                p.v.a = m + 3; /* the data behind the buffer, with a gap between them */
                p.v.b = 1;
                moves(s, &p, (uint64_t)(move <= C2R ? 2 : coprime ? 4 : 6) * (uint64_t)m);
                assert_others_untouched(s, &p);
            }
            cw_model_destroy(s);
        }
    }
}

/* ---- the square ------------------------------------------------------------ */

static void squares_are_transposed_in_2w_minus_2_steps(void **state)
{
    (void)state;
    for (uint32_t w = 1; w <= (cw_long_run() ? 256u : 70u); w++) {
        struct cw_model *s = machine(w, w, 0);
        const struct plan p = plan_of(SQUARE, (int)w, (int)w);

        moves(s, &p, 2 * (uint64_t)(w - 1));
        cw_model_destroy(s);
    }
}

/* ---- the negative control -------------------------------------------------- */

/* In every write step the w processors ask w / g banks, g of them each. */
static void without_the_rotation_it_conflicts_unless_w_and_m_are_coprime(void **state)
{
    (void)state;
    for (uint32_t w = 1; w <= 40; w++) {
        for (uint32_t m = 1; m <= 40; m++) {
            const uint32_t g = (uint32_t)gcd((int)w, (int)m);
            const struct plan p = plan_of(R2C_UNTURNED, (int)w, (int)m);
            struct cw_model *strict = machine(w, 2 * m, 0), *count = machine(w, 2 * m, 1);
            struct cw_counters c;

            assert_int_equal(move(strict, &p, &c), g > 1 ? CW_ERR_CONFLICT : CW_OK);
            assert_int_equal(move(count, &p, &c), CW_OK);
            assert_int_equal(c.conflicts, (uint64_t)m * (w - w / g));
            assert_int_equal(c.steps, (uint64_t)m * (1 + g));
            assert_int_equal(c.worst_degree, g);
            cw_model_destroy(strict);
            cw_model_destroy(count);
        }
    }
}

/* ---- the registry's rows --------------------------------------------------- */

/* Row-major to column-major order, in the steps that the registry tells. */
static void transposes(const struct cw_algorithm *alg, uint32_t w, uint32_t m)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};
    struct cw_model *s;
    struct cw_job job;
    struct cw_counters counters;
    const cw_status made = cw_job_make(alg, &config, NULL, &job, &s);

    if (made) {
        assert_true(made == CW_ERR_SHAPE && alg->check && w != m);
        return;
    }
    for (uint64_t x = 0; x < (uint64_t)w * m; x++)
        *cw_job_item(s, &job, CW_ROW_MAJOR, x) = x;
    assert_int_equal(cw_model_run(s, alg->body, &job), CW_OK);
    for (uint64_t x = 0; x < (uint64_t)w * m; x++)
        assert_int_equal(*cw_job_item(s, &job, CW_COLUMN_MAJOR, x), x);
    cw_model_counters(s, &counters);
    assert_int_equal(counters.steps, alg->steps(w, m, &job.opt));
    cw_model_destroy(s);
}

static void registered_transpositions_take_the_steps_they_tell(void **state)
{
    uint32_t found = 0;

    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        if (cw_algorithms[a]->problem != CW_TRANSPOSE)
            continue;
        found++;
        for (uint32_t w = 1; w <= 17; w++)
            for (uint32_t m = 1; m <= 17; m++)
                transposes(cw_algorithms[a], w, m);
    }
    assert_true(found >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_converted_without_conflicts),
        cmocka_unit_test(long_shapes_are_converted_without_conflicts),
        cmocka_unit_test(columns_that_do_not_exist_are_left_out),
        cmocka_unit_test(odd_rows_may_be_read_backwards_for_nothing),
        cmocka_unit_test(a_view_of_some_rows_is_converted_and_no_other_is_touched),
        cmocka_unit_test(squares_are_transposed_in_2w_minus_2_steps),
        cmocka_unit_test(without_the_rotation_it_conflicts_unless_w_and_m_are_coprime),
        cmocka_unit_test(registered_transpositions_take_the_steps_they_tell),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
