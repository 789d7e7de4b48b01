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

#define FIRST ".memtwin-"
#define HASH_DIGITS 16

int part_name(const char *path, char *part, struct error *err) {
    const char *name = path_last_name(path);
    return path_print(part, err, "%.*s" FIRST "%0*" PRIx64 "-%ld.part", (int)(name - path), path,
                      HASH_DIGITS, hash_bytes(0, name, strlen(name)), (long)getpid());
}

/* Returns the PID in the name of a part, or 0 if the entry is no part. */
static long part_of(const char *entry) {
    const size_t first = strlen(FIRST);
    char *end;
    if (strncmp(entry, FIRST, first) != 0 ||
        strspn(entry + first, "0123456789abcdef") != HASH_DIGITS)
        return 0;
    entry += first + HASH_DIGITS;
    if (entry[0] != '-' || entry[1] < '1' || entry[1] > '9')
        return 0;
    const long pid = strtol(entry + 1, &end, 10);
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
    char dir[PATH_SIZE], part[2 * PATH_SIZE];
    snprintf(dir, sizeof dir, "%.*s", (int)(path_last_name(path) - path), path);
    DIR *d = opendir(*dir ? dir : ".");
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        const long pid = part_of(e->d_name);
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
