// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// How results are rounded, the same on every machine; included before any calculation.

#pragma once

// Each product is rounded before it is summed: machines that could do both at once would give other bits.
#pragma STDC FP_CONTRACT OFF
