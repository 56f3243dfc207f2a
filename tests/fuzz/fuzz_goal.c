/* Any bytes as a trace in GOAL text. One that is read is sound, and is the same trace once it has
 * been written as text and read again. */
#include "fuzz.h"

#include "goal_checks.h"

int fuzz_goal(const uint8_t *data, size_t size)
{
    struct goal g, again;
    if (goal_open_text("fuzz", data, size, &g) != WEFT_OK) {
        must(weft_last_error()[0] != '\0' && !strchr(weft_last_error(), '\n'));
        return 0;
    }
    if (is_small(&g)) {
        walk(&g);
        size_t length;
        char *text = as_text(&g, &length);
        must(goal_open_text("again", text, length, &again) == WEFT_OK);
        must(again.size == g.size);
        compare(&g, &again);
        goal_close(&again);
        free(text);
    }
    goal_close(&g);
    return 0;
}
