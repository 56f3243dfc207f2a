/* Wide characters on standard streams. */
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wprintf(L"wprintf %d %ls\n", 5, L"wide");
    fputws(L"fputws\n", stdout);
    for (const wchar_t *c = L"putwchar\n"; *c; c++)
        putwchar(*c);
    fwprintf(stdout, L"fwprintf %s\n", "narrow");
    fwprintf(stderr, L"to the other\n");
    wprintf(L"%d\n", getwchar() == WEOF);
    return 0;
}
