// SPDX-License-Identifier: Apache-2.0
/* Tests of vector files. A written file reads back unchanged, and incomplete files are refused
 * with a message that names the file and the line. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "block/block.h"
#include "harness/harness.h"
#include "harness/layout.h"
#include "os/new_file.h"
#include "os/part.h"
#include "harness/vectors.h"
#include "mshr/mshr_ports.h"
#include "tests/test.h"

#define CYCLES 600

struct harness_fixture {
    char dir[PATH_SIZE], path[PATH_SIZE + 16], bad[PATH_SIZE + 16];
    char *text; /* text of a valid recording */
    size_t size;
    unsigned first; /* line number of the recording's first cycle, counted from 1 */
};

static struct block_params point(const struct block_type *type, const char *const set[]) {
    struct block_params p;
    struct error err;
    block_params_default(type, &p);
    for (; *set; set++)
        assert_int_equal(block_params_set(type, &p, *set, &err), 0);
    return p;
}

static void record(const char *path) {
    const char *const set[] = {"ENTRIES=8", "SLOTS=2", "PAYLOAD_W=115", NULL};
    const struct block_type *type = block_find("static_mshr");
    struct cosim_opts o = {.type = type,
                           .params = point(type, set),
                           .cycles = CYCLES,
                           .seed = 7,
                           .record = path,
                           .model_only = true};
    FILE *out = fopen("/dev/null", "w");
    assert_int_equal(cosim_run(&o, out), 0);
    fclose(out);
}

static int setup(void **state) {
    static struct harness_fixture f;
    struct error err;
    memset(&f, 0, sizeof f);
    assert_int_equal(temp_dir_make(f.dir, &err), 0);
    snprintf(f.path, sizeof f.path, "%s/good.vec", f.dir);
    snprintf(f.bad, sizeof f.bad, "%s/bad.vec", f.dir);
    record(f.path);
    struct stat st;
    assert_int_equal(stat(f.path, &st), 0);
    f.size = (size_t)st.st_size;
    f.text = calloc(1, f.size + 1);
    FILE *file = fopen(f.path, "r");
    assert_int_equal(fread(f.text, 1, f.size, file), f.size);
    fclose(file);
    char *data = strstr(f.text, "\ndata\n");
    assert_non_null(data);
    f.first = 3;
    for (char *c = f.text; c < data; c++)
        f.first += *c == '\n';
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    struct harness_fixture *f = *state;
    free(f->text);
    temp_dir_remove(f->dir);
    return 0;
}

/* Reads a file to its end. Returns the number of cycles, or -1 with a message in err. */
static long read_all(const char *path, struct error *err) {
    struct vec_reader *r = vec_open(path, err);
    if (!r)
        return -1;
    const struct layout *l = vec_layout(r);
    void *in = calloc(1, l->type->in_size), *out = calloc(1, l->type->out_size);
    bool *compare = calloc(l->n_out + 4, sizeof *compare);
    long cycles = 0;
    int more;
    while ((more = vec_read(r, in, out, compare, err)) > 0)
        cycles++;
    free(in);
    free(out);
    free(compare);
    vec_close(r);
    return more < 0 ? -1 : cycles;
}

