/* Merges two texts into one. The compiler of CUDA reads a file once for the host and once for the
 * device, and the two differ in what depends on __CUDA_ARCH__. */
#include "translate_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    assay_tokens *tokens;
    assay_units   units;
    uint64_t     *digest; /* of each unit's text */
} side;

typedef struct merger {
    side          host, device;
    assay_tokens *to;
    int          *host_file, *device_file; /* indices of their files in `to` */
    FILE         *notes;
} merger;

static uint64_t digest_of(const assay_tokens *t, const assay_unit *u)
{
    uint64_t sum = UINT64_C(1469598103934665603);

    for (int i = u->begin; i < u->end; i++)
        for (int k = 0; k <= t->token[i].length; k++)
            sum = (sum ^ (k < t->token[i].length ? (unsigned char)t->token[i].text[k] : 0u)) *
                  UINT64_C(1099511628211);
    return sum;
}

static assay_status prepare(side *s, assay_tokens *tokens)
{
    assay_status st = ASSAY_OK;

    s->tokens = tokens;
    ASSAY_CHECK(assay_tokens_pair(tokens));
    ASSAY_CHECK(assay_units_list(tokens, &s->units));
    /* Members of a class stay with the class. */
    int kept = 0;

    for (int i = 0; i < s->units.n; i++)
        if (s->units.unit[i].depth == 0)
            s->units.unit[kept++] = s->units.unit[i];
    s->units.n = kept;
    s->digest  = malloc(((size_t)kept + 1) * sizeof *s->digest);
    ASSAY_REQUIRE(s->digest, ASSAY_E_MEMORY, "no memory for %d declarations", kept);
    for (int i = 0; i < kept; i++)
        s->digest[i] = digest_of(tokens, &s->units.unit[i]);
out:
    return st;
}

/* ---- taking units over ---- */

static assay_status take(merger *m, const side *s, const int *files, int unit)
{
    assay_status      st = ASSAY_OK;
    const assay_unit *u  = &s->units.unit[unit];

    for (int i = u->begin; i < u->end; i++) {
        assay_token token = s->tokens->token[i];

        token.file = files[token.file];
        ASSAY_CHECK(assay_tokens_add(m->to, token));
    }
out:
    return st;
}

/* Are both the same class, with the same tokens before the brace? */
static bool is_same_class(const merger *m, const assay_unit *h, const assay_unit *d)
{
    const int n = h->brace - h->begin;

    if (h->brace < 0 || d->brace < 0 || d->brace - d->begin != n)
        return false;
    for (int i = 0; i < n; i++) {
        const assay_token *a = &m->host.tokens->token[h->begin + i],
                          *b = &m->device.tokens->token[d->begin + i];

        if (a->length != b->length || memcmp(a->text, b->text, (size_t)a->length) != 0)
            return false;
    }
    return true;
}

/* Is it a class whose device code all depends on __CUDA_ARCH__? The host's text then has no device
 * code in it, and the device's text has the same class with it. */
static bool is_device_class(const merger *m, const assay_unit *h, int d, int d_end)
{
    for (; d < d_end; d++)
        if (m->device.units.unit[d].is_device && is_same_class(m, h, &m->device.units.unit[d]))
            return true;
    return false;
}

/* Merges the units between two places where both texts are the same: [h, h_end) of the host, [d,
 * d_end) of the device. */
static assay_status take_different(merger *m, int h, int h_end, int d, int d_end)
{
    assay_status      st           = ASSAY_OK;
    const assay_unit *of_host      = NULL; /* the first that is no device code */
    bool              is_different = false;

    for (; h < h_end; h++) {
        const assay_unit *u = &m->host.units.unit[h];

        if (u->is_device || is_device_class(m, u, d, d_end))
            continue;
        ASSAY_CHECK(take(m, &m->host, m->host_file, h));
        if (!of_host)
            of_host = u;
    }
    for (; d < d_end; d++) {
        const assay_unit *u = &m->device.units.unit[d];

        /* Types and names that only the device's text has do not conflict with anything of the
         * host's. */
        if (u->is_device || !of_host)
            ASSAY_CHECK(take(m, &m->device, m->device_file, d));
        else
            is_different = true;
    }
    if (is_different && assay_token_is_own(m->host.tokens, of_host->begin)) {
        const assay_token *t = &m->host.tokens->token[of_host->begin];

        (void)fprintf(m->notes,
                      "%s:%d: note: this depends on __CUDA_ARCH__ outside device code: it is taken "
                      "as without it\n",
                      m->to->file[m->host_file[t->file]].name, t->line);
    }
out:
    return st;
}

/* ---- where both are the same ---- */

/* Finds the nearest pair of equal units at or after (h, d); the ends if there is none near. */
static void find_same(const merger *m, int *h, int *d)
{
    enum {
        NEAR = 400
    };
    const int n = m->host.units.n, k = m->device.units.n;

    for (int both = 0; both < 2 * NEAR; both++)
        for (int i = 0; i <= both; i++)
            if (*h + i < n && *d + both - i < k &&
                m->host.digest[*h + i] == m->device.digest[*d + both - i]) {
                *h += i;
                *d += both - i;
                return;
            }
    *h = n;
    *d = k;
}

static assay_status walk(merger *m)
{
    assay_status st = ASSAY_OK;

    for (int h = 0, d = 0; h < m->host.units.n || d < m->device.units.n;) {
        int h_end = h, d_end = d;

        if (h < m->host.units.n && d < m->device.units.n &&
            m->host.digest[h] == m->device.digest[d]) {
            ASSAY_CHECK(take(m, &m->host, m->host_file, h));
            h++, d++;
            continue;
        }
        find_same(m, &h_end, &d_end);
        ASSAY_CHECK(take_different(m, h, h_end, d, d_end));
        h = h_end, d = d_end;
    }
out:
    return st;
}

/* ---- files ---- */

/* Appends the files of one side to those of `to`; *files has their new numbers. */
static assay_status take_files(assay_tokens *from, assay_tokens *to, int **files)
{
    const int         n    = to->n_files + from->n_files;
    assay_token_file *file = realloc(to->file, ((size_t)n + 1) * sizeof *file);

    if (file)
        to->file = file;
    *files = malloc(((size_t)from->n_files + 1) * sizeof **files);
    if (!file || !*files)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the names of %d files", n);
    for (int i = 0; i < from->n_files; i++) {
        int k = 0;

        while (k < to->n_files && (strcmp(to->file[k].name, from->file[i].name) != 0 ||
                                   to->file[k].is_system != from->file[i].is_system))
            k++;
        if (k == to->n_files)
            to->file[to->n_files++] = from->file[i], from->file[i].name = NULL;
        (*files)[i] = k;
    }
    to->files_room = n + 1;
    return ASSAY_OK;
}

assay_status assay_translate_merge(assay_tokens *host, assay_tokens *device, assay_tokens *merged,
                                   FILE *notes)
{
    assay_status st = ASSAY_OK;
    merger       m  = { .to = merged, .notes = notes };

    ASSAY_CHECK(prepare(&m.host, host));
    ASSAY_CHECK(prepare(&m.device, device));
    /* File names are needed until the walk over the units ends. */
    ASSAY_CHECK(take_files(host, merged, &m.host_file));
    ASSAY_CHECK(take_files(device, merged, &m.device_file));
    ASSAY_CHECK(walk(&m));
out:
    free(m.host_file);
    free(m.device_file);
    free(m.host.digest);
    free(m.device.digest);
    assay_units_free(&m.host.units);
    assay_units_free(&m.device.units);
    return st;
}
