/* Writes the resource specification file of CTest. */
#include "resource_spec.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

char *assay_resource_id(const char *uuid, int index, char id[ASSAY_RESOURCE_ID_SIZE])
{
    const bool   has_kind = strncmp(uuid, "GPU-", 4) == 0 || strncmp(uuid, "MIG-", 4) == 0;
    const size_t n        = has_kind ? strspn(uuid + 4, "0123456789abcdef-") : 0;

    if (n == 0 || uuid[4 + n] != '\0' || strlen(uuid) >= ASSAY_RESOURCE_ID_SIZE) {
        (void)assay_text_set(id, ASSAY_RESOURCE_ID_SIZE, "index_%d", index);
        return id;
    }
    (void)assay_text_set(id, ASSAY_RESOURCE_ID_SIZE, "%s", uuid);
    for (char *c = id; *c; c++)
        *c = *c == '-' ? '_' : (char)tolower((unsigned char)*c);
    return id;
}

static assay_status read_uuid(const assay_module *module, int index, assay_device_info *info)
{
    assay_device *device = NULL;
    assay_status  st     = module->api->open(index, &device, info);

    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", module->api->message());
out:
    module->api->close(device);
    return st;
}

static assay_status write_gpus(const assay_module *module, int n, FILE *file)
{
    assay_status st = ASSAY_OK;

    (void)fprintf(file, "{\n  \"version\": {\"major\": 1, \"minor\": 0},\n  \"local\": [{\n"
                        "    \"gpus\": [\n");
    for (int i = 0; i < n; i++) {
        assay_device_info info;
        char              id[ASSAY_RESOURCE_ID_SIZE];

        ASSAY_CHECK(read_uuid(module, i, &info));
        (void)fprintf(file, "      {\"id\": \"%s\", \"slots\": 1}%s\n",
                      assay_resource_id(info.uuid, i, id), i + 1 < n ? "," : "");
    }
    (void)fprintf(file, "    ]\n  }]\n}\n");
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_IO, "cannot write: %s", strerror(errno));
out:
    return st;
}

assay_status assay_resource_spec_write(const assay_module *module, const char *path, int *n,
                                       char *why, size_t size)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = NULL;

    *n = module->api->count(why, size);
    if (*n <= 0) {
        *n = 0;
        return ASSAY_OK;
    }
    file = fopen(path, "w");
    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    ASSAY_CHECK(write_gpus(module, *n, file));
out:
    if (file && fclose(file) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    if (file && st != ASSAY_OK)
        (void)remove(path); /* half a file is no specification */
    return st;
}
