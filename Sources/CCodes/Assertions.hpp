// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Distributions build ZXing with its assertions, and some distorted codes make one of them fail: that would end the process
// of whoever asked for codes in a picture.

#ifndef CCODES_ASSERTIONS_HPP
#define CCODES_ASSERTIONS_HPP

namespace ccodes {

/// Does some work of ZXing's on this thread; false where one of its assertions failed.
///
/// What the work held then is lost: it is left by a jump, without destructors, because an assertion's call is declared to throw
/// nothing. Law: `CodeAssertionTests`.
bool survives(void (*work)(void *), void *context);

} // namespace ccodes

#endif
