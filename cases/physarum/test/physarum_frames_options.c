/* The command line of physarum_frames. */
#include "physarum_frames.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words */

typedef struct parsing {
    frames_options *o;
    const char     *device;
    char           *error;
    size_t          size;
} parsing;

static bool refuse(const parsing *p, const char *what, const char *word, const char *why)
{
    (void)snprintf(p->error, p->size, "%s: '%s' %s", what, word, why);
    return false;
}

/* Lists all names, for a user who gave another one. */
static bool refuse_name(const parsing *p, const char *what, const char *word,
                        const char *(*name)(int))
{
    char   why[256];
    size_t n = (size_t)snprintf(why, sizeof why, "is none of");

    for (int i = 0; name(i) && n < sizeof why; i++)
        n += (size_t)snprintf(why + n, sizeof why - n, "%s %s", i ? "," : "", name(i));
    return refuse(p, what, word, why);
}

static const char *number_name(int i)
{
    return i < PHYSARUM_N_NUMBERS ? physarum_numbers[i].name : NULL;
}

static bool read_whole(const parsing *p, const char *what, const char *word, int64_t least,
                       int64_t most, int64_t *value)
{
    char  why[96];
    char *end;

    *value = strtoll(word, &end, 10);
    if (end != word && *end == 0 && *value >= least && *value <= most)
        return true;
    (void)snprintf(why, sizeof why, "is no whole number from %lld to %lld", (long long)least,
                   (long long)most);
    return refuse(p, what, word, why);
}

static bool read_value(const parsing *p, const physarum_number *of, const char *word, double *value)
{
    char takes[PHYSARUM_NUMBER_REASON], why[PHYSARUM_NUMBER_REASON + 16];

    if (physarum_number_read(of, word, value, takes))
        return true;
    (void)snprintf(why, sizeof why, "is not %s", takes);
    return refuse(p, of->name, word, why);
}

/* The values after NAME=, separated by commas. */
static bool read_values(const parsing *p, const char *words, frames_sweep *sweep)
{
    for (sweep->n = 0; words; sweep->n++) {
        const size_t n    = strcspn(words, ",");
        const bool   fits = sweep->n < FRAMES_VALUES_MOST && n < FRAMES_WORD_SIZE;

        if (!fits)
            return refuse(p, sweep->number->name, words, "is too long, or one value too many");
        (void)snprintf(sweep->word[sweep->n], FRAMES_WORD_SIZE, "%.*s", (int)n, words);
        if (!read_value(p, sweep->number, sweep->word[sweep->n], &sweep->value[sweep->n]))
            return false;
        words = words[n] == ',' ? words + n + 1 : NULL;
    }
    return true;
}

static bool read_sweep(const parsing *p, const char *what, const char *word, frames_sweep *sweep)
{
    const size_t n = strcspn(word, "=");

    sweep->number = physarum_number_find(word, n);
    if (word[n] == 0)
        return refuse(p, what, word, "is not NAME=VALUE");
    if (!sweep->number)
        return refuse_name(p, what, word, number_name);
    return read_values(p, word + n + 1, sweep);
}

/* ---- options */

static bool take_set(const parsing *p, const char *word)
{
    frames_sweep one = { 0 };

    if (!read_sweep(p, "--set", word, &one))
        return false;
    if (one.n > 1)
        return refuse(p, "--set", word, "has more than one value");
    physarum_number_set(one.number, one.value[0], &p->o->model);
    return true;
}

static const char *semantics_name(int i)
{
    static const char *const names[] = { "canonical", "torch", "triton" };

    return i < 3 ? names[i] : NULL;
}

static bool take_semantics(const parsing *p, const char *word)
{
    for (int i = 0; semantics_name(i); i++)
        if (strcmp(word, semantics_name(i)) == 0) {
            p->o->model.semantics = i;
            return true;
        }
    return refuse_name(p, "--semantics", word, semantics_name);
}

static bool take_device(const parsing *p, const char *word)
{
    char why[64];

    p->o->uses_kernels = strcmp(word, p->device) == 0;
    if (p->o->uses_kernels || strcmp(word, "reference") == 0)
        return true;
    (void)snprintf(why, sizeof why, "is none of reference|%s in this program", p->device);
    return refuse(p, "--device", word, why);
}

static bool take_palette(const parsing *p, const char *word)
{
    return picture_palette(word, &p->o->scale) ||
           refuse_name(p, "--palette", word, picture_palette_name);
}

static bool take_map(const parsing *p, const char *word)
{
    return picture_map(word, &p->o->scale) || refuse_name(p, "--map", word, picture_map_name);
}

static bool take_grid(const parsing *p, const char *word)
{
    return read_sweep(p, "--grid", word, &p->o->down);
}

static bool take_by(const parsing *p, const char *word)
{
    return read_sweep(p, "--by", word, &p->o->across);
}

