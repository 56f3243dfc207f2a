/* What program.c takes from a library. */
int shown[4] = {1, 2, 3, 4};
int *shown_last = &shown[3];
__thread int shared_counter = 5;
