/* Any bytes as a trace in GOAL's binary form. One that is read is sound, and has the same
 * operations once it has been written as text and read again. */
#include "fuzz.h"

#include "goal_checks.h"

int fuzz_goal_binary(const uint8_t *data, size_t size)
{
    struct goal g, again;
    if (goal_open_bytes("fuzz", data, size, &g) != WEFT_OK) {
        must(weft_last_error()[0] != '\0' && !strchr(weft_last_error(), '\n'));
        return 0;
    }
    if (is_small(&g)) {
        walk(&g);
        size_t length;
        char *text = as_text(&g, &length);
        must(goal_open_text("again", text, length, &again) == WEFT_OK);
        compare(&g, &again);
        goal_close(&again);
        free(text);
    }
    return 0;
}
