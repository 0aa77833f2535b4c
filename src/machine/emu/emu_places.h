/* emu_places.h - the places in the source where a kernel asks for shared memory. */
#ifndef CW_MACHINE_EMU_EMU_PLACES_H
#define CW_MACHINE_EMU_EMU_PLACES_H

#include "machine/emu/emu.h"
#include "machine/emu/emu_order.h"

#define CW_EMU_NO_PLACE UINT32_MAX

struct cw_emu_places;

struct cw_emu_places *cw_emu_places_create(void); /* NULL: out of memory */
void cw_emu_places_destroy(struct cw_emu_places *p);
void cw_emu_places_reset(struct cw_emu_places *p);

/* The number of this place; a new one begins at zero cost.  CW_EMU_NO_PLACE: no room. */
uint32_t cw_emu_places_find(struct cw_emu_places *p, const char *site, enum cw_emu_kind kind,
                            uint32_t bytes);

/* Where a place is.  On one line reads go before writes, since what is written there was read
 * before. */
struct cw_emu_spot cw_emu_places_spot(const struct cw_emu_places *p, uint32_t place);

/* All places, by number. */
struct cw_emu_place *cw_emu_places_all(const struct cw_emu_places *p, uint32_t *count);

#endif
