// SPDX-License-Identifier: Apache-2.0
#include "os/path.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int path_print(char *buf, struct error *err, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, PATH_SIZE, fmt, ap);
    va_end(ap);
    if (n >= 0 && n < PATH_SIZE)
        return 0;
    return error_set(err, "path too long: %.80s...", buf);
}

const char *path_last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int path_mkdirs(const char *dir) {
    char part[PATH_SIZE];
    snprintf(part, sizeof part, "%s", dir);
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        if (mkdir(part, 0777) && errno != EEXIST)
            return -1;
        *p = '/';
    }
    return mkdir(part, 0777) && errno != EEXIST ? -1 : 0;
}

const char *path_from_here(const char *path) {
    char here[PATH_SIZE];
    if (!getcwd(here, sizeof here))
        return path;
    size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* Folder to remove when the process that made it exits; global because atexit() needs it. */
static char temp_dir[PATH_SIZE];
static pid_t temp_dir_by;
static int temp_dir_lock = -1;

static void unlock(void) {
    if (temp_dir_lock >= 0)
        close(temp_dir_lock);
    temp_dir_lock = -1;
}

void temp_dir_own(const char *dir) {
    snprintf(temp_dir, sizeof temp_dir, "%s", dir);
    temp_dir_by = getpid();
    unlock();
    temp_dir_lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (temp_dir_lock >= 0)
        flock(temp_dir_lock, LOCK_EX | LOCK_NB);
}

const char *temp_base(void) {
    const char *base = getenv("TMPDIR");
    return base && *base ? base : "/tmp";
}

int temp_dir_make(char *buf, struct error *err) {
    if (path_print(buf, err, "%s/memtwin.XXXXXX", temp_base()))
        return -1;
    if (!mkdtemp(buf))
        return error_set(err, "%s: %s", buf, strerror(errno));
    temp_dir_own(buf);
    return 0;
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void folder_remove(const char *dir) {
    nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void temp_dir_remove(const char *dir) {
    folder_remove(dir);
    temp_dir[0] = '\0';
    unlock();
}

void temp_dir_abandon(void) {
    if (temp_dir[0] && temp_dir_by == getpid())
        temp_dir_remove(temp_dir);
}

static bool same_inode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* True if path names the file that is open as fd. A character device counts only if it is a
 * terminal. */
static bool is_open_as(const char *path, int fd) {
    struct stat a, b;
    return stat(path, &a) == 0 && fstat(fd, &b) == 0 && same_inode(&a, &b) &&
           (!S_ISCHR(a.st_mode) || isatty(fd));
}

bool is_stdout(const char *path) {
    return strcmp(path, "-") == 0 || is_open_as(path, STDOUT_FILENO);
}

bool is_stderr(const char *path) {
    return is_open_as(path, STDERR_FILENO);
}

bool is_fifo(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

bool is_stream(const char *path) {
    struct stat st;
    return is_stdout(path) || is_stderr(path) || is_fifo(path) ||
           (stat(path, &st) == 0 && S_ISCHR(st.st_mode));
}

/* Stores the status of the folder that contains the file `path` in *st. Returns 0 or -1. */
static int stat_folder(const char *path, struct stat *st) {
    char folder[PATH_SIZE];
    int n = snprintf(folder, sizeof folder, "%.*s.", (int)(path_last_name(path) - path), path);
    return n < 0 || n >= PATH_SIZE || stat(folder, st) ? -1 : 0;
}

bool paths_same(const char *a, const char *b) {
    struct stat sa, sb;
    if (!a || !b)
        return false;
    if (strcmp(a, b) == 0 || (is_stdout(a) && is_stdout(b)))
        return true;
    const bool there_a = stat(a, &sa) == 0, there_b = stat(b, &sb) == 0;
    if (there_a && there_b)
        return same_inode(&sa, &sb) && S_ISREG(sa.st_mode);
    return !there_a && !there_b && strcmp(path_last_name(a), path_last_name(b)) == 0 &&
           stat_folder(a, &sa) == 0 && stat_folder(b, &sb) == 0 && same_inode(&sa, &sb);
}
