// SPDX-License-Identifier: Apache-2.0
#include "harness/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/library.h"
#include "harness/proc.h"

static int append(char ***list, size_t *n, const char *name, char *err, size_t err_size) {
    char **more = realloc(*list, (*n + 1) * sizeof **list);
    char *copy = strdup(name);
    if (more)
        *list = more;
    if (more && copy) {
        more[(*n)++] = copy;
        return 0;
    }
    free(copy);
    snprintf(err, err_size, "out of memory");
    return -1;
}

/* Strips a comment and blanks at both ends, in place. */
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

static int read_list(struct rtl_files *files, const char *path, char *err, size_t err_size) {
    char line[PATH_SIZE];
    FILE *f = fopen(path, "re");
    if (!f) {
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
        return -1;
    }
    int bad = 0;
    while (!bad && fgets(line, sizeof line, f)) {
        char *name = trim(line);
        if (!*name || *name == '+' || *name == '-')
            continue;
        if (strncmp(name, "rtl/", 4) != 0) {
            snprintf(err, err_size, "%s: '%s' is not below rtl/", path, name);
            bad = -1;
        } else {
            bad = append(&files->names, &files->n_names, name + 4, err, err_size);
        }
    }
    fclose(f);
    if (!bad && files->n_names == 0) {
        snprintf(err, err_size, "%s names no file", path);
        bad = -1;
    }
    return bad;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_folders(struct rtl_files *files, char *err, size_t err_size) {
    DIR *d = opendir(files->rtl);
    int bad = 0;
    if (!d) {
        snprintf(err, err_size, "%s: %s", files->rtl, strerror(errno));
        return -1;
    }
    for (struct dirent *e; !bad && (e = readdir(d)) != NULL;) {
        char path[PATH_SIZE];
        struct stat st;
        if (e->d_name[0] == '.' ||
            path_print(path, err, err_size, "%s/%s", files->rtl, e->d_name) || stat(path, &st) ||
            !S_ISDIR(st.st_mode))
            continue;
        bad = append(&files->folders, &files->n_folders, e->d_name, err, err_size);
    }
    closedir(d);
    if (files->n_folders)
        qsort(files->folders, files->n_folders, sizeof *files->folders, by_name);
    return bad;
}

int rtl_files_find(struct rtl_files *files, const char *block, char *err, size_t err_size) {
    char list[PATH_SIZE];
    memset(files, 0, sizeof *files);
    if (block_rtl(block, files->rtl, err, err_size) == 0 &&
        path_print(list, err, err_size, "%s/%s/%s.f", files->rtl, block, block) == 0 &&
        read_list(files, list, err, err_size) == 0 && list_folders(files, err, err_size) == 0)
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
