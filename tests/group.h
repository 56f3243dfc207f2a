/* Tests of one file are a group; all groups are one program, which runs those that it is told to
 * (groups.c). */
#ifndef WEFT_TESTS_GROUP_H
#define WEFT_TESTS_GROUP_H

struct test_group {
    const char *name;
    int (*run)(void); /* how many tests failed */
    struct test_group *next;
};

void test_group_add(struct test_group *g);

/* GROUP(name) { ... return cmocka_run_group_tests(tests, NULL, NULL); } */
#define GROUP(title)                                                                               \
    static int run_group(void);                                                                    \
    __attribute__((constructor)) static void add_group(void)                                       \
    {                                                                                              \
        static struct test_group self = {.name = #title, .run = run_group};                        \
        test_group_add(&self);                                                                     \
    }                                                                                              \
    static int run_group(void)

#endif
