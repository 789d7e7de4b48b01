// SPDX-License-Identifier: Apache-2.0
#include "trace/list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/message.h"
#include "os/clean_stream.h"
#include "os/interrupt.h"
#include "os/path.h"
#include "trace/choice.h"
#include "trace/scan.h"
#include "trace/tracez.h"
#include "trace/unpack.h"

#define MAX_KERNELS (1u << 20)
#define PATH_ROOM 4096
#define LIST_MAX (64 << 20) /* maximum size in bytes of a pipe that is not a kernel */
#define PIPE_MIB 4096       /* default of TRACE_COPY_LIMIT */

/* ---- List ---- */

static int list_fail(const struct trace_input *in, const char *what, struct error *err) {
    return error_set_at(err, trace_input_name(in), trace_input_number(in), "%s", what);
}

/* Reads "MemcpyHtoD,<hex>,<bytes>". Returns false if the line has another format. */
static bool list_copy(struct trace_list *list, const char *p, const char *end) {
    static const char word[] = "MemcpyHtoD,";
    uint64_t addr, bytes;
    if ((size_t)(end - p) < sizeof word - 1 || memcmp(p, word, sizeof word - 1) != 0)
        return false;
    p += sizeof word - 1;
    if (!scan_hex(&p, &addr) || *p++ != ',' || !scan_decimal(&p, &bytes) || p != end)
        return false;
    if ((list->copies & (list->copies - 1)) == 0) /* true if the array is full */
        list->copy =
            alloc_resized(list->copy, list->copies ? 2 * list->copies : 1, sizeof *list->copy);
    list->copy[list->copies++] = (struct kernel_copy){addr, bytes};
    list->copy_bytes += bytes;
    return true;
}

static void list_kernel(struct trace_list *list, const char *p, size_t n, uint64_t line) {
    if ((list->n_kernels & (list->n_kernels - 1)) == 0) { /* true if the array is full */
        size_t room = list->n_kernels ? 2 * list->n_kernels : 1;
        list->kernel = alloc_resized(list->kernel, room, sizeof *list->kernel);
    }
    const uint64_t number = list->n_kernels + 1;
    list->kernel[list->n_kernels++] =
        (struct trace_kernel){alloc_text_part(p, n), line, number, list->copies, 0, 0};
}

/* Returns true for a comment, or for another call that a tracer wrote: cudaMalloc, MemcpyDtoH. */
static bool is_call(const char *p, size_t n) {
    static const char *const begin[] = {"#", "//", "cuda", "Mem", "mem", "nccl"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (n >= strlen(begin[i]) && memcmp(p, begin[i], strlen(begin[i])) == 0)
            return true;
    return false;
}

/* Returns true if the line has a control character, which no list has. */
static bool is_binary(const char *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)p[i] < ' ' && p[i] != '\t') || p[i] == 0x7f)
            return true;
    return false;
}

/* Stores the start of a line with an unknown format, for warnings. */
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

static int no_kernels(const struct trace_list *list, const struct trace_input *in,
                      struct error *err) {
    if (!list->n_skipped)
        return error_set(err, "%s: no kernels", trace_input_name(in));
    return error_set_at(
        err, trace_input_name(in), list->skipped[0].line,
        "'%s' is not a line of a kernelslist.g (kernel-N.traceg) or of a .traceg file",
        list->skipped[0].text);
}

/* Returns true for a file name that begins with "kernel", with or without a folder. */
static bool is_kernel_name(const char *p, size_t n) {
    const char *slash = memrchr(p, '/', n), *name = slash ? slash + 1 : p;
    return (size_t)(p + n - name) >= 6 && memcmp(name, "kernel", 6) == 0 && *p != '#' &&
           !(n > 1 && p[0] == '/' && p[1] == '/');
}

