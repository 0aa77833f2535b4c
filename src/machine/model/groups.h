/* groups.h - lanes that wait for each other.
 *
 * A group is named by its rows (first, stride, rows), so that nested groups of
 * a recursion can wait at the same time without knowing of each other.
 */
#ifndef CW_MACHINE_MODEL_GROUPS_H
#define CW_MACHINE_MODEL_GROUPS_H

#include <stdint.h>

#include "machine/model/model.h"

enum cw_arrival { CW_GROUP_WAIT, CW_GROUP_COMPLETE, CW_GROUP_WRONG };

struct cw_groups;

cw_status cw_groups_create(uint32_t lanes, struct cw_groups **out);
void cw_groups_destroy(struct cw_groups *g);
void cw_groups_reset(struct cw_groups *g);

/* `lane` waits for `group`; COMPLETE when it is the last.  WRONG when the lane is not
 * of the group. */
enum cw_arrival cw_groups_arrive(struct cw_groups *g, struct cw_group group, uint32_t lane,
                                 const char *site);

/* The lanes of a group that is complete, in the order in which they came: *first, then
 * next[*first], and so on to CW_GROUP_END.  The group is empty again. */
#define CW_GROUP_END UINT32_MAX
const uint32_t *cw_groups_open(struct cw_groups *g, struct cw_group group, uint32_t *first);

/* Nobody can run any more: who waits where for whom. */
cw_status cw_groups_stuck(const struct cw_groups *g);

#endif
