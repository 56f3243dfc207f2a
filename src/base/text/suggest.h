/*
 * "Did you mean": which of the words that are known somebody may have meant by one that is not.
 * Only one that is near: up to a third of the letters are wrong, or just the rest of it is missing.
 *
 *   struct suggestion suggestion = suggestion_for(word);
 *   suggestion_offer(&suggestion, known);                  for each word that there is
 *   return suggestion_remedy(&suggestion, BAD_INPUT(...)) whose remedy stays if none is near
 */
#ifndef WEFT_BASE_TEXT_SUGGEST_H
#define WEFT_BASE_TEXT_SUGGEST_H

#include "base/status.h"

enum { SUGGESTION_WORD = 64 }; /* bytes of a word that count, including the final NUL */

struct suggestion {
    const char *word;
    char best[SUGGESTION_WORD]; /* "": none is near */
    unsigned score;             /* of the best one; smaller is nearer */
};

struct suggestion suggestion_for(const char *word);

/* Letters in upper and lower case are the same. */
void suggestion_offer(struct suggestion *suggestion, const char *known);

/* The same for keys, as "machine.dims": what counts is the last word of them, then the others; so
 * that one in the wrong section is found, but not one that has no more than the section right. */
void suggestion_offer_key(struct suggestion *suggestion, const char *known);

/* Makes "did you mean '...'?" the remedy of the last failure, if a word is near; returns `status`.
 */
weft_status suggestion_remedy(const struct suggestion *suggestion, weft_status status);

#endif