int trace_list_read(struct trace_list *list, struct trace_input *in, struct error *err) {
    const char *p;
    size_t n;
    memset(list, 0, sizeof *list);
    while (trace_input_line(in, &p, &n)) {
        while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
            n--;
        while (n && (*p == ' ' || *p == '\t'))
            p++, n--;
        if (n == 0)
            continue;
        if (is_kernel_name(p, n)) {
            if (memchr(p, '\0', n))
                return list_fail(in, "a zero byte in a name", err);
            if (list->n_kernels == MAX_KERNELS)
                return list_fail(in, "more than 1048576 kernels", err);
            list_kernel(list, p, n, trace_input_number(in));
        } else if (!list_copy(list, p, p + n)) {
            const bool call = is_call(p, n);
            list->calls += call && *p != '#' && *p != '/';
            if (!call)
                skip_line(list, in, p, n);
            if (is_binary(p, n) && !list->n_kernels)
                break;
        }
    }
    if (trace_input_error(in))
        return list_fail(in, trace_input_error(in), err);
    return list->n_kernels ? 0 : no_kernels(list, in, err);
}

void trace_list_free(struct trace_list *list) {
    for (size_t i = 0; i < list->n_kernels; i++)
        free(list->kernel[i].name);
    free(list->kernel);
    free(list->copy);
    memset(list, 0, sizeof *list);
}

/* ---- Search ---- */

/* Makes the path of the named file, which is the list or the single kernel. */
static void named_path(const struct trace *t, char path[PATH_ROOM]) {
    if (t->spool >= 0)
        snprintf(path, PATH_ROOM, "/proc/self/fd/%d", t->spool);
    else
        snprintf(path, PATH_ROOM, "%s", t->path);
}

/* Finds a kernel's file. Its name is that in the list, or that name with the extension of a
 * compressed file. */
static int kernel_path(const struct trace *t, size_t i, char path[PATH_ROOM], struct error *err) {
    static const char *const endings[] = {"", ".xz", ".gz", ".zst"};
    int missing = 0;
    const char *name = t->list.kernel[i].name;
    int n = snprintf(path, PATH_ROOM, "%s%s", *name == '/' ? "" : t->folder, name);
    if (n < 0 || n + 4 >= PATH_ROOM)
        return error_set(err, "%.80s...: the path is too long", path);
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        strcpy(path + n, endings[k]);
        if (access(path, F_OK) == 0)
            return 0;
        missing = k ? missing : errno;
    }
    path[n] = '\0'; /* messages use this name */
    return error_set_at(err, t->path, t->list.kernel[i].line, "%s: %s", path, strerror(missing));
}

struct traceg *trace_open_kernel(const struct trace *t, size_t i, struct error *err) {
    char path[PATH_ROOM];
    struct trace_input *in;
    if (t->single)
        named_path(t, path);
    else if (kernel_path(t, i, path, err) != 0)
        return NULL;
    in = trace_input_open(t->single ? t->path : path, path, err);
    return in ? traceg_open(in, err) : NULL;
}

static struct trace_input *open_named(const struct trace *t, struct error *err) {
    char path[PATH_ROOM];
    named_path(t, path);
    return trace_input_open(t->path, path, err);
}

/* Checks whether the file is a kernel, which begins with "-key = value". Returns 1 if it is, 0 if
 * it is not, or -1 with one line in err. */
static int is_kernel(const struct trace *t, struct error *err) {
    struct trace_input *in = open_named(t, err);
    const char *p;
    size_t n = 0;
    if (!in)
        return -1;
    while ((n == 0 || *p == '#') && trace_input_line(in, &p, &n))
        ;
    int result = n > 0 && *p == '-';
    trace_input_close(in);
    return result;
}

/* ---- Pipes ---- */

/* Returns the length of the line that goes on after the block, or SIZE_MAX if a line is too long.
 * `open` is the length of that line before the block. */
static size_t open_line(size_t open, const char *block, size_t n) {
    while (n) {
        const char *end = memchr(block, '\n', n);
        open += end ? (size_t)(end - block) : n;
        if (open > TRACE_LINE_MAX)
            return SIZE_MAX;
        if (!end)
            break;
        open = 0;
        n -= (size_t)(end + 1 - block);
        block = end + 1;
    }
    return open;
}

/* Opens the copy so far as a kernel. Returns NULL if it has no whole header. */
static struct traceg *open_begun(const struct trace *t) {
    struct error ignored;
    if (is_kernel(t, &ignored) <= 0)
        return NULL;
    struct trace_input *in = open_named(t, &ignored);
    return in ? traceg_open(in, &ignored) : NULL;
}

