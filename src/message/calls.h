/* The table of calls that every program gets. */
#ifndef WEFT_MESSAGE_CALLS_H
#define WEFT_MESSAGE_CALLS_H

#include "weft_program.h"

extern const weft_calls program_calls;

#endif
