// SPDX-License-Identifier: Apache-2.0
#include "harness/folder.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/hash.h"
#include "harness/library.h"
#include "harness/proc.h"

#define TWINS_NAME 32

static void add_path(struct hash *h, const char *path) {
    hash_add(h, path, strlen(path) + 1);
}

static void add_files(struct hash *h, const char *dir, const char *pattern) {
    char paths[PATH_SIZE + 16];
    glob_t files;
    snprintf(paths, sizeof paths, "%s/%s", dir, pattern);
    if (glob(paths, 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        add_path(h, files.gl_pathv[i]);
        hash_add_file(h, files.gl_pathv[i]);
    }
    globfree(&files);
}

/* Hashes the path of the Verilog; with a root, also all files that twins are built from. */
static int name_twins(const char *rtl, const char *root, const char *project, char name[TWINS_NAME],
                      char *err, size_t err_size) {
    static const char *const in_rtl[] = {"*/*.v", "*/*.vh", "*/*.f"};
    char digits[HASH_SIZE];
    struct hash *h = hash_new();
    if (!h) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    add_path(h, rtl);
    for (size_t i = 0; root && i < sizeof in_rtl / sizeof *in_rtl; i++)
        add_files(h, rtl, in_rtl[i]);
    if (root) {
        add_path(h, root);
        add_files(h, root, "cmodel/*/*.h");
        add_files(h, root, "tb/harness/*");
        add_path(h, project);
        add_files(h, project, "cmodel/*/*.h");
    }
    hash_digits(h, digits);
    hash_free(h);
    snprintf(name, TWINS_NAME, "twins-%.16s", digits);
    return 0;
}

/* Makes the folder. Returns 0 if files can be created in it, else errno. */
static int closed(const char *folder) {
    return path_mkdirs(folder) || access(folder, W_OK | X_OK) ? errno : 0;
}

/* As closed() for PROJECT/build/NAME, but does not make build itself: an installation has none. */
static int closed_below(const char *project, const char *name, char *folder, char *err,
                        size_t err_size) {
    if (path_print(folder, err, err_size, "%s/build", project))
        return -1;
    int errnum = access(folder, F_OK) ? errno : 0;
    if (path_print(folder, err, err_size, "%s/build/%s", project, name))
        return -1;
    return errnum ? errnum : closed(folder);
}

/* Path of the user's cache. */
static int cache(char *buf, char *err, size_t err_size) {
    const char *own = getenv("MEMTWIN_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own && *own)
        return path_print(buf, err, err_size, "%s", own);
    if (xdg && *xdg == '/')
        return path_print(buf, err, err_size, "%s/memtwin", xdg);
    if (home && *home)
        return path_print(buf, err, err_size, "%s/.cache/memtwin", home);
    snprintf(err, err_size, "no cache either: set MEMTWIN_CACHE or HOME");
    return -1;
}

/* Makes a folder in the cache. `why`: why the one under build/ is unusable. */
static int in_cache(const char *why, const char *name, char *buf, char *err, size_t err_size) {
    char base[PATH_SIZE], folder[PATH_SIZE], none[256];
    if (cache(base, none, sizeof none)) {
        snprintf(err, err_size, "%s; %s", why, none);
        return -1;
    }
    if (path_print(folder, err, err_size, "%s/%s", base, name))
        return -1;
    int errnum = closed(folder);
    if (!errnum && realpath(folder, buf))
        return 0;
    snprintf(err, err_size, "%s; the cache, %s: %s (MEMTWIN_CACHE names another)", why, folder,
             strerror(errnum ? errnum : errno));
    return -1;
}

int twin_folder(const char *block, char *buf, char *err, size_t err_size) {
    char root[PATH_SIZE], project[PATH_SIZE], rtl[PATH_SIZE], why[PATH_SIZE + 128];
    char name[TWINS_NAME];
    const char *folder = getenv("MEMTWIN_TWINS"), *other = getenv("MEMTWIN_RTL");
    if (folder && *folder) {
        int errnum = closed(folder);
        if (!errnum && realpath(folder, buf))
            return 0;
        snprintf(err, err_size, "MEMTWIN_TWINS=%s: %s", folder, strerror(errnum ? errnum : errno));
        return -1;
    }
    if (harness_root(root, err, err_size) || block_project(block, project, err, err_size) ||
        block_rtl(block, rtl, err, err_size) || name_twins(rtl, NULL, NULL, name, err, err_size))
        return -1;
    int errnum = closed_below(project, other && *other ? name : "twins", buf, err, err_size);
    if (errnum <= 0)
        return errnum;
    snprintf(why, sizeof why, "nowhere to build twins: %s: %s", buf, strerror(errnum));
    if (name_twins(rtl, root, project, name, err, err_size))
        return -1;
    return in_cache(why, name, buf, err, err_size);
}

int replay_folder(const char *block, char *buf, char *err, size_t err_size) {
    char project[PATH_SIZE], why[PATH_SIZE + 128];
    if (block_project(block, project, err, err_size))
        return -1;
    int errnum = closed_below(project, "replay", buf, err, err_size);
    if (errnum <= 0)
        return errnum;
    snprintf(why, sizeof why, "nowhere to write replay files: %s: %s", buf, strerror(errnum));
    return in_cache(why, "replay", buf, err, err_size);
}
