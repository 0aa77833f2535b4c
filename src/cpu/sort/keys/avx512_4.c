/* Keys of up to 4 bytes for AVX-512. */
#define WORD_LOG 2
#define CPU_AVX512
#include "cpu/sort/keys.h"
