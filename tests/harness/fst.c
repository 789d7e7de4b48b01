// SPDX-License-Identifier: Apache-2.0
/* Converts an FST file to VCD on standard output, using the reader shipped with Verilator. waves.sh
 * compiles it with fstapi.c. */
#include "fstapi.h"

int main(int argc, char **argv) {
    void *fst = argc == 2 ? fstReaderOpen(argv[1]) : NULL;
    if (!fst || !fstReaderProcessHier(fst, stdout))
        return 1;
    fstReaderSetFacProcessMaskAll(fst);
    int good = fstReaderIterBlocks(fst, NULL, NULL, stdout);
    fstReaderClose(fst);
    return good ? 0 : 1;
}
