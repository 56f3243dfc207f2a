/* Blanks, numbers, ends of lines. */
#include "base/file/lines.h"

struct lines lines_of(const char *name, const char *text, size_t size, const char *form)
{
    return (struct lines){
        .name = name, .at = text, .end = text + size, .start = text, .line = 1, .form = form};
}

bool lines_end(struct lines *l)
{
    while (l->at < l->end && (*l->at == ' ' || *l->at == '\t' || *l->at == '\r'))
        l->at++;
    return l->at == l->end || *l->at == '\n' || *l->at == '#';
}

weft_status lines_next(struct lines *l)
{
    for (; l->at < l->end && *l->at != '\n'; l->at++)
        if (*l->at == '\0')
            return lines_refuse(l, "text");
    l->at += l->at < l->end;
    l->start = l->at;
    l->line++;
    return WEFT_OK;
}

weft_status lines_number(struct lines *l, const char *what, uint64_t *value)
{
    const char *start = l->at;
    uint64_t sum = 0;
    for (; lines_is_digit(l, l->at); l->at++) {
        uint64_t digit = (uint64_t)(*l->at - '0');
        sum = sum > (UINT64_MAX - digit) / 10 ? UINT64_MAX : sum * 10 + digit;
    }
    if (l->at == start)
        return lines_refuse(l, what);
    *value = sum;
    return WEFT_OK;
}

weft_status lines_word(struct lines *l, const char *what, char *word, size_t size)
{
    const char *start = l->at;
    size_t length = 0;
    for (; l->at<l->end && * l->at> ' ' && *l->at <= '~' && *l->at != '#'; l->at++)
        if (length + 1 < size)
            word[length++] = *l->at;
    word[length] = '\0';
    if (l->at > start + length)
        return LINES_REFUSE(l, l->line, lines_column(l, start),
                            ("'%.20s...' is not a %s", word, what), ("%s", l->form));
    const char *behind = l->at;
    if (!lines_end(l) && l->at == behind) /* a byte that no word has */
        return lines_refuse(l, what);
    return length ? WEFT_OK
                  : LINES_REFUSE(l, l->line, lines_column(l, start),
                                 ("the line ends before its %s", what), ("%s", l->form));
}

weft_status lines_refuse(const struct lines *l, const char *what)
{
    uint32_t where = lines_column(l, l->at);
    unsigned char byte = (unsigned char)*l->at;
    if (byte == 0)
        return LINES_REFUSE(l, l->line, where, ("a NUL byte"), ("name a text file"));
    if (byte < ' ' || byte > '~')
        return LINES_REFUSE(l, l->line, where, ("byte 0x%02x is not a %s", byte, what),
                            ("%s", l->form));
    if ((byte == '-' || byte == '+') && lines_is_digit(l, l->at + 1))
        return LINES_REFUSE(l, l->line, where, ("a number with a sign"),
                            ("count from 0, without signs"));
    return LINES_REFUSE(l, l->line, where, ("'%c' is not a %s", byte, what), ("%s", l->form));
}
