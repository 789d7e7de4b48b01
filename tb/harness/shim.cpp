// SPDX-License-Identifier: Apache-2.0
// C interface of a Verilated block. Copies the in and out structs to and from the ports of the
// Verilated model by expanding the block's port list. Compiled once per block and parameter point
// (twin.mk) with
//   SHIM_TOP, SHIM_TOP_H       the Verilated class and its header
//   SHIM_ROOT_H                the header of the class that holds its state
//   SHIM_PORTS_H               the port list (BLOCK_PORTS, BLOCK_IN_T, BLOCK_OUT_T)
//   SHIM_BLOCK, SHIM_PARAMS    strings; SHIM_VALUES  the parameter values, comma-separated
//   SHIM_BARE                  defined if the Verilated class has no observed ports; they are 0
//   VM_TRACE                   1 if waves can be written, as FST with VM_TRACE_FST, else as VCD
//                              (cycle N is at N ns, and the scope TOP.expected has the outputs that
//                              the harness expects)
//   VM_COVERAGE                1 if line and toggle coverage is counted
//   SHIM_ASYNC_RESET           defined if the RTL has an asynchronous reset (MT_ASYNC_RESET), which
//                              is applied after its cycle's outputs are read, before the edge
//
// Cycles in which the RTL cannot change state are not evaluated. If a whole cycle with unchanged
// inputs leaves every byte of the Verilated state as it was, the RTL is at a fixpoint: each further
// edge gives the same state and outputs until an input changes. The outputs are still returned, and
// compared, in every cycle. The root class holds the whole state: --flatten leaves no other class,
// and twin.mk fails if there is one.
#include SHIM_TOP_H
#include SHIM_ROOT_H
#include SHIM_PORTS_H

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/twin_abi.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#include <fcntl.h>
#include <sys/mman.h>
#elif VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#include <cstdlib>
#include <unistd.h>
#endif

namespace {

const block_params params_here = {{SHIM_VALUES}};

// Width of each port at these parameters. The compiler sees constants.
#define SHIM_WIDTH(dir, kind, name, max, width, qual)                                              \
    inline unsigned width_##name() {                                                               \
        const block_params *p = &params_here;                                                      \
        (void)p;                                                                                   \
        return static_cast<unsigned>(width);                                                       \
    }
BLOCK_PORTS(SHIM_WIDTH)

struct fault_error : std::exception {
    std::string text;
    explicit fault_error(std::string t) : text(std::move(t)) {
    }
};

