/* dev_emu.h - the vocabulary of kernels on the emulator (machine/emu.h).
 *
 *   DEV                             marks a function of the vocabulary
 *   block                           the block that a thread is of, always called s
 *   thread_id(s), block_threads(s)  which thread of the block, of how many
 *   lane_id(s), warp_id(s)          which lane of its warp, which warp of the block
 *   smem_read4(s, at)               4 bytes of shared memory from byte `at`; also 8, 16
 *   smem_write4(s, at, x)           the same, to write
 *   smem_add4(s, at, x)             atomic; gives what was there before
 *   warp_sync(s), block_sync(s)     wait for the warp, for the block
 *
 * 8 bytes are a uint64_t, 16 are a quad.  Everything else is plain C on registers.
 */
#ifndef CW_DEV_EMU_H
#define CW_DEV_EMU_H

#ifdef CW_DEV_MODEL_H
#error "a source file speaks one vocabulary: dev_model.h or dev_emu.h"
#endif

#include "machine/emu.h"
#include "machine/wavefronts.h"

#define DEV static __attribute__((unused))

typedef struct cw_emu *block;
typedef struct cw_quad quad;

#define DEV_TEXT2(x) #x
#define DEV_TEXT(x)  DEV_TEXT2(x)
#define DEV_SITE     (__FILE__ ":" DEV_TEXT(__LINE__))

#define thread_id(s)     ((int)cw_emu_thread(s))
#define block_threads(s) ((int)cw_emu_threads(s))
#define lane_id(s)       ((int)(cw_emu_thread(s) % CW_WARP))
#define warp_id(s)       ((int)(cw_emu_thread(s) / CW_WARP))

#define smem_read4(s, at)      cw_emu_read4((s), (uint32_t)(at), DEV_SITE)
#define smem_read8(s, at)      cw_emu_read8((s), (uint32_t)(at), DEV_SITE)
#define smem_read16(s, at)     cw_emu_read16((s), (uint32_t)(at), DEV_SITE)
#define smem_write4(s, at, x)  cw_emu_write4((s), (uint32_t)(at), (x), DEV_SITE)
#define smem_write8(s, at, x)  cw_emu_write8((s), (uint32_t)(at), (x), DEV_SITE)
#define smem_write16(s, at, x) cw_emu_write16((s), (uint32_t)(at), (x), DEV_SITE)
#define smem_add4(s, at, x)    cw_emu_add4((s), (uint32_t)(at), (x), DEV_SITE)
#define warp_sync(s)           cw_emu_warp_sync((s), DEV_SITE)
#define block_sync(s)          cw_emu_block_sync((s), DEV_SITE)

#endif
