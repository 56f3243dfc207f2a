/* Keys of threads: so many that three ranks need more than the computer has; each with its values.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

enum { KEYS = 400 };

static pthread_key_t key[KEYS];
static int destroyed;

static void drop(void *value)
{
    destroyed++;
    if (value == &key[0])
        pthread_setspecific(key[1], &key[1]);
}

static void *work(void *arg)
{
    printf("%d\n", pthread_getspecific(key[5]) == NULL);
    for (int i = 0; i < 10; i++)
        pthread_setspecific(key[i], &key[i]);
    return arg;
}

int main(void)
{
    pthread_t thread;
    tss_t other;
    int made = 0;
    for (int i = 0; i < KEYS; i++)
        made += pthread_key_create(&key[i], drop) == 0;
    for (int i = 0; i < KEYS; i += 2)
        pthread_setspecific(key[i], &key[i]);
    for (int i = 0; i < KEYS; i++)
        made += pthread_getspecific(key[i]) == (i % 2 ? NULL : (void *)&key[i]);
    printf("%d\n", made);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d %d\n", destroyed, pthread_getspecific(key[4]) == &key[4]);
    printf("%d %d\n", pthread_key_delete(key[4]), pthread_setspecific(key[4], key) == EINVAL);
    pthread_key_create(&key[4], NULL);
    printf("%d\n", pthread_getspecific(key[4]) == NULL);
    printf("%d\n", tss_create(&other, NULL) == thrd_success);
    printf("%d %d\n", tss_set(other, &made) == thrd_success, tss_get(other) == &made);
    tss_delete(other);
    return 0;
}