inline uint64_t low_mask(unsigned width) {
    return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

// ---- struct field -> port. The width selects CData, SData, IData, QData or VlWide. ----

template <typename T> inline void put(T &port, uint64_t v, unsigned width) {
    port = static_cast<T>(v & low_mask(width));
}
template <typename T, size_t M> inline void put(T &port, const uint32_t (&v)[M], unsigned width) {
    static_assert(M >= 2, "kind W is for ports wider than 64 bits");
    put(port, (uint64_t(v[1]) << 32) | v[0], width);
}
template <size_t N, size_t M>
inline void put(VlWide<N> &port, const uint32_t (&v)[M], unsigned width) {
    static_assert(N <= M, "port wider than its field");
    for (size_t i = 0; i < N; i++)
        port[i] = v[i];
    if (width % 32)
        port[N - 1] &= (uint32_t(1) << (width % 32)) - 1;
}

// ---- port -> struct field, zero-extended ----

template <typename T> inline void get(uint64_t &v, const T &port) {
    v = port;
}
template <typename T, size_t M> inline void get(uint32_t (&v)[M], const T &port) {
    const uint64_t q = port;
    std::memset(v, 0, sizeof v);
    v[0] = static_cast<uint32_t>(q);
    v[1] = static_cast<uint32_t>(q >> 32);
}
template <size_t N, size_t M> inline void get(uint32_t (&v)[M], const VlWide<N> &port) {
    static_assert(N <= M, "port wider than its field");
    for (size_t i = 0; i < N; i++)
        v[i] = port[i];
    for (size_t i = N; i < M; i++)
        v[i] = 0;
}

// ---- Checks that the storage class of a Verilated port matches its width. ----

template <typename T> inline bool fits(const T &, unsigned width) {
    const unsigned bits = sizeof(T) * 8;
    return width <= bits && (bits == 8 || width > bits / 2);
}
template <size_t N> inline bool fits(const VlWide<N> &, unsigned width) {
    return width > 64 && (width + 31) / 32 == N;
}

// ---- Waves. Both writers continue after an error and record the first one. ----

#if VM_TRACE_FST
// Global, because the wrapped functions below, which fstapi.c calls, get no context.
std::atomic<int> fst_failed{0};

void fst_failure(int why) {
    int none = 0;
    fst_failed.compare_exchange_strong(none, why ? why : EIO);
}

using wave_trace = VerilatedFst;

struct wave_writer {
    VerilatedFstC out;
    wave_writer() {
        fst_failed = 0;
    }
    int failure() const {
        return fst_failed;
    }
};
#elif VM_TRACE
// Records write errors itself, because the runtime would call vl_fatal while holding its lock.
struct wave_file : VerilatedVcdFile {
    int failed = 0;
    ssize_t write(const char *text, ssize_t n) override {
        const ssize_t written = failed ? n : VerilatedVcdFile::write(text, n);
        if (written > 0 || errno == EAGAIN || errno == EINTR)
            return written;
        failed = errno ? errno : EIO;
        return n;
    }
};

using wave_trace = VerilatedVcd;

struct wave_writer {
    wave_file file;
    VerilatedVcdC out{&file};
    int failure() const {
        return file.failed;
    }
};
#endif

#if VM_TRACE
#if VM_TRACE_FST
#define SHIM_KIND -1, FST_VD_OUTPUT, FST_VT_VCD_WIRE,
#else
#define SHIM_KIND
#endif

// The expected outputs in the wave, a scope that the runtime traces like the Verilated model's.
struct expected_scope {
    struct port {
        const char *name;
        unsigned width;
        std::vector<uint32_t> words;
    };
    std::vector<port> ports;
    uint32_t first = 0; // code of the first port's value in the trace

    void add(const char *name, unsigned width) {
        ports.push_back({name, width, std::vector<uint32_t>((width + 31) / 32)});
    }
    static void set(port &p, uint64_t v) {
        for (size_t i = 0; i < p.words.size(); i++)
            p.words[i] = static_cast<uint32_t>(v >> 32 * i);
    }
    template <size_t M> static void set(port &p, const uint32_t (&v)[M]) {
        std::copy_n(v, p.words.size(), p.words.begin());
    }
#if VERILATOR_VERSION_INTEGER >= 5008000
    // Later versions declare signals by other calls. Their waves have no expected outputs.
    void attach(wave_trace *) {
    }
};
#else
    void attach(wave_trace *trace) {
        trace->addInitCb(declare, this);
        trace->addFullCb(full, this);
        trace->addChgCb(change, this);
    }

  private:
    static void declare(void *scope_, wave_trace *trace, uint32_t code) {
        auto &scope = *static_cast<expected_scope *>(scope_);
        scope.first = code;
        trace->pushNamePrefix("TOP expected ");
        for (const port &p : scope.ports) {
            if (p.width == 1)
                trace->declBit(code, p.name, SHIM_KIND false, -1);
            else
                trace->declArray(code, p.name, SHIM_KIND false, -1, int(p.width) - 1, 0);
            code += static_cast<uint32_t>(p.words.size());
        }
        trace->popNamePrefix(1);
    }
    static void full(void *scope, wave_trace::Buffer *to) {
        write(*static_cast<expected_scope *>(scope), to, true);
    }
    static void change(void *scope, wave_trace::Buffer *to) {
        write(*static_cast<expected_scope *>(scope), to, false);
    }
    static void write(const expected_scope &scope, wave_trace::Buffer *to, bool all) {
        uint32_t *old = to->oldp(scope.first);
        for (const port &p : scope.ports) {
            const uint32_t *words = p.words.data();
            if (all || !std::equal(words, words + p.words.size(), old)) {
                if (p.width == 1)
                    to->fullBit(old, static_cast<CData>(words[0]));
                else
                    to->fullWData(old, words, static_cast<int>(p.width));
            }
            old += p.words.size();
        }
    }
};
#endif
#endif

