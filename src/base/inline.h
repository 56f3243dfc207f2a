/* For the few functions of a hot loop that a compiler would rather call. */
#ifndef WEFT_BASE_INLINE_H
#define WEFT_BASE_INLINE_H

#define WEFT_INLINE static inline __attribute__((always_inline))

#endif
