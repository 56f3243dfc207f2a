/* Standard input in all ways. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char text[64] = "-", *line = NULL;
    size_t room = 0;
    int number = -1, fields = scanf("%d", &number);
    printf("scanf %d %d\n", fields, number);
    printf("getchar %d\n", getchar());
    printf("fgets %s\n", fgets(text, sizeof(text), stdin) ? text : "NULL");
    printf("getline %zd\n", getline(&line, &room, stdin));
    fields = fscanf(stdin, "%63s", text);
    printf("fscanf %d %s\n", fields, text);
    printf("ungetc %d\n", ungetc('z', stdin));
    printf("getc %d\n", getc(stdin));
    while (getchar() != EOF)
        ;
    printf("end %d %d\n", feof(stdin) != 0, fileno(stdin));
    printf("read %zd\n", read(STDIN_FILENO, text, sizeof(text)));
    printf("close %d %d\n", fclose(stdin), isatty(STDOUT_FILENO));
    free(line);
    return 0;
}
