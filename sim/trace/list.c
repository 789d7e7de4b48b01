// SPDX-License-Identifier: Apache-2.0
#include "trace/list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/interrupt.h"
#include "harness/proc.h"
#include "lib/message.h"
#include "trace/scan.h"

#define MAX_KERNELS (1u << 20)
#define PATH_ROOM 4096
/* A file is refused as no trace after this many unknown lines without a known one. */
#define STRANGE_LINES 100

/* ---- The list ---- */

static int list_fail(const struct trace_input *in, const char *what, char *err, size_t err_size) {
    message_print(err, err_size, "%s:%llu: %s", trace_input_name(in),
                  (unsigned long long)trace_input_number(in), what);
    return -1;
}

/* "MemcpyHtoD,<hex>,<bytes>" */
static bool list_copy(struct trace_list *list, const char *p, const char *end) {
    static const char word[] = "MemcpyHtoD,";
    uint64_t addr, bytes;
    if ((size_t)(end - p) < sizeof word - 1 || memcmp(p, word, sizeof word - 1) != 0)
        return false;
    p += sizeof word - 1;
    if (!scan_hex(&p, &addr) || *p++ != ',' || !scan_decimal(&p, &bytes) || p != end)
        return false;
    list->copies++;
    list->copy_bytes += bytes;
    return true;
}

static int list_kernel(struct trace_list *list, const char *p, size_t n, uint64_t line) {
    if ((list->n_kernels & (list->n_kernels - 1)) == 0) { /* full */
        size_t room = list->n_kernels ? 2 * list->n_kernels : 1;
        void *more = realloc(list->kernel, room * sizeof *list->kernel);
        if (!more)
            return -1;
        list->kernel = more;
    }
    char *name = strndup(p, n);
    if (!name)
        return -1;
    list->kernel[list->n_kernels].name = name;
    list->kernel[list->n_kernels++].line = line;
    return 0;
}

/* Keeps the part to be shown of a line that is not in the format. */
static void skip_line(struct trace_list *list, const struct trace_input *in, const char *p,
                      size_t n) {
    if (list->n_skipped < TRACE_SKIPPED) {
        char *shown = list->skipped[list->n_skipped].text;
        size_t k = 0;
        for (; k < n && k < sizeof list->skipped[0].text - 1; k++)
            shown[k] = p[k] >= ' ' && p[k] <= '~' ? p[k] : '?';
        shown[k] = '\0';
        list->skipped[list->n_skipped].line = trace_input_number(in);
    }
    list->n_skipped++;
}

static int no_kernels(const struct trace_list *list, const struct trace_input *in, char *err,
                      size_t err_size) {
    if (list->n_skipped)
        message_print(err, err_size,
                      "%s:%llu: '%s': no line of a kernelslist.g (kernel-N.traceg) or of a .traceg",
                      trace_input_name(in), (unsigned long long)list->skipped[0].line,
                      list->skipped[0].text);
    else
        message_print(err, err_size, "%s: no kernels", trace_input_name(in));
    return -1;
}

int trace_list_read(struct trace_list *list, struct trace_input *in, char *err, size_t err_size) {
    const char *p;
    size_t n;
    memset(list, 0, sizeof *list);
    while (trace_input_line(in, &p, &n)) {
        while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
            n--;
        if (n == 0)
            continue;
        if (n >= 6 && memcmp(p, "kernel", 6) == 0) {
            if (memchr(p, '\0', n))
                return list_fail(in, "a zero byte in a name", err, err_size);
            if (list->n_kernels == MAX_KERNELS)
                return list_fail(in, "more than 1048576 kernels", err, err_size);
            if (list_kernel(list, p, n, trace_input_number(in)) != 0)
                return list_fail(in, "out of memory", err, err_size);
        } else if (!list_copy(list, p, p + n)) {
            skip_line(list, in, p, n);
            if (list->n_skipped == STRANGE_LINES && !list->n_kernels && !list->copies)
                break;
        }
    }
    if (trace_input_error(in))
        return list_fail(in, trace_input_error(in), err, err_size);
    return list->n_kernels ? 0 : no_kernels(list, in, err, err_size);
}

void trace_list_free(struct trace_list *list) {
    for (size_t i = 0; i < list->n_kernels; i++)
        free(list->kernel[i].name);
    free(list->kernel);
    memset(list, 0, sizeof *list);
}

/* ---- Pipes ---- */

