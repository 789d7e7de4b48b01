// SPDX-License-Identifier: Apache-2.0
#include "gpu/pace.h"

bool pace_all(const struct pace *p) {
    return p->count < 2 * PACE_TRY ? p->count >= PACE_TRY : p->all_faster;
}

void pace_cycle(struct pace *p) {
    switch (++p->count) {
    case PACE_TRY / 2:
    case PACE_TRY + PACE_TRY / 2:
        p->began = p->clock();
        p->parts = 0;
        break;
    case PACE_TRY:
        p->caller_ns = p->clock() - p->began;
        p->caller_parts = p->parts;
        break;
    case 2 * PACE_TRY: /* time per part */
        p->all_faster = (p->clock() - p->began) * p->caller_parts < p->caller_ns * p->parts;
        break;
    case PACE_EVERY:
        p->count = 0;
        break;
    }
}
