// SPDX-License-Identifier: Apache-2.0
#include "harness/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/library.h"
#include "lib/alloc.h"
#include "os/path.h"

static void append_name(char ***list, size_t *n, const char *name) {
    *list = alloc_resized(*list, *n + 1, sizeof **list);
    (*list)[(*n)++] = alloc_text(name);
}

/* Strips a comment, and blanks at both ends, in place. */
static char *trim(char *line) {
    char *comment = strstr(line, "//");
    if (comment)
        *comment = '\0';
    while (isspace((unsigned char)*line))
        line++;
    for (size_t n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]); n--)
        line[n - 1] = '\0';
    return line;
}

static int read_list(struct rtl_files *files, const char *path, struct error *err) {
    char line[PATH_SIZE];
    FILE *f = fopen(path, "re");
    if (!f)
        return error_set(err, "%s: %s", path, strerror(errno));
    int bad = 0;
    while (!bad && fgets(line, sizeof line, f)) {
        char *name = trim(line);
        if (!*name || *name == '+' || *name == '-')
            continue;
        if (strncmp(name, "rtl/", 4) == 0)
            append_name(&files->names, &files->n_names, name + 4);
        else
            bad = error_set(err, "%s: '%s' is not below rtl/", path, name);
    }
    fclose(f);
    if (!bad && files->n_names == 0)
        bad = error_set(err, "%s names no file", path);
    return bad;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_folders(struct rtl_files *files, struct error *err) {
    DIR *d = opendir(files->rtl);
    if (!d)
        return error_set(err, "%s: %s", files->rtl, strerror(errno));
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[PATH_SIZE];
        struct stat st;
        if (e->d_name[0] == '.' || path_print(path, err, "%s/%s", files->rtl, e->d_name) ||
            stat(path, &st) || !S_ISDIR(st.st_mode))
            continue;
        append_name(&files->folders, &files->n_folders, e->d_name);
    }
    closedir(d);
    if (files->n_folders)
        qsort(files->folders, files->n_folders, sizeof *files->folders, by_name);
    return 0;
}

/* Appends the block's observer to the names if there is one, as twin.mk does. */
static int find_observer(struct rtl_files *files, const char *block, struct error *err) {
    char tb[PATH_SIZE], path[PATH_SIZE];
    if (path_print(tb, err, "%s/tb", files->project))
        return -1;
    const char *folders[] = {files->rtl, tb};
    for (int i = 0; i < 2 && !files->observed; i++) {
        if (path_print(path, err, "%s/%s/%s_observe.v", folders[i], block, block))
            return -1;
        files->observed = access(path, R_OK) == 0;
    }
    if (files->observed)
        append_name(&files->names, &files->n_names, path);
    return 0;
}

int rtl_files_find(struct rtl_files *files, const char *block, bool observed, struct error *err) {
    char list[PATH_SIZE];
    memset(files, 0, sizeof *files);
    if (block_rtl(block, files->rtl, err) == 0 && block_project(block, files->project, err) == 0 &&
        path_print(list, err, "%s/%s/%s.f", files->rtl, block, block) == 0 &&
        read_list(files, list, err) == 0 && list_folders(files, err) == 0 &&
        (!observed || find_observer(files, block, err) == 0))
        return 0;
    rtl_files_free(files);
    return -1;
}

void rtl_files_free(struct rtl_files *files) {
    for (size_t i = 0; i < files->n_names; i++)
        free(files->names[i]);
    for (size_t i = 0; i < files->n_folders; i++)
        free(files->folders[i]);
    free(files->names);
    free(files->folders);
    memset(files, 0, sizeof *files);
}
