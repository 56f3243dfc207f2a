/* Saves state the way a checkpoint does and loads it again, through an unnamed file. */
#ifndef WEFT_TESTS_ARCHIVES_H
#define WEFT_TESTS_ARCHIVES_H

#include "testing.h"

#include <unistd.h>

#include "base/file/archive.h"

/* The calls that write some state and read it. */
typedef void archived(void *state, struct archive *a);

struct saved {
    unsigned char *bytes;
    size_t size; /* checksum included */
};

/* The bytes that `body` writes; free() them. */
static inline struct saved save(archived *body, void *state)
{
    static struct archive a;
    FILE *there = tmpfile();
    assert_non_null(there);
    struct output_file file = {.descriptor = fileno(there), .direct = true};
    archive_to(&a, &file);
    body(state, &a);
    assert_false(a.broken);
    archive_end(&a);
    assert_int_equal(file.error, 0);
    struct saved s = {.size = (size_t)lseek(file.descriptor, 0, SEEK_END)};
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(pread(file.descriptor, s.bytes, s.size, 0), s.size);
    fclose(there);
    assert_true(archive_whole(s.bytes, s.size));
    return s;
}

/* Has `body` read what was saved; false: it does not fit. */
static inline bool load(archived *body, void *state, const struct saved *s)
{
    static struct archive a;
    archive_from(&a, s->bytes, s->size);
    body(state, &a);
    archive_end(&a);
    return !a.broken;
}

#endif
