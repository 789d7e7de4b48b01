// SPDX-License-Identifier: Apache-2.0
#include "harness/ports_check.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files.h"
#include "harness/layout.h"
#include "harness/proc.h"

/* The tool runs in the rtl folder; names in the script are relative to it. */
static int write_script(const char *path, const struct rtl_files *files, const struct layout *l,
                        char *err, size_t err_size) {
    struct new_file nf;
    if (new_file_open(&nf, path, err, err_size))
        return -1;
    fprintf(nf.f, "read_verilog -defer"); /* not elaborated at the defaults */
    for (size_t i = 0; i < files->n_folders; i++)
        fprintf(nf.f, " -I%s", files->folders[i]);
    for (size_t i = 0; i < files->n_names; i++)
        fprintf(nf.f, " %s", files->names[i]);
    fprintf(nf.f, "\nhierarchy -check -top %s", l->type->name);
    for (unsigned i = 0; i < l->type->n_params; i++)
        fprintf(nf.f, " -chparam %s %" PRId64, l->type->params[i].name, l->params.v[i]);
    fprintf(nf.f, "\nblackbox *\n"); /* only ports are needed, not contents */
    return new_file_commit(&nf, err, err_size);
}

static bool names_file(const char *line, const struct rtl_files *files) {
    for (size_t i = 0; i < files->n_names; i++) {
        size_t n = strlen(files->names[i]);
        if (strncmp(line, files->names[i], n) == 0 && line[n] == ':')
            return true;
    }
    return false;
}

/* The last line of the log that says ERROR, with the folder of a file that it begins with. */
static void tool_error(const char *log, const struct rtl_files *files, char *err, size_t err_size) {
    char line[400];
    FILE *f = fopen(log, "re");
    snprintf(err, err_size, "yosys failed");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strstr(line, "ERROR"))
            snprintf(err, err_size, "yosys: %s%s%s", names_file(line, files) ? files->rtl : "",
                     names_file(line, files) ? "/" : "", line);
    }
    if (f)
        fclose(f);
}

static int run_yosys(const char *dir, const struct rtl_files *files, const struct layout *l,
                     char *json, char *err, size_t err_size) {
    char script[PATH_SIZE], log[PATH_SIZE];
    if (path_print(script, err, err_size, "%s/script.ys", dir) ||
        path_print(log, err, err_size, "%s/log", dir) ||
        path_print(json, err, err_size, "%s/ports.json", dir) ||
        write_script(script, files, l, err, err_size))
        return -1;
    const char *argv[] = {"yosys", "-b", "json", "-o", json, "-s", script, NULL};
    int status = proc_run(argv, files->rtl, log, err, err_size);
    if (status > 0)
        tool_error(log, files, err, err_size);
    return status == 0 ? 0 : -1;
}

static cJSON *read_json(const char *path, char *err, size_t err_size) {
    cJSON *json = NULL;
    FILE *f = fopen(path, "re");
    char *text = NULL;
    long size = -1;
    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0 && (text = malloc((size_t)size + 1)) != NULL &&
        fread(text, 1, (size_t)size, f) == (size_t)size) {
        text[size] = '\0';
        json = cJSON_Parse(text);
    }
    if (!json)
        snprintf(err, err_size, "yosys wrote no JSON that can be read");
    free(text);
    if (f)
        fclose(f);
    return json;
}

/* The ports object of the module that has the attribute `top`. */
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
                      char *err, size_t err_size) {
    const cJSON *port = cJSON_GetObjectItemCaseSensitive(ports, name);
    const char *is = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(port, "direction"));
    int bits = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(port, "bits"));
    if (is && strcmp(is, direction) == 0 && bits == (int)width)
        return 0;
    int n = snprintf(err, err_size, "port %s: the list says %s of %u bits, the Verilog ", name,
                     direction, width);
    if (is)
        snprintf(err + n, err_size - (size_t)n, "%s of %d bits", is, bits);
    else
        snprintf(err + n, err_size - (size_t)n, "has none");
    return -1;
}

static const char *direction_of(const struct port_desc *d) {
    return d->dir == PORT_IN ? "input" : "output";
}

static bool listed(const struct block_type *type, const char *name) {
    if (strcmp(name, "clk") == 0)
        return true;
    for (unsigned i = 0; i < type->n_ports; i++)
        if (strcmp(type->ports[i].name, name) == 0)
            return true;
    return false;
}

static int compare(const cJSON *ports, const struct layout *l, char *err, size_t err_size) {
    const struct block_type *type = l->type;
    if (check_port(ports, "clk", "input", 1, err, err_size))
        return -1;
    for (unsigned i = 0; i < type->n_ports; i++)
        if (check_port(ports, type->ports[i].name, direction_of(&type->ports[i]),
                       type->ports[i].width(&l->params), err, err_size))
            return -1;
    const cJSON *port;
    cJSON_ArrayForEach(port, ports) {
        if (!listed(type, port->string)) {
            snprintf(err, err_size, "port %s of the Verilog is not in the list", port->string);
            return -1;
        }
    }
    return 0;
}

static int check_in(const char *dir, const struct rtl_files *files, const struct layout *l,
                    char *err, size_t err_size) {
    char path[PATH_SIZE];
    if (run_yosys(dir, files, l, path, err, err_size))
        return -1;
    cJSON *json = read_json(path, err, err_size);
    if (!json)
        return -1;
    const cJSON *ports = top_ports(json);
    if (!ports)
        snprintf(err, err_size, "yosys found no module %s", l->type->name);
    int bad = ports ? compare(ports, l, err, err_size) : -1;
    cJSON_Delete(json);
    return bad;
}

int ports_check(const struct block_type *type, const struct block_params *params, char *err,
                size_t err_size) {
    char dir[PATH_SIZE];
    struct rtl_files files;
    struct layout l;
    if (layout_init(&l, type, params, err, err_size))
        return -1;
    int bad = rtl_files_find(&files, type->name, err, err_size);
    if (!bad && (bad = temp_dir_make(dir, err, err_size)) == 0) {
        bad = check_in(dir, &files, &l, err, err_size);
        temp_dir_remove(dir);
    }
    rtl_files_free(&files);
    layout_free(&l);
    return bad;
}