// Calls of settle() in a cycle. A wave that begins later than the first cycle counts all cycles.
#ifdef SHIM_ASYNC_RESET
constexpr unsigned HALF_CYCLES = 3;
#else
constexpr unsigned HALF_CYCLES = 2;
#endif

struct twin {
    VerilatedContext context;
    std::unique_ptr<SHIM_TOP> top;
#if VM_TRACE
    std::unique_ptr<wave_writer> wave;
    expected_scope expected; // outputs in list order, then `mismatch`
    bool different = false;  // value of `mismatch`
#endif
    uint64_t half_cycles = 0;
    std::string fault;

    BLOCK_IN_T in = {}; // inputs of the previous cycle
    BLOCK_OUT_T out = {};
    bool begun = false;
    uint64_t evaluated = 0; // cycles evaluated in the RTL
    bool fixed = false;     // the state is a fixpoint for these inputs
    bool ticked =
        false; // true after a clock edge until the next eval; a cycle with late inputs has two
    std::vector<unsigned char> image; // state in the previous cycle, if its inputs were the same

    explicit twin(uint64_t seed) {
        context.threads(1);
#if VM_COVERAGE
        context.randReset(
            0); // all bits 0 at power-up, so that a single change of a bit is no toggle
        context.coveragep()->forcePerInstance(true);
#else
        context.randReset(2);
#endif
        context.randSeed(static_cast<int>(((seed ^ (seed >> 31)) & 0x3fffffff) | 0x40000000));
#if VM_TRACE
        context.traceEverOn(true);
#endif
        Verilated::threadContextp(&context);
        top = std::make_unique<SHIM_TOP>(&context, "TOP");
        top->clk = 0;
    }
    ~twin() {
        Verilated::threadContextp(&context);
        top->final();
        write_coverage();
    }
    // Writes one file per twin into the folder $MEMTWIN_COVERAGE.
    void write_coverage() {
#if VM_COVERAGE
        static std::atomic<unsigned> written{0};
        const char *folder = std::getenv("MEMTWIN_COVERAGE");
        if (!folder || !*folder)
            return;
        std::string point = SHIM_PARAMS;
        for (char &c : point)
            c = c == ' ' ? '-' : c;
        const std::string name = std::string(folder) + "/" SHIM_BLOCK "-" + point + "-" +
                                 std::to_string(getpid()) + "-" + std::to_string(written++) +
                                 ".dat";
        context.coveragep()->write(name.c_str());
#endif
    }
    void settle() {
        if (!fault.empty())
            return;
        try {
            Verilated::threadContextp(&context);
            top->eval();
        } catch (const fault_error &e) {
            fault = e.text;
        }
        half_cycles++;
    }
    // Writes the values after the last settle() to the wave.
    void dump() {
#if VM_TRACE
        if (wave)
            wave->out.dump((half_cycles - 1) * WAVE_CYCLE / HALF_CYCLES);
#endif
    }
    // Called after the outputs of a cycle have settled.
    void look_for_fixpoint(bool same_inputs) {
        using root_t = std::remove_pointer_t<decltype(top->rootp)>;
        const auto *state = reinterpret_cast<const unsigned char *>(top->rootp);
        if (!same_inputs) {
            image.clear();
            return;
        }
        if (!ticked)
            return;
        fixed = image.size() && std::memcmp(image.data(), state, sizeof(root_t)) == 0;
        if (!fixed)
            image.assign(state, state + sizeof(root_t));
    }
    bool waving() const {
#if VM_TRACE
        return wave != nullptr;
#else
        return false;
#endif
    }
};

