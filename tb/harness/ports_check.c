// SPDX-License-Identifier: Apache-2.0
#include "harness/ports_check.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/files.h"
#include "harness/layout.h"
#include "lib/alloc.h"
#include "os/new_file.h"
#include "os/proc.h"

/* Writes a file or folder, those of the project below `project`. */
static void write_path(FILE *f, const struct rtl_files *files, const char *project,
                       const char *before, const char *path) {
    const size_t n = strlen(files->project);
    const bool inside = strncmp(path, files->project, n) == 0 && path[n] == '/';
    fprintf(f, " %s%s%s", before, inside ? project : "", inside ? path + n : path);
}

/* Writes the Yosys script that elaborates the module `top`. Yosys runs in the rtl folder, so file
 * names are relative to that folder. `project` is a path of the
 * project without blanks. */
static int write_script(const char *path, const struct rtl_files *files, const char *project,
                        const struct layout *l, const char *top, struct error *err) {
    struct new_file nf;
    if (new_file_open(&nf, path, err))
        return -1;
    fprintf(nf.f, "read_verilog -defer"); /* keeps Yosys from elaborating with default parameters */
    for (size_t i = 0; i < files->n_folders; i++)
        write_path(nf.f, files, project, "-I", files->folders[i]);
    fprintf(nf.f, " -I%s", project);
    for (size_t i = 0; i < files->n_names; i++)
        write_path(nf.f, files, project, "", files->names[i]);
    fprintf(nf.f, "\nhierarchy -check -top %s", top);
    for (unsigned i = 0; i < l->type->n_params; i++)
        fprintf(nf.f, " -chparam %s %" PRId64, l->type->params[i].name, l->params.v[i]);
    fprintf(nf.f, "\nblackbox *\n"); /* only the ports of modules are needed */
    return new_file_commit(&nf, err);
}

static bool names_file(const char *line, const struct rtl_files *files) {
    for (size_t i = 0; i < files->n_names; i++) {
        size_t n = strlen(files->names[i]);
        if (strncmp(line, files->names[i], n) == 0 && line[n] == ':')
            return true;
    }
    return false;
}

/* Copies the log's last line that contains ERROR. If the line begins with a file name, adds the
 * folder. */
static void tool_error(const char *log, const struct rtl_files *files, struct error *err) {
    char line[400];
    FILE *f = fopen(log, "re");
    error_set(err, "yosys failed");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        bool relative = *line != '/' && names_file(line, files);
        if (strstr(line, "ERROR"))
            error_set(err, "yosys: %s%s%s", relative ? files->rtl : "", relative ? "/" : "", line);
    }
    if (f)
        fclose(f);
}

static int run_yosys(const char *dir, const struct rtl_files *files, const struct layout *l,
                     const char *top, char *json, struct error *err) {
    char script[PATH_SIZE], log[PATH_SIZE], project[PATH_SIZE];
    if (path_print(script, err, "%s/script.ys", dir) || path_print(log, err, "%s/log", dir) ||
        path_print(json, err, "%s/ports.json", dir) || path_print(project, err, "%s/project", dir))
        return -1;
    /* a link, because Yosys cannot include from a folder with a blank in its path */
    if (symlink(files->project, project) && errno != EEXIST)
        return error_set(err, "%s: %s", project, strerror(errno));
    if (write_script(script, files, project, l, top, err))
        return -1;
    const char *argv[] = {"yosys", "-b", "json", "-o", json, "-s", script, NULL};
    int status = proc_run(argv, files->rtl, log, err);
    if (status > 0)
        tool_error(log, files, err);
    return status == 0 ? 0 : -1;
}

static cJSON *read_json(const char *path, struct error *err) {
    cJSON *json = NULL;
    FILE *f = fopen(path, "re");
    char *text = NULL;
    long size = -1;
    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0) {
        text = alloc_zeroed((size_t)size + 1, 1);
        if (fread(text, 1, (size_t)size, f) == (size_t)size)
            json = cJSON_Parse(text);
    }
    if (!json)
        error_set(err, "yosys wrote no JSON that can be read");
    free(text);
    if (f)
        fclose(f);
    return json;
}

/* Returns the ports object of the module that has the attribute `top`. */
static const cJSON *top_ports(const cJSON *json) {
    const cJSON *module;
    cJSON_ArrayForEach(module, cJSON_GetObjectItemCaseSensitive(json, "modules")) {
        const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(module, "attributes");
        if (cJSON_GetObjectItemCaseSensitive(attributes, "top"))
            return cJSON_GetObjectItemCaseSensitive(module, "ports");
    }
    return NULL;
}

