/* Arrays in result files: what is packed is read again, and nothing else is. */
#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "report/result/values.h"

static void assert_base64(const char *bytes, const char *expected)
{
    char text[64] = "";
    unsigned char again[64];
    size_t size = strlen(bytes);
    base64_encode((const unsigned char *)bytes, size, text);
    assert_string_equal(text, expected);
    assert_int_equal(base64_letters(size), strlen(expected));
    assert_int_equal(base64_decode(text, strlen(text), again), size);
    assert_memory_equal(again, bytes, size);
}

/* RFC 4648, 10. */
static void base64_is_that_of_the_rfc(void **state)
{
    (void)state;
    assert_base64("", "");
    assert_base64("f", "Zg==");
    assert_base64("fo", "Zm8=");
    assert_base64("foo", "Zm9v");
    assert_base64("foob", "Zm9vYg==");
    assert_base64("fooba", "Zm9vYmE=");
    assert_base64("foobar", "Zm9vYmFy");
}

static void other_texts_are_no_base64(void **state)
{
    static const char *const wrong[] = {"Zg=", "Zg", "Zm9-", "Zm 9v", "Z===", "=Zg=", "Zg==Zg=="};
    unsigned char bytes[16];
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_true(base64_decode(wrong[i], strlen(wrong[i]), bytes) == SIZE_MAX);
}

static void an_array_is_read_as_it_was_packed(void **state)
{
    uint32_t array[1000];
    (void)state;
    for (uint32_t i = 0; i < 1000; i++)
        array[i] = i * i;
    json_t *packed = packed_json(array, sizeof(array));
    const char *text = json_string_value(packed);
    size_t length = json_string_length(packed);
    uint32_t *again = packed_read(text, length, sizeof(array));
    assert_non_null(again);
    assert_memory_equal(again, array, sizeof(array));
    assert_null(packed_read(text, length, sizeof(array) - 1));
    assert_null(packed_read(text, length, sizeof(array) + 1));
    assert_null(packed_read(text, length - 4, sizeof(array)));
    assert_null(packed_read(text, length, (size_t)1 << 40)); /* at once, without the memory */
    free(again);
    json_decref(packed);
}

static void an_empty_array_is_one(void **state)
{
    (void)state;
    json_t *packed = packed_json("", 0);
    void *again = packed_read(json_string_value(packed), json_string_length(packed), 0);
    assert_non_null(again);
    free(again);
    json_decref(packed);
}

GROUP(packed)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_is_that_of_the_rfc),
        cmocka_unit_test(other_texts_are_no_base64),
        cmocka_unit_test(an_array_is_read_as_it_was_packed),
        cmocka_unit_test(an_empty_array_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
