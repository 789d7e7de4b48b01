// SPDX-License-Identifier: Apache-2.0
#include "harness/folder.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/proc.h"

/* FNV-1a. */
#define KEY_OF_NOTHING 0xcbf29ce484222325ull

static unsigned long long key_of(unsigned long long key, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        key = (key ^ (unsigned char)bytes[i]) * 0x100000001b3ull;
    return key;
}

static unsigned long long key_of_path(unsigned long long key, const char *path) {
    return key_of(key, path, strlen(path) + 1);
}

static unsigned long long key_of_file(unsigned long long key, const char *path) {
    char block[65536];
    size_t n;
    FILE *f = fopen(path, "re");
    key = key_of_path(key, path);
    while (f && (n = fread(block, 1, sizeof block, f)) > 0)
        key = key_of(key, block, n);
    if (f)
        fclose(f);
    return key;
}

/* Of the paths and the content of what twins are built from. */
static unsigned long long key_of_sources(const char *root, const char *rtl) {
    const struct {
        const char *dir, *pattern;
    } sources[] = {{rtl, "*/*.v"},
                   {rtl, "*/*.vh"},
                   {rtl, "*/*.f"},
                   {root, "cmodel/*/*.h"},
                   {root, "tb/harness/*"}};
    unsigned long long key = key_of_path(KEY_OF_NOTHING, root);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        char pattern[PATH_SIZE + 16];
        glob_t files;
        snprintf(pattern, sizeof pattern, "%s/%s", sources[i].dir, sources[i].pattern);
        if (glob(pattern, 0, NULL, &files) == 0) {
            for (size_t k = 0; k < files.gl_pathc; k++)
                key = key_of_file(key, files.gl_pathv[k]);
            globfree(&files);
        }
    }
    return key;
}

/* 0 if files can be made in the folder, which is made; or errno. */
static int closed(const char *folder) {
    return path_mkdirs(folder) || access(folder, W_OK | X_OK) ? errno : 0;
}

/* The user's cache. */
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

/* `why` says what is wrong with the folder under build/. */
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

int twin_folder(char *buf, char *err, size_t err_size) {
    char root[PATH_SIZE], rtl[PATH_SIZE], why[PATH_SIZE + 128], name[64];
    const char *folder = getenv("MEMTWIN_TWINS"), *other = getenv("MEMTWIN_RTL");
    if (folder && *folder) {
        int errnum = closed(folder);
        if (!errnum && realpath(folder, buf))
            return 0;
        snprintf(err, err_size, "MEMTWIN_TWINS=%s: %s", folder, strerror(errnum ? errnum : errno));
        return -1;
    }
    if (harness_root(root, err, err_size) || harness_rtl(rtl, err, err_size))
        return -1;
    snprintf(name, sizeof name, "twins-%016llx", key_of(KEY_OF_NOTHING, rtl, strlen(rtl)));
    if (path_print(buf, err, err_size, "%s/build/%s", root, other && *other ? name : "twins"))
        return -1;
    int errnum = closed(buf);
    if (!errnum)
        return 0;
    snprintf(why, sizeof why, "nowhere to build twins: %s: %s", buf, strerror(errnum));
    snprintf(name, sizeof name, "twins-%016llx", key_of_sources(root, rtl));
    return in_cache(why, name, buf, err, err_size);
}

int replay_folder(char *buf, char *err, size_t err_size) {
    char root[PATH_SIZE], why[PATH_SIZE + 128];
    if (harness_root(root, err, err_size) ||
        path_print(buf, err, err_size, "%s/build/replay", root))
        return -1;
    int errnum = closed(buf);
    if (!errnum)
        return 0;
    snprintf(why, sizeof why, "nowhere to write replay files: %s: %s", buf, strerror(errnum));
    return in_cache(why, "replay", buf, err, err_size);
}
