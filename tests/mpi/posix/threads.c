/* Threads, one after the other: their variables begin as they should, their destructors may print.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static _Thread_local int number = 5, zero;
static _Thread_local double real = 2.5;
static pthread_key_t key;

static void drop(void *value)
{
    printf("destroyed: %s, %d\n", (char *)value, number);
}

static void *work(void *arg)
{
    printf("%s: %d %d %g\n", (char *)arg, number, zero, real);
    number++;
    zero++;
    real *= 2;
    pthread_setspecific(key, arg);
    if (getenv("POSIX_NOWHERE"))
        return NULL;
    pthread_exit(arg);
}

static int work_of_c(void *arg)
{
    work(arg);
    return 0;
}

static void *make_another(void *arg)
{
    pthread_t thread;
    number = 17;
    pthread_create(&thread, NULL, work, arg);
    pthread_join(thread, NULL);
    printf("%d\n", number);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    thrd_t other;
    void *result = NULL;
    number = 1;
    pthread_key_create(&key, drop);
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, NULL, work, "a thread");
        pthread_join(thread, &result);
        printf("%s\n", (char *)result);
    }
    pthread_create(&thread, NULL, make_another, "one of another");
    pthread_join(thread, NULL);
    if (thrd_create(&other, work_of_c, "one of C") == thrd_success)
        thrd_join(other, NULL);
    printf("%d %d %g\n", number, zero, real);
    return 0;
}