/* Reads the kernel's file to its end. */
static int read_whole(struct traceg *k, struct error *err) {
    struct traceg_block block = {0};
    int got = 1;
    while (got > 0 && !stop_asked())
        got = traceg_block(k, &block);
    traceg_block_free(&block);
    return got < 0 ? error_set(err, "%s", traceg_error(k)) : 0;
}

/* Checks the copy so far, which has `copied` bytes. Returns 0, or -1 with one line in err if it is
 * not the beginning of a kernel. */
static int check_begun(const struct trace *t, uint64_t copied, struct error *err) {
    struct error why;
    struct traceg *kernel = open_begun(t);
    int bad = 0;
    if (!kernel)
        return error_set(
            err, "%s: the first %d MiB hold no kernel; a .traceg begins with '-kernel name = NAME'",
            t->path, LIST_MAX >> 20);
    /* An error near the end of the copy may be one of its cut. */
    if (read_whole(kernel, &why) && !traceg_is_sorted(kernel) && traceg_bytes(kernel) < copied)
        bad = error_set(err, "%s", why.text);
    traceg_close(kernel);
    return bad;
}

/* Copies text up to `limit` bytes. Checks it whenever its size has doubled, because a pipe may be
 * endless; compressed data are only measured. Returns 0, or -1 with one line in err. */
static int copy_all(const struct trace *t, int from, uint64_t limit, struct error *err) {
    char block[64 * 1024];
    size_t open = 0;
    uint64_t copied = 0, check_at = LIST_MAX;
    bool packed = false;
    for (ssize_t n; (n = read_until_stop(from, block, sizeof block)) != 0; copied += (uint64_t)n) {
        if (n < 0)
            return error_set(err, "%s: %s", t->path, read_error(errno));
        packed |= !copied && (unpack_kind_of((const uint8_t *)block, (size_t)n) ||
                              tracez_is("", (const uint8_t *)block, (size_t)n));
        if (!packed && (open = open_line(open, block, (size_t)n)) == SIZE_MAX)
            return error_set(err, "%s: line of more than %d bytes", t->path, TRACE_LINE_MAX);
        if (copied + (uint64_t)n > limit)
            return error_set(
                err, "%s: more than %llu MiB; read a file, or raise " TRACE_COPY_LIMIT " (in MiB)",
                t->path, (unsigned long long)(limit >> 20));
        if (write_all(t->spool, block, (size_t)n))
            return error_set(err, "%s: cannot be copied to %s: %s", t->path, temp_base(),
                             strerror(errno));
        if (copied + (uint64_t)n < check_at)
            continue;
        check_at *= 2;
        if (!packed && check_begun(t, copied + (uint64_t)n, err))
            return -1;
    }
    return 0;
}

/* True for a device that may be endless. A terminal is not one. */
static bool is_device(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && !isatty(fd);
}

int trace_copy_limit(uint64_t *limit, struct error *err) {
    const char *text = getenv(TRACE_COPY_LIMIT), *p = text;
    uint64_t mib = PIPE_MIB;
    if (text && (!scan_decimal(&p, &mib) || *p || !mib || mib > UINT64_MAX >> 20))
        return error_set(err, TRACE_COPY_LIMIT "=%s: expected a number of MiB, such as %d", text,
                         PIPE_MIB);
    *limit = mib << 20;
    return 0;
}

/* True for a regular file that is at its beginning and can be opened again. */
static bool is_whole_file(int fd) {
    char link[32];
    struct stat st;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 &&
           access(link, R_OK) == 0;
}

/* Makes an unnamed file and copies the pipe to it, because a trace is read more than once. */
static int spool_pipe(struct trace *t, int from, struct error *err) {
    uint64_t limit = 0;
    char path[PATH_ROOM];
    if (trace_copy_limit(&limit, err) ||
        path_print(path, err, "%s/memtwin-trace-XXXXXX", temp_base()))
        return -1;
    if ((t->spool = mkostemp(path, O_CLOEXEC)) < 0 || unlink(path))
        return error_set(err, "%s: cannot be copied to %s: %s", t->path, temp_base(),
                         strerror(errno));
    return copy_all(t, from, limit, err);
}

