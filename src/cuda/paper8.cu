/* paper8.cu - the paper on a GPU with words of 8 bytes. */
#define CW_WORD_BYTES 8
#define PAPER_LAUNCH  cw_paper_launch8
#include "cuda/paper_kernel.h"
