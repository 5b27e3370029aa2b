// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

#include "Assertions.hpp"

#include <cassert>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

namespace {

/// Where this thread goes on when an assertion fails, or null where that is the end.
thread_local std::jmp_buf *way_out = nullptr;

/// Forgets the way out, also where the work throws.
struct Leaving {
    ~Leaving() { way_out = nullptr; }
};

} // namespace

bool ccodes::survives(void (*work)(void *), void *context) {
    std::jmp_buf here;
    const Leaving leaving;
    way_out = &here;
    if (setjmp(here) != 0) return false;
    work(context);
    return true;
}

/// The C library's own function for assertions that fail, as the whole process sees it: libraries look for it here first. Outside
/// of what `survives` does, it says what the C library's says, and ends the process as that does.
extern "C" [[noreturn]] void __assert_fail(
    const char *assertion, const char *file, unsigned int line, const char *function) noexcept {
    if (way_out != nullptr) std::longjmp(*way_out, 1);
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
    std::abort();
}
