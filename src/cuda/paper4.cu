/* paper4.cu - the paper on a GPU with words of 4 bytes. */
#define CW_WORD_BYTES 4
#include "kernels/warp_paper.h"
