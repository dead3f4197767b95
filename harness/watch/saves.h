/* Waits until one of some files is saved. */
#ifndef ASSAY_SAVES_H
#define ASSAY_SAVES_H

#include "sources.h"

typedef struct assay_saves assay_saves;

assay_status assay_saves_open(assay_saves **saves); /* caller closes */
void         assay_saves_close(assay_saves *saves); /* accepts NULL */

/* Looks at the folders of these files from now on, too: an editor may write a file anew and give it
 * the old one's name. */
assay_status assay_saves_look(assay_saves *saves, const assay_sources *sources);

/* Waits until one of the files is saved, and on until nothing was for a moment: a burst of saves is
 * one. Ends at once where something is to be read from `other_fd`. *is_saved: was one, since the
 * last wait? */
assay_status assay_saves_wait(assay_saves *saves, const assay_sources *sources, int other_fd,
                              bool *is_saved);

#endif
