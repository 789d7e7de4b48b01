// SPDX-License-Identifier: Apache-2.0
#include "os/part.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/hash.h"

#define FIRST_SIZE 32 /* size of what precedes the PID */

static void print_first(const char *path, char first[FIRST_SIZE]) {
    const char *name = path_last_name(path);
    snprintf(first, FIRST_SIZE, ".memtwin-%016" PRIx64 "-", hash_bytes(0, name, strlen(name)));
}

int part_name(const char *path, char *part, struct error *err) {
    char first[FIRST_SIZE];
    print_first(path, first);
    return path_print(part, err, "%.*s%s%ld.part", (int)(path_last_name(path) - path), path, first,
                      (long)getpid());
}

/* Returns the PID in an entry that begins with `first`, or 0 if the entry is no such part. */
static long part_of(const char *entry, const char *first) {
    const size_t len = strlen(first);
    char *end;
    if (strncmp(entry, first, len) != 0 || entry[len] < '1' || entry[len] > '9')
        return 0;
    const long pid = strtol(entry + len, &end, 10);
    return strcmp(end, ".part") == 0 ? pid : 0;
}

static bool is_alive(long pid) {
    return pid != getpid() && (kill((pid_t)pid, 0) == 0 || errno != ESRCH);
}

/* Removes a file or folder that no program has locked. */
static void remove_unlocked(const char *part) {
    int fd = open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool folder = fd < 0 && errno == EISDIR;
    struct stat st;
    if (folder)
        fd = open(part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY);
    if (fd >= 0 && fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || folder) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        if (folder)
            folder_remove(part);
        else
            unlink(part);
    }
    if (fd >= 0)
        close(fd);
}

void parts_remove_left(const char *path) {
    char dir[PATH_SIZE], part[2 * PATH_SIZE], first[FIRST_SIZE];
    snprintf(dir, sizeof dir, "%.*s", (int)(path_last_name(path) - path), path);
    print_first(path, first);
    DIR *d = opendir(*dir ? dir : ".");
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        const long pid = part_of(e->d_name, first);
        if (!pid || is_alive(pid))
            continue;
        snprintf(part, sizeof part, "%s%s", dir, e->d_name);
        remove_unlocked(part);
    }
    if (d)
        closedir(d);
}

int part_make_folder(const char *path, char *temp, struct error *err) {
    if (part_name(path, temp, err))
        return -1;
    parts_remove_left(path);
    if (mkdir(temp, 0700))
        return error_set(err, "%s: %s", path, strerror(errno));
    temp_dir_own(temp);
    return 0;
}