static void write_bad(const struct harness_fixture *f, const char *text, size_t size) {
    FILE *file = fopen(f->bad, "w");
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* Expects the reader to refuse these bytes and to name the file and `line` (0 for any line). */
static void must_refuse(const struct harness_fixture *f, const char *text, size_t size,
                        unsigned line) {
    char where[PATH_SIZE + 64];
    struct error err = {0};
    write_bad(f, text, size);
    if (read_all(f->bad, &err) != -1)
        fail_msg("a bad file was read");
    int n = snprintf(where, sizeof where, "%s:%u: ", f->bad, line);
    if (line == 0)
        n = (int)strlen(f->bad) + 1;
    if (strncmp(err.text, where, (size_t)n) != 0)
        fail_msg("expected '%s...', got '%s'", where, err.text);
    for (const char *c = err.text; *c; c++)
        assert_in_range(*c, ' ', '~');
}

/* Expects the valid text to be refused after the first `from` in it has been replaced with `to`. */
static void must_refuse_edit(const struct harness_fixture *f, const char *from, const char *to,
                             unsigned line) {
    char *at = strstr(f->text, from);
    assert_non_null(at);
    size_t head = (size_t)(at - f->text), size = f->size - strlen(from) + strlen(to);
    char *text = malloc(size + 1);
    memcpy(text, f->text, head);
    memcpy(text + head, to, strlen(to));
    memcpy(text + head + strlen(to), at + strlen(from), f->size - head - strlen(from));
    must_refuse(f, text, size, line);
    free(text);
}

static void test_good(void **state) {
    const struct harness_fixture *f = *state;
    struct error err;
    assert_int_equal(read_all(f->path, &err), CYCLES);
    assert_int_equal(replay_run(f->path, REPLAY_MODEL, REPLAY_ALL, NULL, stdout), 0);
}

static void test_every_truncation(void **state) {
    const struct harness_fixture *f = *state;
    for (size_t size = 0; size < f->size; size += size < 1200 || size + 140 > f->size ? 1 : 97)
        must_refuse(f, f->text, size, 0);
}

static void test_missing_cycle(void **state) {
    const struct harness_fixture *f = *state;
    char *second = strstr(f->text, "\ndata\n") + 6;
    char *third = strchr(second, '\n') + 1;
    size_t head = (size_t)(second - f->text), tail = f->size - (size_t)(third - f->text);
    char *text = malloc(head + tail);
    memcpy(text, f->text, head);
    memcpy(text + head, third, tail);
    must_refuse(f, text, head + tail, f->first + CYCLES - 1);
    free(text);
}

static void test_header(void **state) {
    const struct harness_fixture *f = *state;
    must_refuse_edit(f, VECTORS_MAGIC, "memtwin-vectors 1", 1);
    must_refuse_edit(f, "block static_mshr", "block no_such", 2);
    must_refuse_edit(f, "ENTRIES=8", "ENTRIES=0", 3);
    must_refuse_edit(f, "ENTRIES=8", "ENTRIES=99999999999999999999", 3);
    must_refuse_edit(f, "ENTRIES=8", "ENTRIES=08", 3);
    must_refuse_edit(f, "ENTRIES=8 ", "", 3);
    must_refuse_edit(f, "ENTRIES=8", "COWS=8", 3);
    must_refuse_edit(f, "LOOKUP=1", "LOOKUP=3", 3);
    must_refuse_edit(f, "port IN rst 1", "port OUT rst 1", 4);
    must_refuse_edit(f, "port IN rst 1", "port IN rst 2", 4);
    must_refuse_edit(f, "port IN rst 1\n", "", 4);
    must_refuse_edit(f, "\ndata\n", "\n", f->first - 1);
}

static void test_cycles(void **state) {
    const struct harness_fixture *f = *state;
    char *line = strstr(f->text, "\ndata\n") + 6, first[2048], more[2100];
    size_t n = strcspn(line, "\n");
    assert_in_range(n, 1, sizeof first - 1);
    memcpy(first, line, n);
    first[n] = '\0';
    struct edit {
        size_t at;
        char c;
    } edits[] = {{0, 'g'}, {0, 'f'}, {3, ' '}, {n - 1, 'x'}, {n - 1, '\n'}, {5, '\x01'}, {0, 'A'}};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        snprintf(more, sizeof more, "%s", first);
        more[edits[i].at] = edits[i].c;
        must_refuse_edit(f, first, more, f->first);
    }
    snprintf(more, sizeof more, "%s0", first);
    must_refuse_edit(f, first, more, f->first);
    snprintf(more, sizeof more, "%s\r\r", first); /* one CR is part of the line's end */
    must_refuse_edit(f, first, more, f->first);
}

/* Each digit in a cycle's four fields is read. A bit beyond the ports, or a character that is not
 * a digit, is refused. */
