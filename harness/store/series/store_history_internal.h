/* What the files that read a history share. No other module includes this. */
#ifndef ASSAY_STORE_HISTORY_INTERNAL_H
#define ASSAY_STORE_HISTORY_INTERNAL_H

#include "store_history.h"

assay_status assay_history_find_errors(assay_store *store, const assay_side_filter *filter,
                                       assay_history *history);

#endif