/* One option: a text, a whole number, or a value that a function takes. */
static const struct {
    const char *name;
    size_t      place;
    int64_t     least, most; /* of a number; both 0: a text */
    bool (*take)(const parsing *p, const char *word);
} options[] = {
    { "frames", offsetof(frames_options, frames), 0, 0, NULL },
    { "animate", offsetof(frames_options, animation), 0, 0, NULL },
    { "sheet", offsetof(frames_options, sheet), 0, 0, NULL },
    { "image", offsetof(frames_options, image), 0, 0, NULL },
    { "side", offsetof(frames_options, model.height), 2, PICTURE_SIDE_MOST, NULL },
    { "agents", offsetof(frames_options, model.agents), 0, 1 << 26, NULL },
    { "steps", offsetof(frames_options, steps), 0, 1 << 24, NULL },
    { "every", offsetof(frames_options, every), 1, 1 << 24, NULL },
    { "zoom", offsetof(frames_options, zoom), 1, 64, NULL },
    { "seed", offsetof(frames_options, seed), 0, INT32_MAX, NULL },
    { "set", 0, 0, 0, take_set },
    { "semantics", 0, 0, 0, take_semantics },
    { "device", 0, 0, 0, take_device },
    { "palette", 0, 0, 0, take_palette },
    { "map", 0, 0, 0, take_map },
    { "grid", 0, 0, 0, take_grid },
    { "by", 0, 0, 0, take_by },
};
enum {
    N_OPTIONS = sizeof options / sizeof *options
};

static bool take(const parsing *p, int k, const char *word)
{
    char *const place = (char *)p->o + options[k].place;
    int64_t     number;

    if (options[k].take)
        return options[k].take(p, word);
    if (options[k].most == 0) {
        memcpy(place, &word, sizeof word);
        return true;
    }
    if (!read_whole(p, options[k].name, word, options[k].least, options[k].most, &number))
        return false;
    memcpy(place, &number, sizeof number);
    return true;
}

static bool take_all(const parsing *p, int argc, char **argv)
{
    struct option known[N_OPTIONS + 1] = { { 0 } };
    bool          is_right             = true;
    int           found, k;

    for (k = 0; k < N_OPTIONS; k++)
        known[k] = (struct option) { options[k].name, required_argument, NULL, 1 };
    while (is_right && (found = getopt_long(argc, argv, "", known, &k)) != -1)
        is_right = found == 1
                       ? take(p, k, optarg)
                       : refuse(p, "usage", argv[optind - 1], "is no option, or lacks its value");
    if (is_right && optind < argc)
        return refuse(p, "usage", argv[optind], "belongs to no option");
    return is_right;
}

/* Combinations of options that are not possible. */
static bool judge(const parsing *p)
{
    const frames_options *o = p->o;

    if (!o->frames && !o->animation && !o->sheet)
        return refuse(p, "usage", "--frames, --animate, --sheet", "are all missing");
    if (!o->sheet != !(o->down.number && o->across.number) || !o->down.number != !o->across.number)
        return refuse(p, "usage", "--sheet", "needs --grid and --by, and they need it");
    if (o->model.height * o->zoom > PICTURE_SIDE_MOST)
        return refuse(p, "usage", "--side, --zoom", "make a picture of too many pixels");
    return true;
}

bool frames_parse(int argc, char **argv, const char *device, frames_options *o, char *error,
                  size_t size)
{
    const parsing p = { o, device, error, size };

    *o       = (frames_options) { .steps = 400, .zoom = 1, .seed = 1 };
    o->model = physarum_test_model(PHYSARUM_CANONICAL, 256, 256, 16384);
    if (!picture_palette("ember", &o->scale) || !take_all(&p, argc, argv))
        return false;
    o->model.width = o->model.height;
    if (o->every == 0)
        o->every = o->steps > 0 ? o->steps : 1;
    return judge(&p);
}

/* ---- help */

static void print_names(FILE *to, const char *what, const char *(*name)(int))
{
    (void)fprintf(to, "  %-24s", what);
    for (int i = 0; name(i); i++)
        (void)fprintf(to, "%s%s", i ? ", " : "", name(i));
    (void)fprintf(to, "\n");
}

void frames_print_usage(FILE *to, const char *device)
{
    (void)fprintf(to,
                  "usage: physarum_frames [OPTION VALUE]...\n"
                  "what to write, one at least:\n"
                  "  --frames PREFIX         PREFIX_00000.png and so on\n"
                  "  --animate FILE.gif      all frames as an animation\n"
                  "  --sheet FILE.png        the last frame for each value of --grid NAME=V,V,...\n"
                  "                          (rows) and of --by NAME=V,V,... (columns)\n"
                  "what to run:\n"
                  "  --side 256  --agents 16384  --steps 400  --every (all)  --seed 1\n"
                  "  --device WORD           reference (if none is given), %s\n"
                  "  --image FILE            the field begins as a PNG or PGM, times 3\n"
                  "  --set NAME=V            a number of a step; again for more\n",
                  device);
    print_names(to, "--semantics WORD", semantics_name);
    print_names(to, "numbers of a step are", number_name);
    (void)fprintf(to, "how it looks:\n  --zoom 1                pixels on a side of a cell\n");
    print_names(to, "--palette NAME", picture_palette_name);
    print_names(to, "--map NAME", picture_map_name);
}
