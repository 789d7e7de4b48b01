// SPDX-License-Identifier: Apache-2.0
#include "lib/shell.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/utf8.h"

static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                            "_./:=,@%+-";

/* Prints a character within $'..', where a backslash begins an octal number. */
static void put_escaped(FILE *f, const char *text, size_t length, bool bad) {
    for (size_t i = 0; i < length; i++)
        if (bad || text[i] == '\'' || text[i] == '\\')
            fprintf(f, "\\%03o", (unsigned char)text[i]);
        else
            fputc(text[i], f);
}

static void put_word(FILE *f, const char *text, bool escaped) {
    fputs(escaped ? "$'" : "'", f);
    for (size_t left = strlen(text), length; left; text += length, left -= length) {
        const bool bad = utf8_is_unprintable(text, left, &length);
        if (escaped)
            put_escaped(f, text, length, bad);
        else if (*text == '\'')
            fputs("'\\''", f);
        else
            fwrite(text, 1, length, f);
    }
    fputc('\'', f);
}

static bool has_unprintable(const char *text) {
    size_t left = strlen(text), length;
    for (; left; text += length, left -= length)
        if (utf8_is_unprintable(text, left, &length))
            return true;
    return false;
}

char *shell_word(const char *text) {
    char *word = NULL;
    size_t size;
    if (*text && !text[strspn(text, plain)])
        return alloc_text(text);
    FILE *f = alloc_stream(&word, &size);
    put_word(f, text, has_unprintable(text));
    alloc_stream_close(f);
    return word;
}

char *shell_path(const char *path) {
    char *file = alloc_bytes(strlen(path) + 3);
    strcpy(stpcpy(file, *path == '-' ? "./" : ""), path);
    char *word = shell_word(file);
    free(file);
    return word;
}

char *shell_program(void) {
    return shell_word(program_invocation_name);
}

void shell_print_command(FILE *to, const char *arguments, const char *path) {
    char *program = shell_program(), *word = shell_path(path);
    fprintf(to, "%s %s %s\n", program, arguments, word);
    free(program);
    free(word);
}
