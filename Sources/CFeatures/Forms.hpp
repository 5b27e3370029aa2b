// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace cfeatures {

/// A coefficient of a descriptor's spectrum, and what it is on average.
struct Form {
    uint8_t index;
    float mean;
};

extern const Form form_order[128];

} // namespace cfeatures
