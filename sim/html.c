// SPDX-License-Identifier: Apache-2.0
#include "html.h"

#include <string.h>

#define DATA_HERE "<!--DATA-->"

const char *html_begin(const char *page, FILE *to) {
    const char *data = strstr(page, DATA_HERE);
    fwrite(page, 1, (size_t)(data - page), to);
    return data + strlen(DATA_HERE);
}
