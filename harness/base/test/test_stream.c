/* A text written to memory is complete, or the loss is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The linker puts this function in front of realloc, which only the stream calls here. */
static bool is_short;

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
    return is_short ? NULL : __real_realloc(memory, size);
}

static void test_text(void **state)
{
    char  *text = NULL;
    size_t size = 9;
    FILE  *file = assay_stream_open(&text, &size);

    (void)state;
    assert_non_null(file);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(size, 0);
    assert_string_equal(text, "");
    for (int i = 0; i < 10000; i++)
        assert_true(fprintf(file, "%04d,", i) == 5);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(size, 50000);
    assert_int_equal(text[50000], 0);
    assert_int_equal(fputc('x', file), 'x');
    assert_int_equal(fclose(file), 0);
    assert_int_equal(size, 50001);
    assert_memory_equal(text, "0000,0001,", 10);
    assert_string_equal(text + 49995, "9999,x");
    free(text);
}

/* Text after the lost part does not hide the loss. */
static void test_lost(void **state)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *file = assay_stream_open(&text, &size);

    (void)state;
    assert_non_null(file);
    assert_int_equal(fputs("begin", file) >= 0 && fflush(file) == 0, 1);
    is_short = true;
    for (int i = 0; i < 10000; i++)
        (void)fputs("lost", file);
    assert_int_not_equal(fflush(file), 0);
    is_short = false;
    assert_true(ferror(file));
    (void)fputs("after", file);
    assert_int_not_equal(fclose(file), 0);
    assert_true(size < 40000 && strlen(text) == size);
    assert_memory_equal(text, "begin", 5);
    assert_null(strstr(text, "after"));
    free(text);
}

/* The loss happens at the last moment, after all earlier checks. */
static void test_lost_at_the_end(void **state)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *file = assay_stream_open(&text, &size);

    (void)state;
    assert_non_null(file);
    for (int i = 0; i < 300; i++)
        assert_int_equal(fputc('x', file), 'x');
    is_short = true;
    assert_int_not_equal(fclose(file), 0);
    is_short = false;
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_lost_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
