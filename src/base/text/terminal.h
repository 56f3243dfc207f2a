/* How wide lines may be. */
#ifndef WEFT_BASE_TEXT_TERMINAL_H
#define WEFT_BASE_TEXT_TERMINAL_H

/* Columns of the terminal that standard output is, from 60 to 120: longer lines are hard to read;
 * 80 if it is a pipe or a file. */
unsigned terminal_columns(void);

/* The same, but 0 if it is a pipe or a file: for lines that are left whole there, since programs
 * read them. */
unsigned terminal_width(void);

#endif