#define SHIM_FITS_IN(name)                                                                         \
    if (!fits(t.top->name, width_##name()))                                                        \
        return "the RTL's port " #name " has another width than its port list";
#define SHIM_FITS_OUT(name) SHIM_FITS_IN(name)
#ifdef SHIM_BARE
#define SHIM_FITS_OBS(name)
#else
#define SHIM_FITS_OBS(name) SHIM_FITS_IN(name)
#endif
#define SHIM_FITS(dir, kind, name, max, width, qual) SHIM_FITS_##dir(name)
const char *wrong_port(const twin &t) {
    BLOCK_PORTS(SHIM_FITS)
    return nullptr;
}

void *twin_create(uint64_t seed, const char **why) {
    try {
        auto t = std::make_unique<twin>(seed);
        *why = wrong_port(*t);
        return *why ? nullptr : t.release();
    } catch (const std::exception &) {
        *why = "out of memory";
        return nullptr;
    }
}

void twin_destroy(void *t) {
    delete static_cast<twin *>(t);
}

#define SHIM_PUT_IN(name) put(top.name, in.name, width_##name());
#define SHIM_PUT_OUT(name)
#define SHIM_PUT_OBS(name)
#define SHIM_GET_IN(name)
#define SHIM_GET_OUT(name) get(out.name, top.name);
#ifdef SHIM_BARE
#define SHIM_GET_OBS(name)
#else
#define SHIM_GET_OBS(name) get(out.name, top.name);
#endif
#define SHIM_PUT(dir, kind, name, max, width, qual) SHIM_PUT_##dir(name)
#define SHIM_GET(dir, kind, name, max, width, qual) SHIM_GET_##dir(name)

void twin_eval(void *t_, const void *in_, void *out_) {
    twin &t = *static_cast<twin *>(t_);
    SHIM_TOP &top = *t.top;
    const BLOCK_IN_T &in = *static_cast<const BLOCK_IN_T *>(in_);
    BLOCK_OUT_T &out = *static_cast<BLOCK_OUT_T *>(out_);
    const bool same = t.begun && std::memcmp(&t.in, &in, sizeof in) == 0;
    t.fixed = t.fixed && same && !t.waving();
    if (t.fixed) {
        out = t.out;
        t.half_cycles++;
        return;
    }
    top.clk = 0;
    BLOCK_PORTS(SHIM_PUT)
#ifdef SHIM_ASYNC_RESET
    top.rst = 0;
#endif
    t.settle();
    BLOCK_PORTS(SHIM_GET)
    t.begun = true;
    t.evaluated++;
    if (!same)
        t.in = in;
    t.out = out;
    if (!t.waving())
        t.look_for_fixpoint(same);
    t.ticked = false;
}

void twin_tick(void *t_) {
    twin &t = *static_cast<twin *>(t_);
    if (t.fixed) {
        t.half_cycles += HALF_CYCLES - 1;
        return;
    }
    t.ticked = true;
#ifdef SHIM_ASYNC_RESET
    t.top->rst = t.in.rst;
    t.settle();
    t.dump();
#endif
    t.top->clk = 1;
    t.settle();
    t.dump();
}

const char *twin_fault(const void *t_) {
    const twin &t = *static_cast<const twin *>(t_);
    return t.fault.empty() ? nullptr : t.fault.c_str();
}

uint64_t twin_evaluated(const void *t_) {
    return static_cast<const twin *>(t_)->evaluated;
}

#if VM_TRACE
#define SHIM_EXPECT_IN(call)
#define SHIM_EXPECT_OUT(call) call;
#ifdef SHIM_BARE
#define SHIM_EXPECT_OBS(call)
#else
#define SHIM_EXPECT_OBS(call) call;
#endif
#define SHIM_ADD(dir, kind, name, max, width, qual)                                                \
    SHIM_EXPECT_##dir(t.expected.add(#name, width_##name()))
#define SHIM_EXPECT(dir, kind, name, max, width, qual)                                             \
    SHIM_EXPECT_##dir(expected_scope::set(*port++, out.name))

int twin_wave_open(void *t_, const char *path) {
    twin &t = *static_cast<twin *>(t_);
    t.wave = std::make_unique<wave_writer>();
    t.top->trace(&t.wave->out, 99);
    t.expected.ports.clear();
    BLOCK_PORTS(SHIM_ADD)
    t.expected.add(WAVE_MISMATCH, 1);
    t.expected.attach(t.wave->out.spTrace());
    t.wave->out.open(path);
    return t.wave->out.isOpen() ? 0 : -1;
}

int twin_wave_close(void *t_) {
    twin &t = *static_cast<twin *>(t_);
    if (!t.wave)
        return 0;
    // The last values stay in the wave: for a step or, if they differ, so long that a viewer can
    // show the time after them.
    t.half_cycles += t.different ? WAVE_AFTER * HALF_CYCLES + 1 : 1;
    t.dump();
    t.wave->out.close();
    const int failed = t.wave->failure();
    t.wave.reset();
    return failed;
}

void twin_wave_expect(void *t_, const void *out_, bool mismatch) {
    twin &t = *static_cast<twin *>(t_);
    if (!t.wave)
        return;
    const BLOCK_OUT_T &out = *static_cast<const BLOCK_OUT_T *>(out_);
    auto port = t.expected.ports.begin();
    BLOCK_PORTS(SHIM_EXPECT)
    expected_scope::set(*port, uint64_t(mismatch));
    t.different = mismatch;
    t.dump();
}
#else
int twin_wave_open(void *, const char *) {
    return -1;
}
int twin_wave_close(void *) {
    return 0;
}
void twin_wave_expect(void *, const void *, bool) {
}
#endif

#define SHIM_PORT_TEXT(dir, kind, name, max, width, qual)                                          \
    text += #dir " " #name " " + std::to_string(width_##name()) + ";";
const char *ports_text() {
    static std::string text;
    if (text.empty()) {
        BLOCK_PORTS(SHIM_PORT_TEXT)
    }
    return text.c_str();
}

} // namespace

// ---- Replacements for the runtime's exits: the RTL stops, but the process continues. ----

void vl_finish(const char *file, int line, const char *) {
    throw fault_error(std::string("$finish at ") + file + ":" + std::to_string(line));
}
void vl_stop(const char *file, int line, const char *) {
    throw fault_error(std::string("$stop at ") + file + ":" + std::to_string(line));
}
void vl_fatal(const char *file, int line, const char *, const char *msg) {
    throw fault_error(std::string(msg) + " at " + file + ":" + std::to_string(line));
}

// ---- Write functions whose results fstapi.c ignores, wrapped by the linker (twin.mk). ----

#if VM_TRACE_FST
extern "C" {
size_t __real_fwrite(const void *, size_t, size_t, FILE *);
int __real_fseeko(FILE *, off_t, int);
int __real_fflush(FILE *);
int __real_fclose(FILE *);
void *__real_mmap(void *, size_t, int, int, int, off_t);

size_t __wrap_fwrite(const void *from, size_t size, size_t n, FILE *f) {
    const size_t written = __real_fwrite(from, size, n, f);
    if (written != n)
        fst_failure(errno);
    return written;
}
int __wrap_fseeko(FILE *f, off_t offset, int whence) {
    const int bad = __real_fseeko(f, offset, whence);
    if (bad)
        fst_failure(errno);
    return bad;
}
int __wrap_fflush(FILE *f) {
    const int bad = __real_fflush(f);
    if (bad)
        fst_failure(errno);
    return bad;
}
int __wrap_fclose(FILE *f) {
    const bool bad = __wrap_fflush(f) || std::ferror(f);
    if (bad)
        fst_failure(EIO); // unless a reason is already recorded
    return __real_fclose(f);
}
// Writing to a mapped page without disk space would kill the process, so such a mapping gets
// anonymous memory. The wave is lost anyway.
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    const int why = fd >= 0 ? posix_fallocate(fd, offset, static_cast<off_t>(length)) : 0;
    if (!why)
        return __real_mmap(at, length, protection, flags, fd, offset);
    fst_failure(why);
    return __real_mmap(at, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
}
#endif

extern "C" __attribute__((visibility("default"))) const twin_table *memtwin_twin(void) {
    static const twin_table table = {TWIN_ABI,       SHIM_BLOCK,         SHIM_PARAMS,
                                     ports_text(),   sizeof(BLOCK_IN_T), sizeof(BLOCK_OUT_T),
                                     twin_create,    twin_destroy,       twin_eval,
                                     twin_tick,      twin_fault,         twin_evaluated,
                                     twin_wave_open, twin_wave_expect,   twin_wave_close};
    return &table;
}
