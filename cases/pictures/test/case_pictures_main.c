/* Draws a picture of a case:
 *
 *   case_pictures                 lists them: name and caption
 *   case_pictures NAME FILE.png */
#include "case_pictures.h"

#include <stdio.h>
#include <string.h>

static int list(void)
{
    for (int k = 0; k < CASE_PICTURES; k++)
        if (printf("%s\t%s\n", case_pictures[k].name, case_pictures[k].caption) < 0)
            return 1;
    return 0;
}

static int make(const case_picture *of, const char *path)
{
    picture p;
    char    error[4608] = "out of memory";
    bool    is_made     = of->draw(&p);

    if (is_made) {
        is_made = picture_write_png(path, &p, error, sizeof error);
        picture_free(&p);
    }
    if (!is_made)
        (void)fprintf(stderr, "case_pictures: %s\n", error);
    return is_made ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return list();
    for (int k = 0; k < CASE_PICTURES && argc == 3; k++)
        if (strcmp(argv[1], case_pictures[k].name) == 0)
            return make(&case_pictures[k], argv[2]);
    (void)fprintf(stderr, "usage: %s [NAME FILE.png], without both: the list of names\n", argv[0]);
    return 4;
}
