/* Which sanitizer a test is compiled with. Under one, everything takes some ten times as long: what
 * is long in a plain build is a sample there, which still goes every way through the code. */
#ifndef WEFT_TESTS_SANITIZERS_H
#define WEFT_TESTS_SANITIZERS_H

#ifndef __has_feature /* clang's */
#define __has_feature(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { ASAN = 1, TSAN = 0 };
#elif defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
enum { ASAN = 0, TSAN = 1 };
#else
enum { ASAN = 0, TSAN = 0 };
#endif

enum { SANITIZED = ASAN || TSAN };

#endif
