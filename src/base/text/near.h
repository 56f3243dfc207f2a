/*
 * "Did you mean": which of the words that are known somebody may have meant by one that is not.
 * Only one that is near: up to a third of the letters are wrong, or just the rest of it is missing.
 *
 *   struct near near = near_to(word);
 *   near_offer(&near, known);                  for each word that there is
 *   return near_suggest(&near, BAD_INPUT(...)) whose remedy stays if none is near
 */
#ifndef WEFT_BASE_TEXT_NEAR_H
#define WEFT_BASE_TEXT_NEAR_H

#include "base/status.h"

enum { NEAR_WORD = 64 }; /* bytes of a word that count, including the final NUL */

struct near {
    const char *word;
    char best[NEAR_WORD]; /* "": none is near */
    unsigned score;       /* of the best one; smaller is nearer */
};

struct near near_to(const char *word);

/* Letters in upper and lower case are the same. */
void near_offer(struct near *near, const char *known);

/* The same for keys, as "machine.dims": what counts is the last word of them, then the others; so
 * that one in the wrong section is found, but not one that has no more than the section right. */
void near_offer_key(struct near *near, const char *known);

/* Makes "did you mean '...'?" the remedy of the last failure, if a word is near; returns `status`.
 */
weft_status near_suggest(const struct near *near, weft_status status);

#endif
