/* Keys of 8 bytes. */
#define WORD_LOG 3
#include "cpu/sort/keys.h"