/* 0, or whether reading or writing failed. */
enum copied { COPIED, UNREAD, UNWRITTEN };
static enum copied copy_all(int from, int to) {
    char block[64 * 1024];
    ssize_t n;
    while ((n = read_until_stop(from, block, sizeof block)) != 0) {
        if (n < 0)
            return UNREAD;
        ssize_t done = 0;
        while (done < n) {
            const ssize_t put = write(to, block + done, (size_t)(n - done));
            if (put < 0 && errno != EINTR)
                return UNWRITTEN;
            done += put > 0 ? put : 0;
        }
    }
    return COPIED;
}

/* Copies the pipe to an unnamed file, since it is read more than once. */
static int spool(struct trace *t, char *err, size_t err_size) {
    const char *tmp = getenv("TMPDIR");
    char path[PATH_ROOM];
    int from = trace_stream_open(t->path);
    enum copied result = from < 0 ? UNREAD : UNWRITTEN;
    snprintf(path, sizeof path, "%s/memtwin-trace-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (from >= 0 && (t->spool = mkostemp(path, O_CLOEXEC)) >= 0 && unlink(path) == 0)
        result = copy_all(from, t->spool);
    if (result == UNREAD)
        message_print(err, err_size, "%s: %s", t->path, read_error(errno));
    else if (result == UNWRITTEN)
        message_print(err, err_size, "%s: cannot be kept in %.*s: %s", t->path,
                      (int)(strrchr(path, '/') - path), path, strerror(errno));
    if (from >= 0)
        close(from);
    return result == COPIED ? 0 : -1;
}

/* ---- Finding ---- */

/* Path for reading the named file, the list or the single kernel. */
static void named_path(const struct trace *t, char path[PATH_ROOM]) {
    if (t->spool >= 0)
        snprintf(path, PATH_ROOM, "/proc/self/fd/%d", t->spool);
    else
        snprintf(path, PATH_ROOM, "%s", t->path);
}

/* Finds a kernel's file, as named in the list or with the extension of a compressed one. */
static int kernel_path(const struct trace *t, size_t i, char path[PATH_ROOM], char *err,
                       size_t err_size) {
    static const char *const endings[] = {"", ".xz", ".gz", ".zst"};
    int missing = 0;
    int n = snprintf(path, PATH_ROOM, "%s%s", t->folder, t->list.kernel[i].name);
    if (n < 0 || n + 4 >= PATH_ROOM) {
        snprintf(err, err_size, "%.80s...: the path is too long", path);
        return -1;
    }
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        strcpy(path + n, endings[k]);
        if (access(path, F_OK) == 0)
            return 0;
        missing = k ? missing : errno;
    }
    path[n] = '\0'; /* messages use this name */
    message_print(err, err_size, "%s:%llu: %s: %s", t->path,
                  (unsigned long long)t->list.kernel[i].line, path, strerror(missing));
    return -1;
}

struct traceg *trace_open_kernel(const struct trace *t, size_t i, char *err, size_t err_size) {
    char path[PATH_ROOM];
    struct trace_input *in;
    if (t->single)
        named_path(t, path);
    else if (kernel_path(t, i, path, err, err_size) != 0)
        return NULL;
    in = trace_input_open(t->single ? t->path : path, path, err, err_size);
    return in ? traceg_open(in, err, err_size) : NULL;
}

static struct trace_input *open_named(const struct trace *t, char *err, size_t err_size) {
    char path[PATH_ROOM];
    named_path(t, path);
    return trace_input_open(t->path, path, err, err_size);
}

/* Whether the file is a kernel: begins with "-key = value". 1, 0, or -1 with one line in err. */
static int is_kernel(const struct trace *t, char *err, size_t err_size) {
    struct trace_input *in = open_named(t, err, err_size);
    const char *p;
    size_t n = 0;
    if (!in)
        return -1;
    while (n == 0 && trace_input_line(in, &p, &n))
        ;
    int result = n > 0 && *p == '-';
    trace_input_close(in);
    return result;
}

static int read_named(struct trace *t, char *err, size_t err_size) {
    int kernel = is_kernel(t, err, err_size);
    if (kernel < 0)
        return -1;
    t->single = kernel;
    if (kernel && list_kernel(&t->list, t->path, strlen(t->path), 0) == 0)
        return 0;
    if (kernel) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    struct trace_input *in = open_named(t, err, err_size);
    int result = in ? trace_list_read(&t->list, in, err, err_size) : -1;
    trace_input_close(in);
    return result;
}

