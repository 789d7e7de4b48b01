/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the plots of a study in the database. */
#ifndef MEMTWIN_STUDY_PLOT_H
#define MEMTWIN_STUDY_PLOT_H

#include "study/sql.h"

/* Replaces the plots of the study last stored. Returns 0, or -1 if SQLite failed. */
int plots_store(struct study_db *d, const struct study *s);

#endif
