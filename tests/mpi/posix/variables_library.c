/* Variables of a library: thread-local ones that only it uses, and ones that the program uses too.
 */
#ifdef KNOWN
__thread int known_counter = 10, known_zero;
int shown = 99, *shown_at = &shown;
#define NEXT    known_next
#define COUNTER known_counter
#else
static __thread int own_counter = 10;
#define NEXT    own_next
#define COUNTER own_counter
#endif
static __thread char bytes[100] = {1};
static __thread int words[50];

int NEXT(void);

int NEXT(void)
{
    bytes[3]++;
    words[7]++;
    return bytes[3] == words[7] && bytes[0] == 1 ? ++COUNTER : -1;
}
