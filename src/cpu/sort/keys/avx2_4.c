/* Keys of up to 4 bytes for AVX2. */
#define WORD_LOG 2
#define CPU_AVX2
#include "cpu/sort/keys.h"