static void test_given(void **state) {
    const struct harness_fixture *f = *state;
    char *line = strstr(f->text, "\ndata\n") + 6, *given = strchr(line, ' ') + 1;
    const char digit = *given;
    for (const char *bad = "fgA "; *bad; bad++) {
        *given = *bad;
        must_refuse(f, f->text, f->size, f->first);
    }
    *given = digit;
}

/* The recorded value of an invalid port is not always zero, and not always a new value. */
static void test_noise(void **state) {
    const struct harness_fixture *f = *state;
    struct error err;
    struct vec_reader *r = vec_open(f->path, &err);
    assert_non_null(r);
    struct mshr_in in;
    struct mshr_out out;
    bool compare[64];
    uint64_t last = 0;
    unsigned idle = 0, zeros = 0, again = 0, ready = 0;
    while (vec_read(r, &in, &out, compare, &err) > 0) {
        ready += !out.rsp_valid && in.rsp_ready;
        if (in.req_valid) {
            last = in.req_addr;
            continue;
        }
        idle++;
        zeros += in.req_addr == 0;
        again += in.req_addr == last;
    }
    vec_close(r);
    assert_true(idle > 20 && zeros < idle / 4 && again > idle / 16 && ready > 0);
}

static void test_end(void **state) {
    const struct harness_fixture *f = *state;
    char *text = malloc(f->size + 8);
    memcpy(text, f->text, f->size);
    memcpy(text + f->size, "\n", 1);
    must_refuse(f, text, f->size + 1, f->first + CYCLES + 1);
    free(text);
    must_refuse_edit(f, "end 600", "end 601", f->first + CYCLES);
    must_refuse_edit(f, "end 600", "end", f->first + CYCLES);
}

/* Tests a NUL in a line, a line without an end, and a file of noise. */
static void test_hostile(void **state) {
    const struct harness_fixture *f = *state;
    size_t size = 3 << 20;
    char *text = malloc(size);
    memset(text, 'a', size);
    must_refuse(f, text, size, 1);
    memcpy(text, f->text, f->size);
    must_refuse(f, text, size, f->first + CYCLES + 1);
    memcpy(text, f->text, f->size);
    text[5] = '\0';
    must_refuse(f, text, f->size, 1);
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 2000; i++) {
        memcpy(text, f->text, f->size);
        for (int k = 0; k < 3; k++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            text[x % f->size] = (char)(x >> 40);
        }
        struct error err;
        write_bad(f, text, f->size);
        read_all(f->bad, &err); /* may succeed; the sanitizers would find errors */
    }
    free(text);
}

static void test_missing_file(void **state) {
    const struct harness_fixture *f = *state;
    assert_int_equal(replay_run(f->bad, REPLAY_MODEL, REPLAY_ALL, NULL, stdout), 1);
    assert_int_equal(replay_run(f->dir, REPLAY_MODEL, REPLAY_ALL, NULL, stdout), 1);
}

/* A replay on the model reports a changed output as a mismatch. */
static void test_changed_output(void **state) {
    const struct harness_fixture *f = *state;
    char *line = strstr(f->text, "\ndata\n") + 6;
    for (int i = 0; i < 100; i++)
        line = strchr(line, '\n') + 1;
    char *outputs = strchr(strchr(line, ' ') + 1, ' ') + 1;
    FILE *out = fopen("/dev/null", "w");
    outputs[0] ^= 1; /* flips a high bit of st_state, which is always compared */
    write_bad(f, f->text, f->size);
    assert_int_equal(replay_run(f->bad, REPLAY_MODEL, REPLAY_ALL, NULL, out), 3);
    outputs[0] ^= 1;
    fclose(out);
}

/* ---- Where files may be written ---- */

