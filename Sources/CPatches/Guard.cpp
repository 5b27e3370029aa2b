// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

const char *cpatches_status_message(CPatchesStatus status) {
    switch (status) {
    case CPATCHES_OK: return "success";
    case CPATCHES_INVALID_ARGUMENT: return "an argument is missing, out of range or not finite";
    case CPATCHES_OUT_OF_MEMORY: return "memory ran out";
    case CPATCHES_FAILED: return "OpenCV refused the input";
    }
    return "unknown status";
}
