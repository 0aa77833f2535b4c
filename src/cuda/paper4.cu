/* paper4.cu - the paper on a GPU with words of 4 bytes. */
#define CW_WORD_BYTES 4
#define PAPER_LAUNCH  cw_paper_launch4
#include "cuda/paper_kernel.h"
