/* Findings of doctor on NVML, and what NVML says of the GPU. */
#include "doctor_nvml.h"

#include "base/text.h"
#include "command/select.h"
#include "machine/nvml.h"

#include <math.h>

static void put(assay_findings *findings, const char *state, const char *text)
{
    assay_finding_put(findings, "nvml", state, "%s", text);
}

typedef struct shown {
    char text[32];
} shown;

static shown show(double value)
{
    shown s;

    if (isnan(value) || value == -1)
        (void)assay_text_set(s.text, sizeof s.text, "unknown");
    else
        (void)assay_text_set(s.text, sizeof s.text, "%.6g", value);
    return s;
}

static const char *show_text(const char *text) { return text[0] ? text : "unknown"; }

static const char *show_flag(int flag)
{
    static const char *const words[] = { "unknown", "off", "on" };

    return words[flag + 1];
}

static void put_facts(assay_findings *findings, const assay_nvml_facts *f)
{
    char text[512];

    put(findings, "ok",
        assay_text_set(text, sizeof text,
                       "%s, driver %s, NVML %s, VBIOS %s; ECC %s, MIG %s, "
                       "persistence mode %s",
                       show_text(f->name), show_text(f->driver), show_text(f->nvml_version),
                       show_text(f->vbios), show_flag(f->ecc_is_on), show_flag(f->mig_is_on),
                       show_flag(f->persistence_is_on)));
}

static void put_reading(assay_findings *findings, const assay_nvml_reading *r,
                        const assay_nvml_facts *f)
{
    char text[512], reasons[256];

    put(findings, "ok",
        assay_text_set(text, sizeof text,
                       "now: SM clock %s of %s MHz, memory clock %s of %s MHz, %s C, "
                       "%s of %s W; clock reasons: %s",
                       show(r->sm_mhz).text, show(f->max_sm_mhz).text, show(r->memory_mhz).text,
                       show(f->max_memory_mhz).text, show(r->temperature_c).text,
                       show(r->power_w).text, show(f->power_limit_w).text,
                       assay_nvml_reasons_text(r->reasons, reasons, sizeof reasons)));
}

/* Adds what disturbs or prevents measuring. */
static void put_notes(assay_findings *findings, const assay_nvml_reading *r,
                      const assay_nvml_facts *f)
{
    const struct {
        bool        holds;
        const char *text;
    } notes[] = {
        { f->mig_is_on == 1, "MIG is on: other work in the same compute instance disturbs counters "
                             "(work in other instances does not)" },
        { f->persistence_is_on == 0,
          "persistence mode is off: the driver unloads when nothing uses the GPU, which makes "
          "starts slow; 'nvidia-smi -pm 1' as root keeps it loaded" },
        { f->compute_mode == 3, "compute mode is 'exclusive process': nothing can run here while "
                                "another program has this GPU" },
        { assay_nvml_is_throttled(r->reasons),
          "power or heat holds the clocks back: samples taken in this state are invalid" },
    };

    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (notes[i].holds)
            put(findings, "note", notes[i].text);
}

/* Opens the device once more, since NVML finds a GPU only by its bus id. "" without a GPU. */
static void find_bus_id(int index, char *id, size_t size)
{
    const assay_target_words gpu    = { .device = "cuda", .gpu = index };
    assay_target             target = { .device_index = index };

    if (assay_target_choose(&gpu, &target) != ASSAY_OK)
        assay_status_reset();
    (void)assay_text_set(id, size, "%s", target.info.pci_bus_id);
}

/* Missing NVML is only reported; it is no failure. */
void assay_doctor_nvml(int index, assay_findings *findings)
{
    char               id[32], why[512];
    assay_nvml        *nvml = NULL;
    assay_nvml_facts   facts;
    assay_nvml_reading reading;

    find_bus_id(index, id, sizeof id);
    nvml = assay_nvml_open(NULL, id, why, sizeof why);
    if (!nvml) {
        put(findings, "missing", why);
        return;
    }
    assay_nvml_read_facts(nvml, &facts);
    assay_nvml_read(nvml, &reading);
    put_facts(findings, &facts);
    put_reading(findings, &reading, &facts);
    put_notes(findings, &reading, &facts);
    assay_nvml_close(nvml);
}
