/* Keys of 8 bytes for AVX2. */
#define WORD_LOG 3
#define CPU_AVX2
#include "cpu/sort/keys.h"