/* Finds the file for a path: a pipe is copied, and a folder stands for its list. */
static int locate(struct trace *t, const char *path, char *err, size_t err_size) {
    struct stat st;
    char list[PATH_ROOM];
    const bool standard = strcmp(path, "-") == 0, there = !standard && stat(path, &st) == 0;
    const bool folder = there && S_ISDIR(st.st_mode);
    if (strlen(path) + sizeof "/kernelslist.g" > sizeof list) {
        snprintf(err, err_size, "%.80s...: the path is too long", path);
        return -1;
    }
    snprintf(list, sizeof list, "%s%s", path,
             !folder                         ? ""
             : path[strlen(path) - 1] == '/' ? "kernelslist.g"
                                             : "/kernelslist.g");
    if (folder && access(list, F_OK) != 0) {
        message_print(err, err_size, "%s: a folder without a kernelslist.g", path);
        return -1;
    }
    const char *slash = strrchr(list, '/');
    t->path = strdup(list);
    t->folder = strndup(list, slash && !standard ? (size_t)(slash - list) + 1 : 0);
    if (!t->path || !t->folder) {
        message_print(err, err_size, "%s: out of memory", path);
        return -1;
    }
    return standard || (there && !folder && !S_ISREG(st.st_mode)) ? spool(t, err, err_size) : 0;
}

/* Checks that each kernel's file exists and begins with a header. */
static int check_kernels(struct trace *t, char *err, size_t err_size) {
    for (size_t i = 0; i < t->list.n_kernels; i++) {
        if (stop_asked()) {
            message_print(err, err_size, "%s: %s", t->path, read_error(EINTR));
            return -1;
        }
        struct traceg *k = trace_open_kernel(t, i, err, err_size);
        if (!k)
            return -1;
        const uint32_t *grid = traceg_header(k)->grid;
        t->ctas += (uint64_t)grid[0] * grid[1] * grid[2];
        traceg_close(k);
    }
    return 0;
}

/* Warns with the first few lines of each kind, and their number. */
static void warn_all(const struct trace *t, void (*warn)(void *ctx, const char *line), void *ctx) {
    const struct trace_list *l = &t->list;
    char text[256];
    uint64_t shown = l->n_skipped < TRACE_SKIPPED ? l->n_skipped : TRACE_SKIPPED;
    for (uint64_t i = 0; i < shown; i++) {
        snprintf(text, sizeof text, "%.150s:%llu: warning: '%s' is skipped", t->path,
                 (unsigned long long)l->skipped[i].line, l->skipped[i].text);
        warn(ctx, text);
    }
    if (l->n_skipped > shown) {
        const unsigned long long more = l->n_skipped - shown;
        snprintf(text, sizeof text, "%.150s: warning: %llu more line%s skipped", t->path, more,
                 more == 1 ? " is" : "s are");
        warn(ctx, text);
    }
    if (l->copies == 0)
        return;
    snprintf(text, sizeof text,
             "%.150s: note: copies to the device are not modelled (%llu, %llu bytes)", t->path,
             (unsigned long long)l->copies, (unsigned long long)l->copy_bytes);
    warn(ctx, text);
}

int trace_find(struct trace *t, const char *path, void (*warn)(void *ctx, const char *line),
               void *ctx, char *err, size_t err_size) {
    *t = (struct trace){.spool = -1};
    if (locate(t, path, err, err_size) != 0 || read_named(t, err, err_size) != 0 ||
        check_kernels(t, err, err_size) != 0)
        return -1;
    if (warn)
        warn_all(t, warn, ctx);
    return 0;
}

void trace_free(struct trace *t) {
    trace_list_free(&t->list);
    if (t->path && t->spool >= 0)
        close(t->spool);
    free(t->folder);
    free(t->path);
    *t = (struct trace){.spool = -1};
}

bool trace_has(const struct trace *t, const char *path) {
    char one[PATH_ROOM], err[128];
    if (paths_same(path, t->path))
        return true;
    for (size_t i = 0; !t->single && i < t->list.n_kernels; i++)
        if (kernel_path(t, i, one, err, sizeof err) == 0 && paths_same(path, one))
            return true;
    return false;
}

/* ---- The hash ---- */

static int hash_one(struct hash *h, const char *name, const char *path, char *err,
                    size_t err_size) {
    if (hash_add_file(h, path) == 0)
        return 0;
    message_print(err, err_size, "%s: %s", name, read_error(errno));
    return -1;
}

static int hash_all(struct hash *h, const struct trace *t, char *err, size_t err_size) {
    char path[PATH_ROOM];
    named_path(t, path);
    int result = hash_one(h, t->path, path, err, err_size);
    for (size_t i = 0; !t->single && result == 0 && i < t->list.n_kernels; i++) {
        result = kernel_path(t, i, path, err, err_size);
        if (result == 0)
            result = hash_one(h, path, path, err, err_size);
    }
    return result;
}

int trace_hash(const struct trace *t, char hash[HASH_SIZE], char *err, size_t err_size) {
    struct hash *h = hash_new();
    if (!h) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    int result = hash_all(h, t, err, err_size);
    hash_digits(h, hash);
    hash_free(h);
    return result;
}
