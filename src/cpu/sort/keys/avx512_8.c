/* Keys of 8 bytes for AVX-512. */
#define WORD_LOG 3
#define CPU_AVX512
#include "cpu/sort/keys.h"
