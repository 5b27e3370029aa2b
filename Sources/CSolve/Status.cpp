// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CSolve.h"

const char *csolve_status_message(CSolveStatus status) {
    switch (status) {
    case CSOLVE_OK: return "success";
    case CSOLVE_INVALID_ARGUMENT: return "a buffer is missing or not aligned, or a count is negative";
    case CSOLVE_OUT_OF_MEMORY: return "memory ran out";
    case CSOLVE_FAILED: return "the result is undefined for these numbers";
    }
    return "unknown status";
}
