/* The stage that a thread is in (stages.h); apart from the timer, which the library does not have.
 */
#include "base/stages.h"

_Thread_local volatile unsigned char stage_now;
