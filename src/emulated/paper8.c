/* paper8.c - the paper on the emulator with words of 8 bytes. */
#define CW_WORD_BYTES 8
#include "kernels/warp_paper.h"
