// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CPatches

extension PrintPlace {
    /// Moves the print to where a picture shows it, and says how well it then lies.
    mutating func align(
        _ print: inout CPatchesPrint, with picture: inout CPatchesPicture, isInverse: Bool
    ) -> CPatchesPrintFit {
        var fit = CPatchesPrintFit()
        let count = 9
        withNumbers { numbers in
            withUnsafeMutableBytes(of: &fit.pixel_from_print) {
                $0.bindMemory(to: Double.self).baseAddress?.update(from: numbers, count: count)
            }
            let status = cpatches_align_print(&picture, &print, isInverse ? 1 : 0, &fit)
            precondition(status == CPATCHES_OK, "a kernel failed: \(String(cString: cpatches_status_message(status)))")
            withUnsafeBytes(of: &fit.pixel_from_print) {
                numbers.update(from: $0.bindMemory(to: Double.self).baseAddress.unsafelyUnwrapped, count: count)
            }
        }
        return fit
    }
}
