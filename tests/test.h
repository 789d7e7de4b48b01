/* SPDX-License-Identifier: Apache-2.0 */
/* Includes cmocka, the C headers that it needs, and the headers that most tests use. */
#ifndef MEMTWIN_TESTS_TEST_H
#define MEMTWIN_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Most tests do not use their cmocka state. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
