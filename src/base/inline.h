/* For the few functions of hot loops that a compiler would rather not inline. */
#ifndef WEFT_BASE_INLINE_H
#define WEFT_BASE_INLINE_H

#define WEFT_INLINE static inline __attribute__((always_inline))

#endif
