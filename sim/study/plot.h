/* SPDX-License-Identifier: Apache-2.0 */
/* The plots of a study go into the database. */
#ifndef MEMTWIN_STUDY_PLOT_H
#define MEMTWIN_STUDY_PLOT_H

#include "study/sql.h"

/* In place of those that the study last stored had. 0, or -1: SQLite refused. */
int plots_store(struct study_db *d, const struct study *s);

#endif