/* Opens a pipe for reading more than once. A file that is standard input is read in place. */
static int spool(struct trace *t, struct error *err) {
    const int from = trace_stream_open(t->path);
    if (from < 0)
        return error_set(err, "%s: %s", t->path, read_error(errno));
    if (is_whole_file(from)) {
        t->spool = from;
        return 0;
    }
    const int bad = is_device(from)
                        ? error_set(err, "%s: a device, neither a file nor a pipe", t->path)
                        : spool_pipe(t, from, err);
    close(from);
    return bad;
}

/* ---- Kinds of trace ---- */

static int read_named(struct trace *t, struct error *err) {
    int kernel = is_kernel(t, err);
    if (kernel < 0)
        return -1;
    t->single = kernel;
    if (kernel) {
        list_kernel(&t->list, t->path, strlen(t->path), 0);
        return 0;
    }
    struct trace_input *in = open_named(t, err);
    int result = in ? trace_list_read(&t->list, in, err) : -1;
    trace_input_close(in);
    return result;
}

static int is_list(const struct dirent *e) {
    const size_t n = strlen(e->d_name);
    return strncmp(e->d_name, "kernelslist", 11) == 0 && strcmp(e->d_name + n - 2, ".g") == 0;
}

/* True for a list of raw .trace files. */
static int is_raw_list(const struct dirent *e) {
    return strncmp(e->d_name, "kernelslist", 11) == 0 && !strchr(e->d_name, '.');
}

#define NAMED 4 /* maximum number of lists that an error names */

/* Says which lists a folder has. */
static int many_lists(const char *folder, struct dirent *const *entry, int n, struct error *err) {
    char names[NAMED * 64] = "";
    size_t used = 0;
    for (int i = 0; i < n && i < NAMED && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "",
                                 entry[i]->d_name);
    return error_set(err, "%s: the folder has %d lists; name one of %s%s", folder, n, names,
                     n > NAMED ? ", ..." : "");
}

/* Takes the only list of a folder that `is` accepts. Returns 1, 0 if there is none, or -1 with one
 * line in err. */
static int only_list(const char *folder, int (*is)(const struct dirent *), char list[PATH_ROOM],
                     struct error *err) {
    struct dirent **entry;
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    const int n = scandir(folder, &entry, is, alphasort);
    int got = n > 0;
    if (n < 0)
        return error_set(err, "%s: %s", folder, strerror(errno));
    if (n == 1 && path_print(list, err, "%s%s%s", folder, slash, entry[0]->d_name))
        got = -1;
    if (n > 1)
        got = many_lists(folder, entry, n, err);
    for (int i = 0; i < n; i++)
        free(entry[i]);
    free(entry);
    return got;
}

/* Finds the list of a folder: kernelslist.g, or the only kernelslist*.g, since tracers may write
 * one for each context, or the only list of raw traces. Returns 0, or -1 with one line in err. */
static int list_of_folder(const char *folder, char list[PATH_ROOM], struct error *err) {
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    snprintf(list, PATH_ROOM, "%s%skernelslist.g", folder, slash);
    if (access(list, F_OK) == 0)
        return 0;
    int got = only_list(folder, is_list, list, err);
    if (got == 0)
        got = only_list(folder, is_raw_list, list, err);
    if (got == 0)
        return error_set(err, "%s: the folder has no kernelslist.g", folder);
    return got < 0 ? -1 : 0;
}

/* Finds the file that a path names: the list in a folder, a copy of a pipe, or the file itself. */
static int locate(struct trace *t, const char *path, struct error *err) {
    struct stat st;
    char list[PATH_ROOM];
    const bool standard = strcmp(path, "-") == 0, there = !standard && stat(path, &st) == 0;
    const bool folder = there && S_ISDIR(st.st_mode);
    if (strlen(path) + sizeof "/kernelslist.g" > sizeof list)
        return error_set(err, "%.80s...: the path is too long", path);
    snprintf(list, sizeof list, "%s", path);
    if (folder && list_of_folder(path, list, err))
        return -1;
    const char *slash = strrchr(list, '/');
    t->path = alloc_text(list);
    t->folder = alloc_text_part(list, slash && !standard ? (size_t)(slash - list) + 1 : 0);
    return standard || (there && !folder && !S_ISREG(st.st_mode)) ? spool(t, err) : 0;
}

