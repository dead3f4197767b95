/* Waits until one of some files is saved. */
#ifndef ASSAY_SAVES_H
#define ASSAY_SAVES_H

#include "sources.h"

typedef struct assay_saves assay_saves;

assay_status assay_saves_open(assay_saves **saves); /* caller closes */
void         assay_saves_close(assay_saves *saves); /* accepts NULL */

/* Watches the folders of these files too, since an editor may write a new file and rename it. */
assay_status assay_saves_look(assay_saves *saves, const assay_sources *sources);

/* Waits until one of the files is saved, and then until nothing was saved for a moment: a burst of
 * saves counts as one. Returns at once if `other_fd` can be read. *is_saved: was a file saved since
 * the last wait? */
assay_status assay_saves_wait(assay_saves *saves, const assay_sources *sources, int other_fd,
                              bool *is_saved);

#endif
