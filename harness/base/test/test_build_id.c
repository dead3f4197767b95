/* Build ids read from files with any content: no file is loaded, and nothing outside it is read. */
#include "base/build_id.h"
#include "base/text.h"
#include "testing/testing.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/assay-test-XXXXXX";
static char path[64];

static void write_file(const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void assert_refused(const char *sentence)
{
    char id[80] = "as before";

    assay_status_reset();
    assert_int_equal(assay_build_id_read(path, id, sizeof id), ASSAY_E_IO);
    assert_non_null(strstr(assay_status_message(), sentence));
    assert_string_equal(id, "");
    assay_status_reset();
}

/* The build id that the loader has of this program is the one in its file. */
static void test_this_program(void **state)
{
    char loaded[80], read[80], little[5];

    (void)state;
    assay_build_id(&folder, loaded, sizeof loaded);
    assert_int_equal(assay_build_id_read("/proc/self/exe", read, sizeof read), ASSAY_OK);
    assert_string_equal(loaded, read);
    assert_true(strlen(read) >= 16);
    assert_int_equal(assay_build_id_read("/proc/self/exe", little, sizeof little), ASSAY_OK);
    assert_memory_equal(little, read, 4);
    assert_int_equal(little[4], 0);
}

/* An object with a single segment, of notes. */
typedef struct object {
    Elf64_Ehdr    header;
    Elf64_Phdr    segment;
    Elf64_Nhdr    note;
    char          name[4];
    unsigned char id[4];
} object;

static object an_object(void)
{
    object o = { .header  = { .e_ident     = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                                               ELFDATA2LSB },
                              .e_phoff     = offsetof(object, segment),
                              .e_phentsize = sizeof(Elf64_Phdr),
                              .e_phnum     = 1 },
                 .segment = { .p_type   = PT_NOTE,
                              .p_offset = offsetof(object, note),
                              .p_filesz = offsetof(object, id) + 4 - offsetof(object, note) },
                 .note    = { .n_namesz = 4, .n_descsz = 4, .n_type = NT_GNU_BUILD_ID },
                 .name    = "GNU",
                 .id      = { 0xde, 0xad, 0xbe, 0xef } };

    return o;
}

static void assert_id(const object *o, const char *expected)
{
    char id[80];

    write_file(o, sizeof *o);
    assert_int_equal(assay_build_id_read(path, id, sizeof id), ASSAY_OK);
    assert_string_equal(id, expected);
}

static void test_no_library(void **state)
{
    char id[80];

    (void)state;
    (void)unlink(path);
    assert_refused("cannot open");
    write_file("", 0);
    assert_refused("not a shared library");
    write_file("#!/bin/sh\ntouch ran\n", 20);
    assert_refused("not a shared library");
    (void)unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* reading does not wait for a writer */
    assert_refused("not a shared library");
    (void)unlink(path);
    assert_int_equal(assay_build_id_read(folder, id, sizeof id), ASSAY_E_IO);
    assay_status_reset();
}

static void test_cut_short(void **state)
{
    const object o = an_object();

    (void)state;
    assert_id(&o, "deadbeef");
    for (size_t n = 0; n < offsetof(object, id) + 4; n++) {
        write_file(&o, n);
        assert_refused(n < sizeof o.header ? "not a shared library" : "truncated");
    }
}

static void test_other_kinds(void **state)
{
    object o = an_object();

    (void)state;
    o.header.e_ident[EI_CLASS] = ELFCLASS32;
    write_file(&o, sizeof o);
    assert_refused("not a shared library");
    o                         = an_object();
    o.header.e_ident[EI_DATA] = ELFDATA2MSB;
    write_file(&o, sizeof o);
    assert_refused("not a shared library");
    o                    = an_object();
    o.header.e_phentsize = 1;
    write_file(&o, sizeof o);
    assert_refused("not a shared library");
    o                = an_object();
    o.header.e_phnum = 0;
    assert_id(&o, "");
}

static void test_huge_offsets(void **state)
{
    static const uint64_t huge[] = { 4096,           UINT32_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1,
                                     UINT64_MAX - 8, UINT64_MAX };
    object                o      = an_object();

    (void)state;
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        o                = an_object();
        o.header.e_phoff = huge[i];
        write_file(&o, sizeof o);
        assert_refused("truncated");
        o                  = an_object();
        o.segment.p_offset = huge[i];
        write_file(&o, sizeof o);
        assert_refused("truncated");
        o                  = an_object();
        o.segment.p_filesz = huge[i];
        write_file(&o, sizeof o);
        assert_refused(huge[i] > 1 << 20 ? "not a shared library" : "truncated");
    }
    o                = an_object();
    o.header.e_phnum = 4000;
    o.segment.p_type = PT_NULL;
    write_file(&o, sizeof o);
    assert_refused("truncated");
    o.header.e_phnum = UINT16_MAX;
    write_file(&o, sizeof o);
    assert_refused("not a shared library");
}

static void test_notes_that_lie(void **state)
{
    static const uint32_t sizes[] = { 5, 8, 4096, INT32_MAX, UINT32_MAX - 4, UINT32_MAX };
    object                o       = an_object();

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        o               = an_object();
        o.note.n_descsz = sizes[i];
        assert_id(&o, "");
        o               = an_object();
        o.note.n_namesz = sizes[i];
        assert_id(&o, "");
    }
    o = an_object();
    (void)assay_text_set(o.name, sizeof o.name, "XYZ");
    assert_id(&o, "");
    o               = an_object();
    o.note.n_descsz = 3;
    assert_id(&o, "deadbe");
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(path, sizeof path, "%s/object", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_this_program), cmocka_unit_test(test_no_library),
        cmocka_unit_test(test_cut_short),    cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_huge_offsets), cmocka_unit_test(test_notes_that_lie),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