/* ---- Choice and check of kernels ---- */

/* Checks a kernel whose file is open. Sets *regs if the header does not say how many registers
 * there are. */
static int check_open(struct traceg *k, const struct trace_how *how, uint32_t *regs,
                      struct error *err) {
    struct error why;
    const bool counts = how->check && traceg_odd(k)[ODD_REGISTERS].times;
    if ((how->read_all || counts) && read_whole(k, err))
        return -1;
    struct kernel_launch launch = traceg_launch(k);
    if (counts)
        launch.regs = *regs = traceg_registers(k);
    if (how->check && how->check(how->ctx, &launch, &why))
        return error_set(err, "%s: %s", traceg_file(k), why.text);
    return how->strict ? trace_refuse_odd(k, err) : 0;
}

/* Returns the index of a CUDA stream. Adds the stream if it is new. */
static uint32_t stream_index(struct trace *t, uint64_t stream) {
    uint32_t i = hash_map_get(&t->by_stream, stream);
    if (i != HASH_MAP_NONE)
        return i;
    i = t->n_streams++;
    if ((i & (i - 1)) == 0) /* true if the array is full */
        t->stream = alloc_resized(t->stream, i ? 2 * (size_t)i : 1, sizeof *t->stream);
    t->stream[i] = stream;
    hash_map_add(&t->by_stream, stream, i);
    return i;
}

/* Decides whether kernel i is run. Returns 1 if it is, 0 if it is not chosen, or -1 with one line
 * in err if it is bad. */
static int try_kernel(struct trace *t, size_t i, struct kernel_choice *choice,
                      const struct trace_how *how, struct error *err) {
    bool chosen = kernel_choice_number(choice, t->list.kernel[i].number);
    if (!chosen && !kernel_choice_names(choice))
        return 0;
    struct traceg *k = trace_open_kernel(t, i, err);
    if (!k)
        return chosen ? -1 : 0; /* without a header it has no name */
    chosen |= kernel_choice_name(choice, traceg_header(k)->name);
    const int bad = chosen ? check_open(k, how, &t->list.kernel[i].regs, err) : 0;
    if (chosen && !bad) {
        t->ctas += traceg_blocks(k);
        t->list.kernel[i].stream = stream_index(t, traceg_header(k)->stream);
    }
    traceg_close(k);
    return bad ? -1 : chosen;
}

/* Keeps the kernels that are chosen and good. A bad one is an error, or is left out. */
static int choose_kernels(struct trace *t, struct kernel_choice *choice,
                          const struct trace_how *how, struct error *err) {
    struct trace_list *l = &t->list;
    size_t kept = 0, i = 0;
    int got = 0;
    for (; i < l->n_kernels && got >= 0; i++) {
        got = try_kernel(t, i, choice, how, err);
        const struct trace_kernel kernel = l->kernel[i];
        if (stop_asked()) {
            got = error_set(err, "%s: %s", t->path, read_error(EINTR));
        } else if (got < 0 && how->skip_bad) {
            trace_leave_out(t, kernel.number, err->text);
            got = 0;
        }
        t->ends_bad = got < 0;
        if (got > 0)
            l->kernel[kept++] = kernel;
        else
            free(kernel.name);
    }
    for (; i < l->n_kernels; i++)
        free(l->kernel[i].name);
    l->n_kernels = kept;
    return got < 0 ? -1 : 0;
}

/* Warns about numbers of --kernels that no kernel has. */
static void warn_beyond(const struct trace *t, const struct kernel_choice *choice,
                        const struct trace_how *how) {
    const struct choice_part *part = kernel_choice_beyond(choice, t->listed);
    char text[256];
    if (!part || !how->warn)
        return;
    snprintf(text, sizeof text,
             "%.150s: warning: --kernels has numbers up to %" PRIu64 ", the trace up to %" PRIu64,
             t->path, part->to, t->listed);
    how->warn(how->ctx, text);
}

/* Checks that each kernel that `how` chooses exists and begins with a header, and drops the
 * others. */
