// SPDX-License-Identifier: Apache-2.0
#include "os/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/clean_stream.h"
#include "os/part.h"

#define FD_LINK "/proc/self/fd/%d" /* link to an open file */

static int stream_open(struct new_file *nf, const char *path, struct error *err) {
    int fd = is_stdout(path)   ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
             : is_stderr(path) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
                               : open(path, O_WRONLY | O_CLOEXEC);
    nf->temp[0] = '\0';
    if (fd >= 0 && (nf->f = isatty(fd) ? clean_stream(fd, false) : fdopen(fd, "w")))
        return path_print(nf->path, err, "%s", path);
    error_set(err, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int new_file_target(const char *path, char *target, struct error *err) {
    struct stat st;
    if (is_stream(path))
        return error_set(err, "%s: not a regular file", path);
    int there = lstat(path, &st) == 0;
    if (!there && errno != ENOENT)
        return error_set(err, "%s: %s", path, strerror(errno));
    if (!there || !S_ISLNK(st.st_mode)) {
        if (path_print(target, err, "%s", path))
            return -1;
    } else if (!realpath(path, target) || stat(target, &st))
        return error_set(err, "%s: the target of the link: %s", path, strerror(errno));
    if (there && !S_ISREG(st.st_mode))
        return error_set(err, "%s: not a regular file", path);
    if (!there || faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) == 0)
        return 0;
    return error_set(err, "%s: %s%s", path, strerror(errno),
                     errno == EACCES ? "; make the file writable or write to another path" : "");
}

/* Stores the owner and the mode of the file that nf replaces, if there is one. */
static void find_old(struct new_file *nf) {
    struct stat st;
    nf->replaces = stat(nf->path, &st) == 0;
    if (!nf->replaces)
        return;
    nf->uid = st.st_uid;
    nf->gid = st.st_gid;
    nf->mode = st.st_mode & 0777;
}

/* Gives the new file the owner and the mode of the file that it replaces. Only root can give it
 * another owner. Returns 0 or an errno value. */
static int keep_old(const struct new_file *nf) {
    const int fd = fileno(nf->f);
    if (!nf->replaces)
        return 0;
    if (fchown(fd, nf->uid, nf->gid) && fchown(fd, (uid_t)-1, nf->gid))
        errno = 0; /* the user's own file, as if it were new */
    return fchmod(fd, nf->mode) ? errno : 0;
}

/* Files that this process is writing; global because the signal handler uses the list. */
static struct new_file *volatile open_files;
static pid_t open_by;

static void now_open(struct new_file *nf) {
    if (open_by != getpid()) /* a forked child does not complete its parent's files */
        open_files = NULL;
    open_by = getpid();
    nf->next = open_files;
    open_files = nf;
}

static void no_longer_open(struct new_file *nf) {
    struct new_file *before = open_files;
    if (before == nf) {
        open_files = nf->next;
        return;
    }
    while (before && before->next != nf)
        before = before->next;
    if (before)
        before->next = nf->next;
}

void new_files_abandon(void) {
    if (open_by != getpid())
        return;
    for (const struct new_file *nf = open_files; nf; nf = nf->next)
        if (!nf->unnamed)
            unlink(nf->temp);
}

/* Returns the mode to create the file with. A file that replaces another one gets the mode of that
 * file when it is complete. */
static mode_t first_mode(const struct new_file *nf) {
    return nf->replaces ? 0600 : 0666;
}

/* Opens a file without a name in the folder of the path, which vanishes with a killed program.
 * Returns NULL if the file system has no such files or the file could not be named later. */
static FILE *open_unnamed(const struct new_file *nf) {
    char dir[PATH_SIZE], link[32];
    snprintf(dir, sizeof dir, "%.*s.", (int)(path_last_name(nf->path) - nf->path), nf->path);
    const int fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, first_mode(nf));
    snprintf(link, sizeof link, FD_LINK, fd);
    FILE *f = fd >= 0 && access(link, F_OK) == 0 ? fdopen(fd, "w") : NULL;
    if (!f && fd >= 0)
        close(fd);
    return f;
}

