/* Processes that a program makes end by themselves. They print at once, so they print first. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void last(void)
{
    printf("at the end\n");
}

static void be_child(int how)
{
    printf("child %d\n", how);
    if (how == 1)
        exit(4);
    fflush(stdout);
    if (how == 0)
        _exit(3);
    raise(SIGTERM);
}

static int make(int how)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        be_child(how);
    waitpid(child, &status, 0);
    return how == 2 ? status != 0 : WIFEXITED(status) && WEXITSTATUS(status) == how + 3;
}

int main(void)
{
    atexit(last);
    int first = make(0), second = make(1), third = make(2);
    printf("%d %d %d\n", first, second, third);
    return 5;
}
