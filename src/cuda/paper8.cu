/* paper8.cu - the paper on a GPU with words of 8 bytes. */
#define CW_WORD_BYTES 8
#include "kernels/warp_paper.h"
