/* Keys of up to 4 bytes. */
#define WORD_LOG 2
#include "cpu/sort/keys.h"
