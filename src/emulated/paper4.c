/* paper4.c - the paper on the emulator with words of 4 bytes. */
#define CW_WORD_BYTES 4
#include "kernels/warp_paper.h"