static void test_targets(void **state) {
    const struct harness_fixture *f = *state;
    char path[PATH_SIZE + 32], link[PATH_SIZE + 32], want[PATH_SIZE + 256];
    struct error err;
    struct new_file nf;
    struct stat st;
    FILE *out = fopen("/dev/null", "w");
    snprintf(path, sizeof path, "%s/socket", f->dir); /* a socket is used like a device */
    assert_int_equal(mknod(path, S_IFSOCK | 0600, 0), 0);
    snprintf(want, sizeof want, "%s: not a regular file", path);
    assert_int_equal(new_file_open(&nf, path, &err), -1);
    assert_string_equal(err.text, want);
    assert_int_equal(new_file_open(&nf, f->dir, &err), -1);
    assert_int_equal(replay_run(f->path, REPLAY_ICARUS, REPLAY_ALL, path, out), 1);
    assert_int_equal(replay_run(f->path, REPLAY_TWIN, REPLAY_ALL, path, out), 1);
    assert_int_equal(lstat(path, &st), 0);
    assert_true(S_ISSOCK(st.st_mode));

    /* a link is kept, and its target is replaced or refused */
    snprintf(link, sizeof link, "%s/link", f->dir);
    assert_int_equal(symlink("socket", link), 0);
    assert_int_equal(new_file_open(&nf, link, &err), -1);
    assert_non_null(strstr(err.text, "link: not a regular file"));
    unlink(link);
    assert_int_equal(symlink("nothing", link), 0);
    assert_int_equal(new_file_open(&nf, link, &err), -1);
    unlink(link);
    write_bad(f, "old", 3);
    assert_int_equal(symlink("bad.vec", link), 0);
    assert_int_equal(new_file_open(&nf, link, &err), 0);
    fputs("newer", nf.f);
    assert_int_equal(new_file_commit(&nf, &err), 0);
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(f->bad, &st), 0);
    assert_int_equal(st.st_size, 5);

    /* a recording is not replaced with the waves made from it */
    unlink(link);
    assert_int_equal(symlink("good.vec", link), 0);
    assert_int_equal(replay_run(f->path, REPLAY_TWIN, REPLAY_ALL, f->path, out), 1);
    assert_int_equal(replay_run(f->path, REPLAY_ICARUS, REPLAY_ALL, link, out), 1);
    assert_int_equal(stat(f->path, &st), 0);
    assert_int_equal(st.st_size, f->size);
    fclose(out);
}

