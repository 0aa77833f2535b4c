/* explain.c - what the phases of a run do, in plain words, and how many steps each took (--explain).
 *
 * An algorithm marks the end of a phase with "theorem: what is true now".  Told are the phases that all rows
 * finish; those inside a part of the matrix belong to the phase around them.
 */
#include <inttypes.h>
#include <string.h>

#include "run.h"

static const struct {
    const char *name; /* the whole mark, or what stands behind its colon */
    const char *text;
} phases[] = {
    {"super-rows sorted", "Rows are sorted in groups, the super-rows, each by lemma 1.  Every "
                          "processor works in its own "
                          "row, which is its own bank."},
    {"super-rows alternate",
     "Super-rows are sorted again, every other one falling, so that the unsorted parts of two "
     "neighbours cover each other."},
    {"columns sorted",
     "Columns are laid into rows by a conversion in which every processor goes to another bank in "
     "every step; there they are sorted, and laid back."},
    {"one dirty row",
     "A column sort has brought what is out of place together: at most one row still mixes small "
     "and large items, wherever the border is drawn."},
    {"two dirty rows", "What is out of place now lies in two rows that follow each other."},
    {"rows alternate", "Every processor sorts its own row, odd rows falling: step 1 of lemma 1."},
    {"rows dealt and sorted",
     "The items are dealt to the rows in turn (row-major to column-major), so that all rows hold "
     "nearly the same mixture, and each is sorted: steps 2 and 3 of lemma 1."},
    {"lemma 1: steps 1 and 2",
     "Rows are sorted in alternating directions, then read by rows and written by columns."},
    {"lemma 1: steps 3 and 4", "Rows are sorted, then read by columns and written by rows."},
    {"columns alternate", "Each column is sorted, odd columns falling, by a network whose "
                          "comparators ask two banks each."},
    {"columns laid into rows",
     "The matrix is read by columns and written by rows.  At most m rows are mixed now."},
    {"dirty rows contiguous", "A column sort brings the rows that are still mixed together."},
    {"squares alternate", "Squares of m rows are sorted by theorem 1, every other one falling: two "
                          "mixed rows are left."},
    {"blocks alternate", "Blocks of rows are sorted, every other one falling, so that neighbours' "
                         "mixed rows cover each "
                         "other."},
    {"blocks sorted",
     "Blocks that are shifted by half a block are sorted: no border stays unsorted."},
    {"blocks merged",
     "Two sorted blocks of rows become one: a row against its mirror row, then rows against rows.  "
     "The processors of a pair of rows are always at different banks of the two."},
    {"rows sorted", "Every processor sorts its own row, in its own bank."},
    {"runs merged", "Sorted runs are merged two by two."},
    {"own items sorted", "Every processor sorts its own items."},
    {"balanced",
     "Rows far apart trade items until all hold nearly as many small ones: lemma 2's rounds."},
    {"divided",
     "What may be out of place is cut into smaller matrices, which are sorted likewise."},
    {"back in the matrix", "The items return from the padded matrix to their own."},
    {"shuffled", "Each row turns its items by a random number and deals them to the rows that "
                 "follow: step k goes "
                 "to row p + k, which is another bank for every processor."},
    {"coloured", "A random hash gives each item a colour; two items of one colour and one row "
                 "would have the same "
                 "place, so there are none."},
    {"sent", "Colour by colour, each row sends an item to its place.  Items of one colour go to "
             "different rows, "
             "so no bank is asked twice.  What found no turn waits for the next iteration."},
    {"first sent", "The finish: what is left is sent by a sorted list, its first part."},
    {"middle sent", "The finish: the middle part of the list."},
    {"last sent", "The finish: the last part of the list."},
    {"packed", "The finish: the few items that are left are packed together."},
    {"permuted", "In round k every processor takes the item that the plan names from its own row "
                 "and writes it to a "
                 "row that no other writes to."},
    {"cole-stage", "A stage of Cole's merge sort: every column merges samples of its lists."},
    {"sorted",
     "A last sort, of rows or of blocks shifted by half, puts the whole matrix in order."},
};

static const struct {
    const char *name, *whose;
} others[] = {
    {"blocked-bitonic", "Batcher's bitonic sort with a row as a block"},
    {"shearsort", "Sitchinava and Weichert's shearsort"},
    {"sort-tall-recursive", "theorem 2 with columns sorted by recursion"},
    {"bitonic", "Batcher's bitonic sort"},
    {"odd-even", "Batcher's odd-even merge sort"},
};

const char *explain_choice(const char *name)
{
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (!strcmp(others[k].name, name))
            return others[k].whose;
    }
    return NULL;
}

struct watch {
    struct cw_model *model;
    struct explained *to;
};

static void note(void *arg, const struct cw_phase *phase)
{
    const struct watch *const watch = (const struct watch *)arg;
    struct explained *const to = watch->to;
    struct cw_counters c;

    if (phase->group.rows != cw_model_settings(watch->model)->w)
        return;
    if (to->count == EXPLAINED_MOST) {
        to->missed++;
        return;
    }
    cw_model_counters(watch->model, &c);
    to->at[to->count].name = phase->name;
    to->at[to->count].steps = c.steps;
    to->at[to->count++].conflicts = c.conflicts;
}

void explain_watch(struct cw_model *model, struct explained *to)
{
    static struct watch watch; /* one run at a time */

    watch.model = model;
    watch.to = to;
    memset(to, 0, sizeof *to);
    cw_model_hook(model, note, &watch);
}

static const char *text_of(const char *name)
{
    const char *const colon = strstr(name, ": ");
    const char *const what = colon ? colon + 2 : name;

    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
        if (!strcmp(phases[k].name, name) || !strcmp(phases[k].name, what))
            return phases[k].text;
    }
    return "";
}

void explain_print(const struct result *x)
{
    uint64_t before = 0;

    printf("\nphases, each with the steps that it took:\n");
    for (uint32_t k = 0; k < x->phases.count; k++) {
        const uint64_t until = x->phases.at[k].steps;

        printf("\n%10" PRIu64 "  %s\n            ", until - before, x->phases.at[k].name);
        print_wrapped(text_of(x->phases.at[k].name), 12, 12);
        before = until;
    }
    if (x->phases.missed)
        printf("\n            and %" PRIu32 " phases more\n", x->phases.missed);
    if (x->counters.steps > before)
        printf("\n%10" PRIu64 "  after the last mark\n", x->counters.steps - before);
    if (!x->phases.count)
        printf("            This algorithm marks no phases.\n");
}

void explain_json(struct json *j, const struct result *x)
{
    uint64_t before = 0;

    json_open(j, "phases", '[');
    for (uint32_t k = 0; k < x->phases.count; k++) {
        json_open(j, NULL, '{');
        json_text(j, "phase", x->phases.at[k].name);
        json_number(j, "steps", x->phases.at[k].steps - before);
        json_text(j, "text", text_of(x->phases.at[k].name));
        json_close(j, '}');
        before = x->phases.at[k].steps;
    }
    json_close(j, ']');
}
