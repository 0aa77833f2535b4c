/* sites.h - number texts in the order in which they first come.
 *
 * Source places ("file:line") come again and again, and their texts stay where they
 * are: cw_sites_place finds them by address.  Other texts are found by what they say.
 * Equal texts have one number, wherever they stand.
 */
#ifndef CW_MACHINE_SITES_H
#define CW_MACHINE_SITES_H

#include <stdint.h>

#include "clearway.h"

#define CW_SITES_NONE UINT32_MAX /* out of memory, or too many */

struct cw_sites;

/* At most `most` texts, of which `length` bytes count; NULL when out of memory. */
struct cw_sites *cw_sites_create(uint32_t most, uint32_t length);
void cw_sites_destroy(struct cw_sites *s);

uint32_t cw_sites_place(struct cw_sites *s, const char *text);
uint32_t cw_sites_name(struct cw_sites *s, const char *text);

uint32_t cw_sites_count(const struct cw_sites *s);
const char *cw_sites_text(const struct cw_sites *s, uint32_t id);

#endif
