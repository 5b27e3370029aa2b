// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

const char *cvision_status_message(CVisionStatus status) {
    switch (status) {
    case CVISION_OK: return "success";
    case CVISION_INVALID_ARGUMENT: return "an argument is missing, out of range or not finite";
    case CVISION_NOT_FOUND: return "the input holds no answer";
    case CVISION_OUT_OF_MEMORY: return "memory ran out";
    case CVISION_FAILED: return "OpenCV refused the input";
    }
    return "unknown status";
}