/* Starts a process that opens a named file, and waits until the process has opened it. */
static pid_t write_in_child(const char *path) {
    int began[2];
    char byte;
    assert_int_equal(pipe(began), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        struct new_file nf;
        struct error err;
        const int bad = new_file_open_named(&nf, path, &err);
        if (write(began[1], bad ? "1" : "0", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(began[0], &byte, 1), 1);
    assert_int_equal(byte, '0');
    close(began[0]);
    close(began[1]);
    return pid;
}

static void kill_child(pid_t pid) {
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Prints the temporary name that another process gives to the file. */
static void name_part_of(char part[PATH_SIZE], const char *path, pid_t pid) {
    struct error err;
    assert_int_equal(part_name(path, part, &err), 0);
    sprintf(strrchr(part, '-'), "-%ld.part", (long)pid);
}

/* A file at the temporary name is neither followed nor written, and a replaced file keeps its
 * mode. */
static void test_replaced(void **state) {
    const struct harness_fixture *f = *state;
    char path[PATH_SIZE + 32], temp[PATH_SIZE], victim[PATH_SIZE + 32];
    struct error err;
    struct new_file nf;
    struct stat st;
    snprintf(path, sizeof path, "%s/mode", f->dir);
    snprintf(victim, sizeof victim, "%s/victim", f->dir);
    assert_int_equal(part_name(path, temp, &err), 0);
    assert_int_equal(symlink(victim, temp), 0);
    assert_int_equal(new_file_open_named(&nf, path, &err), -1);
    assert_int_equal(access(victim, F_OK), -1);
    unlink(temp);
    for (int named = 0; named < 2; named++) {
        fclose(fopen(path, "w"));
        assert_int_equal(chmod(path, 0640), 0);
        assert_int_equal((named ? new_file_open_named : new_file_open)(&nf, path, &err), 0);
        assert_int_equal(new_file_commit(&nf, &err), 0);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0640);
    }
    unlink(path);
}

/* A killed program's named file is removed by the next writer, but not that of a running one. A
 * file without a name is not seen until it is complete. */
static void test_leftovers(void **state) {
    const struct harness_fixture *f = *state;
    char path[PATH_SIZE + 32], first[PATH_SIZE], second[PATH_SIZE], own[PATH_SIZE + 64];
    struct error err;
    struct new_file nf;
    snprintf(path, sizeof path, "%s/left", f->dir);
    snprintf(own, sizeof own, "%s.999998.part", path);
    fclose(fopen(own, "w"));
    const pid_t one = write_in_child(path), two = write_in_child(path);
    name_part_of(first, path, one);
    name_part_of(second, path, two);
    kill_child(one);
    assert_int_equal(access(first, F_OK), 0);
    assert_int_equal(new_file_open(&nf, path, &err), 0);
    assert_int_equal(access(first, F_OK), -1);
    assert_int_equal(access(second, F_OK), 0);
    assert_int_equal(access(nf.temp, F_OK), nf.unnamed ? -1 : 0);
    assert_int_equal(new_file_commit(&nf, &err), 0);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(access(nf.temp, F_OK), -1);
    assert_int_equal(access(own, F_OK), 0); /* a file of the user with a similar name */
    unlink(own);
    kill_child(two);
    unlink(second);
}

/* ---- Structs written as text and read back, at widths near the word sizes ---- */

static void fill(const struct port_place *places, unsigned n, unsigned char *base, uint64_t *x) {
    for (unsigned i = 0; i < n; i++) {
        unsigned char *field = base + places[i].desc->offset;
        for (unsigned bit = 0; bit < places[i].width; bit++) {
            *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
            if (*x >> 33 & 1)
                field[bit / 8] |= (unsigned char)(1u << (bit % 8));
        }
    }
}

static void round_trip(const struct layout *l, uint64_t *x) {
    size_t size = l->type->out_size;
    unsigned char *base = calloc(1, size), *again = malloc(size);
    char *digits = malloc(hex_digits(l->out_bits) + 1);
    memset(again, 0xa5, size);
    fill(l->out, l->n_out, base, x);
    pack_hex(l->out, l->n_out, l->out_bits, base, digits);
    assert_int_equal(strlen(digits), hex_digits(l->out_bits));
    assert_true(unpack_hex(l->out, l->n_out, l->out_bits, digits, again));
    for (unsigned i = 0; i < l->n_out; i++) {
        size_t at = l->out[i].desc->offset;
        assert_memory_equal(base + at, again + at, l->out[i].size);
        assert_true(place_in_width(&l->out[i], base));
    }
    free(base);
    free(again);
    free(digits);
}

static void test_round_trip(void **state) {
    static const char *const payloads[] = {"PAYLOAD_W=0", "PAYLOAD_W=1", "PAYLOAD_W=64",
                                           "PAYLOAD_W=72", "PAYLOAD_W=2048"};
    static const char *const addrs[] = {"ADDR_W=1", "ADDR_W=7", "ADDR_W=64"};
    const struct block_type *type = block_find("dl_mshr_paper");
    uint64_t x = 1;
    for (size_t d = 0; d < 5; d++) {
        for (size_t i = 0; i < 3; i++) {
            const char *const set[] = {"SETS=13",   "SLOTS=2", "RESERVED_HEADS=3",
                                       payloads[d], addrs[i],  NULL};
            struct block_params p = point(type, set);
            struct layout l;
            struct error err;
            assert_int_equal(layout_init(&l, type, &p, &err), 0);
            for (int k = 0; k < 20; k++)
                round_trip(&l, &x);
            layout_free(&l);
        }
    }
}

int main(void) {
#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_FILE(test_good),
        WITH_FILE(test_every_truncation),
        WITH_FILE(test_missing_cycle),
        WITH_FILE(test_header),
        WITH_FILE(test_cycles),
        WITH_FILE(test_end),
        WITH_FILE(test_hostile),
        WITH_FILE(test_missing_file),
        WITH_FILE(test_changed_output),
        WITH_FILE(test_targets),
        WITH_FILE(test_leftovers),
        WITH_FILE(test_replaced),
        cmocka_unit_test(test_round_trip),
        WITH_FILE(test_given),
        WITH_FILE(test_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
