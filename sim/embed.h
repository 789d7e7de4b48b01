/* SPDX-License-Identifier: Apache-2.0 */
/* Embeds files into the program. */
#ifndef MEMTWIN_EMBED_H
#define MEMTWIN_EMBED_H

/* Declares `const char NAME[]`, which holds the bytes of a file, followed by a 0. PATH is a literal
 * with an absolute path, because the linker assembles the code in another folder. The Makefile
 * lists the files that each object embeds. */
#define EMBED(name, path)                                                                          \
    __asm__(".pushsection .rodata\n"                                                               \
            ".global " #name "\n"                                                                  \
            ".hidden " #name "\n" #name ":\n"                                                      \
            ".incbin \"" path "\"\n"                                                               \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    extern const char name[] __attribute__((visibility("hidden")))

#endif
