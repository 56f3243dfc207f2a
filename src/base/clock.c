/* The stage that each thread is in. */
#include "base/clock.h"

_Thread_local volatile unsigned char stage_now;
