// SPDX-License-Identifier: Apache-2.0
#include "harness/folder.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/hash.h"
#include "harness/library.h"
#include "os/path.h"

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

/* Hashes the path of the Verilog and, if `root` is not NULL, all files from which twins are
 * built. */
static void name_twins(const char *rtl, const char *root, const char *project,
                       char name[TWINS_NAME]) {
    static const char *const in_rtl[] = {"*/*.v", "*/*.vh", "*/*.f"};
    char digits[HASH_SIZE];
    struct hash *h = hash_new();
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
}

/* Makes the folder if it is missing. Returns 0 if files can be created in it, else errno. */
static int closed(const char *folder) {
    return path_mkdirs(folder) || access(folder, W_OK | X_OK) ? errno : 0;
}

/* Calls closed() for PROJECT/build/NAME, but does not create build/, which an installation does
 * not have. */
static int closed_below(const char *project, const char *name, char *folder, struct error *err) {
    if (path_print(folder, err, "%s/build", project))
        return -1;
    int errnum = access(folder, F_OK) ? errno : 0;
    if (path_print(folder, err, "%s/build/%s", project, name))
        return -1;
    return errnum ? errnum : closed(folder);
}

/* Finds the path of the user's cache. */
static int cache(char *buf, struct error *err) {
    const char *own = getenv("MEMTWIN_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own && *own)
        return path_print(buf, err, "%s", own);
    if (xdg && *xdg == '/')
        return path_print(buf, err, "%s/memtwin", xdg);
    if (home && *home)
        return path_print(buf, err, "%s/.cache/memtwin", home);
    return error_set(err, "no cache either: set MEMTWIN_CACHE or HOME");
}

/* Makes a folder in the cache. `why` says why the folder under build/ is unusable. */
static int in_cache(const char *why, const char *name, char *buf, struct error *err) {
    char base[PATH_SIZE], folder[PATH_SIZE];
    struct error none;
    if (cache(base, &none))
        return error_set(err, "%s; %s", why, none.text);
    if (path_print(folder, err, "%s/%s", base, name))
        return -1;
    int errnum = closed(folder);
    if (!errnum && realpath(folder, buf))
        return 0;
    return error_set(err, "%s; the cache, %s: %s (MEMTWIN_CACHE names another)", why, folder,
                     strerror(errnum ? errnum : errno));
}

/* Makes the folder `base`/`name` of the twins, where `base` is $MEMTWIN_TWINS. */
static int chosen_folder(const char *base, const char *name, char *buf, struct error *err) {
    char folder[PATH_SIZE];
    if (path_print(folder, err, "%s/%s", base, name))
        return -1;
    int errnum = closed(folder);
    if (!errnum && realpath(folder, buf))
        return 0;
    return error_set(err, "MEMTWIN_TWINS=%s: %s", base, strerror(errnum ? errnum : errno));
}

int twin_folder(const char *block, char *buf, struct error *err) {
    char root[PATH_SIZE], project[PATH_SIZE], rtl[PATH_SIZE], why[PATH_SIZE + 128];
    char name[TWINS_NAME];
    const char *folder = getenv("MEMTWIN_TWINS"), *other = getenv("MEMTWIN_RTL");
    if (harness_root(root, err) || block_project(block, project, err) || block_rtl(block, rtl, err))
        return -1;
    name_twins(rtl, NULL, NULL, name);
    if (folder && *folder)
        return chosen_folder(folder, other && *other ? name : ".", buf, err);
    int errnum = closed_below(project, other && *other ? name : "twins", buf, err);
    if (errnum <= 0)
        return errnum;
    snprintf(why, sizeof why, "nowhere to build twins: %s: %s", buf, strerror(errnum));
    name_twins(rtl, root, project, name);
    return in_cache(why, name, buf, err);
}

/* Finds a writable folder for the replay file. */
static int replay_folder(const struct replay_name *name, char *buf, struct error *err) {
    char project[PATH_SIZE], why[PATH_SIZE + 128];
    if (name->folder ? path_print(buf, err, "%s", *name->folder ? name->folder : ".")
                     : block_project(name->block, project, err))
        return -1;
    int errnum = name->folder ? closed(buf) : closed_below(project, "replay", buf, err);
    if (errnum <= 0)
        return errnum;
    snprintf(why, sizeof why, "nowhere to write replay files: %s: %s", buf, strerror(errnum));
    return in_cache(why, "replay", buf, err);
}

int replay_path(const struct replay_name *name, char *buf, struct error *err) {
    char rtl[PATH_SIZE], folder[PATH_SIZE], digits[HASH_SIZE];
    if (block_rtl(name->block, rtl, err) || replay_folder(name, folder, err))
        return -1;
    struct hash *h = hash_new();
    add_path(h, rtl);
    add_path(h, name->what);
    hash_digits(h, digits);
    hash_free(h);
    const size_t len = strcmp(folder, ".") == 0 ? 0 : strlen(folder);
    const char *slash = len && folder[len - 1] != '/' ? "/" : "";
    return path_print(buf, err, "%.*s%s%s-%.8s-%" PRIu64 ".vec", (int)len, folder, slash,
                      name->stem, digits, name->cycle);
}