static int check_kernels(struct trace *t, const struct trace_how *how, struct error *err) {
    struct kernel_choice choice = {0};
    struct error why;
    t->listed = t->list.n_kernels;
    int bad = 0;
    if (how->kernels && kernel_choice_read(&choice, how->kernels, &why))
        bad = error_set(err, "--kernels: %s", why.text);
    if (!bad)
        bad = choose_kernels(t, &choice, how, err);
    if (!bad && kernel_choice_check(&choice, t->listed, &why))
        bad = error_set(err, "--kernels: %s", why.text);
    if (!bad && !t->list.n_kernels && how->read_all)
        bad = error_set(err, "%s: every kernel is bad, such as %s", t->path, t->left_out[0].why);
    if (!bad)
        warn_beyond(t, &choice, how);
    kernel_choice_free(&choice);
    return bad;
}

/* Warns about skipped lines and shows the first few. Warns about copies to the device. */
static void warn_all(const struct trace *t, void (*warn)(void *ctx, const char *line), void *ctx) {
    const struct trace_list *l = &t->list;
    char text[256];
    uint64_t shown = l->n_skipped < TRACE_SKIPPED ? l->n_skipped : TRACE_SKIPPED;
    for (uint64_t i = 0; i < shown; i++) {
        snprintf(text, sizeof text, "%.150s:%llu: warning: skipped '%s'", t->path,
                 (unsigned long long)l->skipped[i].line, l->skipped[i].text);
        warn(ctx, text);
    }
    if (l->n_skipped > shown) {
        const unsigned long long more = l->n_skipped - shown;
        snprintf(text, sizeof text, "%.150s: warning: skipped %llu more line%s", t->path, more,
                 more == 1 ? "" : "s");
        warn(ctx, text);
    }
    if (l->copies) {
        snprintf(text, sizeof text,
                 "%.150s: note: copies to the device take no time (%llu, %llu bytes)", t->path,
                 (unsigned long long)l->copies, (unsigned long long)l->copy_bytes);
        warn(ctx, text);
    }
    if (l->calls) {
        snprintf(text, sizeof text,
                 "%.150s: note: calls besides kernels are not modeled (%llu line%s)", t->path,
                 (unsigned long long)l->calls, l->calls == 1 ? "" : "s");
        warn(ctx, text);
    }
}

int trace_find(struct trace *t, const char *path, const struct trace_how *how, struct error *err) {
    *t = (struct trace){.spool = -1, .strict = how->strict};
    if (locate(t, path, err) != 0 || read_named(t, err) != 0 || check_kernels(t, how, err) != 0)
        return -1;
    if (how->warn)
        warn_all(t, how->warn, how->ctx);
    return 0;
}

void trace_free(struct trace *t) {
    trace_list_free(&t->list);
    for (size_t i = 0; i < t->n_left_out; i++)
        free(t->left_out[i].why);
    free(t->left_out);
    free(t->odd);
    free(t->stream);
    hash_map_free(&t->by_stream);
    if (t->path && t->spool >= 0)
        close(t->spool);
    free(t->folder);
    free(t->path);
    *t = (struct trace){.spool = -1};
}

bool trace_has(const struct trace *t, const char *path) {
    char one[PATH_ROOM];
    struct error err;
    if (paths_same(path, t->path))
        return true;
    for (size_t i = 0; !t->single && i < t->list.n_kernels; i++)
        if (kernel_path(t, i, one, &err) == 0 && paths_same(path, one))
            return true;
    return false;
}

/* ---- Hash ---- */

static int hash_one(struct hash *h, const char *name, const char *path, struct error *err) {
    if (hash_add_file(h, path) == 0)
        return 0;
    return error_set(err, "%s: %s", name, read_error(errno));
}

static int hash_all(struct hash *h, const struct trace *t, struct error *err) {
    char path[PATH_ROOM];
    named_path(t, path);
    int result = hash_one(h, t->path, path, err);
    for (size_t i = 0; !t->single && result == 0 && i < t->list.n_kernels; i++) {
        result = kernel_path(t, i, path, err);
        if (result == 0)
            result = hash_one(h, path, path, err);
    }
    return result;
}

int trace_hash(const struct trace *t, char hash[HASH_SIZE], struct error *err) {
    struct hash *h = hash_new();
    int result = hash_all(h, t, err);
    hash_digits(h, hash);
    hash_free(h);
    return result;
}
