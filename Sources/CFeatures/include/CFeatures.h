// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CFEATURES_H
#define CFEATURES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of bytes of a feature's signature.
#define CFEATURES_SIGNATURE_BYTES 16

/// The number of bytes of a feature's signature, as the library was compiled.
int32_t cfeatures_signature_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
