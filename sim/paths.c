// SPDX-License-Identifier: Apache-2.0
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/library.h"
#include "lib/ini_file.h"

int paths_configs(char *buf, struct error *err) {
    char home[PATH_SIZE];
    return harness_root(home, err) || path_print(buf, err, "%s/sim/configs", home) ? -1 : 0;
}

static int is_ini(const struct dirent *entry) {
    return entry->d_name[0] != '.' && ini_file_has_suffix(entry->d_name);
}

/* Reads the first line of a configuration, a comment that describes it. */
static void read_doc(const char *dir, const char *file, char *doc, size_t size) {
    char path[PATH_SIZE + 256];
    snprintf(path, sizeof path, "%s/%s", dir, file);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(doc, (int)size, f))
        doc[0] = '\0';
    if (f)
        fclose(f);
    doc[strcspn(doc, "\r\n")] = '\0';
}

int configs_each(void (*each)(void *ctx, const char *name, const char *doc), void *ctx,
                 struct error *err) {
    char dir[PATH_SIZE], doc[200];
    struct dirent **entries;
    if (paths_configs(dir, err))
        return -1;
    int n = scandir(dir, &entries, is_ini, alphasort);
    if (n < 0)
        return error_set(err, "cannot read %s: %s", dir, strerror(errno));
    for (int i = 0; i < n; i++) {
        char *name = entries[i]->d_name;
        read_doc(dir, name, doc, sizeof doc);
        name[strlen(name) - strlen(".ini")] = '\0';
        each(ctx, name, doc + strspn(doc, "#; "));
        free(entries[i]);
    }
    free(entries);
    return 0;
}

int paths_sibling(const char *sibling, const char *name, char *buf, size_t size) {
    const char *slash = sibling ? strrchr(sibling, '/') : NULL;
    int dir = slash ? (int)(slash - sibling + 1) : 0;
    int len = snprintf(buf, size, "%.*s%s", dir, sibling ? sibling : "", name);
    return len < 0 || (size_t)len >= size ? -1 : 0;
}
