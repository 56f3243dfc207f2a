/* The size that the terminal tells. */
#include "base/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

unsigned terminal_width(void)
{
    enum { LEAST = 60, MOST = 120 };
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return 0;
    return size.ws_col < LEAST ? LEAST : size.ws_col > MOST ? MOST : size.ws_col;
}

unsigned terminal_columns(void)
{
    enum { USUAL = 80 };
    unsigned width = terminal_width();
    return width ? width : USUAL;
}