static int check_port(const cJSON *ports, const char *name, const char *direction, unsigned width,
                      struct error *err) {
    const cJSON *port = cJSON_GetObjectItemCaseSensitive(ports, name);
    const char *is = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(port, "direction"));
    int bits = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(port, "bits"));
    if (is && strcmp(is, direction) == 0 && bits == (int)width)
        return 0;
    char found[64] = "has none";
    if (is)
        snprintf(found, sizeof found, "%s of %d bits", is, bits);
    return error_set(err, "port %s: the list says %s of %u bits, the Verilog %s", name, direction,
                     width, found);
}

static const char *direction_of(const struct port_desc *d) {
    return d->dir == PORT_IN ? "input" : "output";
}

static bool listed(const struct block_type *type, const char *name, bool observed) {
    if (strcmp(name, "clk") == 0)
        return true;
    for (unsigned i = 0; i < type->n_ports; i++)
        if (strcmp(type->ports[i].name, name) == 0)
            return observed || type->ports[i].dir != PORT_OBS;
    return false;
}

/* Compares the ports of a module that has the observed ports, or has none of them. */
static int compare_ports(const cJSON *ports, const struct layout *l, bool observed,
                         struct error *err) {
    const struct block_type *type = l->type;
    if (check_port(ports, "clk", "input", 1, err))
        return -1;
    for (unsigned i = 0; i < type->n_ports; i++)
        if ((observed || type->ports[i].dir != PORT_OBS) &&
            check_port(ports, type->ports[i].name, direction_of(&type->ports[i]),
                       type->ports[i].width(&l->params), err))
            return -1;
    const cJSON *port;
    cJSON_ArrayForEach(port, ports) {
        if (!listed(type, port->string, observed))
            return error_set(err, "port %s of the Verilog is not in the list", port->string);
    }
    return 0;
}

static enum ports_verdict check_module(const char *dir, const struct rtl_files *files,
                                       const struct layout *l, const char *top, bool observed,
                                       struct error *err) {
    char path[PATH_SIZE];
    if (run_yosys(dir, files, l, top, path, err))
        return PORTS_UNKNOWN;
    cJSON *json = read_json(path, err);
    if (!json)
        return PORTS_UNKNOWN;
    enum ports_verdict verdict = PORTS_UNKNOWN;
    const cJSON *ports = top_ports(json);
    if (!ports)
        error_set(err, "yosys found no module %s", top);
    else
        verdict = compare_ports(ports, l, observed, err) ? PORTS_DIFFER : PORTS_EQUAL;
    cJSON_Delete(json);
    return verdict;
}

/* True if Yosys has found no module of that name. The netlist of an observer lacks the block. */
static bool is_missing(const struct error *err, const char *module) {
    char text[PATH_SIZE];
    snprintf(text, sizeof text, "Module `%s' not found", module);
    return strstr(err->text, text) != NULL;
}

/* Checks the block and, if `observer` is set, its observer if it has one. */
static enum ports_verdict check_in(const char *dir, const struct rtl_files *files,
                                   const struct layout *l, bool observer, struct error *err) {
    const char *block = l->type->name;
    char top[PATH_SIZE];
    if (path_print(top, err, "%s_observe", block))
        return PORTS_UNKNOWN;
    observer = observer && files->observed;
    enum ports_verdict verdict = check_module(dir, files, l, block, !files->observed, err);
    if (observer && verdict == PORTS_UNKNOWN && is_missing(err, block))
        verdict = PORTS_EQUAL;
    return observer && verdict == PORTS_EQUAL ? check_module(dir, files, l, top, true, err)
                                              : verdict;
}

static enum ports_verdict check(const struct block_type *type, const struct block_params *params,
                                bool observer, struct error *err) {
    char dir[PATH_SIZE];
    struct rtl_files files;
    struct layout l;
    enum ports_verdict verdict = PORTS_UNKNOWN;
    if (layout_init(&l, type, params, err))
        return verdict;
    if (rtl_files_find(&files, type->name, true, err) == 0 && temp_dir_make(dir, err) == 0) {
        verdict = check_in(dir, &files, &l, observer, err);
        temp_dir_remove(dir);
    }
    rtl_files_free(&files);
    layout_free(&l);
    return verdict;
}

enum ports_verdict ports_check(const struct block_type *type, const struct block_params *params,
                               struct error *err) {
    return check(type, params, true, err);
}

enum ports_verdict ports_check_bare(const struct block_type *type,
                                    const struct block_params *params, struct error *err) {
    return check(type, params, false, err);
}
