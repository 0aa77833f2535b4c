/* plan.h - cw_sort_rows as launches: cw_rows_workspace, cw_rows_enqueue. */
#ifndef CW_ROWS_PLAN_H
#define CW_ROWS_PLAN_H

#include "backend/rows.h"

#endif
