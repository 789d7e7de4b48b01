/* SPDX-License-Identifier: Apache-2.0 */
/* Files embedded into the program. */
#ifndef MEMTWIN_EMBED_H
#define MEMTWIN_EMBED_H

/* Declares `const char NAME[]`, the bytes of a file followed by a 0. PATH is an absolute literal,
 * since the linker assembles it in a folder of its own. The Makefile lists which objects depend on
 * which files. */
#define EMBED(name, path)                                                                          \
    __asm__(".pushsection .rodata\n"                                                               \
            ".global " #name "\n"                                                                  \
            ".hidden " #name "\n" #name ":\n"                                                      \
            ".incbin \"" path "\"\n"                                                               \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    extern const char name[] __attribute__((visibility("hidden")))

#endif
