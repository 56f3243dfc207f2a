/* Signals that a program raises itself; it ends by abort(), whose handler leaves it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;

static void say(int number)
{
    printf("handler of %d\n", number);
}

static void say_more(int number, siginfo_t *info, void *context)
{
    (void)context;
    printf("handler of %d, %d, %d\n", number, info->si_signo, info->si_pid == getpid());
}

static void go_back(int number)
{
    siglongjmp(back, number);
}

static void leave(int number)
{
    printf("leaves by %d\n", number);
    fflush(stdout);
    _exit(7);
}

static void handlers(void)
{
    struct sigaction action = {.sa_sigaction = say_more, .sa_flags = SA_SIGINFO}, old;
    printf("%d\n", signal(SIGUSR1, say) == SIG_DFL);
    printf("%d\n", raise(SIGUSR1));
    printf("%d\n", kill(getpid(), SIGUSR1));
    printf("%d\n", pthread_kill(pthread_self(), SIGUSR1));
    printf("%d\n", sigaction(SIGUSR1, &action, &old));
    printf("%d\n", old.sa_handler == say);
    printf("%d\n", raise(SIGUSR1));
    action.sa_flags |= (int)SA_RESETHAND;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &old);
    printf("%d\n", old.sa_handler == SIG_DFL);
    printf("%d\n", signal(SIGTERM, SIG_IGN) == SIG_DFL);
    printf("%d\n", raise(SIGTERM));
    printf("%d\n", raise(SIGCHLD));
    for (int i = 0; i < 2; i++) {
        signal(SIGFPE, go_back);
        int number = sigsetjmp(back, 1);
        if (!number)
            raise(SIGFPE);
        printf("back by %d\n", number);
    }
}

static void refused(void)
{
    printf("%d %d\n", signal(SIGKILL, say) == SIG_ERR, errno);
    printf("%d %d\n", signal(1000, say) == SIG_ERR, errno);
    printf("%d %d\n", raise(-1), errno);
    printf("%d %d\n", kill(getpid(), 0), raise(SIGCONT));
}

static void blocked(void)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    printf("%d\n", sigprocmask(SIG_BLOCK, &set, &old));
    raise(SIGUSR1);
    printf("blocked\n");
    sigpending(&set);
    printf("%d %d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2));
    printf("%d\n", pthread_sigmask(SIG_SETMASK, &old, &set));
    printf("%d\n", sigismember(&set, SIGUSR1));
    printf("%d\n", sigprocmask(77, &set, NULL));
}

int main(void)
{
    handlers();
    refused();
    blocked();
    signal(SIGABRT, leave);
    abort();
}
