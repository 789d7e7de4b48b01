// SPDX-License-Identifier: Apache-2.0
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/message.h"

int paths_configs(char *buf, char *err, size_t err_size) {
    char home[PATH_SIZE];
    return harness_root(home, err, err_size) ||
                   path_print(buf, err, err_size, "%s/sim/configs", home)
               ? -1
               : 0;
}

static int is_ini(const struct dirent *entry) {
    size_t len = strlen(entry->d_name);
    return entry->d_name[0] != '.' && len > 4 && strcmp(entry->d_name + len - 4, ".ini") == 0;
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

int configs_each(void (*each)(void *ctx, const char *name, const char *doc), void *ctx, char *err,
                 size_t err_size) {
    char dir[PATH_SIZE], doc[200];
    struct dirent **entries;
    if (paths_configs(dir, err, err_size))
        return -1;
    int n = scandir(dir, &entries, is_ini, alphasort);
    if (n < 0) {
        message_print(err, err_size, "cannot read %s: %s", dir, strerror(errno));
        return -1;
    }
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

int paths_beside(const char *beside, const char *name, char *buf, size_t size) {
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    int dir = slash ? (int)(slash - beside + 1) : 0;
    int len = snprintf(buf, size, "%.*s%s", dir, beside ? beside : "", name);
    return len < 0 || (size_t)len >= size ? -1 : 0;
}