static FILE *open_named(const struct new_file *nf) {
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int fd = open(nf->temp, flags, first_mode(nf));
    if (fd < 0)
        return NULL;
    flock(fd, LOCK_EX | LOCK_NB);
    return fdopen(fd, "w");
}

static int open_new(struct new_file *nf, const char *path, bool named, struct error *err) {
    nf->f = NULL;
    nf->unnamed = false;
    if (is_stream(path))
        return stream_open(nf, path, err);
    if (new_file_target(path, nf->path, err) || part_name(nf->path, nf->temp, err))
        return -1;
    find_old(nf);
    parts_remove_left(nf->path);
    nf->unnamed = !named && (nf->f = open_unnamed(nf));
    if (nf->f || (nf->f = open_named(nf))) {
        now_open(nf);
        return 0;
    }
    return error_set(err, "%s: %s", path, strerror(errno));
}

int new_file_open(struct new_file *nf, const char *path, struct error *err) {
    return open_new(nf, path, false, err);
}

int new_file_open_named(struct new_file *nf, const char *path, struct error *err) {
    return open_new(nf, path, true, err);
}

/* Returns a descriptor that keeps the file's lock when its stream is closed, or -1. */
static int keep_lock(const struct new_file *nf) {
    return nf->temp[0] ? fcntl(fileno(nf->f), F_DUPFD_CLOEXEC, 0) : -1;
}

/* Gives the file its temporary name, because only rename() can replace a file. Returns 0 or an
 * errno value. */
static int name_file(struct new_file *nf) {
    char link[32];
    snprintf(link, sizeof link, FD_LINK, fileno(nf->f));
    flock(fileno(nf->f), LOCK_EX | LOCK_NB); /* an unlocked named file may be removed */
    if (linkat(AT_FDCWD, link, AT_FDCWD, nf->temp, AT_SYMLINK_FOLLOW))
        return errno;
    nf->unnamed = false;
    return 0;
}

static void remove_part(struct new_file *nf) {
    if (nf->temp[0] && !nf->unnamed)
        remove(nf->temp);
}

/* Flushes f. Returns 0, or an errno value if any write to f has failed. The errno of an earlier
 * failed write is lost, so another write is tried to obtain it. */
static int flush_all(FILE *f) {
    bool failed = ferror(f);
    errno = 0;
    if (failed)
        fputc('\n', f);
    if (fflush(f) == 0 && !failed)
        return 0;
    return errno ? errno : EIO;
}

int new_file_commit(struct new_file *nf, struct error *err) {
    int why = flush_all(nf->f);
    if (!why && nf->temp[0])
        why = keep_old(nf);
    if (!why && nf->unnamed)
        why = name_file(nf);
    int bad = why != 0;
    const int lock = keep_lock(nf);
    if (fclose(nf->f) && !bad) {
        bad = 1;
        why = errno;
    }
    nf->f = NULL;
    if (!bad && nf->temp[0] && rename(nf->temp, nf->path)) {
        bad = 1;
        why = errno;
    }
    if (bad)
        remove_part(nf);
    if (lock >= 0)
        close(lock);
    no_longer_open(nf);
    if (!bad)
        return 0;
    return error_set(err, "%s: %s", nf->path, strerror(why));
}

void new_file_drop(struct new_file *nf) {
    if (!nf->f)
        return;
    fclose(nf->f);
    nf->f = NULL;
    remove_part(nf);
    no_longer_open(nf);
}

int file_copy(const char *from, const char *to, struct error *err) {
    char block[65536];
    struct new_file nf;
    FILE *in = fopen(from, "re");
    if (!in)
        return error_set(err, "%s: %s", from, strerror(errno));
    if (new_file_open(&nf, to, err)) {
        fclose(in);
        return -1;
    }
    size_t n;
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, n, nf.f);
    int bad = ferror(in);
    fclose(in);
    if (!bad)
        return new_file_commit(&nf, err);
    new_file_drop(&nf);
    return error_set(err, "%s: cannot be read", from);
}
