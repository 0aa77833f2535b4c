#include "list.h"

#include "cli/cli.h"

static const char *const problems[] = {"sort", "sort-rows", "transpose", "partition", "permute"};

static void list_json(void)
{
    struct json j = {stdout, 0};

    printf("[");
    for (uint32_t i = 0; i < cw_algorithm_count; i++) {
        const struct cw_algorithm *const alg = cw_algorithms[i];

        printf("%s\n  ", i ? "," : "");
        j.some = 0;
        json_open(&j, NULL, '{');
        json_text(&j, "algorithm", alg->name);
        json_text(&j, "problem", problems[alg->problem]);
        json_text(&j, "summary", alg->summary);
        json_text(&j, "bound_text", alg->bound_text);
        json_bool(&j, "conflict_free", alg->conflict_free);
        json_text(&j, "shapes", shapes_of(alg));
        json_text(&j, "order", alg->order == CW_ROW_MAJOR ? "row-major" : "column-major");
        json_close(&j, '}');
    }
    printf("\n]\n");
}

int list_algorithms(int json)
{
    if (json) {
        list_json();
        return DONE;
    }
    for (uint32_t i = 0; i < cw_algorithm_count; i++) {
        const struct cw_algorithm *const alg = cw_algorithms[i];

        printf("%-20s ", alg->name);
        print_wrapped(alg->summary, 21, 21);
        printf("%-20s bound %s; %s; %s\n", "", alg->bound_text,
               alg->conflict_free ? "conflict-free" : "has conflicts", shapes_of(alg));
    }
    return DONE;
}
