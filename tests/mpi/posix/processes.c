/* Processes that a program makes: they run other programs, sleep, are killed, and are waited for.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void say(const char *what, int status)
{
    if (WIFSIGNALED(status))
        printf("%s: signal %d\n", what, WTERMSIG(status));
    else
        printf("%s: code %d\n", what, WEXITSTATUS(status));
}

static void be_child(const char *how)
{
    if (strcmp(how, "exec") == 0)
        execl("/bin/sh", "sh", "-c", "exit $0", "5", (char *)NULL);
    if (strcmp(how, "execlp") == 0)
        execlp("sh", "sh", "-c", "exit 6", (char *)NULL);
    if (strcmp(how, "execve") == 0) {
        char *words[] = {"sh", "-c", "exit $CODE", NULL}, *all[] = {"CODE=7", NULL};
        execve("/bin/sh", words, all);
    }
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "fault") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "pause") == 0)
        for (;;)
            pause();
    if (strcmp(how, "sleep") == 0) {
        usleep(1000);
        exit(8);
    }
    _exit(9);
}

static pid_t make(const char *how)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        be_child(how);
    return child;
}

int main(void)
{
    static const char *const ways[] = {"exec", "execlp", "execve", "abort", "fault", "sleep"};
    int status = 0, sum = 0, ended = 0;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        waitpid(make(ways[i]), &status, 0);
        say(ways[i], status);
    }
    pid_t child = make("pause");
    printf("%d %d\n", waitpid(child, &status, WNOHANG), kill(child, SIGKILL));
    waitpid(child, &status, 0);
    say("kill", status);
    for (int i = 0; i < 3; i++)
        make(ways[i]);
    for (; wait(&status) > 0; ended++)
        sum += WEXITSTATUS(status);
    printf("%d ended, %d\n", ended, sum);
    child = vfork();
    if (child == 0)
        execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
    waitpid(child, &status, 0);
    say("vfork", status);
    char *words[] = {"sh", "-c", "exit 3", NULL}, text[80] = "";
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0)
        waitpid(child, &status, 0);
    say("posix_spawn", status);
    say("system", system("exit 2"));
    FILE *f = popen("echo from a pipe", "r");
    if (f && fgets(text, sizeof(text), f))
        printf("%s", text);
    say("popen", f ? pclose(f) : 1);
    return 0;
}
