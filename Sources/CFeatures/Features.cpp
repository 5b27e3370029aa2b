// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "CFeatures.h"

int32_t cfeatures_signature_bytes(void) { return CFEATURES_SIGNATURE_BYTES; }
